#include "materials/link_law.h"

#include "materials/maxwell.h"

#include <math.h>

static const double SPREADING = 12.0, MODULUS = 60.0; /* see the head of the header */

/* Pa.s, of all that resists a steady flow. */
static double viscosity_of(const dlp_MaterialDef *m)
{
    return m->solvent_viscosity + (m->viscosity > 0.0 ? m->viscosity : m->modulus * m->relaxation_time);
}

static bool is_elastic(const dlp_MaterialDef *m)
{
    return m->extension_rate < 0.0 && m->modulus > 0.0 && isinf(dlp__maxwell_time(m));
}

bool dlp__link_needs_height(const dlp_MaterialDef *material)
{
    return material->extension_rate < 0.0 && !is_elastic(material) && viscosity_of(material) > 0.0;
}

/* Pa, of what springs back. */
static double modulus_of(const dlp_MaterialDef *m)
{
    return m->modulus > 0.0 ? m->modulus : m->relaxation_time > 0.0 ? m->viscosity / m->relaxation_time : 0.0;
}

dlp__LinkLaw dlp__link_law(const dlp_MaterialDef *material, const dlp__LinkScene *scene)
{
    const double viscosity = viscosity_of(material), modulus = modulus_of(material);
    const bool elastic = is_elastic(material), given = material->extension_rate >= 0.0;
    const double weighed = viscosity > 0.0 ? material->density * scene->weight / (SPREADING * viscosity) : 0.0;
    const double pull = MODULUS * modulus * scene->volume / scene->moment * scene->dt * scene->dt; /* kg: k dt^2 */
    return (dlp__LinkLaw){
        .linked = given || elastic || viscosity > 0.0,
        .elastic = elastic,
        .extension = (float)fmin(given     ? material->extension_rate
                                 : elastic ? 0.0
                                           : weighed,
                                 1e30),
        .stiffness = (float)material->link_stiffness,
        .softness = (float)(pull > 0.0 ? fmin(scene->volume / pull, 1e30) : 0.0),
    };
}
