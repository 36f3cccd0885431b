/* Viscous and elastic fluids by links between particles (Takahashi et al. 2014). */
#ifndef DLP_METHODS_LINKS_H
#define DLP_METHODS_LINKS_H

#include "methods/method.h"

extern const dlp__Method dlp__links;

#endif
