/* Automatic steps: where they end, what limits them, and what the statistics say of it. */
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SPACING 0.01
#define GRAVITY 9.81

static dlp_World *make_empty(const char *method)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    def.threads = 2;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef water = dlp_default_material_def();
    water.viscosity = strcmp(method, "physical") == 0 ? 0.5 : 0.0;
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    return world;
}

/* A column of water in a tank. */
static dlp_World *make_dam_break(const char *method)
{
    dlp_World *world = make_empty(method);
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.position = (dlp_Vec3){0.15, 0.04, 0.2};
    tank.shape.size = (dlp_Vec3){0.3, 0.08, 0.4};
    tank.friction = 0.0;
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    add_lattice(world, 0, (int[3]){8, 8, 12}, (dlp_Vec3){0.5 * SPACING, 0.5 * SPACING, 0.5 * SPACING});
    return world;
}

static void advance_or_fail(dlp_World *world, double end)
{
    if (dlp_world_advance(world, end) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

static double speed_max(const dlp_World *world)
{
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    return stats.speed_max;
}

/* The sums of steps are not exact, the times of frames are. */
static void the_last_step_ends_exactly_at_the_given_time(void **state)
{
    (void)state;
    dlp_World *world = make_dam_break("pbf");
    for (int frame = 1; frame <= 10; frame++) {
        const double end = frame / 30.0;
        while (dlp_world_time(world) < end) {
            double length = 0.0;
            const double before = dlp_world_time(world);
            assert_int_equal(dlp_world_next_step(world, end, &length), DLP_OK);
            advance_or_fail(world, end);
            assert_true(dlp_world_step_length(world) == length);
            assert_true(fabs(dlp_world_time(world) - before - length) < 1e-15);
        }
        assert_true(dlp_world_time(world) == end);
    }
    dlp_world_destroy(world);
}

static void an_end_that_is_not_ahead_is_refused(void **state)
{
    (void)state;
    dlp_World *world = make_dam_break("pbf");
    advance_or_fail(world, 0.001);
    const double now = dlp_world_time(world), ends[] = {now, now - 1.0, now + 1e-10, NAN, INFINITY};
    const uint64_t hash = dlp_world_hash(world);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(dlp_world_advance(world, ends[i]), DLP_ERROR_ARGUMENT);
    }
    assert_true(dlp_world_hash(world) == hash);
    advance_or_fail(world, now + 2e-9);
    assert_true(dlp_world_time(world) == now + 2e-9);
    dlp_world_destroy(world);
}

static void no_particle_exceeds_the_courant_number(void **state)
{
    (void)state;
    static const char *const methods[] = {"pbf", "physical"};
    for (int m = 0; m < 2; m++) {
        dlp_World *world = make_dam_break(methods[m]);
        int64_t by_speed = 0;
        for (int frame = 1; frame <= 8; frame++) {
            while (dlp_world_time(world) < frame / 30.0) {
                const double before = speed_max(world);
                advance_or_fail(world, frame / 30.0);
                const double dt = dlp_world_step_length(world);
                assert_true((before + GRAVITY * dt) * dt <= 0.4 * SPACING * (1 + 1e-6));
                by_speed += dlp_world_step_limit(world) == DLP_LIMIT_SPEED;
            }
        }
        assert_true(by_speed > 0);
        dlp_world_destroy(world);
    }
}

static void world_cfl_replaces_the_courant_number(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = SPACING;
    def.cfl = 0.1;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = make_world(&def);
    dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    add_fluid_ball(world, 0.03, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){2, 0, 0}, (dlp_Vec3){0, 0, 0});
    for (int i = 0; i < 30; i++) {
        advance_or_fail(world, 1.0);
    }
    assert_true(fabs(dlp_world_step_length(world) - 0.1 * SPACING / 2.0) < 0.02 * 0.1 * SPACING / 2.0);
    dlp_world_destroy(world);
}

/* Steps start short, grow by at most a quarter, and reach the limit; the time left is divided into equal ones. */
static void steps_start_short_and_grow_slowly(void **state)
{
    (void)state;
    dlp_World *world = make_empty("pbf");
    add_fluid_ball(world, 0.03, (dlp_Vec3){0, 0, 1}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0});
    double last = 0.0, most = 0.0;
    for (int i = 0; i < 20; i++) {
        advance_or_fail(world, 100.0);
        const double dt = dlp_world_step_length(world);
        assert_true(last == 0.0 || dt <= 1.2501 * last);
        most = fmax(most, dt);
        last = dt;
        assert_true(i > 0 || dlp_world_step_limit(world) == DLP_LIMIT_GROWTH);
    }
    const double at_rest = sqrt(0.4 * SPACING / GRAVITY); /* s */
    assert_true(most > 0.3 * at_rest && most <= at_rest);
    dlp_world_destroy(world);
}

/* A paddle at rest starts to turn with a surface speed of 6 m/s; far away it does not matter. */
static double shortest_step_near_paddle(double distance)
{
    dlp_World *world = make_dam_break("pbf");
    dlp_SolidDef paddle = dlp_default_solid_def();
    paddle.shape.kind = DLP_SHAPE_BOX;
    paddle.shape.size = (dlp_Vec3){0.06, 0.01, 0.01};
    paddle.shape.position = (dlp_Vec3){0.15 + distance, 0.04, 0.03};
    dlp_SolidId id = 0;
    assert_int_equal(dlp_world_add_solid(world, &paddle, &id), DLP_OK);
    const dlp_Vec3 p = paddle.shape.position;
    const dlp_PoseKey keys[] = {{0.05, p, {0, 0, 0}}, {0.06, p, {0, 0, 2}}};
    assert_int_equal(dlp_world_set_solid_keys(world, id, keys, 2), DLP_OK);
    double shortest = 1.0;
    int64_t by_solids = 0;
    while (dlp_world_time(world) < 0.06) {
        const double before = dlp_world_time(world);
        advance_or_fail(world, 0.06);
        by_solids += dlp_world_step_limit(world) == DLP_LIMIT_SOLIDS;
        shortest = before > 0.04 ? fmin(shortest, dlp_world_step_length(world)) : shortest;
    }
    assert_true((by_solids > 0) == (distance < 1.0));
    dlp_world_destroy(world);
    return shortest;
}

