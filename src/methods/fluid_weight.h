/* The weight of the fluid, for methods that derive parameters from the pressure at its bottom. */
#ifndef DLP_METHODS_FLUID_WEIGHT_H
#define DLP_METHODS_FLUID_WEIGHT_H

#include "methods/method.h"

/* m2/s2: g H, pressure at the bottom over density. `height` (m) is H; 0: that of a block with the same variance of particle heights. */
double dlp__fluid_weight(const dlp__StepContext *step, double height);

#endif
