/* The moving-particle semi-implicit (MPS) method for Cauchy's equation of motion (Mukai et al., eqs. 1 to 21): deviatoric stress,
 * gravity and surface tension predict velocities and positions, and pressure keeps the number density constant. */
#include "methods/mps/mps.h"

#include "base/simd.h"
#include "methods/motion.h"
#include "methods/mps/mps_fields.h"
#include "methods/mps/mps_pressure.h"
#include "methods/mps/mps_stress.h"
#include "methods/mps/mps_walls.h"
#include "poisson/poisson.h"

DLP_DEFINE_OWN_FIELDS(dlp__MpsFields, DLP_MPS_FIELDS, dlp__mps_fields);

static const char *const cohesions[] = {"pressure", "potential", NULL}, *const forms[] = {"stress", "laplacian", NULL},
                         *const integrations[] = {"auto", "explicit", "implicit", NULL},
                         *const preconditioners[] = {"auto", "diagonal", "multigrid", "hypre", NULL};

/* clang-format off */
#define PARAM(name, type, member, unit, value, least, most, choices, ...) \
    {name, type, offsetof(dlp__MpsParams, member), unit, {value, 0, 0}, least, most, choices, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    PARAM("tolerance", DLP_PARAM_REAL, tolerance, "", 1e-3, 0, 1, NULL,
          "residual at which iterations stop, as a fraction of the right side"),
    PARAM("iterations", DLP_PARAM_INT, iterations, "", 500, 1, 100000, NULL, "maximum number of iterations of each linear system in a step"),
    PARAM("preconditioner", DLP_PARAM_CHOICE, preconditioner, "", DLP_POISSON_AUTOMATIC, 0, DLP_POISSON_HYPRE, preconditioners,
          "of the pressure equation; auto: multigrid where the diagonal does not suffice; hypre: BoomerAMG, in builds with hypre",
          .use = DLP_USE_ALWAYS),
    PARAM("cohesion", DLP_PARAM_CHOICE, cohesion, "", DLP_MPS_BY_PRESSURE, 0, DLP_MPS_BY_POTENTIAL, cohesions,
          "what carries tension; pressure: negative pressures; potential: surface_tension alone, as in the paper"),
    PARAM("form", DLP_PARAM_CHOICE, form, "", DLP_MPS_STRESS_FORM, 0, DLP_MPS_LAPLACIAN_FORM, forms,
          "viscous force; stress: divergence of the stress, which leaves rigid rotation alone; laplacian: Laplacian of the velocity, with "
          "cohesion: potential the scheme of the paper"),
    PARAM("integration", DLP_PARAM_CHOICE, integration, "", DLP_MPS_CHOOSE, 0, DLP_MPS_IMPLICIT, integrations,
          "of the deviatoric stress; explicit: short steps only, as in the paper; implicit: any step; auto: implicit unless steps are short"),
    PARAM("stabilization", DLP_PARAM_REAL, stabilization, "", 1, 0, 4, NULL,
          "resistance to motions of particles that the velocity gradient does not see; 0: none, as in the paper", .when = "form=stress"),
    PARAM("recovery", DLP_PARAM_REAL, recovery, "1/s", 10, 0, 1e6, NULL, "rate at which old compression is undone"),
    PARAM("regularization", DLP_PARAM_REAL, regularization, "", 0.15, 0, 10, NULL,
          "rate at which packing and density errors of viscous fluid in motion are corrected, as a fraction of "
          "viscosity / (density spacing^2); keeps fluid together under tension", .when = "cohesion=pressure"),
};

static const dlp_ParamTable table = {"mps", "moving-particle semi-implicit method", sizeof(dlp__MpsParams),
                                     (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

static void mps_fields(const void *params, dlp__FieldList *needed)
{
    static const dlp__FieldId fields[] = {DLP_FIELD_id,
                                          DLP_FIELD_material,
                                          DLP_FIELD_position,
                                          DLP_FIELD_velocity,
                                          DLP_FIELD_density,
                                          DLP_FIELD_pressure,
                                          DLP_FIELD_carrier,
                                          DLP_FIELD_start,
                                          DLP_FIELD_correction,
                                          DLP_FIELD_specific_volume,
                                          DLP_FIELD_correction_matrix,
                                          DLP_FIELD_velocity_gradient,
                                          DLP_FIELD_clearance,
                                          DLP_POISSON_FIELDS,
                                          DLP_FIELD_NONE};
    (void)params;
    dlp__fields_add(needed, fields);
    dlp__fields_add_own(needed, &dlp__mps_fields);
}

/* Particles were sorted after the prediction, so `start` is computed again. */
static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->start[a][i] = p->position[a][i] - p->correction[a][i] - plan->dt * p->velocity[a][i];
        }
    }
    for (int64_t i = begin; i < end; i++) {
        f->regularization[0][i] = 0.0f;
        f->attraction[0][i] = (float)(plan->cohesion * plan->materials[p->material[0][i]].surface_tension);
    }
}

