/* Velocity smoothing (XSPH) at the end of a step, as strong as each material's `smoothing` says; for the methods that have it. */
#ifndef DLP_METHODS_SMOOTH_H
#define DLP_METHODS_SMOOTH_H

#include "methods/method.h"

/* Needs neighbour lists, `specific_volume` and the field `smoothing`. False without memory. */
bool dlp__smooth_velocities(dlp__StepContext *step);

#endif
