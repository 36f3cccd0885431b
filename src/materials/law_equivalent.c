/* Newtonian and Maxwell fluids that stand for materials with laws. */
#include "materials/law_equivalent.h"

#include "materials/flow_law.h"

#include <dollop/rheology.h>
#include <math.h>
#include <string.h>

/* A Giesekus fluid of mobility 1 is the limit of those below. */
static const double MOBILITY_MOST = 1.0 - 1e-6;

bool dlp__law_is_present(const dlp_MaterialDef *material)
{
    return material->flow_law != DLP_FLOW_NEWTONIAN || material->elastic_law != DLP_ELASTIC_MAXWELL ||
           material->modes.count > 0 || material->recovery_time > 0.0;
}

static void remove_laws(dlp_MaterialDef *m)
{
    const dlp_ParamTable *table = dlp_material_params();
    const dlp_MaterialDef usual = dlp_default_material_def();
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (param->use == DLP_USE_LAWS && param->type != DLP_PARAM_ROWS) {
            const size_t bytes = param->type == DLP_PARAM_REAL ? sizeof(double) : sizeof(int32_t);
            memcpy((char *)m + param->offset, (const char *)&usual + param->offset, bytes);
        }
    }
    m->flow_curve = (dlp_FlowCurve){.count = 0};
    m->modes = (dlp_RelaxationModes){.count = 0};
}

/* Viscosity in steady shear over that at rest of a Giesekus fluid, at the Weissenberg number `x` (Bird, Armstrong and Hassager,
 * Dynamics of Polymeric Liquids 1, section 7.3). */
static double giesekus_thinning(double mobility, double x)
{
    const double alpha = fmin(mobility, MOBILITY_MOST), beta = 1.0 - 2.0 * alpha;
    const double root = sqrt(2.0 / (1.0 + sqrt(1.0 + 16.0 * alpha * (1.0 - alpha) * x * x)));
    const double f = (1.0 - root) / (1.0 + beta * root);
    return (1.0 - f) * (1.0 - f) / (1.0 + beta * f);
}

/* The same of Phan-Thien and Tanner. Relaxation is faster by y = 1 + epsilon n or exp(epsilon n), with n = tr Q - 3 = 2 (x / y)^2. */
static double ptt_thinning(const dlp_MaterialDef *m, double x)
{
    const bool exponential = m->elastic_law == DLP_ELASTIC_PTT_EXPONENTIAL;
    double low = 0.0, high = 700.0; /* of ln y */
    for (int k = 0; k < 100; k++) {
        const double z = 0.5 * (low + high), stretch = 2.0 * m->ptt_epsilon * x * x * exp(-2.0 * z);
        const bool is_below = z < (exponential ? stretch : log1p(stretch));
        low = is_below ? z : low;
        high = is_below ? high : z;
    }
    return exp(-0.5 * (low + high));
}

/* Viscosity at a shear rate over that at rest of one Maxwell element. */
static double elastic_thinning(const dlp_MaterialDef *m, double relaxation_time, double rate)
{
    switch (m->elastic_law) {
    case DLP_ELASTIC_GIESEKUS: return giesekus_thinning(m->mobility, relaxation_time * rate);
    case DLP_ELASTIC_PTT_LINEAR:
    case DLP_ELASTIC_PTT_EXPONENTIAL: return ptt_thinning(m, relaxation_time * rate);
    default: return 1.0;
    }
}

static void replace_modes(dlp_MaterialDef *m, double rate)
{
    for (int64_t k = 0; k < m->modes.count; k++) {
        const dlp_RelaxationMode *mode = &m->modes.mode[k];
        m->modulus += mode->modulus;
        m->viscosity += mode->modulus * mode->relaxation_time * elastic_thinning(m, mode->relaxation_time, rate);
    }
}

/* Of two of viscosity, modulus and relaxation time, make viscosity and modulus. */
static void complete_element(dlp_MaterialDef *m)
{
    if (m->relaxation_time > 0.0 && m->viscosity == 0.0) {
        m->viscosity = m->modulus * m->relaxation_time;
    } else if (m->relaxation_time > 0.0) {
        m->modulus = m->viscosity / m->relaxation_time;
    }
    m->relaxation_time = 0.0;
}

dlp_MaterialDef dlp__law_equivalent(const dlp_MaterialDef *material, double rate)
{
    dlp_MaterialDef m = *material;
    if (m.modes.count > 0) {
        replace_modes(&m, rate);
    } else if (dlp__law_is_present(material)) {
        complete_element(&m);
        const double structure = dlp__structure_steady(&m, rate);
        const double time = m.modulus > 0.0 ? structure * m.viscosity / m.modulus : 0.0;
        m.viscosity = dlp__flow_stress(&m, rate, structure) / rate * elastic_thinning(&m, time, rate);
    }
    remove_laws(&m);
    return m;
}

dlp_MaterialDef dlp_material_equivalent(const dlp_MaterialDef *material, double rate)
{
    if (material == NULL || !(rate > 0.0)) {
        return material != NULL ? *material : (dlp_MaterialDef){0};
    }
    return dlp__law_equivalent(material, rate);
}