static void apply_surface_tension(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsFlowStages *stages)
{
    if (plan->has_tension) {
        dlp__run(step->domains, &stages->surface_tension, plan);
        dlp__mps_wet_walls(step, plan);
    }
}

static double elastic_energy(const dlp__Particles *particles, int64_t i)
{
    const dlp__MpsFields *f = dlp__own_fields(particles);
    double sum = 0.0;
    for (int n = 0; n < 6; n++) {
        sum += (n < 3 ? 1.0 : 2.0) * (double)f->strain[n][i] * (double)f->strain[n][i];
    }
    return (double)f->modulus[0][i] * sum;
}

static dlp__Rheology rheology(const dlp__RheologyContext *context, const dlp__Particles *particles, int64_t i)
{
    const dlp__MpsFields *f = dlp__own_fields(particles);
    const dlp_MaterialDef material = dlp__heat_material(context->heat, context->materials, particles, i);
    const bool solid = material.modulus > 0.0 && material.viscosity == 0.0 && material.relaxation_time == 0.0;
    dlp__Rheology law = {.modulus = (double)f->modulus[0][i],
                         .viscous = (double)f->viscous[0][i],
                         .viscosity = solid ? DLP_SOLID_VISCOSITY : material.viscosity + material.solvent_viscosity};
    for (int n = 0; n < 6; n++) {
        law.conformation[n] = 2.0 * (double)f->strain[n][i];
    }
    return law;
}

static void mps_step(dlp__StepContext *step)
{
    static const dlp__MpsFlowStages *const flow_versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__mps_flow_stages);
    static const dlp__MpsPressureStages *const pressure_versions[DLP_WIDTHS] = DLP_WIDE_TABLE(
        &dlp__mps_pressure_stages);
    static const dlp__Stage prepare_stage = {
        .name = "mps prepare",
        .function = prepare,
        .reads = {DLP_FIELD_position, DLP_FIELD_correction, DLP_FIELD_velocity, DLP_FIELD_material},
        .writes = {DLP_FIELD_start, OWN_attraction, OWN_regularization}};
    const dlp__MpsFlowStages *flow = flow_versions[dlp__width_index(step->domains->width)];
    const dlp__MpsPressureStages *pressure = pressure_versions[dlp__width_index(step->domains->width)];
    dlp__MpsPlan plan;
    if (!dlp__mps_plan(step, &plan)) {
        return;
    }
    dlp__motion_predict(step);
    dlp__motion_sweep(step);
    dlp__motion_push_out(step);
    dlp__step_apply_sinks(step);
    dlp__step_find_neighbors(step);
    dlp__step_find_companions(step);
    dlp__step_conduct_heat(step);
    dlp__motion_prepare(step);
    dlp__run(step->domains, &prepare_stage, &plan);
    dlp__mps_find_walls(step, &plan);
    dlp__run(step->domains, &flow->shape, &plan);
    dlp__mps_apply_stress(step, &plan, flow); /* div tau, eqs. 3 to 21 */
    apply_surface_tension(step, &plan, flow); /* eq. 14                */
    dlp__mps_project(step, &plan, pressure);  /* grad p, eq. 1         */
    dlp__motion_resolve_contact(step);
    dlp__motion_finish(step);
    dlp__mps_shift(step, &plan, pressure);
    dlp__motion_apply_friction_left(step);
    dlp__companions_project_velocities(step->companions, step->domains);
}

const dlp__Method dlp__mps = {
    .name = "mps",
    .summary = "moving-particle semi-implicit method: threads, drops, surface tension (Mukai et al.)",
    .params = &table,
    .material_params = &dlp__mps_material_params,
    .uses = DLP_USE_RHEOLOGY | DLP_USE_RELAXATION | DLP_USE_SOLVENT | DLP_USE_TENSION,
    .own_fields = &dlp__mps_fields,
    .fields = mps_fields,
    .support = 3.1,
    .short_support = 2.1,
    .own_walls = true,
    .step = mps_step,
    .check_material = dlp__mps_check_material,
    .limit = dlp__mps_limit,
    .rheology = rheology,
    .elastic_energy = elastic_energy,
};
