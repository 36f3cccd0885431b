/* Materials without flow laws, elastic laws, modes and thixotropy: for methods that have none of these, and for frozen materials.
 * dlp_material_equivalent() of rheology.h is the public form. */
#ifndef DLP_MATERIALS_LAW_EQUIVALENT_H
#define DLP_MATERIALS_LAW_EQUIVALENT_H

#include <dollop/world.h>

/* Whether it has any of them. */
bool dlp__law_is_present(const dlp_MaterialDef *material);

/* The Newtonian or Maxwell fluid with the same stress in steady shear at `rate` (1/s, above 0). The modulus remains that of the law;
 * with several modes it is their sum. A thixotropic material has the structure of steady flow at that rate. A yield stress becomes
 * part of the viscosity: such a fluid creeps at any stress. A material without laws is returned as it is. */
dlp_MaterialDef dlp__law_equivalent(const dlp_MaterialDef *material, double rate);

#endif
