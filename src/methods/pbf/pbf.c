/* Position-based fluids (Macklin and Mueller 2013, Algorithm 1): predict, find neighbours, project the density
 * constraint, update velocities, smooth them. */
#include "methods/pbf/pbf.h"

#include "methods/motion.h"
#include "methods/smooth.h"

typedef struct PbfParams {
    dlp__DensityParams density;
} PbfParams;

static const dlp_Param params[] = {DLP_DENSITY_PARAMS(PbfParams, density, "", NULL)};

static const dlp_ParamTable table = {"pbf", "position-based fluid", sizeof(PbfParams),
                                     (int)(sizeof params / sizeof params[0]), params};

typedef struct PbfMaterial {
    dlp__SmoothMaterial smooth;
} PbfMaterial;

static const dlp_Param material_params[] = {DLP_SMOOTH_PARAMS(PbfMaterial, smooth)};

static const dlp_ParamTable material_table = {"material", "material parameters of method pbf", sizeof(PbfMaterial),
                                              (int)(sizeof material_params / sizeof material_params[0]),
                                              material_params};

static void pbf_fields(const void *params, dlp__FieldList *needed)
{
    static const dlp__FieldId fields[] = {DLP_MOTION_FIELDS, DLP_FIELD_smoothing, DLP_FIELD_NONE};
    (void)params;
    dlp__fields_add(needed, fields);
}

static void pbf_step(dlp__StepContext *step)
{
    const PbfParams *own = step->params;
    dlp__motion_apply_adhesion(step);
    dlp__motion_predict(step);
    dlp__motion_sweep(step);
    dlp__motion_push_out(step);
    dlp__step_apply_sinks(step);
    dlp__step_find_neighbors(step);
    dlp__step_find_companions(step);
    dlp__step_conduct_heat(step);
    dlp__motion_prepare(step);
    dlp__boundary_build_samples(step->solids, step->domains);
    dlp__motion_project_density(step, &own->density, 0, NULL, NULL);
    dlp__motion_finish(step);
    dlp__motion_apply_wall_friction(step);
    dlp__smooth_velocities(step);
    dlp__companions_project_velocities(step->companions, step->domains);
}

const dlp__Method dlp__pbf = {
    .name = "pbf",
    .summary = "position-based fluid: water-like liquids, fast and robust (Macklin and Mueller 2013)",
    .params = &table,
    .material_params = &material_table,
    .uses = DLP_USE_KERNEL,
    .fields = pbf_fields,
    .support = 2.0,
    .step = pbf_step,
};
