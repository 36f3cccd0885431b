/* The moving-particle semi-implicit method for Cauchy's equation of motion (Mukai et al.): threads of viscoelastic fluid. */
#ifndef DLP_METHODS_MPS_H
#define DLP_METHODS_MPS_H

#include "methods/method.h"

extern const dlp__Method dlp__mps;

#endif
