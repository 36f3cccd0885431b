/* Mukai et al., Sim. 1: fluid pulled between two plates, with a deviatoric stress of viscosity and elasticity, weighted by the shear rate. */
#include "studies/pulled_thread.h"

static void run(StudyRun *run)
{
    thread_run(run, THREAD_BLEND);
}

const Study mukai_sim1_study = {
    .name = "mukai-sim1",
    .paper = "Mukai et al., Sim. 1",
    .claim =
        "With a linear combination of viscosity and elasticity the fluid is stretched; its particles are a little more dispersed "
        "than with viscosity only.",
    .run = run,
    .large = THREAD_LARGE,
};
