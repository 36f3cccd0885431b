/* Balls float according to their density with the method physical. */
#include "studies/floating.h"

static void run(StudyRun *run)
{
    floating_run(run, &(FloatingDef){.method = "physical",
                                     .sizes = {4, 6},
                                     .friction = 1,
                                     .starts = {1},
                                     .per_second = 240,
                                     .wanted = 0.05,
                                     .sunk = 0.0385});
}

const Study archimedes_study = {
    .name = "archimedes",
    .paper = "known answer",
    .claim =
        "Balls of 0.3, 0.6 and 0.9 of the fluid's density float with that fraction submerged, within 5 %; one of 1.2 sinks.",
    .run = run,
};
