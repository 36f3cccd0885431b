#include "methods/links/link_law.h"

#include "materials/maxwell.h"

#include <math.h>

/* clang-format off */
#define PARAM(member, unit, value, least, most, ...) \
    {#member, DLP_PARAM_REAL, offsetof(dlp__LinksMaterial, member), unit, {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    DLP_SMOOTH_PARAMS(dlp__LinksMaterial, smooth),
    PARAM(extension_rate, "1/s", -1.0, -1.0, 1e9,
          "upper limit of the extension rate; 0: inextensible; -1: derived from viscosity and weight"),
    PARAM(link_stiffness, "", 1.0, 0.0, 1.0, "fraction of the excess length of a link that an iteration corrects",
          .when = "viscosity|modulus|solvent_viscosity|extension_rate|frozen_modulus|viscosity_at"),
};
/* clang-format on */

const dlp_ParamTable dlp__links_material_params = {"material", "material parameters of method links",
                                                   sizeof(dlp__LinksMaterial), (int)(sizeof params / sizeof params[0]),
                                                   params};

static const double SPREADING = 12.0, MODULUS = 60.0; /* see the top of link_law.h */

/* Pa.s, viscosity in steady flow. */
static double viscosity_of(const dlp_MaterialDef *m)
{
    return m->solvent_viscosity + (m->viscosity > 0.0 ? m->viscosity : m->modulus * m->relaxation_time);
}

/* `rate` (1/s) is the extension rate at its temperature. */
static bool is_elastic(const dlp_MaterialDef *m, double rate)
{
    return rate < 0.0 && m->modulus > 0.0 && isinf(dlp__maxwell_time(m));
}

bool dlp__link_needs_height(const dlp_MaterialDef *material, const dlp__FlowScale *scale, const dlp__LinksMaterial *own)
{
    const double rate = dlp__flow_rate(own->extension_rate, scale);
    return rate < 0.0 && !is_elastic(material, rate) && viscosity_of(material) > 0.0;
}

/* Pa, elastic modulus. */
static double modulus_of(const dlp_MaterialDef *m)
{
    return m->modulus > 0.0 ? m->modulus : m->relaxation_time > 0.0 ? m->viscosity / m->relaxation_time : 0.0;
}

dlp__LinkLaw dlp__link_law(const dlp_MaterialDef *material, const dlp__FlowScale *scale, const dlp__LinksMaterial *own,
                           const dlp__LinkScene *scene)
{
    const double rate = dlp__flow_rate(own->extension_rate, scale);
    const double viscosity = viscosity_of(material), modulus = modulus_of(material);
    const bool elastic = is_elastic(material, rate), given = rate >= 0.0;
    const double rate_by_weight = viscosity > 0.0 ? material->density * scene->weight / (SPREADING * viscosity) : 0.0;
    const double pull = MODULUS * modulus * scene->volume / scene->moment * scene->dt * scene->dt; /* kg: k dt^2 */
    return (dlp__LinkLaw){
        .linked = given || elastic || viscosity > 0.0,
        .elastic = elastic,
        .extension = (float)fmin(given     ? rate
                                 : elastic ? 0.0
                                           : rate_by_weight,
                                 1e30),
        .stiffness = (float)own->link_stiffness,
        .softness = (float)(pull > 0.0 ? fmin(scene->volume / pull, 1e30) : 0.0),
    };
}
