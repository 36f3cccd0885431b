/* Which parts a law is made of, and the invariants that they share. */
#include "materials/law_parts.h"

#include "materials/flow_law.h"
#include "materials/law_modulus.h"
#include "materials/maxwell.h"

#include <math.h>

dlp__LawParts dlp__law_parts(const dlp_MaterialDef *material)
{
    const dlp_MaterialDef *m = material;
    dlp__LawParts law = {.material = m, .kind = DLP_LAW_ELASTIC, .limit = m->extensibility * m->extensibility};
    if (m->modes.count > 0) {
        law.mode_count = m->modes.count < DLP_MODES_MOST ? (int)m->modes.count : DLP_MODES_MOST;
        for (int k = 0; k < law.mode_count; k++) {
            law.mode[k] = m->modes.mode[k];
        }
        return law;
    }
    const bool newtonian = dlp__flow_is_newtonian(m);
    const double time = newtonian ? dlp__maxwell_time(m) : 0.0, modulus = dlp__law_modulus(m);
    law.mode_count = 1;
    if (time > 0.0) {
        law.mode[0] = (dlp_RelaxationMode){time, modulus > 0.0 ? modulus : m->viscosity / time};
    } else if (!newtonian && modulus > 0.0) {
        law.kind = DLP_LAW_PLASTIC;
        law.mode[0].modulus = modulus;
    } else {
        law.kind = DLP_LAW_VISCOUS;
        law.mode_count = 0;
    }
    return law;
}

double dlp__law_stress_size(const dlp__LawStress *stress)
{
    const double a = stress->xx - stress->yy, b = stress->yy - stress->zz, c = stress->zz - stress->xx;
    return sqrt(stress->xz * stress->xz + (a * a + b * b + c * c) / 6.0);
}

double dlp__law_element_flow(const dlp_RelaxationMode *mode, double size, double structure)
{
    return size / (structure * mode->modulus * mode->relaxation_time);
}
