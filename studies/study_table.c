/* The studies that this build holds, in the order in which `dollop study --list` shows them. */
#include "studies/study.h"

extern const Study barreiro_stress_study;

const Study *const studies[] = {
    &barreiro_stress_study,
    NULL,
};
