/* The modulus of a paste for which none is given: numerical, large against the stresses in a flow. */
#include "materials/law_modulus.h"

#include "materials/flow_law.h"

/* A paste without a modulus is strained by one part in this when it flows at this rate (1/s): the first normal stress then changes the
 * stress of flow by less than one part in 10,000. */
static const double RIGIDITY = 100.0, RIGID_RATE = 100.0;

double dlp__law_modulus(const dlp_MaterialDef *material)
{
    if (material->modulus > 0.0 || dlp__flow_yield_stress(material, 1.0) <= 0.0) {
        return material->modulus;
    }
    return RIGIDITY * dlp__flow_stress(material, RIGID_RATE, 1.0);
}
