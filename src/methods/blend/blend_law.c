#include "methods/blend/blend_law.h"

#include "base/error.h"

#include <math.h>

/* clang-format off */
#define PARAM(member, unit, value, least, most, ...) \
    {#member, DLP_PARAM_REAL, offsetof(dlp__BlendMaterial, member), unit, {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}

#define ELASTIC "modulus|frozen_modulus|matching_time"

static const dlp_Param params[] = {
    PARAM(alpha, "", -1.0, -1.0, 1.0,
          "weight of the fluid in the blend: 0: elastic body, 1: fluid; -1: one half with a modulus, else 1", .when = ELASTIC),
    PARAM(matching_time, "s", 0.0, 0.0, 1e6,
          "time in which shape matching would restore the shape for alpha 0, as in the paper, whose viscosity counts alpha times; 0: "
          "derived from the modulus", .when = "alpha"),
    PARAM(update_acceleration, "m/s2", 60.0, 0.0, 1e9,
          "an object takes its current shape as reference, and merges with those it touches, when forces other than gravity accelerate "
          "its particles by more than this times 1 - alpha, on average over particles and over update_interval", .when = ELASTIC),
    PARAM(tear_stretch, "", 0.0, 0.0, 1e3,
          "particles of an object separate when their distance exceeds this times that in the reference shape; 0: never", .when = ELASTIC),
};
/* clang-format on */

const dlp_ParamTable dlp__blend_material_params = {"material", "material parameters of method blend",
                                                   sizeof(dlp__BlendMaterial), (int)(sizeof params / sizeof params[0]),
                                                   params};

static const double ALPHA_WITH_MODULUS = 0.5;
/* Part of the speed of sound that counts in numerical damping beside that of shear waves. */
static const double PRESSURE_DAMPING = 0.1;

double dlp__blend_slush_viscosity(const dlp_MaterialDef *material, const dlp__BlendScene *scene)
{
    return scene->spacing * sqrt(material->density * material->frozen_modulus);
}

/* Pa s, as the material says. */
static double given_viscosity(const dlp_MaterialDef *material, const dlp__FlowScale *scale,
                              const dlp__BlendScene *scene)
{
    const double viscosity = material->solvent_viscosity + material->viscosity, liquid = scale->fluidity * viscosity;
    return scale->fluidity < 1.0 ? fmin(viscosity, fmax(liquid, dlp__blend_slush_viscosity(material, scene)))
                                 : viscosity;
}

dlp__BlendLaw dlp__blend_law(const dlp_MaterialDef *material, const dlp__FlowScale *scale,
                             const dlp__BlendMaterial *own, const dlp__BlendScene *scene)
{
    const double given = given_viscosity(material, scale, scene), density = material->density;
    const bool by_time = own->matching_time > 0.0, elastic = material->modulus > 0.0;
    dlp__BlendLaw law = {.alpha = own->alpha >= 0.0 ? own->alpha
                                  : elastic         ? ALPHA_WITH_MODULUS
                                                    : 1.0,
                         .viscosity = given};
    if (by_time) {
        law.stiffness = (1.0 - law.alpha) / (own->matching_time * own->matching_time);
        law.viscosity = law.alpha * given;
    } else if (elastic) {
        law.stiffness = 2.0 * material->modulus / (density * scene->spread);
    } else {
        law.alpha = 1.0; /* molten, if it has another one */
    }
    law.stiffness = fmin(law.stiffness, 1e18);
    law.modulus = 0.5 * density * law.stiffness * scene->spread;
    const double wave_speed = sqrt(law.modulus / density) + PRESSURE_DAMPING * law.alpha * scene->sound_speed;
    law.viscosity = fmax(law.viscosity, scene->damping * density * scene->spacing * wave_speed);
    law.update_threshold = own->update_acceleration * (1.0 - law.alpha);
    return law;
}

dlp_Result dlp__blend_check_material(const dlp_MaterialDef *material, const void *own, dlp_Error *error)
{
    const dlp__BlendMaterial *blend = own;
    if (material->modulus > 0.0 && material->viscosity > 0.0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "material '%s' has modulus and viscosity, which is a fluid that relaxes in %.3g s; method blend has none: give "
            "solvent_viscosity instead for a damped elastic body, leave out the modulus for a fluid, or use method physical",
            material->name, material->viscosity / material->modulus);
    }
    if (blend == NULL) {
        return DLP_OK;
    }
    const bool elastic = material->modulus > 0.0 || material->frozen_modulus > 0.0;
    if (blend->alpha < 0.0 && blend->alpha != -1.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "material '%s' has alpha %g: give 0 to 1, or -1 to derive it",
                         material->name, blend->alpha);
    }
    if (elastic && (blend->matching_time > 0.0 || blend->alpha == 1.0)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT, "material '%s' has a modulus and %s: leave out one of them", material->name,
            blend->alpha == 1.0 ? "alpha 1, which is a fluid" : "a matching_time, which determines the modulus too");
    }
    return DLP_OK;
}
