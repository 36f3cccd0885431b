/* Clavet et al. 2005, Fig. 7: films of the method springs under sticky walls. The attraction between particles holds a film together,
 * up to about a tenth of density times the speed of sound squared, but also contracts it: the speed is chosen so that the weight is
 * some hundredths of that. The reach is five spacings: particles rest some 0.7 spacings from a repulsive wall, where an attraction
 * that fades over one spacing has lost a third. */
#include "studies/hanging_films.h"

static const FilmCase cases[] = {
    {"ceiling", "springs", {"sound_speed", 3}, false, false, true, 0.06, 0.05, 0.01, 480, 5, 0.8, 1.25, true},
    {"ceiling", "springs", {"sound_speed", 3}, false, false, true, 0.06, 0.05, 0.01, 960, 5, 0.8, 1.25, false},
    {"ceiling", "springs", {"sound_speed", 2}, false, false, true, 0.06, 0.05, 0.01, 480, 5, 0.8, 1.25, false},
    {"ceiling", "springs", {"sound_speed", 2}, false, false, true, 0.03, 0.025, 0.005, 960, 5, 0.8, 1.25, false},
    {"sphere", "springs", {"sound_speed", 2}, true, false, true, 0.03, 0.05, 0.01, 480, 100, 0.8, 1.25, true},
    {"sphere", "springs", {"sound_speed", 3}, true, false, true, 0.03, 0.05, 0.01, 480, 100, 0.8, 1.25, false},
    {"sphere", "springs", {"sound_speed", 2}, true, false, true, 0.02, 0.05, 0.01, 480, 100, 0.8, 1.25, false},
};

static void run(StudyRun *run)
{
    films_run(run, cases, sizeof cases / sizeof cases[0]);
}

const Study clavet_stick_study = {
    .name = "clavet-stick",
    .paper = "Clavet et al. 2005, Fig. 7",
    .claim =
        "Fluid sticks to walls, even from below: a film stays under a ceiling or a sphere if its weight per area is up to 0.8 of "
        "the wall's strength, and falls from 1.25 of it on.",
    .run = run,
};
