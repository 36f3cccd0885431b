/* Position-based fluids (Macklin and Mueller 2013, Algorithm 1): predict, find neighbours, project the density
 * constraint, update velocities, smooth them. */
#include "methods/pbf/pbf.h"

#include "methods/motion.h"
#include "methods/smooth.h"

typedef struct PbfParams {
    dlp__DensityParams density;
} PbfParams;

static const dlp_Param params[] = {DLP_DENSITY_PARAMS(PbfParams, density, "")};

static const dlp_ParamTable table = {"pbf", "position-based fluid", sizeof(PbfParams),
                                     (int)(sizeof params / sizeof params[0]), params};

static dlp_Result pbf_step(dlp__StepContext *step)
{
    const PbfParams *own = step->params;
    bool ok = dlp__motion_predict(step);
    dlp__motion_sweep(step);
    dlp__motion_keep_out(step);
    dlp_Result found = step->update_neighbors(step);
    if (found != DLP_OK) {
        return found;
    }
    ok = ok && dlp__motion_prepare(step);
    ok = ok && dlp__boundary_sample(step->solids, step->domains);
    ok = ok && dlp__motion_project_density(step, &own->density, 0, NULL, NULL);
    ok = ok && dlp__motion_finish(step);
    dlp__boundary_apply_wall_friction(step->solids, step->domains);
    ok = ok && dlp__smooth_velocities(step);
    dlp__companions_settle(step->companions, step->domains);
    return dlp__motion_result(step, ok);
}

const dlp__Method dlp__pbf = {
    .name = "pbf",
    .summary = "position-based fluid: water-like liquids, fast and robust (Macklin and Mueller 2013)",
    .params = &table,
    .fields = DLP_MOTION_FIELDS | DLP_FIELD_BIT(smoothing),
    .support = 2.0,
    .step = pbf_step,
};
