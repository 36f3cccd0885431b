/* Worlds for studies: parameters by name, lattice blocks, steps that count as progress, particles in order of ids. */
#include "studies/study_world.h"

#include "studies/study_host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void study_keep(StudyRun *run, const dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        study_fail(run, result, "%s", dlp_world_error(world));
    }
}

dlp_WorldDef study_world_def(const StudyRun *run, const char *method)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.threads = run->threads;
    return def;
}

dlp_World *study_world(StudyRun *run, const dlp_WorldDef *def)
{
    dlp_World *world = NULL;
    dlp_Error error = {0};
    if (study_going(run) && dlp_world_create(def, &world, &error) != DLP_OK) {
        study_fail(run, error.code, "%s", error.text);
        return NULL;
    }
    return world;
}

/* Set the member `name` of the struct `def` that `table` describes. */
static void set_member(StudyRun *run, const dlp_ParamTable *table, void *def, const char *name, double value)
{
    const dlp_Param *param = dlp_params_find(table, name);
    void *member = param ? (char *)def + param->offset : NULL;
    if (!param) {
        study_fail(run, DLP_ERROR_UNSUPPORTED, "'%s' is no parameter of %s in this build", name, table->name);
        return;
    }
    switch (param->type) {
    case DLP_PARAM_REAL: *(double *)member = value; break;
    case DLP_PARAM_INT: *(int64_t *)member = (int64_t)value; break;
    case DLP_PARAM_BOOL: *(bool *)member = value != 0; break;
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: *(int32_t *)member = (int32_t)value; break;
    case DLP_PARAM_VEC3:
    case DLP_PARAM_ROWS:
    case DLP_PARAM_NAME: study_fail(run, DLP_ERROR_UNSUPPORTED, "'%s' is not a single number", name); break;
    }
}

void study_set(StudyRun *run, dlp_World *world, const char *name, double value)
{
    if (!world || !study_going(run)) {
        return;
    }
    const dlp_WorldDef def = dlp_world_def(world);
    const dlp_ParamTable *table = dlp_method_params(def.method);
    void *params = calloc(1, table->size);
    if (!params) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    study_keep(run, world, dlp_world_get_method(world, params, table->size));
    set_member(run, table, params, name, value);
    if (study_going(run)) {
        study_keep(run, world, dlp_world_set_method(world, params, table->size));
    }
    free(params);
}

/* The method's parameters of a material; null if it has none. */
static const dlp_ParamTable *own_table(const dlp_World *world)
{
    const dlp_WorldDef def = dlp_world_def(world);
    return dlp_method_material_params(def.method);
}

static void set_own(StudyRun *run, dlp_World *world, dlp_MaterialId id, const char *name, double value)
{
    const dlp_ParamTable *own = own_table(world);
    void *params = calloc(1, own->size);
    if (!params) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    study_keep(run, world, dlp_world_get_material_params(world, id, params, own->size));
    set_member(run, own, params, name, value);
    if (study_going(run)) {
        study_keep(run, world, dlp_world_set_material_params(world, id, params, own->size));
    }
    free(params);
}

static bool is_own(const dlp_World *world, const char *name)
{
    const dlp_ParamTable *own = own_table(world);
    return own && dlp_params_find(own, name);
}

void study_set_material(StudyRun *run, dlp_World *world, dlp_MaterialId id, const char *name, double value)
{
    dlp_MaterialDef def;
    if (!world || !study_going(run)) {
        return;
    }
    if (is_own(world, name)) {
        set_own(run, world, id, name, value);
        return;
    }
    study_keep(run, world, dlp_world_get_material(world, id, &def));
    set_member(run, dlp_material_params(), &def, name, value);
    if (study_going(run)) {
        study_keep(run, world, dlp_world_set_material(world, id, &def));
    }
}

