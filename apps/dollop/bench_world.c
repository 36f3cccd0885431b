/* Creates blocks of fluid for benchmarks and measures their steps. */
#include "bench_world.h"

#include "apps/shared/wall_clock.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SPACING 0.01 /* m */
#define JITTER  0.1  /* spacings, maximum displacement from the lattice */

/* A pseudorandom number from -1 to 1 for each index: the finalizer of splitmix64. */
static float random_offset(uint64_t index)
{
    index += 0x9e3779b97f4a7c15u;
    index = (index ^ (index >> 30)) * 0xbf58476d1ce4e5b9u;
    index = (index ^ (index >> 27)) * 0x94d049bb133111ebu;
    index ^= index >> 31;
    return (float)(index >> 40) / 8388608.0f - 1.0f;
}

/* Adds points in chunks, so that ten million need no second copy. */
static dlp_Result fill(dlp_World *world, dlp_MaterialId material, int64_t count)
{
    enum { CHUNK = 1 << 18 };
    const int64_t side = (int64_t)ceil(cbrt((double)count) - 1e-9);
    float *points = malloc(3 * CHUNK * sizeof *points);
    dlp_Result result = points ? DLP_OK : DLP_ERROR_MEMORY;
    for (int64_t begin = 0; result == DLP_OK && begin < count; begin += CHUNK) {
        const int64_t length = count - begin < CHUNK ? count - begin : CHUNK;
        for (int64_t i = 0; i < length; i++) {
            const int64_t index = begin + i, cell[3] = {index % side, index / side % side, index / (side * side)};
            for (int axis = 0; axis < 3; axis++) {
                points[3 * i + axis] = (float)SPACING *
                                       ((float)cell[axis] + 0.5f +
                                        (float)JITTER * random_offset(3 * (uint64_t)index + (uint64_t)axis));
            }
        }
        result = dlp_world_add_points(world, material, points, length, (dlp_Vec3){0, 0, 0});
    }
    free(points);
    return result;
}

/* Twice as long as the block, so that it can flow to one side. */
static dlp_Result add_container(dlp_World *world, int64_t count)
{
    const double side = SPACING * ceil(cbrt((double)count) - 1e-9);
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 0.0;
    dlp_SolidId id;
    solid.shape.kind = DLP_SHAPE_CONTAINER;
    solid.shape.size = (dlp_Vec3){2 * side, side, 3 * side};
    solid.shape.position = (dlp_Vec3){side, side / 2, 1.5 * side};
    return dlp_world_add_solid(world, &solid, &id);
}

/* Members of the struct `def` that `table` describes, by their names; names that are not in the table are left to another. */
static void set_values(const dlp_ParamTable *table, void *def, const BenchValue *values)
{
    for (; values && values->name; values++) {
        const dlp_Param *param = dlp_params_find(table, values->name);
        if (!param) {
            continue;
        }
        void *member = (char *)def + param->offset;
        if (param->type == DLP_PARAM_REAL) {
            *(double *)member = values->value;
        } else if (param->type == DLP_PARAM_INT) {
            *(int64_t *)member = (int64_t)values->value;
        } else {
            assert(param->type == DLP_PARAM_CHOICE);
            *(int32_t *)member = (int32_t)values->value;
        }
    }
}

/* A material with physical values and those of the method. */
static dlp_Result add_material(dlp_World *world, const BenchValue *values, dlp_MaterialId *id)
{
    const dlp_WorldDef world_def = dlp_world_def(world);
    const dlp_ParamTable *own = dlp_method_material_params(world_def.method);
    dlp_MaterialDef def = dlp_default_material_def();
    snprintf(def.name, sizeof def.name, "bench");
    set_values(dlp_material_params(), &def, values);
    dlp_Result result = dlp_world_add_material(world, &def, id);
    if (result != DLP_OK || !own) {
        return result;
    }
    void *params = calloc(1, own->size);
    result = params ? dlp_world_get_material_params(world, *id, params, own->size) : DLP_ERROR_MEMORY;
    if (result == DLP_OK) {
        set_values(own, params, values);
        result = dlp_world_set_material_params(world, *id, params, own->size);
    }
    free(params);
    return result;
}

