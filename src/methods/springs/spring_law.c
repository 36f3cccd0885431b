#include "methods/springs/spring_law.h"

#include "materials/maxwell.h"

#include <math.h>

/* clang-format off */
#define PARAM(member, unit, value, least, most, ...) \
    {#member, DLP_PARAM_REAL, offsetof(dlp__SpringsMaterial, member), unit, {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}

/* The material has springs. */
#define ELASTIC .when = "modulus|relaxation_time|frozen_modulus"

static const dlp_Param params[] = {
    PARAM(sigma, "1/s", 0.0, 0.0, 1e9, "strength of linear viscosity impulses, in addition to those from viscosity"),
    PARAM(plasticity, "1/s", -1.0, -1.0, 1e9,
          "rate at which the rest length of a stretched spring follows its length; -1: one over the relaxation time",
          ELASTIC),
    PARAM(yield_ratio, "", 0.0, 0.0, 0.9, "strain that a spring withstands before its rest length changes", ELASTIC),
    PARAM(compress_plasticity, "1/s", -1.0, -1.0, 1e9, "plasticity of compressed springs; -1: same as plasticity",
          ELASTIC),
    PARAM(compress_yield_ratio, "", -1.0, -1.0, 0.9, "yield_ratio of compressed springs; -1: same as yield_ratio",
          ELASTIC),
};
/* clang-format on */

const dlp_ParamTable dlp__springs_material_params = {"material", "material parameters of method springs",
                                                     sizeof(dlp__SpringsMaterial),
                                                     (int)(sizeof params / sizeof params[0]), params};

static const double VISCOSITY = 120.0, MODULUS = 60.0; /* see the top of spring_law.h */

/* Pa, elastic modulus. */
static double modulus_of(const dlp_MaterialDef *m, double tau)
{
    const bool relaxes = tau > 0.0 && m->viscosity > 0.0;
    return m->modulus > 0.0 ? m->modulus : relaxes ? m->viscosity / tau : 0.0;
}

/* Fraction of an excess that decays in a step at this rate (1/s). */
static float decayed_fraction(double rate, double dt)
{
    return (float)-expm1(-rate * dt);
}

dlp__SpringLaw dlp__spring_law(const dlp_MaterialDef *material, const dlp__FlowScale *scale,
                               const dlp__SpringsMaterial *own, double moment, double dt)
{
    const double tau = dlp__maxwell_time(material), modulus = modulus_of(material, tau);
    const double newtonian_viscosity = material->solvent_viscosity + (modulus > 0.0 ? 0.0 : material->viscosity);
    const double relaxation_rate = tau > 0.0 && isfinite(tau) ? 1.0 / tau : 0.0;
    const double plasticity = dlp__flow_rate(own->plasticity, scale),
                 compress_plasticity = dlp__flow_rate(own->compress_plasticity, scale);
    const double stretch = plasticity >= 0.0 ? plasticity : relaxation_rate;
    const double compress = compress_plasticity >= 0.0 ? compress_plasticity : stretch;
    return (dlp__SpringLaw){
        .sigma = (float)fmin(
            own->sigma * scale->viscosity + VISCOSITY * newtonian_viscosity / (material->density * moment), 1e30),
        .stiffness = (float)fmin(MODULUS * modulus / (material->density * moment), 1e30),
        .stretch_taken = decayed_fraction(stretch, dt),
        .stretch_yield = (float)own->yield_ratio,
        .compress_taken = decayed_fraction(compress, dt),
        .compress_yield = (float)(own->compress_yield_ratio >= 0.0 ? own->compress_yield_ratio : own->yield_ratio),
    };
}
