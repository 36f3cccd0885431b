/* Springs and double density relaxation (Clavet et al. 2005): sheets, filaments and drops of liquid, and elastic,
 * plastic or viscoelastic bodies. */
#ifndef DLP_METHODS_SPRINGS_H
#define DLP_METHODS_SPRINGS_H

#include "methods/method.h"

extern const dlp__Method dlp__springs;

#endif
