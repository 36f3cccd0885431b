/* Mukai et al., Sim. 3: fluid pulled between two plates, with a deviatoric stress of elasticity only. */
#include "studies/pulled_thread.h"

static void run(StudyRun *run)
{
    thread_run(run, THREAD_ELASTIC);
}

const Study mukai_sim3_study = {
    .name = "mukai-sim3",
    .paper = "Mukai et al., Sim. 3",
    .claim = "With elasticity only the particles are dispersed.",
    .run = run,
    .large = THREAD_LARGE,
};
