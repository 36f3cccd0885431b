/* SPH blended with shape matching (Takamatsu and Kanai 2011): a fluid by smoothed particles, an elastic body by matching the
 * neighbourhood of each particle to a reference shape, and anything between by a weighted mean of their velocities. Elastic bodies
 * split and merge where strong forces update their reference shape. The stages follow section 3.3 of the paper in its order. */
#include "methods/blend/blend.h"

#include "base/simd.h"
#include "methods/blend/blend_fields.h"
#include "methods/blend/blend_reference.h"
#include "methods/blend/blend_stages.h"
#include "methods/motion.h"

DLP_DEFINE_OWN_FIELDS(dlp__BlendFields, DLP_BLEND_FIELDS, dlp__blend_fields);

/* clang-format off */
#define PARAM(name, unit, value, least, most, ...) \
    {#name, DLP_PARAM_REAL, offsetof(dlp__BlendParams, name), unit, {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    PARAM(sound_speed, "m/s", 0.0, 0.0, 1e6,
          "speed of sound of the fluid: it is compressed by the square of speed over this; 0: ten times the speed gained in a fall by "
          "half the height of the fluid, and at least four times that of the fastest particle and of shear waves"),
    PARAM(update_interval, "s", 0.1, 1e-6, 1e6, "time between checks whether an elastic object takes its current shape as reference",
          .when = "materials.modulus|materials.frozen_modulus|materials.matching_time"),
    PARAM(damping, "", 0.1, 0.0, 10.0,
          "least viscosity, over density, spacing and the speed of shear waves plus a tenth of that of sound; `dollop check` shows it"),
};
/* clang-format on */

static const dlp_ParamTable table = {"blend", "SPH blended with shape matching", sizeof(dlp__BlendParams),
                                     (int)(sizeof params / sizeof params[0]), params};

static void blend_fields(const void *params, dlp__FieldList *needed)
{
    static const dlp__FieldId fields[] = {
        DLP_FIELD_id,       DLP_FIELD_material,        DLP_FIELD_position, DLP_FIELD_velocity,   DLP_FIELD_density,
        DLP_FIELD_pressure, DLP_FIELD_carrier,         DLP_FIELD_start,    DLP_FIELD_correction, DLP_FIELD_bond_count,
        DLP_CLUSTER_FIELDS, DLP_FIELD_specific_volume, DLP_FIELD_NONE};
    (void)params;
    dlp__fields_add(needed, fields);
    dlp__fields_add_own(needed, &dlp__blend_fields);
}

/* The law of each particle; no cluster is new yet. Particles of companions have no clusters: their companion holds them together. */
static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__BlendPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__BlendFields *f = dlp__own_fields(p);
    const bool has_companions = plan->step->companions->count > 0;
    for (int64_t i = begin; i < end; i++) {
        const dlp__BlendLaw law = dlp__blend_law_of(plan, p, i);
        const bool held = has_companions && p->companion[0][i] > 0;
        f->alpha[0][i] = (float)law.alpha;
        f->viscosity[0][i] = (float)law.viscosity;
        p->cluster_stiffness[0][i] = held ? 0.0f : (float)law.stiffness;
        p->fresh[0][i] = DLP_CLUSTER_OLD;
    }
}

/* Goal positions of shape matching, eq. 7. */
static void match_shapes(dlp__StepContext *step, const dlp__BlendPlan *plan)
{
    if (plan->matches) {
        dlp__blend_check_reference(step, plan);
        dlp__clusters_update(&plan->clusters);
        dlp__clusters_match(&plan->clusters);
    }
}

static void blend_step(dlp__StepContext *step)
{
    static const dlp__BlendStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__blend_stages);
    static const dlp__Stage prepare_stage = {
        .name = "blend prepare",
        .function = prepare,
        .reads = {DLP_FIELD_material, DLP_FIELD_companion, DLP_FIELD_temperature, DLP_FIELD_enthalpy},
        .writes = {OWN_alpha, OWN_viscosity, DLP_FIELD_cluster_stiffness, DLP_FIELD_fresh}};
    const dlp__BlendStages *stages = versions[dlp__width_index(step->domains->width)];
    dlp__BlendPlan plan;
    if (!dlp__blend_plan(step, &plan)) {
        return;
    }
    dlp__step_apply_sinks(step);
    dlp__step_find_neighbors(step);
    dlp__step_find_companions(step);
    dlp__step_update_bonds(step);
    dlp__step_conduct_heat(step);
    dlp__motion_prepare(step);
    dlp__boundary_build_samples(step->solids, step->domains);
    dlp__run(step->domains, &prepare_stage, &plan);
    match_shapes(step, &plan);
    dlp__run(step->domains, &stages->density, &plan);
    dlp__run(step->domains, &stages->forces, &plan);
    dlp__motion_apply_adhesion(step);
    dlp__motion_predict(step); /* eq. 11 */
    dlp__motion_sweep(step);
    dlp__motion_resolve_contact(step);
    dlp__motion_finish(step);
    dlp__motion_apply_wall_friction(step);
    dlp__companions_project_velocities(step->companions, step->domains);
    dlp__blend_record_external(step);
}

const dlp__Method dlp__blend = {
    .name = "blend",
    .summary = "SPH blended with shape matching: jelly, gummy, dough that split and merge (Takamatsu and Kanai 2011)",
    .params = &table,
    .material_params = &dlp__blend_material_params,
    .uses = DLP_USE_RHEOLOGY | DLP_USE_SOLVENT | DLP_USE_KERNEL,
    .own_fields = &dlp__blend_fields,
    .fields = blend_fields,
    .support = 2.1,
    .keeps_bonds = true,
    .bond_reach = 2,
    .step = blend_step,
    .check_material = dlp__blend_check_material,
    .limit = dlp__blend_limit,
    .deliver = dlp__blend_deliver,
};
