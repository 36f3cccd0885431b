#include "studies/flow_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JITTER 0.3  /* spacings, at most, along each axis */
#define SETTLE 1e-6 /* s, a step in which particles are only shifted apart */
enum { SETTLE_STEPS = 30 };

/* From -1 to 1 (Knuth's 64-bit linear congruences). */
static double random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static void add_points(StudyRun *run, dlp_World *world, const FlowBoxDef *def, dlp_MaterialId material)
{
    const int64_t count = (int64_t)def->counts[0] * def->counts[1] * def->counts[2];
    float(*points)[3] = malloc((size_t)count * sizeof *points);
    uint64_t state = def->seed;
    if (!points) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = i / def->counts[0];
        const int64_t place[3] = {i % def->counts[0], row % def->counts[1], row / def->counts[1]};
        for (int axis = 0; axis < 3; axis++) {
            const double jitter = def->seed ? JITTER * random_next(&state) : 0;
            points[i][axis] = (float)(def->spacing * ((double)place[axis] + 0.5 + jitter));
        }
    }
    study_keep(run, world, dlp_world_add_points(world, material, points[0], count, (dlp_Vec3){0, 0, 0}));
    free(points);
}

dlp_World *flow_box(StudyRun *run, const FlowBoxDef *def)
{
    enum { VALUES = 8 };
    StudyValue values[VALUES] = {{"density", FLOW_DENSITY}};
    dlp_WorldDef world_def = study_world_def(run, def->method);
    world_def.spacing = def->spacing;
    world_def.gravity = (dlp_Vec3){0, 0, 0};
    world_def.periodic_min = (dlp_Vec3){0, 0, 0};
    world_def.periodic_size = (dlp_Vec3){def->spacing * def->counts[0], def->spacing * def->counts[1],
                                         def->spacing * def->counts[2]};
    dlp_World *world = study_world(run, &world_def);
    if (!world) {
        return NULL;
    }
    int count = 1;
    const dlp_ParamTable *own = dlp_method_material_params(def->method);
    if (own && dlp_params_find(own, "smoothing")) {
        values[count++] = (StudyValue){"smoothing", 0};
    }
    for (int i = 0; i < def->values && count < VALUES; i++) {
        values[count++] = def->material[i];
    }
    add_points(run, world, def, study_material(run, world, values, count));
    for (int step = 0; def->seed && study_going(run) && step < SETTLE_STEPS; step++) {
        study_keep(run, world, dlp_world_step(world, SETTLE));
        flow_set(run, world, flow_shear_wave, 0, 0);
    }
    return world;
}

dlp_World *flow_cube(StudyRun *run, const char *method, int n, uint64_t seed, double viscosity)
{
    return flow_box(run, &(FlowBoxDef){.method = method,
                                       .counts = {n, n, n},
                                       .spacing = FLOW_BOX / n,
                                       .seed = seed,
                                       .material = &(StudyValue){"viscosity", viscosity},
                                       .values = viscosity > 0});
}

void flow_shear_wave(double k, const float position[3], double flow[3])
{
    flow[0] = sin(k * (double)position[2]);
    flow[1] = 0;
    flow[2] = 0;
}

typedef struct Put {
    FlowField field;
    double k, speed, kept; /* part of the old velocity that stays */
} Put;

static void put(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const Put *p = user;
    double flow[3];
    (void)id;
    p->field(p->k, position, flow);
    for (int axis = 0; axis < 3; axis++) {
        velocity[axis] = (float)(p->kept * (double)velocity[axis] + p->speed * flow[axis]);
    }
}

static void put_flow(StudyRun *run, dlp_World *world, Put p)
{
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_push(world, put, &p));
    }
}

void flow_set(StudyRun *run, dlp_World *world, FlowField field, double k, double speed)
{
    put_flow(run, world, (Put){field, k, speed, 0});
}

void flow_add(StudyRun *run, dlp_World *world, FlowField field, double k, double speed)
{
    put_flow(run, world, (Put){field, k, speed, 1});
}

double flow_speed(StudyRun *run, const dlp_World *world, FlowField field, double k)
{
    double along = 0, square = 0;
    for (int part = 0; world && study_going(run) && part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view = {0};
        study_keep(run, world, dlp_world_view(world, part, &view));
        for (int64_t i = 0; i < view.count; i++) {
            const float position[3] = {view.position[0][i], view.position[1][i], view.position[2][i]};
            double flow[3];
            field(k, position, flow);
            for (int axis = 0; axis < 3; axis++) {
                along += flow[axis] * (double)view.velocity[axis][i];
                square += flow[axis] * flow[axis];
            }
        }
    }
    return square > 0 ? along / square : 0;
}
