/* Springs and double density relaxation (Clavet et al. 2005): sheets, filaments and drops of liquids, and bodies that
 * spring back, keep a print or flow away. */
#ifndef DLP_METHODS_SPRINGS_H
#define DLP_METHODS_SPRINGS_H

#include "methods/method.h"

extern const dlp__Method dlp__springs;

#endif
