/* Mukai et al., Sims. 1 to 4: fluid between two plates, the upper of which is pulled up, with four deviatoric stresses. Each simulation
 * is run as printed and repaired. */
#ifndef STUDIES_PULLED_THREAD_H
#define STUDIES_PULLED_THREAD_H

#include "studies/study_world.h"

/* The four simulations of the paper. */
typedef enum ThreadSim { THREAD_BLEND, THREAD_VISCOUS, THREAD_ELASTIC, THREAD_COMPLEX } ThreadSim;

/* Tables, plots, pictures and verdict. */
void thread_run(StudyRun *run, ThreadSim sim);

#define THREAD_LARGE "instead, the paper's spacing of 3 mm: 30,000 particles; half an hour to two hours on one core"

#endif
