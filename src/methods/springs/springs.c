/* Particle-based viscoelastic fluids (Clavet et al. 2005). A step predicts positions and relaxes them by one constraint
 * after another; the displacements become velocity. The stages follow Algorithm 1 in its order, except for viscosity:
 * impulses are computed at the positions of the start of the step, once neighbours are known, and change the predicted
 * positions.
 *
 * The pair equations come in two forms. Gather (Jacobi): every particle sums the contributions of its neighbours, all
 * from the same state. Sequence (Gauss-Seidel): each pair sees the results of the pairs before it. Sequence is stable
 * at twice the stiffness and at any viscosity. */
#include "methods/springs/springs.h"
#include "methods/springs/springs_fields.h"

#include "base/simd.h"
#include "methods/motion.h"
#include "methods/springs/springs_bonds.h"
#include "methods/springs/springs_sequence.h"
#include "methods/springs/springs_stages.h"
#include "methods/springs/springs_walls.h"

static const char *const forms[] = {"auto", "gather", "sequence", NULL};

#include <math.h>

DLP_DEFINE_OWN_FIELDS(dlp__SpringsFields, DLP_SPRINGS_FIELDS, dlp__springs_fields);

/* clang-format off */
#define PARAM(name, type, member, unit, value, most, choices, ...) \
    {name, type, offsetof(dlp__SpringsParams, member), unit, {value, 0, 0}, 0, most, choices, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    PARAM("sound_speed", DLP_PARAM_REAL, sound_speed, "m/s", 0, 1e6, NULL,
          "stiffness against compression: at a depth H the fluid is compressed by about g H / sound_speed^2; the attraction "
          "at free surfaces grows with its square; higher values divide steps into substeps; 0: as stiff as the time step allows, at most "
          "sqrt(250 * 9.8 m/s2 * spacing), with a surface tension of density * 9.8 m/s2 * spacing^2"),
    PARAM("beta", DLP_PARAM_REAL, beta, "1/m", 0, 1e9, NULL,
          "quadratic viscosity impulses, which damp only fast collisions"),
    PARAM("tension", DLP_PARAM_REAL, tension, "", 1, 1, NULL,
          "fraction of the attraction at free surfaces that is kept: 1 for drops of a few hundred particles; 0.05 "
          "for tanks, which otherwise bulge like drops"),
    PARAM("form", DLP_PARAM_CHOICE, form, "", DLP_SPRINGS_AUTO, DLP_SPRINGS_SEQUENCE, forms,
          "how pairs are processed; gather: all from one state, fast, in any number of subdomains; sequence: one "
          "after another, for high viscosity; auto: gather unless a material is too viscous"),
};

static const dlp_ParamTable table = {"springs", "double density relaxation and plastic springs",
                                     sizeof(dlp__SpringsParams), (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

static void prepare_laws(const dlp__SpringsPlan *plan, dlp__Particles *p, int64_t begin, int64_t end)
{
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        const dlp__MaterialState state = dlp__heat_state(plan->heat, plan->materials, p, i);
        const dlp__SpringsMaterial *own = &plan->own[p->material[0][i]];
        const dlp__SpringLaw law = dlp__spring_law(&state.material, &state.scale, own, plan->moment, (double)plan->dt);
        const float numbers[] = {fminf(law.stiffness, plan->stiffness_most), law.stretch_taken, law.stretch_yield,
                                 law.compress_taken, law.compress_yield};
        for (int n = 0; n < 5; n++) {
            f->spring_law[n][i] = numbers[n];
        }
        f->sigma[0][i] = fminf(law.sigma, plan->sigma_most);
    }
}

/* Particles were sorted after the prediction, so `start` is computed again; laws are evaluated at each particle's temperature. */
static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->start[a][i] = p->position[a][i] - p->correction[a][i] - plan->dt * p->velocity[a][i];
        }
    }
    if (plan->depends_on_temperature) {
        prepare_laws(plan, p, begin, end);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        f->sigma[0][i] = plan->law[p->material[0][i]].sigma;
    }
}

static void apply_viscosity(dlp__StepContext *step, const dlp__SpringsPlan *plan, const dlp__SpringsStages *stages)
{
    if (plan->viscous && plan->in_sequence) {
        dlp__sequence_viscosity(step, plan);
    } else if (plan->viscous) {
        dlp__run(step->domains, &stages->viscosity, plan);
    }
}

static void apply_springs(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    if (plan->in_sequence) {
        dlp__sequence_apply_springs(step, plan);
    } else {
        dlp__springs_apply(step, plan);
    }
}

