/* Mukai et al., Sim. 2: fluid pulled between two plates, with a deviatoric stress of viscosity only. */
#include "studies/pulled_thread.h"

static void run(StudyRun *run)
{
    thread_run(run, THREAD_VISCOUS);
}

const Study mukai_sim2_study = {
    .name = "mukai-sim2",
    .paper = "Mukai et al., Sim. 2",
    .claim = "With viscosity only the fluid is stretched and its particles are not dispersed.",
    .run = run,
    .large = THREAD_LARGE,
};
