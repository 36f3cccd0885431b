/* The viscous cube of Barreiro et al., shared by the studies that drop it. */
#include "studies/barreiro_cube.h"

#include "studies/study_fit.h"

#include <math.h>

const char *const barreiro_solver_names[BARREIRO_SOLVERS] = {"position only", "doubly constrained",
                                                             "doubly, stress kept", "physical"};

const char *barreiro_method(BarreiroSolver solver)
{
    return solver == BARREIRO_PHYSICAL ? "physical" : "conformation";
}

void barreiro_solver(StudyRun *run, dlp_World *world, BarreiroSolver solver, int total)
{
    const int velocity = solver == BARREIRO_POSITION_ONLY ? 0 : total / 2;
    if (solver == BARREIRO_PHYSICAL) {
        study_set(run, world, "iterations", total);
        study_set(run, world, "tolerance", 1e-6);
        return;
    }
    study_set(run, world, "velocity_iterations", velocity);
    study_set(run, world, "position_iterations", total - velocity);
    study_set(run, world, "stress_keep", solver == BARREIRO_KEPT);
}

void barreiro_physical(StudyRun *run, dlp_World *world)
{
    study_set(run, world, "iterations", 300);
}

dlp_MaterialId barreiro_material(StudyRun *run, dlp_World *world, double tau, double alpha, BarreiroStep step)
{
    if (step.solver != BARREIRO_PHYSICAL) {
        return STUDY_MATERIAL(run, world, {"density", 1000}, {"relaxation_time", tau}, {"compliance", alpha});
    }
    const double most = 1e12; /* Pa.s and Pa, the ends of their ranges */
    if (tau > 0) {
        const double modulus = step.dt / (alpha * -expm1(-step.dt / tau) * tau);
        return STUDY_MATERIAL(run, world, {"density", 1000}, {"relaxation_time", tau},
                              {"modulus", fmin(modulus, most)});
    }
    return STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", fmin(step.dt / alpha, most)});
}

static dlp_World *make_world(StudyRun *run, int n, const char *method)
{
    dlp_WorldDef def = study_world_def(run, method);
    def.spacing = BARREIRO_SIDE / n;
    def.gravity = (dlp_Vec3){0, 0, -BARREIRO_GRAVITY};
    return study_world(run, &def);
}

static BarreiroCube make_cube(StudyRun *run, int n, dlp_World *world, dlp_MaterialId material)
{
    BarreiroCube cube = {.world = world};
    study_floor(run, world, 1);
    study_cube(run, world, material, n, BARREIRO_HEIGHT);
    study_read(run, world, &cube.rest);
    return cube;
}

BarreiroCube barreiro_cube_of(StudyRun *run, int n, const char *method, const StudyValue *values, int count)
{
    dlp_World *world = make_world(run, n, method);
    return make_cube(run, n, world, study_material(run, world, values, count));
}

BarreiroCube barreiro_cube(StudyRun *run, int n, BarreiroSolver solver)
{
    const BarreiroStep any = {solver, 1}; /* its length does not matter at alpha = 0 */
    dlp_World *world = make_world(run, n, barreiro_method(solver));
    return make_cube(run, n, world, barreiro_material(run, world, 0, 0, any));
}

void barreiro_cube_free(BarreiroCube *cube)
{
    study_particles_free(&cube->rest);
    study_particles_free(&cube->now);
    dlp_world_destroy(cube->world);
}

double barreiro_drift(StudyRun *run, BarreiroCube *cube)
{
    study_read(run, cube->world, &cube->now);
    return study_rms_from_rigid(&cube->rest, &cube->now);
}

int64_t barreiro_thrown(const BarreiroCube *cube)
{
    int64_t thrown = 0;
    for (int64_t i = 0; i < cube->now.count; i++) {
        const float *rest = cube->rest.position[i], *now = cube->now.position[i];
        const double x = now[0] - rest[0], y = now[1] - rest[1], z = now[2] - rest[2] + BARREIRO_HEIGHT;
        thrown += x * x + y * y + z * z > 4 * BARREIRO_SIDE * BARREIRO_SIDE;
    }
    return thrown;
}
