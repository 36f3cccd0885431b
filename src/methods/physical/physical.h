/* Method physical: viscosity, elasticity and pressure of a step in one linear system for the change of velocity. A material
 * behaves as its parameters in SI units say, at any spacing, time step and iteration count. */
#ifndef DLP_METHODS_PHYSICAL_H
#define DLP_METHODS_PHYSICAL_H

#include "methods/method.h"

extern const dlp__Method dlp__physical;

#endif
