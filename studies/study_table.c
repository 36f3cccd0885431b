/* The studies that this build holds, in the order in which `dollop study --list` shows them. */
#include "studies/study.h"

const Study *const studies[] = {
    NULL,
};
