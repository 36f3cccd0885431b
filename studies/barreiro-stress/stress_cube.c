#include "stress_cube.h"

#include "stress_solver.h"

#include "studies/barreiro_cube.h"

#include <math.h>
#include <string.h>

static const double DROP = 0.25, GRAVITY = 9.81;          /* m, m/s2  */
static const double DENSITY = 1000.0, RELAXATION = 0.015; /* kg/m3, s */

/* A cube being simulated: `world` for our method, `rival` for the stress solver. */
typedef struct Cube {
    StudyRun *run;
    double dt; /* s */
    dlp_World *world;
    dlp__StressSolver *rival;
} Cube;

static void make_rival(Cube *cube, const dlp_WorldDef *def, const CubeSetup *setup, double height, double speed)
{
    static dlp__StressSolver solver; /* too large for the stack; one at a time */
    dlp__StressDef stress = dlp__stress_default_def();
    stress.world = *def;
    stress.material.density = DENSITY;
    stress.material.viscosity = setup->viscosity;
    stress.material.relaxation_time = RELAXATION;
    stress.density.iterations_least =
        1; /* with 0 walls are soft and the cube bounces too high; 2 gives the same curves */
    stress.skin = setup->skin;
    const dlp_ShapeDef box = {
        .kind = DLP_SHAPE_BOX, .position = {0, 0, height + 0.5 * CUBE_SIDE}, .size = {CUBE_SIDE, CUBE_SIDE, CUBE_SIDE}};
    dlp_SolidDef ground = dlp_default_solid_def();
    ground.shape.kind = DLP_SHAPE_PLANE;
    ground.friction = 0.0;
    cube->rival = &solver;
    dlp_Result result = dlp__stress_init(&solver, &stress);
    result = result == DLP_OK ? dlp__stress_add_fluid(&solver, &box, (dlp_Vec3){0, 0, -speed}) : result;
    result = result == DLP_OK ? dlp__stress_add_solid(&solver, &ground) : result;
    if (result != DLP_OK) {
        study_fail(cube->run, result, "%s", solver.error.text);
    }
}

static void make_ours(Cube *cube, const dlp_WorldDef *def, const CubeSetup *setup, double height, double speed)
{
    StudyRun *run = cube->run;
    cube->world = study_world(run, def);
    barreiro_solver(run, cube->world, setup->fresh ? BARREIRO_DOUBLY : BARREIRO_KEPT, setup->iterations);
    const dlp_MaterialId material = STUDY_MATERIAL(run, cube->world, {"density", DENSITY},
                                                   {"viscosity", setup->viscosity}, {"relaxation_time", RELAXATION});
    study_floor(run, cube->world, 0.0);
    study_block(run, cube->world,
                &(StudyBlock){.material = material,
                              .counts = {setup->n, setup->n, setup->n},
                              .corner = {-0.5 * CUBE_SIDE, -0.5 * CUBE_SIDE, height},
                              .velocity = {0, 0, -speed}});
}

static Cube make_cube(StudyRun *run, const CubeSetup *setup)
{
    Cube cube = {.run = run, .dt = cube_step(setup)};
    dlp_WorldDef def = study_world_def(run, "conformation");
    def.spacing = CUBE_SIDE / setup->n;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    double height = setup->landing ? 0.0 : DROP, speed = setup->landing ? sqrt(2.0 * GRAVITY * DROP) : 0.0;
    if (setup->rival) {
        make_rival(&cube, &def, setup, height, speed);
    } else {
        make_ours(&cube, &def, setup, height, speed);
    }
    double particles = (double)setup->n * setup->n * setup->n;
    study_weigh(run, particles * (setup->rival ? 1.0 : 1.0 + 0.2 * setup->iterations));
    return cube;
}

static void release_cube(Cube *cube)
{
    dlp_world_destroy(cube->world);
    if (cube->rival != NULL) {
        dlp__stress_release(cube->rival);
    }
}

/* False if it became unstable or the study should end. */
static bool step_cube(Cube *cube)
{
    bool broken = false;
    if (cube->world != NULL) {
        return study_try_step(cube->run, cube->world, cube->dt, &broken) && !broken;
    }
    if (!study_going(cube->run)) {
        return false;
    }
    dlp_Result result = dlp__stress_step(cube->rival, cube->dt);
    study_advance(cube->run, 1);
    if (result != DLP_OK && result != DLP_ERROR_NOT_FINITE) {
        study_fail(cube->run, result, "%s", cube->rival->error.text);
    }
    return result == DLP_OK && study_going(cube->run);
}

