/* Mukai et al., Sim. 4: fluid pulled between two plates, with a deviatoric stress of the absolute value of a complex modulus. */
#include "studies/pulled_thread.h"

static void run(StudyRun *run)
{
    thread_run(run, THREAD_COMPLEX);
}

const Study mukai_sim4_study = {
    .name = "mukai-sim4",
    .paper = "Mukai et al., Sim. 4",
    .claim = "With the complex modulus of elasticity the particles are dispersed.",
    .run = run,
    .large = THREAD_LARGE,
};