static void a_fast_solid_near_the_fluid_shortens_steps(void **state)
{
    (void)state;
    const double near = shortest_step_near_paddle(0.0), far = shortest_step_near_paddle(5.0);
    /* 200 rad/s on the average and 300 at the most, at 3 cm */
    assert_true(near <= 0.4 * SPACING / 6.0 && near > 0.4 * SPACING / 12.0);
    assert_true(far > 2.0 * near);
}

static void an_emitter_shortens_steps_when_it_opens(void **state)
{
    (void)state;
    dlp_World *world = make_empty("pbf");
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.radius = 0.02;
    emitter.speed = 8.0;
    emitter.start = 0.5;
    assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_OK);
    double before_start = 0.0;
    while (dlp_world_time(world) < 0.51) {
        const bool open = dlp_world_time(world) >= 0.5;
        advance_or_fail(world, 0.51);
        const double dt = dlp_world_step_length(world);
        if (open) {
            assert_true(dt <= 0.4 * SPACING / 8.0 * (1 + 1e-6));
        } else {
            before_start = fmax(before_start, dt);
        }
    }
    assert_true(before_start > 10 * 0.4 * SPACING / 8.0);
    assert_true(dlp_world_particle_count(world) > 0);
    dlp_world_destroy(world);
}

/* A high sound speed of method springs needs substeps of fixed steps; automatic ones are short enough. */
static void automatic_steps_need_no_substeps(void **state)
{
    (void)state;
    dlp_World *world = make_dam_break("springs");
    set_method(world, "sound_speed", 20.0);
    int64_t by_method = 0;
    for (int i = 0; i < 30; i++) {
        advance_or_fail(world, 1.0);
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        assert_int_equal(stats.substeps, 1);
        by_method += stats.step_limit == DLP_LIMIT_METHOD;
    }
    assert_true(by_method > 0);
    dlp_world_destroy(world);
}

static void statistics_name_the_length_and_its_limit(void **state)
{
    (void)state;
    dlp_World *world = make_dam_break("pbf");
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_true(stats.step_length == 0.0 && stats.step_limit == DLP_LIMIT_NONE);
    step_or_fail(world, 0.002);
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_true(stats.step_length == 0.002 && stats.step_limit == DLP_LIMIT_NONE);
    advance_or_fail(world, 0.0021);
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_true(fabs(stats.step_length - 0.0001) < 1e-15 && stats.step_limit == DLP_LIMIT_END);
    for (int i = 0; i < DLP_LIMIT_COUNT; i++) {
        assert_non_null(dlp_step_limit_name((dlp_StepLimit)i));
    }
    assert_null(dlp_step_limit_name((dlp_StepLimit)DLP_LIMIT_COUNT));
    assert_null(dlp_step_limit_name((dlp_StepLimit)-1));
    dlp_world_destroy(world);
}

/* Method physical: steps of changing length must not jolt a pool at rest. Before forces acted between the middles of steps, a step
 * twice as long as the last one moved all of it at 2 mm/s; now it is 0.01 mm/s. */
static void fluid_at_rest_stays_at_rest_when_the_step_changes(void **state)
{
    (void)state;
    dlp_World *world = make_empty("physical");
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.position = (dlp_Vec3){0.05, 0.05, 0.2};
    tank.shape.size = (dlp_Vec3){0.1, 0.1, 0.4};
    tank.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    dlp_FluidDef pool = dlp_default_fluid_def();
    pool.shape.kind = DLP_SHAPE_BOX;
    pool.shape.position = (dlp_Vec3){0.05, 0.05, 0.05};
    pool.shape.size = (dlp_Vec3){0.1, 0.1, 0.1};
    assert_int_equal(dlp_world_add_fluid(world, &pool, NULL), DLP_OK);
    while (dlp_world_time(world) < 0.5) {
        advance_or_fail(world, 0.5);
    }
    double fastest = 0.0, time = 0.5;
    for (int i = 0; i < 12; i++) {
        time += i % 2 ? 0.004 : 0.002;
        advance_or_fail(world, time);
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        fastest = fmax(fastest, fabs(stats.momentum.z) / (1000.0 * 0.1 * 0.1 * 0.1));
    }
    print_message("mean vertical speed with changing steps %.3g m/s\n", fastest);
    assert_true(fastest < 5e-4);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_step_ends_exactly_at_the_given_time),
        cmocka_unit_test(an_end_that_is_not_ahead_is_refused),
        cmocka_unit_test(no_particle_exceeds_the_courant_number),
        cmocka_unit_test(world_cfl_replaces_the_courant_number),
        cmocka_unit_test(steps_start_short_and_grow_slowly),
        cmocka_unit_test(a_fast_solid_near_the_fluid_shortens_steps),
        cmocka_unit_test(an_emitter_shortens_steps_when_it_opens),
        cmocka_unit_test(automatic_steps_need_no_substeps),
        cmocka_unit_test(statistics_name_the_length_and_its_limit),
        cmocka_unit_test(fluid_at_rest_stays_at_rest_when_the_step_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