/* In sequence particles move while densities are computed, so the output densities are computed at the end. */
static void relax_densities(dlp__StepContext *step, const dlp__SpringsPlan *plan, const dlp__SpringsStages *stages)
{
    dlp__springs_add_wall_density(step, plan);
    if (plan->in_sequence) {
        dlp__sequence_relax(step, plan);
        dlp__springs_push_walls(step, plan);
        dlp__run(step->domains, &stages->densities, plan);
        return;
    }
    dlp__run(step->domains, &stages->densities, plan);
    dlp__run(step->domains, plan->same_density ? &stages->relax : &stages->relax_mixed, plan);
    dlp__springs_push_walls(step, plan);
}

static void springs_fields(const void *params, dlp__FieldList *needed)
{
    static const dlp__FieldId fields[] = {
        DLP_FIELD_id,        DLP_FIELD_material, DLP_FIELD_position, DLP_FIELD_velocity,   DLP_FIELD_density,
        DLP_FIELD_pressure,  DLP_FIELD_carrier,  DLP_FIELD_start,    DLP_FIELD_correction, DLP_FIELD_specific_volume,
        DLP_FIELD_clearance, OWN_sigma,          OWN_far_push,       OWN_near_push,        OWN_wall_density,
        DLP_FIELD_NONE};
    (void)params;
    dlp__fields_add(needed, fields);
}

/* Give memory to the fields that only springs, and only laws that depend on temperature, need. */
static void add_needed_fields(dlp__Domains *domains, const dlp__SpringsPlan *plan)
{
    const dlp__FieldId needed[] = {plan->uses_bonds ? DLP_FIELD_bond_count : DLP_FIELD_NONE, DLP_FIELD_NONE},
                       laws[] = {plan->depends_on_temperature ? OWN_spring_law : DLP_FIELD_NONE, DLP_FIELD_NONE};
    for (int d = 0; d < domains->count; d++) {
        dlp__Particles *particles = &domains->part[d].particles;
        dlp__require_memory(domains,
                            dlp__particles_add_fields(particles, needed) && dlp__particles_add_fields(particles, laws),
                            "springs");
    }
}

static void springs_step(dlp__StepContext *step)
{
    static const dlp__SpringsStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__springs_stages);
    static const dlp__Stage prepare_stage = {.name = "springs prepare",
                                             .function = prepare,
                                             .reads = {DLP_FIELD_position, DLP_FIELD_correction, DLP_FIELD_velocity,
                                                       DLP_FIELD_material, DLP_FIELD_temperature, DLP_FIELD_enthalpy},
                                             .writes = {DLP_FIELD_start, OWN_sigma, OWN_spring_law}};
    const dlp__SpringsStages *stages = versions[dlp__width_index(step->domains->width)];
    dlp__SpringsPlan plan;
    if (!dlp__springs_plan(step, &plan)) {
        return;
    }
    add_needed_fields(step->domains, &plan);
    dlp__motion_apply_adhesion(step);
    dlp__motion_predict(step);
    dlp__motion_sweep(step);
    dlp__motion_push_out(step);
    dlp__step_apply_sinks(step);
    dlp__step_find_neighbors(step);
    dlp__step_find_companions(step);
    if (plan.uses_bonds) {
        dlp__step_update_bonds(step);
    }
    dlp__step_conduct_heat(step);
    dlp__motion_prepare(step);
    dlp__run(step->domains, &prepare_stage, &plan);
    apply_viscosity(step, &plan, stages);
    dlp__springs_update(step, &plan);
    apply_springs(step, &plan);
    relax_densities(step, &plan, stages);
    dlp__motion_resolve_contact(step);
    dlp__motion_finish(step);
    dlp__motion_apply_wall_friction(step);
    dlp__companions_project_velocities(step->companions, step->domains);
}

const dlp__Method dlp__springs = {
    .name = "springs",
    .summary = "double density relaxation and plastic springs: splashes, gels, clay, fast (Clavet et al. 2005)",
    .params = &table,
    .material_params = &dlp__springs_material_params,
    .uses = DLP_USE_RHEOLOGY | DLP_USE_RELAXATION | DLP_USE_SOLVENT,
    .own_fields = &dlp__springs_fields,
    .fields = springs_fields,
    .support = 2.57,
    .keeps_bonds = true,
    .own_walls = true,
    .step = springs_step,
    .limit = dlp__springs_limit,
};
