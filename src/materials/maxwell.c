/* Maxwell constants of a material for a time step, and validation of its parameters. */
#include "materials/maxwell.h"

#include "materials/flow_law.h"

#include <math.h>

double dlp__maxwell_time(const dlp_MaterialDef *material)
{
    if (material->modulus > 0.0 && material->relaxation_time == 0.0) {
        return material->viscosity > 0.0 ? material->viscosity / material->modulus : INFINITY;
    }
    return material->relaxation_time;
}

/* 1/Pa. */
static double compliance(const dlp_MaterialDef *m, double tau, double dt)
{
    if (m->modulus > 0.0) {
        return (1.0 + dt / tau) / m->modulus;
    }
    return (tau + dt) / m->viscosity;
}

dlp__MaxwellStep dlp__maxwell_step(const dlp_MaterialDef *material, double dt)
{
    double tau = dlp__maxwell_time(material);
    double most = (double)DLP_MAXWELL_INVISCID, soft = compliance(material, tau, dt);
    return (dlp__MaxwellStep){
        .compliance = (float)(soft < most ? soft : most),
        .retention = (float)(tau > 0.0 ? 1.0 / (1.0 + dt / tau) : 0.0),
    };
}

/* Pa.s, for a constant strain rate in the step: (1 - e) eta. */
static double flow_viscosity(const dlp_MaterialDef *m, double tau, double dt)
{
    double relaxed = tau > 0.0 ? -expm1(-dt / tau) : 1.0;
    if (m->modulus > 0.0) {
        return m->modulus * (isinf(tau) ? dt : tau * relaxed);
    }
    return m->viscosity * relaxed;
}

double dlp__maxwell_change_weight(double x)
{
    return dlp__maxwell_change_weight_of(x, exp(-x), -expm1(-x));
}

double dlp__maxwell_change_weight_of(double x, double kept, double relaxed)
{
    if (isinf(x)) {
        return 0.625;
    }
    if (x < 1e-3) { /* where differences would cancel */
        return 0.25 + 0.375 * x;
    }
    const double ramp = 1.0 / relaxed - 0.5 - 1.0 / x; /* g */
    return 0.125 * relaxed * relaxed + (1.0 / 6.0 + 0.5 * relaxed) * kept + ramp / relaxed;
}

dlp__MaxwellFlow dlp__maxwell_flow(const dlp_MaterialDef *material, double dt, double stiffest)
{
    /* Stored strain accumulates rounding errors, so the limit is lower there. */
    double tau = dlp__maxwell_time(material), retained = tau > 0.0 ? exp(-dt / tau) : 0.0;
    double viscosity = fmin(flow_viscosity(material, tau, dt), stiffest * (1.0 - 0.9 * retained));
    dlp__MaxwellFlow flow = {.viscosity = (float)viscosity,
                             .limit = (float)dlp__maxwell_limit(material),
                             .solvent = (float)fmin(material->solvent_viscosity, stiffest),
                             .change_weight = (float)dlp__maxwell_change_weight(INFINITY)};
    if (tau > 0.0) {
        double x = dt / tau, e = exp(-x), relaxed = -expm1(-x);
        bool small = x < 1e-2; /* where differences would cancel */
        flow.retention = (float)e;
        flow.change_weight = (float)dlp__maxwell_change_weight(x);
        flow.modulus = (float)(isinf(tau) ? viscosity / dt : viscosity / (tau * relaxed));
        flow.spread = (float)(dt * (small ? x * (0.5 - x / 3.0) : (1.0 - (1.0 + x) * e) / x));
        flow.spread_square =
            (float)(dt * dt * (small ? x * (1.0 / 3.0 - x / 4.0) : (2.0 - (2.0 + 2.0 * x + x * x) * e) / (x * x)));
    }
    return flow;
}

double dlp__maxwell_limit(const dlp_MaterialDef *material)
{
    return dlp__maxwell_time(material) > 0.0 ? material->extensibility * material->extensibility : 0.0;
}

double dlp__maxwell_stiffening(double limit, double trace)
{
    return limit > 3.0 ? (limit - 3.0) / fmax(limit - trace, 1e-3 * limit) : 1.0;
}

double dlp__maxwell_energy(double modulus, const double strain[6])
{
    const double a = strain[0] + 1.0, b = strain[1] + 1.0, c = strain[2] + 1.0;
    const double determinant = a * (b * c - strain[5] * strain[5]) -
                               strain[3] * (strain[3] * c - strain[5] * strain[4]) +
                               strain[4] * (strain[3] * strain[5] - b * strain[4]);
    return 0.5 * modulus * (strain[0] + strain[1] + strain[2] - (determinant > 0.0 ? log(determinant) : 0.0));
}

dlp_MaterialDef dlp__maxwell_stretched(const dlp_MaterialDef *material, double stiffening)
{
    dlp_MaterialDef stretched = *material;
    stretched.modulus *= stiffening;
    stretched.relaxation_time /= stiffening;
    return stretched;
}

dlp_Result dlp__maxwell_check(const dlp_MaterialDef *material, dlp_Error *error)
{
    if (material->viscosity > 0.0 && material->relaxation_time > 0.0 && material->modulus > 0.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has viscosity, relaxation_time and modulus: give two, the third is then "
                         "viscosity = modulus * relaxation_time",
                         material->name);
    }
    if (material->relaxation_time > 0.0 && material->viscosity == 0.0 && material->modulus == 0.0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "material '%s' has a relaxation_time and nothing that relaxes: give its viscosity or modulus too",
            material->name);
    }
    if (material->extensibility > 0.0 && material->extensibility < 2.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has an extensibility of %g: give 2 or more, or 0 for no limit", material->name,
                         material->extensibility);
    }
    return dlp__flow_law_check(material, error);
}
