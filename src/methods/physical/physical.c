/* Method physical. A step finds the change of velocity that balances inertia, gravity, viscoelastic stress, pressure, friction
 * and free bodies in one linear system (docs/physical.md), then moves the particles and shifts them to keep their packing
 * regular. */
#include "methods/physical/physical.h"

#include "boundary/wall_watch.h"
#include "materials/maxwell.h"
#include "methods/motion.h"
#include "methods/physical/physical_fields.h"
#include "methods/physical/physical_friction.h"
#include "methods/physical/physical_solver.h"

#include <math.h>

DLP_DEFINE_OWN_FIELDS(dlp__PhysicalFields, DLP_PHYSICAL_FIELDS, dlp__physical_fields);

/* clang-format off */
#define PARAM(name, type, member, value, most, ...) \
    {name, type, offsetof(dlp__PhysicalParams, member), "", {value, 0, 0}, 0, most, NULL, .help = __VA_ARGS__}

#define ELASTIC "materials.modulus|materials.relaxation_time|materials.frozen_modulus"
#define VISCOUS ELASTIC "|materials.viscosity|materials.solvent_viscosity|materials.viscosity_at"

static const dlp_Param params[] = {
    PARAM("tolerance", DLP_PARAM_REAL, tolerance, 0.01, 1, "residual at which iterations stop, as a fraction of the forces"),
    PARAM("iterations", DLP_PARAM_INT, iterations, 300, 100000, "maximum number of iterations in a step"),
    PARAM("damping", DLP_PARAM_REAL, damping, 0.03, 1,
          "0: elastic waves keep their energy; 1: implicit Euler damps them", .when = ELASTIC),
    PARAM("bulk", DLP_PARAM_REAL, bulk, 7, 1e4,
          "bulk viscosity over shear viscosity within a step; pressure does the rest", .when = VISCOUS),
    PARAM("inertia", DLP_PARAM_REAL, inertia, 10, 1e6,
          "bulk viscosity of inviscid fluids, in density times spacing squared over time step"),
    PARAM("fick_shift", DLP_PARAM_REAL, fick_shift, 0.2, 1,
          "particle shift that keeps the packing regular, in spacings squared times the gradient of the packing"),
    PARAM("density_shift", DLP_PARAM_REAL, density_shift, 0.4, 1,
          "fraction of the density error that a step corrects by shifting particles"),
};

static const dlp_ParamTable table = {"physical", "viscoelastic fluid in physical units", sizeof(dlp__PhysicalParams),
                                     (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

static void physical_fields(const void *params, dlp__FieldList *needed)
{
    static const dlp__FieldId fields[] = {DLP_FIELD_id,
                                          DLP_FIELD_material,
                                          DLP_FIELD_position,
                                          DLP_FIELD_velocity,
                                          DLP_FIELD_density,
                                          DLP_FIELD_pressure,
                                          DLP_FIELD_stress,
                                          DLP_FIELD_specific_volume,
                                          DLP_FIELD_start,
                                          DLP_FIELD_correction,
                                          DLP_FIELD_carrier,
                                          DLP_FIELD_correction_matrix,
                                          DLP_FIELD_velocity_gradient,
                                          DLP_FIELD_detached,
                                          DLP_FIELD_detached_before,
                                          DLP_KRYLOV_FIELDS,
                                          DLP_FIELD_NONE};
    (void)params;
    dlp__fields_add(needed, fields);
    dlp__fields_add_own(needed, &dlp__physical_fields);
}

/* The stored stabilization force at the new velocities. */
static void update_memory(const dlp__PhysicalSolver *solver)
{
    if (solver->has_memory) {
        dlp__physical_run(solver, &solver->memory->flux);
        dlp__physical_run(solver, &solver->memory->update);
        dlp__physical_run(solver, &solver->memory->redistribute);
    }
}

/* Free bodies are part of the linear system, Coulomb friction on them is not. */
static dlp_Result check_friction(double friction, bool is_free, dlp_Error *error)
{
    if (is_free && dlp__is_coulomb(friction)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "method physical has no Coulomb friction between fluid and a free body (friction %g): use 0 for free "
            "slip or 1 for no slip, or a method that has it, such as pbf or springs",
            friction);
    }
    return DLP_OK;
}

static double elastic_energy(const dlp__Particles *particles, int64_t i)
{
    const dlp__PhysicalFields *f = dlp__own_fields(particles);
    if (f->law_energy[0] != NULL) {
        return (double)f->law_energy[0][i];
    }
    double strain[6];
    for (int n = 0; n < 6; n++) {
        strain[n] = (double)f->conformation[n][i];
    }
    return dlp__maxwell_energy((double)f->modulus[0][i], strain);
}

static void physical_step(dlp__StepContext *step)
{
    dlp__PhysicalSolver solver = dlp__physical_begin(step, step->params);
    dlp__step_apply_sinks(step);
    dlp__step_find_neighbors(step);
    dlp__step_find_companions(step);
    dlp__step_conduct_heat(step);
    dlp__motion_apply_nozzles(step);
    dlp__physical_prepare_materials(&solver);
    dlp__physical_mirror_walls(&solver);
    dlp__physical_run(&solver, &solver.shape->shape);
    if (solver.arguments.has_tension) {
        dlp__physical_wet_walls(&solver);
        dlp__physical_run(&solver, &solver.tension->heights);
        dlp__physical_run(&solver, &solver.tension->stress);
    }
    dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_VELOCITY);
    dlp__boundary_attract_detached(step->solids, step->domains, step->dt);
    dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_VELOCITY);
    dlp__physical_set_right_side(&solver);
    dlp__physical_solve(&solver);
    dlp__physical_limit_next_step(&solver);
    dlp__physical_advance_velocities(&solver);
    dlp__friction_update(step, solver.has_friction);
    dlp__physical_run(&solver, &solver.stress->update);
    update_memory(&solver);
    dlp__physical_shift_and_move(&solver);
    dlp__physical_constrain_companions(&solver);
    dlp__physical_resolve_contact(&solver);
    dlp__companions_match_shapes(step->companions, step->domains);
    dlp__companions_project_velocities(step->companions, step->domains);
    dlp__wall_impulses_share_balance(&step->solids->impulses);
}

const dlp__Method dlp__physical = {
    .name = "physical",
    .summary = "materials in physical units behave as asked: viscous and elastic fluids, from water to jelly",
    .params = &table,
    .uses = DLP_USE_LAWS | DLP_USE_RHEOLOGY | DLP_USE_RELAXATION | DLP_USE_SOLVENT | DLP_USE_EXTENSIBILITY |
            DLP_USE_KERNEL | DLP_USE_TENSION | DLP_USE_STRENGTH,
    .own_fields = &dlp__physical_fields,
    .fields = physical_fields,
    .support = 2.0,
    .wets = true,
    .shears = true,
    .step = physical_step,
    .check_friction = check_friction,
    .limit = dlp__physical_limit,
    .rheology = dlp__physical_rheology,
    .elastic_energy = elastic_energy,
};
