/* Conformation constraints (Barreiro et al. 2017). A particle's conformation tensor Q measures how the fluid around it is
 * strained; it is convected by the flow and relaxes to the identity, and the strain left after a step is tied to the stress by
 * the material's compliance: a Maxwell fluid. A step is Algorithm 2 of the paper: velocities are projected onto the
 * constraints first, positions after them. */
#include "methods/conformation/conformation.h"

#include "base/simd.h"
#include "boundary/wall_watch.h"
#include "methods/conformation/conformation_fields.h"
#include "methods/conformation/conformation_stages.h"
#include "methods/conformation/jacobi_solver.h"

typedef struct ConformationParams {
    dlp__JacobiParams jacobi;
    dlp__DensityParams density;
} ConformationParams;

DLP_DEFINE_OWN_FIELDS(dlp__ConformationFields, DLP_CONFORMATION_FIELDS, dlp__conformation_fields);

/* clang-format off */
#define PARAM(name, type, member, value, most, ...) \
    {name, type, offsetof(ConformationParams, member), "", {value, 0, 0}, 0, most, NULL, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    PARAM("velocity_iterations", DLP_PARAM_INT, jacobi.velocity_iterations, 10, 10000,
          "iterations of the projection of velocities; 0: none"),
    PARAM("position_iterations", DLP_PARAM_INT, jacobi.position_iterations, 10, 10000,
          "iterations of the projection of positions, each after one of the density constraint; 0: none"),
    PARAM("beta", DLP_PARAM_REAL, jacobi.beta, 0, 1000,
          "relaxation: fraction of a Jacobi step, times the number of neighbours; 0: chosen for the kernel support"),
    PARAM("stress_keep", DLP_PARAM_REAL, jacobi.stress_keep, 1, 1,
          "fraction of the last step's stress used as initial guess; 0: start each step from zero, as published"),
    PARAM("corotation", DLP_PARAM_BOOL, jacobi.corotation, 1, 1,
          "remove rotation from the strain, in velocities and in positions"),
    PARAM("gradient_correction", DLP_PARAM_BOOL, jacobi.gradient_correction, 1, 1,
          "gradients that are exact for linear fields, at free surfaces too; without it rotation is damped"),
    DLP_DENSITY_PARAMS(ConformationParams, density, "density_", NULL),
};

static const dlp_ParamTable table = {"conformation", "viscoelastic fluid by conformation constraints",
                                     sizeof(ConformationParams), (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

static void resolve_wall_velocity(dlp__StepContext *step)
{
    double started = dlp__clock();
    dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_VELOCITY);
    dlp__boundary_resolve_wall_velocity(step->solids, step->domains, step->dt);
    dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_VELOCITY);
    dlp__profile_add(step->domains, "wall velocity", started);
}

/* The projections treat fluid in a nozzle like a no-slip wall. */
static void prescribe_nozzles(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const bool carried = dlp__motion_follow_nozzle(step, p, i);
        for (int a = 0; a < 3 && carried; a++) {
            p->contact[a][i] = 0.0f;
            p->contact[3][i] = 1.0f;
        }
    }
}

static void prescribe_nozzle_velocities(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "conformation nozzles",
                                     .function = prescribe_nozzles,
                                     .reads = {DLP_FIELD_carrier, DLP_FIELD_start},
                                     .writes = {DLP_FIELD_contact, DLP_FIELD_velocity}};
    if (step->nozzle_count > 0) {
        dlp__run(step->domains, &stage, step);
    }
}

static void conformation_fields(const void *params, dlp__FieldList *needed)
{
    static const dlp__FieldId fields[] = {
        DLP_MOTION_FIELDS, DLP_FIELD_stress, DLP_FIELD_contact, DLP_FIELD_clearance, DLP_FIELD_correction_matrix,
        OWN_conformation,  OWN_flux,         OWN_compliance,    OWN_retention,       OWN_response,
        DLP_FIELD_NONE};
    static const dlp__FieldId of_velocities[] = {OWN_strain, DLP_FIELD_NONE};
    const ConformationParams *own = params;
    dlp__fields_add(needed, fields);
    if (own->jacobi.velocity_iterations > 0) {
        dlp__fields_add(needed, of_velocities);
    }
}

/* Algorithm 2. */
static void conformation_step(dlp__StepContext *step)
{
    static const dlp__ConformationStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__conformation_stages);
    const dlp__ConformationStages *stages = versions[dlp__width_index(step->domains->width)];
    const ConformationParams *own = step->params;
    const dlp__JacobiSolver solver = dlp__jacobi_begin(step, &own->jacobi);
    const dlp__ConformationArguments arguments = {.kernel = *step->kernel,
                                                  .volume = step->spacing * step->spacing * step->spacing,
                                                  .dt = step->dt,
                                                  .materials = step->materials,
                                                  .own = step->material_params,
                                                  .heat = step->heat};
    dlp__motion_apply_adhesion(step);
    dlp__motion_predict(step);
    dlp__step_apply_sinks(step);
    dlp__step_find_neighbors(step);
    dlp__step_find_companions(step);
    dlp__step_conduct_heat(step);
    dlp__motion_prepare(step);
    dlp__run(step->domains, &stages->prepare, &arguments);
    resolve_wall_velocity(step);
    prescribe_nozzle_velocities(step);
    dlp__jacobi_project_velocities(step, &solver); /* linear: Jacobians stay constant   */
    dlp__motion_sweep(step);
    dlp__motion_push_out(step);
    dlp__boundary_build_samples(step->solids, step->domains);
    dlp__jacobi_project_positions(step, &solver, &own->density); /* density and conformation alternate */
    dlp__motion_finish(step);
    dlp__motion_apply_friction_left(step);
    dlp__companions_project_velocities(step->companions, step->domains);
    dlp__run(step->domains, &stages->update, &arguments);
}

const dlp__Method dlp__conformation = {
    .name = "conformation",
    .summary =
        "conformation constraints by Jacobi iterations, as published: from syrup to jelly (Barreiro et al. 2017)",
    .params = &table,
    .material_params = &dlp__conformation_material_params,
    .uses = DLP_USE_RHEOLOGY | DLP_USE_RELAXATION | DLP_USE_KERNEL,
    .own_fields = &dlp__conformation_fields,
    .fields = conformation_fields,
    .support = 2.0,
    .step = conformation_step,
    .check_material = dlp__conformation_check,
};