dlp_MaterialId study_material(StudyRun *run, dlp_World *world, const StudyValue *values, int count)
{
    dlp_MaterialDef def = dlp_default_material_def();
    dlp_MaterialId id = 0;
    if (!world) {
        return 0;
    }
    snprintf(def.name, sizeof def.name, "material %d", dlp_world_material_count(world));
    for (int i = 0; i < count; i++) {
        if (!is_own(world, values[i].name)) {
            set_member(run, dlp_material_params(), &def, values[i].name, values[i].value);
        }
    }
    if (study_going(run)) {
        study_keep(run, world, dlp_world_add_material(world, &def, &id));
    }
    for (int i = 0; i < count && study_going(run); i++) {
        if (is_own(world, values[i].name)) {
            set_own(run, world, id, values[i].name, values[i].value);
        }
    }
    return id;
}

dlp_SolidId study_solid(StudyRun *run, dlp_World *world, const dlp_SolidDef *def)
{
    dlp_SolidId id = -1;
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_add_solid(world, def, &id));
    }
    return id;
}

int64_t study_fluid(StudyRun *run, dlp_World *world, const dlp_FluidDef *def)
{
    int64_t added = 0;
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_add_fluid(world, def, &added));
    }
    return added;
}

void study_floor(StudyRun *run, dlp_World *world, double friction)
{
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.shape.kind = DLP_SHAPE_PLANE;
    solid.friction = friction;
    study_solid(run, world, &solid);
}

static dlp_Vec3 turning_velocity(dlp_Vec3 spin, dlp_Vec3 arm)
{
    return (dlp_Vec3){spin.y * arm.z - spin.z * arm.y, spin.z * arm.x - spin.x * arm.z,
                      spin.x * arm.y - spin.y * arm.x};
}

/* A block at rest goes in as one piece; a spinning one particle by particle, for each has its own velocity. */
void study_block(StudyRun *run, dlp_World *world, const StudyBlock *block)
{
    if (!world) {
        return;
    }
    const double spacing = dlp_world_def(world).spacing;
    const bool spins = block->spin.x != 0 || block->spin.y != 0 || block->spin.z != 0;
    const int64_t count = (int64_t)block->counts[0] * block->counts[1] * block->counts[2];
    float(*points)[3] = study_going(run) ? malloc((size_t)count * sizeof *points) : NULL;
    if (!points) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    const int64_t piece = spins ? 1 : count;
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = i / block->counts[0], layer = row / block->counts[1];
        points[i][0] = (float)(block->corner.x + spacing * ((double)(i % block->counts[0]) + 0.5));
        points[i][1] = (float)(block->corner.y + spacing * ((double)(row % block->counts[1]) + 0.5));
        points[i][2] = (float)(block->corner.z + spacing * ((double)layer + 0.5));
    }
    for (int64_t i = 0; study_going(run) && i < count; i += piece) {
        const dlp_Vec3 arm = {points[i][0] - block->corner.x - 0.5 * spacing * block->counts[0],
                              points[i][1] - block->corner.y - 0.5 * spacing * block->counts[1],
                              points[i][2] - block->corner.z - 0.5 * spacing * block->counts[2]};
        dlp_Vec3 velocity = turning_velocity(block->spin, arm);
        velocity = (dlp_Vec3){velocity.x + block->velocity.x, velocity.y + block->velocity.y,
                              velocity.z + block->velocity.z};
        study_keep(run, world, dlp_world_add_points(world, block->material, points[i], piece, velocity));
    }
    free(points);
}

void study_cube(StudyRun *run, dlp_World *world, dlp_MaterialId material, int n, double height)
{
    const double half = world ? 0.5 * n * dlp_world_def(world).spacing : 0;
    study_block(run, world, &(StudyBlock){.material = material, .counts = {n, n, n}, .corner = {-half, -half, height}});
}

/* Automatic steps to the end of an interval. */
static dlp_Result advance_by(StudyRun *run, dlp_World *world, double dt)
{
    const double end = dlp_world_time(world) + dt;
    dlp_Result result = DLP_OK;
    while (result == DLP_OK && dlp_world_time(world) < end && study_going(run)) {
        result = dlp_world_advance(world, end);
    }
    return result;
}

