/* Films under sticky walls, by method, spacing, time step and viscosity. */
#include "studies/hanging_films.h"

#define THICK 0.08 /* m, of a film under a ceiling                             */
#define THIN  0.03 /* m, of one under the sphere, and of one without tension   */

static const FilmCase cases[] = {
    {"ceiling", "physical", {NULL, 0}, false, false, false, THICK, 0, 0.01, 240, 10, 0.8, 1.25, true},
    {"ceiling", "physical", {NULL, 0}, false, false, false, THICK, 0, 0.01, 480, 10, 0.8, 1.25, false},
    {"ceiling", "physical", {NULL, 0}, false, false, false, THICK, 0, 0.005, 240, 10, 0.8, 1.25, false},
    {"ceiling", "physical", {NULL, 0}, false, false, false, THICK, 0, 0.005, 480, 10, 0.8, 1.25, false},
    {"ceiling", "physical", {NULL, 0}, false, false, false, THICK, 0, 0.01, 240, 1000, 0.8, 1.25, true},
    {"ceiling", "physical", {NULL, 0}, false, false, false, THICK, 0, 0.005, 480, 1000, 0.8, 1.25, false},
    {"sphere", "physical", {NULL, 0}, true, false, false, THIN, 0, 0.01, 240, 100, 0.8, 1.25, true},
    {"sphere", "physical", {NULL, 0}, true, false, false, THIN, 0, 0.01, 480, 100, 0.8, 1.25, false},
    {"sphere", "physical", {NULL, 0}, true, false, false, THIN, 0, 0.0075, 240, 100, 0.8, 1.25, false},
    {"ceiling", "conformation", {NULL, 0}, false, false, false, THICK, 0, 0.01, 240, 1000, 0.7, 1.4, true},
    {"ceiling", "conformation", {NULL, 0}, false, false, false, THICK, 0, 0.005, 480, 1000, 0.7, 1.4, false},
    {"ceiling", "pbf", {NULL, 0}, false, true, false, THIN, 2 * THIN, 0.01, 240, 0, 0.7, 1.4, true},
    {"ceiling", "pbf", {NULL, 0}, false, true, false, THIN, 2 * THIN, 0.005, 480, 0, 0.7, 1.4, false},
};

static void run(StudyRun *run)
{
    films_run(run, cases, sizeof cases / sizeof cases[0]);
}

const Study sticky_film_study = {
    .name = "sticky-film",
    .paper = "known answer",
    .claim =
        "A film stays under a sticky wall if its weight per area is up to 0.8 of the wall's strength, and falls from 1.25 of it "
        "on, at any spacing, time step and viscosity.",
    .run = run,
};
