/* The work of stages, as dlp_world_stage_time() reports it: bytes and pairs follow from the descriptor. */
#include "stages/stage_runner.h"
#include "support/world_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 8, PARTICLES = SIDE * SIDE * SIDE, CALLS = 3 };

static void do_nothing(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    (void)c;
    (void)begin;
    (void)end;
}

static void write_weights(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    (void)begin;
    if (end == c->particles->count) {
        memset(c->pair_weights, 0, (size_t)dlp__neighbors_entries(c->fluid) * sizeof(float));
    }
}

static dlp_World *make_block(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.threads = 1;
    dlp_World *world = make_world(&def);
    const dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){SIDE, SIDE, SIDE}, (dlp_Vec3){0, 0, 0});
    step_or_fail(world, 1e-4); /* finds neighbours */
    return world;
}

static dlp_StageTime time_of(const dlp_World *world, const char *name)
{
    dlp_StageTime time = {0};
    for (int i = 0; dlp_world_stage_time(world, i, &time); i++) {
        if (strcmp(time.name, name) == 0) {
            return time;
        }
    }
    fail_msg("no stage '%s'", name);
    return time;
}

static dlp_StageTime run_stage(dlp_World *world, const dlp__Stage *stage)
{
    for (int n = 0; n < CALLS; n++) {
        dlp__run(&world->domains, stage, NULL);
    }
    assert_int_equal(world->domains.failure, DLP_OK);
    return time_of(world, stage->name);
}

static void each_declared_field_of_a_particle_is_moved_once(void **state)
{
    static const dlp__Stage stage = {.name = "fields",
                                     .function = do_nothing,
                                     .reads = {DLP_FIELD_pressure, DLP_FIELD_velocity},
                                     .writes = {DLP_FIELD_density}};
    (void)state;
    dlp_World *world = make_block();
    const dlp_StageTime time = run_stage(world, &stage);
    assert_int_equal(time.calls, CALLS);
    assert_int_equal(time.bytes, CALLS * PARTICLES * 4 * (1 + 3 + 1));
    assert_int_equal(time.pairs, 0);
    dlp_world_destroy(world);
}

static void a_field_without_memory_in_this_world_is_not_moved(void **state)
{
    static const dlp__Stage stage = {
        .name = "absent field", .function = do_nothing, .reads = {DLP_FIELD_pressure, DLP_FIELD_residual}};
    (void)state;
    dlp_World *world = make_block();
    assert_false(dlp__particles_have(particles_of(world), DLP_FIELD_residual)); /* pbf solves no linear system */
    assert_int_equal(run_stage(world, &stage).bytes, CALLS * PARTICLES * 4);
    dlp_world_destroy(world);
}

/* A row of a vector: 12 B read and 16 B written to pack it, 16 B read by the stage. An entry of a list: its index, and the weight. */
static void rows_count_once_for_each_particle_and_weights_for_each_pair(void **state)
{
    static const dlp__Stage stage = {.name = "pairs",
                                     .function = write_weights,
                                     .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
                                     .pair_weights = DLP_PAIRS_WRITTEN};
    (void)state;
    dlp_World *world = make_block();
    const int64_t packed = time_of(world, "row packing").bytes;
    const dlp_StageTime time = run_stage(world, &stage);
    const int64_t entries = dlp__neighbors_entries(&world->domains.part[0].fluid);
    assert_true(entries > 20 * PARTICLES);
    assert_int_equal(time.pairs, CALLS * entries);
    assert_int_equal(time.bytes, CALLS * (PARTICLES * (12 + 16 + 16) + entries * (4 + 4)));
    assert_int_equal(time_of(world, "row packing").bytes - packed, CALLS * PARTICLES * (12 + 16));
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_declared_field_of_a_particle_is_moved_once),
        cmocka_unit_test(a_field_without_memory_in_this_world_is_not_moved),
        cmocka_unit_test(rows_count_once_for_each_particle_and_weights_for_each_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