bool study_try_step(StudyRun *run, dlp_World *world, double dt, bool *broken)
{
    *broken = false;
    if (!world || !study_going(run)) {
        return false;
    }
    const dlp_Result result = run->automatic ? advance_by(run, world, dt) : dlp_world_step(world, dt);
    study_advance(run, 1);
    *broken = result == DLP_ERROR_NOT_FINITE;
    if (!*broken) {
        study_keep(run, world, result);
    }
    return study_going(run);
}

bool study_step(StudyRun *run, dlp_World *world, double dt)
{
    bool broken;
    const bool going = study_try_step(run, world, dt, &broken);
    if (broken) {
        study_fail(run, DLP_ERROR_NOT_FINITE, "%s", dlp_world_error(world));
    }
    return going && !broken;
}

void study_run_for(StudyRun *run, dlp_World *world, double duration, double dt)
{
    const int64_t steps = run->automatic ? 1 : (int64_t)llround(duration / dt);
    for (int64_t i = 0; i < steps && study_step(run, world, run->automatic ? duration : dt); i++) {}
    study_advance(run, run->automatic ? fmax(duration / dt - 1, 0) : 0);
}

double study_velocity_time(const dlp_World *world)
{
    return world ? dlp_world_time(world) - 0.5 * dlp_world_step_length(world) : 0;
}

static bool make_room(StudyParticles *particles, int64_t count)
{
    if (count <= particles->capacity) {
        return true;
    }
    study_particles_free(particles);
    particles->id = malloc((size_t)count * sizeof *particles->id);
    particles->position = malloc((size_t)count * sizeof *particles->position);
    particles->velocity = malloc((size_t)count * sizeof *particles->velocity);
    particles->material = malloc((size_t)count * sizeof *particles->material);
    if (!particles->id || !particles->position || !particles->velocity || !particles->material) {
        study_particles_free(particles);
        return false;
    }
    particles->capacity = count;
    return true;
}

/* Where a particle stands in the views. */
typedef struct Place {
    uint64_t id;
    int part;
    int64_t index;
} Place;

static int by_id(const void *a, const void *b)
{
    const uint64_t x = ((const Place *)a)->id, y = ((const Place *)b)->id;
    return (x > y) - (x < y);
}

static void copy_particle(const dlp_ParticleView *view, int64_t from, StudyParticles *particles, int64_t to)
{
    for (int axis = 0; axis < 3; axis++) {
        particles->position[to][axis] = view->position[axis][from];
        particles->velocity[to][axis] = view->velocity[axis][from];
    }
    particles->id[to] = view->id[from];
    particles->material[to] = view->material[from];
}

void study_read(StudyRun *run, const dlp_World *world, StudyParticles *particles)
{
    enum { PARTS = 8 };
    dlp_ParticleView views[PARTS];
    particles->count = 0;
    if (!world || !study_going(run)) {
        return;
    }
    const int64_t count = dlp_world_particle_count(world);
    Place *places = malloc((size_t)(count + 1) * sizeof *places);
    if (!places || !make_room(particles, count)) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        free(places);
        return;
    }
    int64_t filled = 0;
    for (int part = 0; part < dlp_world_part_count(world) && part < PARTS; part++) {
        study_keep(run, world, dlp_world_view(world, part, &views[part]));
        for (int64_t i = 0; study_going(run) && i < views[part].count && filled < count; i++) {
            places[filled++] = (Place){views[part].id[i], part, i};
        }
    }
    qsort(places, (size_t)filled, sizeof *places, by_id);
    for (int64_t i = 0; i < filled; i++) {
        copy_particle(&views[places[i].part], places[i].index, particles, i);
    }
    particles->count = filled;
    free(places);
}

void study_particles_free(StudyParticles *particles)
{
    free(particles->id);
    free(particles->position);
    free(particles->velocity);
    free(particles->material);
    *particles = (StudyParticles){0};
}

dlp_WorldStats study_stats(StudyRun *run, const dlp_World *world)
{
    dlp_WorldStats stats = {0};
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_stats(world, &stats));
    }
    return stats;
}
