/* Automatic steps depend on the saved state alone: one result for any number of threads, any vector width, any number of subdomains,
 * and after a checkpoint in the middle of a frame.
 * ctest: threaded
 * ctest: timeout 300 */
#include "base/simd.h"
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { FRAMES = 6 };
#define FRAME_RATE 30.0

/* A ball of a viscoelastic fluid falls to a floor beside a paddle that turns faster and faster, and an emitter starts late. */
static dlp_World *make_scene(const char *method, int threads, int simd, int subdomains)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = 0.01;
    def.threads = threads;
    def.simd = simd;
    def.subdomains = subdomains;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef fluid = dlp_default_material_def();
    fluid.viscosity = 2.0;
    fluid.relaxation_time = 0.02;
    assert_int_equal(dlp_world_add_material(world, &fluid, NULL), DLP_OK);
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    dlp_SolidDef paddle = dlp_default_solid_def();
    paddle.shape.kind = DLP_SHAPE_BOX;
    paddle.shape.size = (dlp_Vec3){0.1, 0.01, 0.04};
    paddle.friction = 1.0;
    dlp_SolidId id = 0;
    assert_int_equal(dlp_world_add_solid(world, &paddle, &id), DLP_OK);
    const dlp_PoseKey keys[] = {
        {0.0, {0.07, 0, 0.03}, {0, 0, 0}}, {0.1, {0.07, 0, 0.03}, {0, 0, 0.5}}, {0.2, {0.06, 0, 0.03}, {0, 0, 2.5}}};
    assert_int_equal(dlp_world_set_solid_keys(world, id, keys, 3), DLP_OK);
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.position = (dlp_Vec3){-0.06, 0, 0.08};
    emitter.direction = (dlp_Vec3){0, 0, -1};
    emitter.radius = 0.02;
    emitter.speed = 2.0;
    emitter.start = 0.08;
    assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_OK);
    add_fluid_ball(world, 0.04, (dlp_Vec3){0, 0, 0.06}, (dlp_Vec3){0, 0, -1}, (dlp_Vec3){0, 0, 0});
    return world;
}

static void run_frames(dlp_World *world, int last)
{
    for (int frame = (int)(dlp_world_time(world) * FRAME_RATE + 1e-9) + 1; frame <= last; frame++) {
        const double end = frame / FRAME_RATE;
        while (dlp_world_time(world) < end) {
            if (dlp_world_advance(world, end) != DLP_OK) {
                fail_msg("%s", dlp_world_error(world));
            }
        }
    }
}

typedef struct Outcome {
    uint64_t hash;
    int64_t steps;
} Outcome;

static Outcome run(const char *method, int threads, int simd, int subdomains)
{
    dlp_World *world = make_scene(method, threads, simd, subdomains);
    run_frames(world, FRAMES);
    const Outcome outcome = {dlp_world_hash(world), dlp_world_step_count(world)};
    dlp_world_destroy(world);
    return outcome;
}

static void assert_same(Outcome found, Outcome expected)
{
    assert_int_equal(found.steps, expected.steps);
    assert_true(found.hash == expected.hash);
}

static const char *const METHODS[] = {"physical", "pbf"};

static void threads_widths_and_subdomains_choose_the_same_steps(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        const Outcome expected = run(METHODS[m], 1, 1, 1);
        assert_true(expected.steps > 2 * (int64_t)FRAMES);
        for (int width = 4; width <= dlp__width_most(); width *= 2) {
            assert_same(run(METHODS[m], 1, width, 1), expected);
        }
        assert_same(run(METHODS[m], 2, dlp__width_most(), 2), expected);
        assert_same(run(METHODS[m], 4, dlp__width_most(), 4), expected);
        assert_same(run(METHODS[m], 2, dlp__width_most(), 8), expected);
    }
}

/* Saved after each of several steps, at frames and between them. */
static void a_run_resumed_in_the_middle_of_a_frame_is_exact(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        const Outcome expected = run(METHODS[m], 2, dlp__width_most(), 1);
        for (int64_t stop = 1; stop < expected.steps; stop += expected.steps / 5) {
            dlp_World *world = make_scene(METHODS[m], 2, dlp__width_most(), 1);
            while (dlp_world_step_count(world) < stop) {
                const double end = ((int)(dlp_world_time(world) * FRAME_RATE + 1e-9) + 1) / FRAME_RATE;
                assert_int_equal(dlp_world_advance(world, end), DLP_OK);
            }
            assert_int_equal(dlp_world_save(world, "automatic.h5"), DLP_OK);
            dlp_world_destroy(world);
            dlp_Error error = {0};
            assert_int_equal(dlp_world_load("automatic.h5", NULL, &world, &error), DLP_OK);
            run_frames(world, FRAMES);
            assert_same((Outcome){dlp_world_hash(world), dlp_world_step_count(world)}, expected);
            dlp_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_widths_and_subdomains_choose_the_same_steps),
        cmocka_unit_test(a_run_resumed_in_the_middle_of_a_frame_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
