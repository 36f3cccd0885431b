/* Conformation constraints (Barreiro et al. 2017): viscoelastic fluids from Newtonian to elastic. */
#ifndef DLP_METHODS_CONFORMATION_H
#define DLP_METHODS_CONFORMATION_H

#include "methods/method.h"

extern const dlp__Method dlp__conformation;

#endif
