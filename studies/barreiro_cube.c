/* The viscous cube of Barreiro et al., shared by the studies that drop it. */
#include "studies/barreiro_cube.h"

#include "studies/study_fit.h"

/* The method's parameter 'solver'. */
enum { PHYSICAL, JACOBI };

const char *const barreiro_solver_names[BARREIRO_SOLVERS] = {"position only", "doubly constrained",
                                                             "doubly, stress kept", "physical"};

void barreiro_solver(StudyRun *run, dlp_World *world, BarreiroSolver solver, int total)
{
    const int velocity = solver == BARREIRO_POSITION_ONLY ? 0 : total / 2;
    if (solver == BARREIRO_PHYSICAL) {
        study_set(run, world, "solver", PHYSICAL);
        study_set(run, world, "iterations", total);
        study_set(run, world, "tolerance", 1e-6);
        return;
    }
    study_set(run, world, "solver", JACOBI);
    study_set(run, world, "velocity_iterations", velocity);
    study_set(run, world, "position_iterations", total - velocity);
    study_set(run, world, "stress_keep", solver == BARREIRO_KEPT);
}

void barreiro_physical(StudyRun *run, dlp_World *world)
{
    study_set(run, world, "solver", PHYSICAL);
    study_set(run, world, "iterations", 300);
}

BarreiroCube barreiro_cube_of(StudyRun *run, int n, const char *method, const StudyValue *values, int count)
{
    BarreiroCube cube = {0};
    dlp_WorldDef def = study_world_def(run, method);
    def.spacing = BARREIRO_SIDE / n;
    def.gravity = (dlp_Vec3){0, 0, -BARREIRO_GRAVITY};
    cube.world = study_world(run, &def);
    const dlp_MaterialId material = study_material(run, cube.world, values, count);
    study_floor(run, cube.world, 1);
    study_cube(run, cube.world, material, n, BARREIRO_HEIGHT);
    study_read(run, cube.world, &cube.rest);
    return cube;
}

BarreiroCube barreiro_cube(StudyRun *run, int n)
{
    static const StudyValue viscous[] = {
        {"density", 1000}, {"smoothing", 0}, {"relaxation_time", 0}, {"compliance", 0}};
    return barreiro_cube_of(run, n, "conformation", viscous, sizeof viscous / sizeof viscous[0]);
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
