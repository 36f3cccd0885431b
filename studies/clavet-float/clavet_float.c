/* Balls float by their density in the fluid of method springs. Its surface tension goes with its stiffness: a stiffer one carries
 * balls on its surface, a softer one is pressed together by its own weight. */
#include "studies/floating.h"

static void run(StudyRun *run)
{
    floating_run(run, &(FloatingDef){"springs", {"sound_speed", 1.5}, 320, 0.1, true});
}

const Study clavet_float_study = {
    .name = "clavet-float",
    .paper = "Clavet et al. 2005, Fig. 9 and 10",
    .claim =
        "Fluid carries bodies and is moved by them: those of 0.3, 0.6 and 0.9 of its density float with that part of them under "
        "the surface, within 10 %; one of 1.2 sinks.",
    .run = run,
};
