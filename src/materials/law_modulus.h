/* The shear modulus that a law stores stress with. */
#ifndef DLP_MATERIALS_LAW_MODULUS_H
#define DLP_MATERIALS_LAW_MODULUS_H

#include <dollop/world.h>

/* Pa: `modulus`, or if a law with a yield stress has none, one at which the material is practically rigid below its yield stress; 0: viscous. */
double dlp__law_modulus(const dlp_MaterialDef *material);

#endif
