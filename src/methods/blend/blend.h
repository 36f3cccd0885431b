/* SPH blended with shape matching (Takamatsu and Kanai 2011). */
#ifndef DLP_METHODS_BLEND_H
#define DLP_METHODS_BLEND_H

#include "methods/method.h"

extern const dlp__Method dlp__blend;

#endif