/* Current measurements of a cube. */
typedef struct Figures {
    double height; /* m, of the centre                               */
    double width;  /* m, of a square with the same variance */
    double energy; /* J/kg, kinetic and potential                    */
} Figures;

static Figures measure(const Cube *cube)
{
    dlp_ParticleView view = {0};
    if (cube->rival != NULL) {
        const dlp__Particles *p = dlp__stress_particles(cube->rival);
        view.count = p->count;
        for (int a = 0; a < 3; a++) {
            view.position[a] = p->position[a];
            view.velocity[a] = p->velocity[a];
        }
    } else if (cube->world == NULL || dlp_world_view(cube->world, 0, &view) != DLP_OK || view.count == 0) {
        return (Figures){NAN, NAN, NAN};
    }
    double height = 0.0, spread = 0.0, speed2 = 0.0;
    for (int64_t i = 0; i < view.count; i++) {
        double x = (double)view.position[0][i], y = (double)view.position[1][i];
        double u = (double)view.velocity[0][i], v = (double)view.velocity[1][i], w = (double)view.velocity[2][i];
        height += (double)view.position[2][i];
        spread += x * x + y * y;
        speed2 += u * u + v * v + w * w;
    }
    double count = (double)view.count;
    height /= count;
    return (Figures){height, sqrt(6.0 * spread / count), 0.5 * speed2 / count + GRAVITY * height};
}

/* Stable means that its energy does not grow, with a tolerance of 1 % of the energy of the fall for rounding. */
void cube_simulate(StudyRun *run, const CubeSetup *setup, CubeTrace *trace)
{
    enum { CHECK_EVERY = 10 };
    memset(trace, 0, sizeof *trace);
    trace->setup = *setup;
    Cube cube = make_cube(run, setup);
    Figures now = measure(&cube);
    const double most = now.energy + 0.01 * GRAVITY * DROP;
    double started = study_clock();
    trace->height[0] = now.height;
    trace->width[0] = now.width;
    trace->stable = study_going(run);
    for (int sample = 1; sample <= CUBE_SAMPLES && trace->stable; sample++) {
        for (int k = 1; k <= setup->parts && trace->stable; k++) {
            trace->stable = step_cube(&cube);
            if (k % CHECK_EVERY == 0 || k == setup->parts) {
                now = measure(&cube);
                trace->stable = trace->stable && now.energy <= most; /* false for a NaN */
            }
        }
        trace->height[sample] = now.height;
        trace->width[sample] = now.width;
    }
    trace->seconds = study_clock() - started;
    release_cube(&cube);
}

static double rebound_of(const CubeTrace *trace)
{
    double highest = 0.5 * CUBE_SIDE;
    for (int i = (int)ceil((sqrt(2.0 * DROP / GRAVITY) + CUBE_SAMPLE) / CUBE_SAMPLE); i <= CUBE_SAMPLES; i++) {
        highest = fmax(highest, trace->height[i]);
    }
    return highest - 0.5 * CUBE_SIDE;
}

void cube_compare(CubeTrace *trace, const CubeTrace *reference)
{
    trace->rebound = rebound_of(trace);
    trace->height_error = trace->width_error = 0.0;
    for (int i = 0; i <= CUBE_SAMPLES; i++) {
        trace->height_error = fmax(trace->height_error, fabs(trace->height[i] - reference->height[i]));
        trace->width_error = fmax(trace->width_error, fabs(trace->width[i] - reference->width[i]));
    }
}

double cube_cost(StudyRun *run, const CubeSetup *setup)
{
    enum { WINDOW = 4 }; /* samples */
    CubeSetup landing = *setup;
    landing.landing = true;
    Cube cube = make_cube(run, &landing);
    bool going = step_cube(&cube); /* warms up */
    double started = study_clock();
    for (int k = 0; k < WINDOW * setup->parts && going; k++) {
        going = step_cube(&cube);
    }
    double seconds = study_clock() - started;
    release_cube(&cube);
    return going ? seconds / (WINDOW * CUBE_SAMPLE) : INFINITY;
}
