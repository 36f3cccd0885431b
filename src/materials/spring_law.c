#include "materials/spring_law.h"

#include "materials/maxwell.h"

#include <math.h>

static const double VISCOSITY = 120.0, MODULUS = 60.0; /* see the head of the header */

/* Pa, of what springs back. */
static double modulus_of(const dlp_MaterialDef *m, double tau)
{
    const bool relaxes = tau > 0.0 && m->viscosity > 0.0;
    return m->modulus > 0.0 ? m->modulus : relaxes ? m->viscosity / tau : 0.0;
}

/* The part of an excess that is gone after a step at that rate (1/s). */
static float taken(double rate, double dt)
{
    return (float)-expm1(-rate * dt);
}

dlp__SpringLaw dlp__spring_law(const dlp_MaterialDef *material, double moment, double dt)
{
    const double tau = dlp__maxwell_time(material), modulus = modulus_of(material, tau);
    const double thick = material->solvent_viscosity + (modulus > 0.0 ? 0.0 : material->viscosity);
    const double relaxing = tau > 0.0 && isfinite(tau) ? 1.0 / tau : 0.0;
    const double stretch = material->plasticity >= 0.0 ? material->plasticity : relaxing;
    const double compress = material->compress_plasticity >= 0.0 ? material->compress_plasticity : stretch;
    return (dlp__SpringLaw){
        .sigma = (float)fmin(material->sigma + VISCOSITY * thick / (material->density * moment), 1e30),
        .stiffness = (float)fmin(MODULUS * modulus / (material->density * moment), 1e30),
        .stretch_taken = taken(stretch, dt),
        .stretch_yield = (float)material->yield_ratio,
        .compress_taken = taken(compress, dt),
        .compress_yield = (float)(material->compress_yield_ratio >= 0.0 ? material->compress_yield_ratio
                                                                        : material->yield_ratio),
    };
}