static dlp_Result set_method(dlp_World *world, const BenchValue *values)
{
    const dlp_WorldDef def = dlp_world_def(world);
    const dlp_ParamTable *table = dlp_method_params(def.method);
    void *params = calloc(1, table->size);
    dlp_Result result = params ? dlp_world_get_method(world, params, table->size) : DLP_ERROR_MEMORY;
    if (result == DLP_OK) {
        set_values(table, params, values);
        result = dlp_world_set_method(world, params, table->size);
    }
    free(params);
    return result;
}

dlp_World *bench_world_make(const BenchSetup *setup, dlp_Error *error)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_MaterialId id;
    dlp_World *world = NULL;
    def.spacing = SPACING;
    def.threads = setup->threads;
    def.simd = setup->simd;
    if (setup->method) {
        snprintf(def.method, sizeof def.method, "%s", setup->method);
    }
    if (!setup->with_gravity) {
        def.gravity = (dlp_Vec3){0, 0, 0};
    }
    if (dlp_world_create(&def, &world, error) != DLP_OK) {
        return NULL;
    }
    dlp_Result result = set_method(world, setup->solver);
    if (result == DLP_OK) {
        result = add_material(world, setup->material, &id);
    }
    if (result == DLP_OK && setup->with_gravity) {
        result = add_container(world, setup->particles);
    }
    if (result == DLP_OK) {
        result = fill(world, id, setup->particles);
    }
    if (result == DLP_OK) {
        return world;
    }
    error->code = result;
    snprintf(error->text, sizeof error->text, "%s", dlp_world_error(world));
    dlp_world_destroy(world);
    return NULL;
}

/* Update the minimum time per call of each stage since the last call, and its work. */
static void update_stages(const dlp_World *world, dlp_StageTime *before, BenchTimes *times)
{
    dlp_StageTime now;
    for (int i = 0; i < BENCH_STAGES && dlp_world_stage_time(world, i, &now); i++) {
        const double calls = (double)(now.calls - before[i].calls);
        if (i >= times->stage_count) {
            times->stages[i] = (BenchStage){.name = now.name, .seconds = INFINITY};
            times->stage_count = i + 1;
        }
        BenchStage *stage = &times->stages[i];
        stage->calls = calls;
        if (calls > 0) {
            stage->seconds = fmin(stage->seconds, (now.seconds - before[i].seconds) / calls);
            stage->bytes = (double)(now.bytes - before[i].bytes) / calls;
        }
        before[i] = now;
    }
}

dlp_Result bench_world_time(dlp_World *world, int warm_up, int steps, BenchProgress *progress, BenchTimes *times)
{
    dlp_StageTime before[BENCH_STAGES] = {0};
    dlp_Result result = DLP_OK;
    *times = (BenchTimes){.step_seconds = INFINITY};
    for (int i = 0; result == DLP_OK && i < warm_up; i++) {
        result = dlp_world_step(world, BENCH_TIME_STEP);
        bench_progress_draw(progress);
    }
    update_stages(world, before, times);
    for (int i = 0; i < times->stage_count; i++) {
        times->stages[i].seconds = INFINITY;
    }
    for (int i = 0; result == DLP_OK && i < steps; i++) {
        dlp_WorldStats stats;
        const double start = clock_seconds();
        result = dlp_world_step(world, BENCH_TIME_STEP);
        const double seconds = clock_seconds() - start;
        times->step_seconds = fmin(times->step_seconds, seconds);
        update_stages(world, before, times);
        if (dlp_world_stats(world, &stats) == DLP_OK) {
            times->rate = fmax(times->rate, (double)stats.particles * (double)stats.iterations / seconds);
        }
        bench_progress_draw(progress);
    }
    return result;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

dlp_Result bench_world_frames(dlp_World *world, int steps, double dt, int frames, BenchProgress *progress,
                              BenchFrames *times)
{
    double *seconds = calloc((size_t)frames, sizeof *seconds);
    dlp_Result result = seconds ? DLP_OK : DLP_ERROR_MEMORY;
    for (int frame = -BENCH_WARM_UP_FRAMES; result == DLP_OK && frame < frames; frame++) {
        const double start = clock_seconds();
        for (int i = 0; result == DLP_OK && i < steps; i++) {
            result = dlp_world_step(world, dt);
        }
        if (frame >= 0) {
            seconds[frame] = clock_seconds() - start;
        }
        bench_progress_draw(progress);
    }
    if (result == DLP_OK) {
        const double median = bench_median(seconds, frames);
        *times = (BenchFrames){.minimum = seconds[0], .median = median};
    }
    free(seconds);
    return result;
}
