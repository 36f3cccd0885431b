/* Balls float by their density in the fluid of method springs. Its surface tension goes with its stiffness and would carry them, so
 * little of it is left; and it bears some shear before it flows, so that they slip and are let go from above and from below. */
#include "studies/floating.h"

static void run(StudyRun *run)
{
    floating_run(run, &(FloatingDef){.method = "springs",
                                     .settings = {{"sound_speed", 2.5}, {"tension", 0.05}},
                                     .sizes = {4, 8},
                                     .starts = {1, 0.6},
                                     .per_second = 640,
                                     .wanted = 0.1,
                                     .quick = 0.25, /* 19.6 % measured at a radius of 4 spacings */
                                     .sunk = 0.065,
                                     .squeezed = true});
}

const Study clavet_float_study = {
    .name = "clavet-float",
    .paper = "Clavet et al. 2005, Fig. 9 and 10",
    .claim =
        "Fluid carries bodies and is moved by them: those of 0.3, 0.6 and 0.9 of its density float with that part of them under "
        "the surface, within 10 %; one of 1.2 goes under.",
    .run = run,
};
