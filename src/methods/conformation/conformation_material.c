#include "methods/conformation/conformation_material.h"

#include <math.h>

static const dlp_Param params[] = {
    {"compliance",
     DLP_PARAM_REAL,
     offsetof(dlp__ConformationMaterial, compliance),
     "1/Pa",
     {-1.0, 0, 0},
     -1.0,
     1e12,
     NULL,
     .help =
         "alpha of the constraints, in place of viscosity and modulus: 0 is the stiffest; -1: use viscosity and modulus"},
};

const dlp_ParamTable dlp__conformation_material_params = {"material", "material parameters of method conformation",
                                                          sizeof(dlp__ConformationMaterial),
                                                          (int)(sizeof params / sizeof params[0]), params};

dlp__MaxwellStep dlp__conformation_maxwell(const dlp_MaterialDef *material, const dlp__ConformationMaterial *own,
                                           double dt)
{
    dlp__MaxwellStep step = dlp__maxwell_step(material, dt);
    if (own->compliance >= 0.0) {
        step.compliance = (float)fmin(own->compliance, (double)DLP_MAXWELL_INVISCID);
    }
    return step;
}

dlp_Result dlp__conformation_check(const dlp_MaterialDef *material, const void *own, dlp_Error *error)
{
    const double alpha = own != NULL ? ((const dlp__ConformationMaterial *)own)->compliance : -1.0;
    if (alpha < 0.0 && alpha != -1.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has a compliance of %g: give 0 or more, or -1 for none", material->name, alpha);
    }
    if (alpha >= 0.0 && (material->viscosity > 0.0 || material->modulus > 0.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has a compliance, which replaces viscosity and modulus: remove those, or set "
                         "compliance to -1",
                         material->name);
    }
    if (alpha >= 0.0 && material->frozen_modulus > 0.0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "material '%s' has a compliance, which replaces its modulus, frozen or not: remove one of "
                         "compliance and frozen_modulus",
                         material->name);
    }
    dlp_MaterialDef relaxing = *material;
    if (material->relaxation_time > 0.0 && (alpha >= 0.0 || (own == NULL && material->modulus == 0.0))) {
        relaxing.viscosity = 1.0; /* stands for the compliance, which may be given later */
    }
    return dlp__maxwell_check(&relaxing, error);
}
