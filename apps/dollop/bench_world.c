/* Blocks of fluid for the benchmark and the timing of their steps. */
#include "bench_world.h"

#include "wall_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SPACING   0.01  /* m */
#define TIME_STEP 0.001 /* s, safe for the speeds that a fall through the block gives */
#define DISORDER  0.1   /* spacings that a particle is moved off the lattice, at most */

/* A number from -1 to 1 for each index: the finaliser of splitmix64. */
static float scatter(uint64_t index)
{
    index += 0x9e3779b97f4a7c15u;
    index = (index ^ (index >> 30)) * 0xbf58476d1ce4e5b9u;
    index = (index ^ (index >> 27)) * 0x94d049bb133111ebu;
    index ^= index >> 31;
    return (float)(index >> 40) / 8388608.0f - 1.0f;
}

/* Points in pieces, so that ten million need no second copy of themselves. */
static dlp_Result fill(dlp_World *world, dlp_MaterialId material, int64_t count)
{
    enum { PIECE = 1 << 18 };
    const int64_t side = (int64_t)ceil(cbrt((double)count) - 1e-9);
    float *points = malloc(3 * PIECE * sizeof *points);
    dlp_Result result = points ? DLP_OK : DLP_ERROR_MEMORY;
    for (int64_t begin = 0; result == DLP_OK && begin < count; begin += PIECE) {
        const int64_t length = count - begin < PIECE ? count - begin : PIECE;
        for (int64_t i = 0; i < length; i++) {
            const int64_t index = begin + i, cell[3] = {index % side, index / side % side, index / (side * side)};
            for (int axis = 0; axis < 3; axis++) {
                points[3 * i + axis] = (float)SPACING *
                                       ((float)cell[axis] + 0.5f +
                                        (float)DISORDER * scatter(3 * (uint64_t)index + (uint64_t)axis));
            }
        }
        result = dlp_world_add_points(world, material, points, length, (dlp_Vec3){0, 0, 0});
    }
    free(points);
    return result;
}

/* Twice as long as the block, so that one side is free to flow. */
static dlp_Result add_container(dlp_World *world, int64_t count)
{
    const double side = SPACING * ceil(cbrt((double)count) - 1e-9);
    dlp_SolidDef solid = dlp_default_solid_def();
    dlp_SolidId id;
    solid.shape.kind = DLP_SHAPE_CONTAINER;
    solid.shape.size = (dlp_Vec3){2 * side, side, 3 * side};
    solid.shape.position = (dlp_Vec3){side, side / 2, 1.5 * side};
    return dlp_world_add_solid(world, &solid, &id);
}

dlp_World *bench_world_make(const BenchSetup *setup, dlp_Error *error)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_MaterialId id;
    dlp_World *world = NULL;
    def.spacing = SPACING;
    def.threads = setup->threads;
    def.simd = setup->simd;
    if (setup->method) {
        snprintf(def.method, sizeof def.method, "%s", setup->method);
    }
    if (!setup->falls) {
        def.gravity = (dlp_Vec3){0, 0, 0};
    }
    snprintf(material.name, sizeof material.name, "bench");
    if (dlp_world_create(&def, &world, error) != DLP_OK) {
        return NULL;
    }
    dlp_Result result = dlp_world_add_material(world, &material, &id);
    if (result == DLP_OK && setup->falls) {
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

/* Keep the least time of each stage between two readings of the stage clocks. */
static void compare_stages(const dlp_World *world, dlp_StageTime *before, BenchTimes *times)
{
    dlp_StageTime now;
    for (int i = 0; i < BENCH_STAGES && dlp_world_stage_time(world, i, &now); i++) {
        const int64_t calls = now.calls - before[i].calls;
        const double seconds = calls > 0 ? (now.seconds - before[i].seconds) / (double)calls : INFINITY;
        before[i] = now;
        if (i >= times->stage_count) {
            times->stages[i] = (BenchStage){now.name, INFINITY};
            times->stage_count = i + 1;
        }
        times->stages[i].seconds = fmin(times->stages[i].seconds, seconds);
    }
}

dlp_Result bench_world_time(dlp_World *world, int warm_up, int steps, BenchTimes *times)
{
    dlp_StageTime before[BENCH_STAGES] = {0};
    dlp_Result result = DLP_OK;
    *times = (BenchTimes){.step_seconds = INFINITY};
    for (int i = 0; result == DLP_OK && i < warm_up; i++) {
        result = dlp_world_step(world, TIME_STEP);
    }
    compare_stages(world, before, times);
    for (int i = 0; i < times->stage_count; i++) {
        times->stages[i].seconds = INFINITY;
    }
    for (int i = 0; result == DLP_OK && i < steps; i++) {
        dlp_WorldStats stats;
        const double begun = clock_seconds();
        result = dlp_world_step(world, TIME_STEP);
        const double seconds = clock_seconds() - begun;
        times->step_seconds = fmin(times->step_seconds, seconds);
        compare_stages(world, before, times);
        if (dlp_world_stats(world, &stats) == DLP_OK) {
            times->rate = fmax(times->rate, (double)stats.particles * (double)stats.iterations / seconds);
        }
    }
    return result;
}
