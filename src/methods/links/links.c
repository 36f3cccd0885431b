/* Viscous and elastic fluids by position-based dynamics (Takahashi et al. 2014). Links between particles hold them together and give
 * way slowly, beside the density constraint of a position-based fluid. The stages are those of Algorithm 2, in its order, but for the
 * smoothing of velocities, with which a step here ends instead of beginning: neighbours are known there, and new particles are not yet in. */
#include "methods/links/links.h"

#include "methods/links/links_bonds.h"
#include "methods/motion.h"
#include "methods/smooth.h"

/* clang-format off */
#define PARAM(name, type, member, unit, value, least, most, help) \
    {name, type, offsetof(dlp__LinksParams, member), unit, {value, 0, 0}, least, most, NULL, help}

static const dlp_Param params[] = {
    PARAM("iterations", DLP_PARAM_INT, iterations, "", 6, 1, 1000,
          "of a step with links: in each the density is mended and then links pull; without links those of the density count"),
    PARAM("slack", DLP_PARAM_REAL, slack, "", 0.05, 0, 0.9,
          "links lengthen from this much before they are taut, as a part of their length (alpha)"),
    PARAM("height", DLP_PARAM_REAL, height, "m", 0, 0, 1e9,
          "of the fluid whose weight makes viscous material flow; 0: how far it reaches up and down in each step"),
    DLP_DENSITY_PARAMS(dlp__LinksParams, density, "density_"),
};

static const dlp_ParamTable table = {"links", "a position-based fluid and links that give way slowly", sizeof(dlp__LinksParams),
                                     (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

static bool pull_links(dlp__StepContext *step, int64_t iteration, const void *arguments)
{
    (void)iteration;
    const bool ok = dlp__links_pull(step, arguments);
    dlp__boundary_undo_sliding(step->solids, step->domains, step->dt);
    return ok;
}

/* Density and links in turns, so that neither has the other's effect undone; always as often, because more rounds than in the step
 * before would make the material stiffer and jolt what rests. */
static bool correct_positions(dlp__StepContext *step, const dlp__LinksPlan *plan)
{
    const dlp__LinksParams *own = step->params;
    dlp__DensityParams density = own->density;
    if (!plan->linked) {
        return dlp__motion_project_density(step, &density, 0, NULL, NULL);
    }
    density.iterations = own->iterations;
    return dlp__motion_project_density(step, &density, own->iterations, pull_links, plan);
}

static dlp_Result links_step(dlp__StepContext *step)
{
    dlp__LinksPlan plan;
    bool ok = dlp__links_plan(step, &plan);
    ok = ok && dlp__motion_predict(step);
    dlp__motion_sweep(step);
    dlp__motion_keep_out(step);
    dlp_Result found = step->update_neighbors(step);
    if (found != DLP_OK) {
        return found;
    }
    ok = ok && dlp__boundary_sample(step->solids, step->domains);
    ok = ok && dlp__motion_prepare(step);
    ok = ok && dlp__links_control(step, &plan);
    ok = ok && correct_positions(step, &plan);
    dlp__motion_keep_out(step);
    ok = ok && dlp__motion_finish(step);
    dlp__boundary_apply_wall_friction(step->solids, step->domains);
    ok = ok && dlp__smooth_velocities(step);
    dlp__companions_settle(step->companions, step->domains);
    return dlp__motion_result(step, ok);
}

const dlp__Method dlp__links = {
    .name = "links",
    .summary = "position-based fluid with links that give way: chocolate, slime, lava, wax (Takahashi et al. 2014)",
    .params = &table,
    .fields = DLP_MOTION_FIELDS | DLP_FIELD_BIT(smoothing) | DLP_FIELD_BIT(extension) | DLP_FIELD_BIT(softness) |
              DLP_FIELD_BIT(frozen) | DLP_FIELD_BIT(taut) | DLP_FIELD_BIT(bond_count),
    .support = 2.2,
    .keeps_bonds = true,
    .bond_reach = DLP_LINKS_REACH,
    .step = links_step,
};
