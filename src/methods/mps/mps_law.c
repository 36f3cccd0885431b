#include "methods/mps/mps_law.h"

#include "materials/maxwell.h"

#include <math.h>

static const char *const stresses[] = {"auto", "viscous", "elastic", "blend", "complex", "complex_printed", NULL};

/* clang-format off */
#define PARAM(member, type, unit, value, least, most, choices, ...) \
    {#member, type, offsetof(dlp__MpsMaterial, member), unit, {value, 0, 0}, least, most, choices, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    PARAM(stress, DLP_PARAM_CHOICE, "", DLP_MPS_AUTO, 0, DLP_MPS_COMPLEX_PRINTED, stresses,
          "deviatoric stress; auto: Newtonian, Maxwell or elastic, as viscosity, relaxation_time and modulus say; the others are those "
          "of Mukai et al. and need viscosity and modulus; viscous: only viscosity; elastic: only elasticity; blend: both, weighted "
          "by the shear rate; complex: storage and loss modulus; complex_printed: as printed in the paper"),
    PARAM(frequency, DLP_PARAM_REAL, "rad/s", 0.7853981633974483, 1e-9, 1e9, NULL,
          "angular frequency at which the complex modulus is taken", .when = "stress=complex|complex_printed"),
};
/* clang-format on */

const dlp_ParamTable dlp__mps_material_params = {"material", "material parameters of method mps",
                                                 sizeof(dlp__MpsMaterial), (int)(sizeof params / sizeof params[0]),
                                                 params};

/* Eqs. 9 and 21 are parabolas through a measured curve, which ends at their minimum. */
static const double CURVE_END = 30.76; /* 1/s */

static double curve(double shear, double square, double linear, double constant)
{
    const double rate = fmin(shear, CURVE_END);
    return square * rate * rate - linear * rate + constant;
}

static const double INCOMPRESSIBLE = 3.0; /* E / mu = 2 (1 + nu), for a Poisson ratio of one half */

/* E* = (1/E + 1/(i omega eta))^-1, eq. 15. */
typedef struct ComplexModulus {
    double storage, loss;
} ComplexModulus;

static ComplexModulus complex_modulus(double modulus, double rate_stress)
{
    const double sum = modulus * modulus + rate_stress * rate_stress;
    return sum > 0.0
               ? (ComplexModulus){modulus * rate_stress * rate_stress / sum, modulus * modulus * rate_stress / sum}
               : (ComplexModulus){0.0, 0.0};
}

static dlp__MpsLaw as_material_says(const dlp_MaterialDef *material)
{
    const double time = dlp__maxwell_time(material);
    if (!(time > 0.0)) {
        return (dlp__MpsLaw){.viscosity = material->viscosity + material->solvent_viscosity};
    }
    const double modulus = material->modulus > 0.0 ? material->modulus : material->viscosity / time;
    return (dlp__MpsLaw){material->solvent_viscosity, modulus, isfinite(time) ? 1.0 / time : 0.0};
}

dlp__MpsLaw dlp__mps_law(const dlp_MaterialDef *material, const dlp__MpsMaterial *own, double shear)
{
    const double viscosity = material->viscosity + material->solvent_viscosity, modulus = material->modulus;
    switch ((dlp__MpsStress)own->stress) {
    case DLP_MPS_VISCOUS: return (dlp__MpsLaw){.viscosity = viscosity};
    case DLP_MPS_ELASTIC: return (dlp__MpsLaw){.modulus = modulus};
    case DLP_MPS_BLEND: {
        const double alpha = curve(shear, 4.99e-4, 3.07e-2, 1.0); /* eq. 9 */
        return (dlp__MpsLaw){alpha * viscosity, (1.0 - alpha) * modulus, 0.0};
    }
    case DLP_MPS_COMPLEX: {
        const ComplexModulus g = complex_modulus(modulus, own->frequency * viscosity);
        return (dlp__MpsLaw){g.loss / own->frequency, g.storage, 0.0};
    }
    case DLP_MPS_COMPLEX_PRINTED: {
        const double eta = curve(shear, 1.80e-4, 1.11e-2, 3.62e-1); /* eq. 21 */
        const ComplexModulus e = complex_modulus(INCOMPRESSIBLE * modulus, own->frequency * eta);
        return (dlp__MpsLaw){.modulus = 0.5 * hypot(e.storage, e.loss)}; /* eq. 20: tau = |E*| eps */
    }
    default: return as_material_says(material);
    }
}

/* The viscosity of one step, modulus times time step, leaves zero-energy modes of elastic materials undamped: they tear at a tenth of
 * the stretch. Stabilization has at least this times sqrt(density modulus) spacing, and this share of the steady viscosity. */
static const double ELASTIC_DAMPING = 0.5, STEADY_SHARE = 1.0;
/* Fluids of low viscosity have this times density, spacing and the speed gained in a fall by half a spacing: the noise of particles that
 * rearrange under gravity would not decay otherwise. */
static const double INERTIAL_DAMPING = 0.1;

double dlp__mps_steady(const dlp__MpsLaw *law)
{
    return law->viscosity + (law->rate > 0.0 ? law->modulus / law->rate : 0.0);
}

double dlp__mps_stabilizing(const dlp__MpsLaw *law, double density, double spacing, double gravity, double dt)
{
    const double inertial = INERTIAL_DAMPING * density * spacing * sqrt(gravity * spacing);
    const double one_step = law->viscosity + law->modulus * dt;
    return inertial + fmax(fmax(one_step, STEADY_SHARE * dlp__mps_steady(law)),
                           ELASTIC_DAMPING * spacing * sqrt(density * law->modulus));
}

dlp_Result dlp__mps_check_material(const dlp_MaterialDef *material, const void *own, dlp_Error *error)
{
    const dlp__MpsMaterial *mps = own;
    if (mps == NULL || mps->stress == DLP_MPS_AUTO) {
        return dlp__maxwell_check(material, error);
    }
    const bool needs_viscosity = mps->stress != DLP_MPS_ELASTIC && mps->stress != DLP_MPS_COMPLEX_PRINTED,
               needs_modulus = mps->stress != DLP_MPS_VISCOUS;
    if (needs_modulus && !(material->modulus > 0.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "stress %s needs a modulus: a third of Young's modulus",
                         stresses[mps->stress]);
    }
    if (needs_viscosity && !(material->viscosity > 0.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "stress %s needs a viscosity", stresses[mps->stress]);
    }
    return DLP_OK;
}
