/* Position-based fluids (Macklin and Mueller 2013): the base that other methods build on. */
#ifndef DLP_METHODS_PBF_H
#define DLP_METHODS_PBF_H

#include "methods/method.h"

extern const dlp__Method dlp__pbf;

#endif
