/* Validates the rival: a shear wave in a periodic box against the theory of a Maxwell fluid. */
#ifndef DLP_STUDIES_STRESS_WAVE_H
#define DLP_STUDIES_STRESS_WAVE_H

#include "studies/study_output.h"

/* Fills a table; an error of more than a few percent ends the study. */
void stress_wave_check(StudyRun *run);

#endif
