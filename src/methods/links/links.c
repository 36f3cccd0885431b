/* Viscous and elastic fluids by position-based dynamics (Takahashi et al. 2014). In addition to the density constraint
 * of a position-based fluid, links hold particles together and lengthen slowly. The stages follow Algorithm 2 in its
 * order, except that velocities are smoothed at the end of a step and not at its start: neighbours are known there, and
 * new particles have not been added yet. */
#include "methods/links/links.h"

#include "boundary/wall_watch.h"
#include "methods/links/links_bonds.h"
#include "methods/links/links_fields.h"
#include "methods/motion.h"
#include "methods/smooth.h"

DLP_DEFINE_OWN_FIELDS(dlp__LinksFields, DLP_LINKS_FIELDS, dlp__links_fields);

/* clang-format off */
#define PARAM(name, type, member, unit, value, least, most, ...) \
    {name, type, offsetof(dlp__LinksParams, member), unit, {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}

/* A material has links, or links whose extension rate depends on viscosity. */
#define VISCOUS "materials.viscosity|materials.modulus|materials.solvent_viscosity|materials.viscosity_at"
#define LINKED VISCOUS "|materials.extension_rate|materials.frozen_modulus"

static const dlp_Param params[] = {
    PARAM("iterations", DLP_PARAM_INT, iterations, "", 6, 1, 1000,
          "iterations of a step with links, each of the density constraint and then the links; without links "
          "density_iterations applies",
          .when = LINKED),
    PARAM("slack", DLP_PARAM_REAL, slack, "", 0.05, 0, 0.9,
          "links start to lengthen this much before tension, as a fraction of their length (alpha)",
          .when = LINKED),
    PARAM("height", DLP_PARAM_REAL, height, "m", 0, 0, 1e9,
          "height of the fluid, whose weight determines the extension rate of viscous material; 0: measured in each "
          "step",
          .when = VISCOUS),
    DLP_DENSITY_PARAMS(dlp__LinksParams, density, "density_", "!" LINKED),
};

static const dlp_ParamTable table = {"links", "position-based fluid with links that lengthen slowly", sizeof(dlp__LinksParams),
                                     (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

static void pull_links(dlp__StepContext *step, int64_t iteration, const void *arguments)
{
    (void)iteration;
    dlp__links_apply(step, arguments);
    dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_MOVES);
    dlp__boundary_undo_sliding(step->solids, step->domains, step->dt);
    dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_MOVES);
}

/* Density and links alternate, so that neither undoes the other. The number of iterations is fixed, because more than
 * in the previous step would make the material stiffer and disturb fluid at rest. */
static void correct_positions(dlp__StepContext *step, const dlp__LinksPlan *plan)
{
    const dlp__LinksParams *own = step->params;
    dlp__DensityParams density = own->density;
    if (!plan->linked) {
        dlp__motion_project_density(step, &density, 0, NULL, NULL);
        return;
    }
    density.iterations = own->iterations;
    dlp__motion_project_density(step, &density, own->iterations, pull_links, plan);
}

static void links_fields(const void *params, dlp__FieldList *needed)
{
    static const dlp__FieldId fields[] = {DLP_MOTION_FIELDS, DLP_FIELD_smoothing, DLP_FIELD_bond_count,
                                          OWN_extension,     OWN_frozen,          OWN_softness,
                                          OWN_taut,          DLP_FIELD_NONE};
    (void)params;
    dlp__fields_add(needed, fields);
}

static void links_step(dlp__StepContext *step)
{
    dlp__LinksPlan plan;
    if (!dlp__links_plan(step, &plan)) {
        return;
    }
    dlp__motion_apply_adhesion(step);
    dlp__motion_predict(step);
    dlp__motion_sweep(step);
    dlp__motion_push_out(step);
    dlp__step_apply_sinks(step);
    dlp__step_find_neighbors(step);
    dlp__step_find_companions(step);
    dlp__step_update_bonds(step);
    dlp__step_conduct_heat(step);
    dlp__motion_prepare(step);
    dlp__boundary_build_samples(step->solids, step->domains);
    dlp__links_update(step, &plan);
    correct_positions(step, &plan);
    dlp__motion_push_out(step);
    dlp__motion_finish(step);
    dlp__motion_apply_wall_friction(step);
    dlp__smooth_velocities(step);
    dlp__companions_project_velocities(step->companions, step->domains);
}

const dlp__Method dlp__links = {
    .name = "links",
    .summary = "position-based fluid with links that lengthen: chocolate, slime, lava, wax (Takahashi et al. 2014)",
    .params = &table,
    .material_params = &dlp__links_material_params,
    .uses = DLP_USE_RHEOLOGY | DLP_USE_RELAXATION | DLP_USE_SOLVENT | DLP_USE_KERNEL,
    .own_fields = &dlp__links_fields,
    .fields = links_fields,
    .support = 2.2,
    .keeps_bonds = true,
    .bond_reach = DLP_LINKS_REACH,
    .step = links_step,
};
