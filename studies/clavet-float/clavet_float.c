/* Clavet et al. 2005, Fig. 9 and 10: balls float according to their density in the fluid of the method springs. Its surface tension
 * scales with its stiffness and would carry them, so it is reduced; and the fluid supports some shear before it flows, so balls slip
 * freely and are released from above and from below. */
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
        "Fluid carries bodies and is moved by them: those of 0.3, 0.6 and 0.9 of its density float with that fraction "
        "submerged, within 10 %; one of 1.2 submerges.",
    .run = run,
};
