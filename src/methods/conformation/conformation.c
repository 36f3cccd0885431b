/* Conformation constraints (Barreiro et al. 2017). A particle's conformation tensor Q says how the fluid around it is
 * strained; it is carried along by the flow and relaxes to the identity, and the strain that a step leaves is bound to
 * the stress by the material's compliance: a Maxwell fluid. How a step solves this is the solver's matter. */
#include "methods/conformation/conformation.h"

#include "base/simd.h"
#include "methods/conformation/conformation_stages.h"
#include "methods/conformation/jacobi_solver.h"
#include "methods/conformation/physical_solver.h"

typedef enum SolverKind { SOLVER_PHYSICAL, SOLVER_JACOBI } SolverKind;

typedef struct ConformationParams {
    int32_t solver; /* SolverKind */
    dlp__PhysicalParams physical;
    dlp__JacobiParams jacobi;
    dlp__DensityParams density;
} ConformationParams;

static const char *const solvers[] = {"physical", "jacobi", NULL};

/* clang-format off */
#define PARAM(name, type, member, value, most, help) \
    {name, type, offsetof(ConformationParams, member), "", {value, 0, 0}, 0, most, NULL, help}

static const dlp_Param params[] = {
    {"solver", DLP_PARAM_CHOICE, offsetof(ConformationParams, solver), "", {SOLVER_PHYSICAL, 0, 0}, 0, SOLVER_JACOBI, solvers,
     "how the constraints are solved; physical: viscosity, elasticity and pressure together, so that materials behave as "
     "asked; jacobi: velocities, then positions, by relaxed Jacobi iterations, as published"},
    PARAM("tolerance", DLP_PARAM_REAL, physical.tolerance, 0.01, 1,
          "physical: the forces that a step may leave unbalanced, over the forces in it"),
    PARAM("iterations", DLP_PARAM_INT, physical.iterations, 300, 100000, "physical: in a step, at most"),
    PARAM("damping", DLP_PARAM_REAL, physical.damping, 0.03, 1,
          "physical: 0 keeps the energy of elastic waves, 1 damps them by implicit Euler"),
    PARAM("bulk", DLP_PARAM_REAL, physical.bulk, 7, 1e4,
          "physical: resistance to a change of volume within a step, over viscosity; pressure does the rest"),
    PARAM("inertia", DLP_PARAM_REAL, physical.inertia, 10, 1e6,
          "physical: the same for inviscid fluids, in densities times spacing squared over time step"),
    PARAM("evening", DLP_PARAM_REAL, physical.evening, 0.2, 1,
          "physical: how far particles shift to keep their packing even, in spacings squared times its gradient"),
    PARAM("crowding", DLP_PARAM_REAL, physical.crowding, 0.4, 1,
          "physical: part of the error of density that a step mends by shifting particles"),
    PARAM("velocity_iterations", DLP_PARAM_INT, jacobi.velocity_iterations, 10, 10000,
          "of the projection of velocities; 0 leaves it out"),
    PARAM("position_iterations", DLP_PARAM_INT, jacobi.position_iterations, 10, 10000,
          "of the projection of positions, each after one of the density constraint; 0 leaves it out"),
    PARAM("beta", DLP_PARAM_REAL, jacobi.beta, 0, 1000,
          "neighbours' share of a Jacobi step that is taken; 0 takes what suits the kernel support"),
    PARAM("stress_keep", DLP_PARAM_REAL, jacobi.stress_keep, 1, 1,
          "part of the last step's stress taken as first guess; 0 begins each step from nothing, as published"),
    PARAM("corotation", DLP_PARAM_BOOL, jacobi.corotation, 1, 1,
          "do not take rotation for strain, in velocities and in positions"),
    PARAM("gradient_correction", DLP_PARAM_BOOL, jacobi.gradient_correction, 1, 1,
          "gradients that are exact for linear fields, at free surfaces too; without it rotation is damped"),
    DLP_DENSITY_PARAMS(ConformationParams, density, "density_"),
};

static const dlp_ParamTable table = {"conformation", "viscoelastic fluid by conformation constraints",
                                     sizeof(ConformationParams), (int)(sizeof params / sizeof params[0]), params};
/* clang-format on */

static void brace(dlp__StepContext *step)
{
    double started = dlp__clock();
    dlp__boundary_resolve_wall_velocity(step->solids, step->domains, step->dt);
    dlp__profile_add(step->domains, "contact brace", started);
}

/* What a nozzle carries is to the projections like a wall that it sticks to. */
static void hold(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const bool carried = dlp__motion_follow(step, p, i);
        for (int a = 0; a < 3 && carried; a++) {
            p->contact[a][i] = 0.0f;
            p->contact[3][i] = 1.0f;
        }
    }
}

static bool hold_in_nozzles(dlp__StepContext *step)
{
    static const dlp__Stage stage = {
        .name = "conformation hold", .function = hold, .writes = DLP_FIELD_BIT(contact) | DLP_FIELD_BIT(velocity)};
    return step->nozzle_count == 0 || dlp__run(step->domains, &stage, step);
}

static dlp_Result jacobi_step(dlp__StepContext *step)
{
    static const dlp__ConformationStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__conformation_stages);
    const dlp__ConformationStages *stages = versions[dlp__width_index(step->domains->width)];
    const ConformationParams *own = step->params;
    const dlp__ConformationArguments arguments = {.kernel = *step->kernel,
                                                  .volume = step->spacing * step->spacing * step->spacing,
                                                  .dt = step->dt,
                                                  .materials = step->materials,
                                                  .heat = step->heat};
    bool ok = dlp__motion_predict(step);
    dlp_Result found = step->update_neighbors(step);
    if (found != DLP_OK) {
        return found;
    }
    ok = ok && dlp__motion_prepare(step);
    ok = ok && dlp__run(step->domains, &stages->prepare, &arguments);
    brace(step);
    ok = ok && hold_in_nozzles(step);
    ok = ok && dlp__jacobi_solve(step, &own->jacobi, &own->density);
    ok = ok && dlp__motion_finish(step);
    dlp__boundary_apply_body_friction(step->solids, step->domains);
    dlp__companions_settle(step->companions, step->domains);
    ok = ok && dlp__run(step->domains, &stages->update, &arguments);
    return dlp__motion_result(step, ok);
}

static dlp_Result conformation_step(dlp__StepContext *step)
{
    const ConformationParams *own = step->params;
    return own->solver == SOLVER_PHYSICAL ? dlp__physical_step(step, &own->physical) : jacobi_step(step);
}

const dlp__Method dlp__conformation = {
    .name = "conformation",
    .summary = "conformation constraints: viscous and elastic fluids, from syrup to jelly (Barreiro et al. 2017)",
    .params = &table,
    .fields = DLP_MOTION_FIELDS | DLP_FIELD_BIT(conformation) | DLP_FIELD_BIT(stress) | DLP_FIELD_BIT(flux) |
              DLP_FIELD_BIT(strain) | DLP_FIELD_BIT(compliance) | DLP_FIELD_BIT(retention) | DLP_FIELD_BIT(response) |
              DLP_FIELD_BIT(contact) | DLP_FIELD_BIT(clearance) | DLP_FIELD_BIT(correction_matrix) |
              DLP_PHYSICAL_FIELDS,
    .support = 2.0,
    .step = conformation_step,
};
