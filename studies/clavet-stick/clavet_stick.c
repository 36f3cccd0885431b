/* Films of method springs under sticky walls. They hold together by the attraction of their own particles, so the wall need hold the
 * first layer only. */
#include "studies/hanging_films.h"

#define THIN 0.03 /* m */

static const FilmCase cases[] = {
    {"ceiling", "springs", {NULL, 0}, false, false, THIN, 0.01, 480, 1, 0.8, 1.25, true},
    {"ceiling", "springs", {NULL, 0}, false, false, THIN, 0.01, 960, 1, 0.8, 1.25, false},
    {"ceiling", "springs", {NULL, 0}, false, false, THIN, 0.005, 960, 1, 0.8, 1.25, false},
    {"sphere", "springs", {NULL, 0}, true, false, THIN, 0.01, 480, 1, 0.8, 1.25, true},
    {"sphere", "springs", {NULL, 0}, true, false, THIN, 0.0075, 960, 1, 0.8, 1.25, false},
};

static void run(StudyRun *run)
{
    films_run(run, cases, sizeof cases / sizeof cases[0]);
}

const Study clavet_stick_study = {
    .name = "clavet-stick",
    .paper = "Clavet et al. 2005, Fig. 7",
    .claim =
        "Fluid sticks to walls, even underneath: a film stays under a ceiling or a sphere if its weight per area is less than the "
        "wall's strength, and falls if it is more, from 0.8 and 1.25 of it on.",
    .run = run,
};
