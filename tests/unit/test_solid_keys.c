/* Paths through keys: the curve, its derivatives, and solids and nozzles that follow it. */
#include "support/world_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;
static uint64_t seed = 7;

static double random_in(double low, double high)
{
    return low + (high - low) * random_number(&seed);
}

static dlp_Vec3 random_vector(double size)
{
    return dlp__vec3(random_in(-size, size), random_in(-size, size), random_in(-size, size));
}

static double distance(dlp_Vec3 a, dlp_Vec3 b)
{
    return dlp__length(dlp__sub(a, b));
}

static double rotation_distance(const dlp__Rotation *a, const dlp__Rotation *b)
{
    return fmax(distance(a->x, b->x), fmax(distance(a->y, b->y), distance(a->z, b->z)));
}

/* The time derivatives of the three columns of a rotation with that spin. */
static dlp__Rotation spinning(const dlp__Rotation *r, dlp_Vec3 spin)
{
    return (dlp__Rotation){dlp__cross(spin, r->x), dlp__cross(spin, r->y), dlp__cross(spin, r->z)};
}

static dlp__Rotation slope_of(const dlp__Rotation *before, const dlp__Rotation *after, double time)
{
    return (dlp__Rotation){dlp__scale(dlp__sub(after->x, before->x), 1.0 / time),
                           dlp__scale(dlp__sub(after->y, before->y), 1.0 / time),
                           dlp__scale(dlp__sub(after->z, before->z), 1.0 / time)};
}

/* Rotations of up to two and a half radians between keys at unequal times. */
static void fill_random(dlp_PoseKey *keys, int count)
{
    double time = 0.3;
    for (int k = 0; k < count; k++) {
        keys[k] = (dlp_PoseKey){time, random_vector(0.4), random_vector(0.7)};
        time += random_in(0.05, 1.0);
    }
}

enum { KEYS = 12 };

static void the_curve_passes_through_its_keys_and_rests_at_both_ends(void **state)
{
    (void)state;
    dlp_PoseKey keys[KEYS];
    fill_random(keys, KEYS);
    const dlp__PosePath path = {keys, KEYS};
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < KEYS; k++) {
            const dlp__Rotation wanted = dlp__rotation(keys[k].rotation);
            const dlp__Pose at = dlp__pose_path_at(&path, (dlp_PathKind)kind, keys[k].time);
            assert_true(distance(at.position, keys[k].position) == 0.0);
            assert_true(rotation_distance(&at.rotation, &wanted) < 1e-15);
            const dlp__Pose just_before = dlp__pose_path_at(&path, (dlp_PathKind)kind, keys[k].time - 1e-9);
            assert_true(distance(just_before.position, keys[k].position) < 1e-7);
            assert_true(rotation_distance(&just_before.rotation, &wanted) < 1e-6);
        }
        const double outside[] = {-1e9, 0.0, keys[0].time, keys[KEYS - 1].time, 1e9};
        for (int n = 0; n < 5; n++) {
            const dlp__Pose pose = dlp__pose_path_at(&path, (dlp_PathKind)kind, outside[n]);
            assert_true(distance(pose.position, keys[n < 3 ? 0 : KEYS - 1].position) == 0.0);
            if (kind == DLP_PATH_SMOOTH || n != 2) { /* a linear path starts with a jump in velocity */
                assert_true(dlp__length(pose.velocity) == 0.0 && dlp__length(pose.spin) == 0.0);
            }
        }
    }
}

static void velocity_and_spin_are_the_derivatives_of_the_pose(void **state)
{
    (void)state;
    dlp_PoseKey keys[KEYS];
    fill_random(keys, KEYS);
    const dlp__PosePath path = {keys, KEYS};
    /* s: central differences have an error of step^2 times a third derivative of at most 1e5 */
    const double step = 1e-5;
    for (int n = 0; n < 4000; n++) {
        const int k = n % (KEYS - 1);
        const double time = random_in(keys[k].time + step, keys[k + 1].time - step);
        const dlp_PathKind kind = n % 3 == 0 ? DLP_PATH_LINEAR : DLP_PATH_SMOOTH;
        const dlp__Pose before = dlp__pose_path_at(&path, kind, time - step),
                        pose = dlp__pose_path_at(&path, kind, time),
                        after = dlp__pose_path_at(&path, kind, time + step);
        const dlp_Vec3 velocity = dlp__scale(dlp__sub(after.position, before.position), 0.5 / step);
        const dlp__Rotation slope = slope_of(&before.rotation, &after.rotation, 2.0 * step),
                            wanted = spinning(&pose.rotation, pose.spin);
        assert_true(distance(velocity, pose.velocity) < 1e-5);
        assert_true(rotation_distance(&slope, &wanted) < 1e-5);
    }
}

static void a_smooth_path_has_a_continuous_velocity(void **state)
{
    (void)state;
    dlp_PoseKey keys[KEYS];
    fill_random(keys, KEYS);
    const dlp__PosePath path = {keys, KEYS};
    double jump = 0.0;
    for (int k = 0; k < KEYS; k++) {
        const double step = 1e-9; /* s: velocities change by 1e4 m/s2 at most */
        const dlp__Pose before = dlp__pose_path_at(&path, DLP_PATH_SMOOTH, keys[k].time - step),
                        after = dlp__pose_path_at(&path, DLP_PATH_SMOOTH, keys[k].time + step);
        assert_true(distance(before.velocity, after.velocity) < 1e-4);
        assert_true(distance(before.spin, after.spin) < 1e-4);
        jump = fmax(jump, distance(dlp__pose_path_at(&path, DLP_PATH_LINEAR, keys[k].time - step).velocity,
                                   dlp__pose_path_at(&path, DLP_PATH_LINEAR, keys[k].time + step).velocity));
    }
    assert_true(jump > 0.1);
}

/* 0.1 m/s for a second, 1 mm in another, a stop, and a fast return: the hardest case for a curve without overshoot. */
static void the_curve_does_not_overshoot_a_key_where_it_stops_or_reverses(void **state)
{
    (void)state;
    const double along[] = {0.0, 0.1, 0.101, 0.101, 0.04, 0.06, 0.06}, times[] = {0.0, 1.0, 2.0, 3.0, 3.1, 4.0, 5.0};
    const dlp_Vec3 axis = dlp__scale(dlp__vec3(1.0, 2.0, -2.0), 1.0 / 3.0);
    dlp_PoseKey keys[7];
    for (int k = 0; k < 7; k++) {
        keys[k] = (dlp_PoseKey){times[k], dlp__scale(axis, along[k]), dlp__scale(axis, 10.0 * along[k])};
    }
    const dlp__PosePath path = {keys, 7};
    for (int n = 0; n <= 5000; n++) {
        const double time = 0.001 * n;
        const dlp__Pose pose = dlp__pose_path_at(&path, DLP_PATH_SMOOTH, time);
        const dlp_Vec3 turn = dlp__rotation_vector(&pose.rotation);
        int k = 0;
        while (k < 5 && times[k + 1] <= time) {
            k++;
        }
        const double low = fmin(along[k], along[k + 1]) - 1e-14, high = fmax(along[k], along[k + 1]) + 1e-14;
        const double position = dlp__dot(pose.position, axis), angle = 0.1 * dlp__dot(turn, axis);
        assert_true(position >= low && position <= high);
        assert_true(angle >= low && angle <= high);
        assert_true(!(time > 2.0 && time < 3.0) || dlp__length(pose.velocity) + dlp__length(pose.spin) < 1e-14);
    }
}

static void evenly_spaced_keys_make_a_uniform_motion(void **state)
{
    (void)state;
    dlp_PoseKey keys[KEYS];
    double time = 0.0;
    for (int k = 0; k < KEYS; k++, time += 0.1 + 0.05 * (k % 3)) {
        keys[k] = (dlp_PoseKey){time, dlp__vec3(2.0 * time, 0.0, -time), dlp__vec3(0.0, 0.0, 5.0 * time)};
    }
    const dlp__PosePath path = {keys, KEYS};
    for (int n = 0; n < 100; n++) {
        const double at = random_in(keys[1].time, keys[KEYS - 2].time);
        const dlp__Pose pose = dlp__pose_path_at(&path, DLP_PATH_SMOOTH, at);
        assert_true(distance(pose.velocity, dlp__vec3(2.0, 0.0, -1.0)) < 1e-12);
        assert_true(distance(pose.spin, dlp__vec3(0.0, 0.0, 5.0)) < 1e-12);
    }
}

/* For keys on a parabola at unequal times the curve is that parabola, away from the ends and the velocity limit. */
static void constant_acceleration_is_reproduced(void **state)
{
    (void)state;
    dlp_PoseKey keys[KEYS];
    double time = 0.0;
    for (int k = 0; k < KEYS; k++, time += 0.1 + 0.05 * (k % 3)) {
        keys[k] = (dlp_PoseKey){time, dlp__vec3(time, time * time, 0.0), dlp__vec3(time * time, 0.0, 0.0)};
    }
    const dlp__PosePath path = {keys, KEYS};
    for (int n = 0; n < 100; n++) {
        const double at = random_in(keys[1].time, keys[KEYS - 2].time);
        const dlp__Pose pose = dlp__pose_path_at(&path, DLP_PATH_SMOOTH, at);
        assert_true(distance(pose.position, dlp__vec3(at, at * at, 0.0)) < 1e-12);
        assert_true(distance(pose.velocity, dlp__vec3(1.0, 2.0 * at, 0.0)) < 1e-12);
        assert_true(distance(pose.spin, dlp__vec3(2.0 * at, 0.0, 0.0)) < 1e-12);
    }
}

static void half_turns_and_single_keys_work(void **state)
{
    (void)state;
    const dlp_PoseKey keys[] = {{0.0, {0, 0, 0}, {0, 0, 0}},
                                {1.0, {0, 0, 0}, {0, PI, 0}},
                                {2.0, {0, 0, 0}, {0, 2.0 * PI, 0}},
                                {3.0, {1, 2, 3}, {1e9, -1e9, 5}}};
    dlp_PoseKey copy[4];
    memcpy(copy, keys, sizeof copy);
    const dlp__PosePath path = {copy, 4};
    for (int n = 0; n < 300; n++) {
        const dlp__Pose pose = dlp__pose_path_at(&path, DLP_PATH_SMOOTH, 0.01 * n + 0.003);
        assert_true(isfinite(dlp__length(pose.spin)) && fabs(dlp__length(pose.rotation.x) - 1.0) < 1e-12);
        assert_true(dlp__length(pose.spin) < 20.0);
    }
    const dlp__PosePath single = {copy + 3, 1};
    assert_true(distance(dlp__pose_path_at(&single, DLP_PATH_SMOOTH, 7.0).position, dlp__vec3(1, 2, 3)) == 0.0);
}

static dlp_World *plain_world(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = 0.01;
    def.gravity = dlp__vec3(0, 0, 0);
    def.threads = 1;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    return world;
}

/* A box that oscillates and spins while it follows keys. */
static dlp_SolidId add_busy_solid(dlp_World *world)
{
    dlp_SolidDef def = dlp_default_solid_def();
    def.friction = 0.0;
    def.shape.kind = DLP_SHAPE_BOX;
    def.shape.position = dlp__vec3(5.0, 5.0, 5.0); /* replaced by the keys */
    def.velocity = dlp__vec3(0.1, 0.0, 0.2);
    def.spin = dlp__vec3(0.0, 3.0, 1.0);
    def.amplitude = dlp__vec3(0.0, 0.02, 0.0);
    def.frequency = 3.0;
    dlp_SolidId id = -1;
    assert_int_equal(dlp_world_add_solid(world, &def, &id), DLP_OK);
    dlp_PoseKey keys[KEYS];
    fill_random(keys, KEYS);
    assert_int_equal(dlp_world_set_solid_keys(world, id, keys, KEYS), DLP_OK);
    return id;
}

static void a_solid_adds_its_own_motion_to_that_of_its_keys(void **state)
{
    (void)state;
    dlp_World *world = plain_world();
    const dlp_SolidId id = add_busy_solid(world);
    const dlp__Solid *solid = &world->solids.solid[id];
    const dlp_Vec3 first = solid->path.keys[0].position;
    assert_true(distance(solid->shape.position, first) == 0.0); /* placed at once */
    dlp__solids_move_to(&world->solids, 0.25);                  /* before the first key */
    const dlp_Vec3 own = dlp__vec3(0.025, 0.02 * sin(2.0 * PI * 0.75), 0.05);
    assert_true(distance(dlp__sub(solid->shape.position, first), own) < 1e-12);
    assert_true(distance(solid->spin, solid->def.spin) < 1e-12);
    const double step = 1e-5;                        /* s */
    const dlp_Vec3 mark = dlp__vec3(0.3, -0.2, 0.1); /* m, a material point of the solid */
    for (int n = 0; n < 500; n++) {
        const int k = n % (KEYS - 1);
        const double time = random_in(solid->path.keys[k].time + step, solid->path.keys[k + 1].time - step);
        dlp_Vec3 at[2];
        for (int i = 0; i < 2; i++) {
            dlp__solids_move_to(&world->solids, time + (i == 0 ? -step : step));
            at[i] = dlp__add(solid->shape.position, dlp__rotate(&solid->shape.rotation, mark));
        }
        dlp__solids_move_to(&world->solids, time);
        const dlp_Vec3 now = dlp__add(solid->shape.position, dlp__rotate(&solid->shape.rotation, mark));
        const dlp_Vec3 wanted = dlp__scale(dlp__sub(at[1], at[0]), 0.5 / step);
        assert_true(distance(dlp__solid_velocity(solid, now), wanted) < 1e-4);
    }
    dlp_world_destroy(world);
}

static void the_pose_does_not_depend_on_the_steps_that_lead_to_it(void **state)
{
    (void)state;
    dlp_World *worlds[2];
    for (int w = 0; w < 2; w++) {
        seed = 99;
        worlds[w] = plain_world();
        add_busy_solid(worlds[w]);
    }
    const double dt = 1.0 / 64.0; /* s: its multiples are exact */
    for (int n = 0; n < 200; n++) {
        step_or_fail(worlds[0], dt);
        step_or_fail(worlds[1], 0.5 * dt);
        step_or_fail(worlds[1], 0.5 * dt);
        const dlp__Solid *one = &worlds[0]->solids.solid[0], *two = &worlds[1]->solids.solid[0];
        assert_memory_equal(&one->shape.position, &two->shape.position, sizeof one->shape.position);
        assert_memory_equal(&one->shape.rotation, &two->shape.rotation, sizeof one->shape.rotation);
        assert_memory_equal(&one->velocity, &two->velocity, sizeof one->velocity);
        assert_memory_equal(&one->spin, &two->spin, sizeof one->spin);
    }
    dlp_world_destroy(worlds[0]);
    dlp_world_destroy(worlds[1]);
}

static void keys_are_copied_replaced_and_removed(void **state)
{
    (void)state;
    dlp_World *world = plain_world();
    const dlp_SolidId id = add_busy_solid(world);
    const dlp_PoseKey *keys = NULL;
    int count = 0;
    assert_int_equal(dlp_world_get_solid_keys(world, id, &keys, &count), DLP_OK);
    assert_int_equal(count, KEYS);
    assert_int_equal(dlp_world_set_solid_keys(world, id, keys + 2, 3), DLP_OK); /* from its own memory */
    assert_int_equal(dlp_world_get_solid_keys(world, id, &keys, &count), DLP_OK);
    assert_int_equal(count, 3);
    dlp_SolidDef def;
    assert_int_equal(dlp_world_get_solid(world, id, &def), DLP_OK);
    assert_true(def.shape.position.x == 5.0);
    assert_int_equal(dlp_world_set_solid(world, id, &def), DLP_OK);
    assert_true(distance(world->solids.solid[id].shape.position, keys[0].position) == 0.0);
    assert_int_equal(dlp_world_set_solid_keys(world, id, NULL, 0), DLP_OK);
    assert_int_equal(dlp_world_get_solid_keys(world, id, &keys, &count), DLP_OK);
    assert_true(count == 0 && keys == NULL);
    assert_true(distance(world->solids.solid[id].shape.position, def.shape.position) == 0.0);
    dlp_world_destroy(world);
}

static void expect_refused(dlp_World *world, const dlp_PoseKey *keys, int count, const char *words)
{
    assert_int_equal(dlp_world_set_solid_keys(world, 0, keys, count), DLP_ERROR_ARGUMENT);
    if (strstr(dlp_world_error(world), words) == NULL) {
        fail_msg("answered: %s\nwanted: %s", dlp_world_error(world), words);
    }
    assert_int_equal(world->solids.solid[0].path.count, KEYS); /* unchanged */
}

static void invalid_keys_are_rejected(void **state)
{
    (void)state;
    dlp_World *world = plain_world();
    add_busy_solid(world);
    dlp_PoseKey keys[3] = {{0.0, {0, 0, 0}, {0, 0, 0}}, {1.0, {0, 0, 0}, {0, 0, 0}}, {2.0, {0, 0, 0}, {0, 0, 0}}};
    expect_refused(world, NULL, 3, "the keys are null");
    expect_refused(world, keys, -1, "at most 100000 keys, not -1");
    expect_refused(world, keys, 100001, "at most 100000 keys, not 100001");
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e10};
    for (int n = 0; n < 4; n++) {
        dlp_PoseKey spoilt[3];
        memcpy(spoilt, keys, sizeof spoilt);
        spoilt[1].time = bad[n];
        expect_refused(world, spoilt, 3, "key 1: pose_key.time is");
        memcpy(spoilt, keys, sizeof spoilt);
        spoilt[2].position.y = bad[n];
        expect_refused(world, spoilt, 3, "key 2: pose_key.position is");
        memcpy(spoilt, keys, sizeof spoilt);
        spoilt[0].rotation.z = bad[n];
        expect_refused(world, spoilt, 3, "key 0: pose_key.rotation is");
    }
    const double late[] = {1.0, 0.5, 1.0 + 1e-12};
    for (int n = 0; n < 3; n++) {
        keys[2].time = late[n];
        expect_refused(world, keys, 3, "key 2 is at");
    }
    assert_int_equal(dlp_world_set_solid_keys(world, 1, keys, 2), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_solid_keys(world, -1, keys, 2), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_emitter_keys(world, 0, keys, 2), DLP_ERROR_ARGUMENT);
    const dlp_PoseKey *got = NULL;
    int count = 0;
    assert_int_equal(dlp_world_get_solid_keys(world, 7, &got, &count), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_get_emitter_keys(world, 0, &got, &count), DLP_ERROR_ARGUMENT);
    dlp_world_destroy(world);
}

/* The fastest motion that the checks accept must still be finite. */
static void the_fastest_accepted_keys_give_finite_poses(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    dlp_World *world = plain_world();
    add_busy_solid(world);
    dlp_PoseKey keys[COUNT];
    for (int k = 0; k < COUNT; k++) {
        keys[k] = (dlp_PoseKey){1.01e-9 * k, random_vector(1e9), random_vector(1e9)};
    }
    assert_int_equal(dlp_world_set_solid_keys(world, 0, keys, COUNT), DLP_OK);
    for (int n = 0; n < 1000; n++) {
        dlp__solids_move_to(&world->solids, random_in(0.0, 55e-9));
        const dlp__Solid *solid = &world->solids.solid[0];
        assert_true(isfinite(dlp__length(solid->shape.position)) && isfinite(dlp__length(solid->velocity)));
        assert_true(isfinite(dlp__length(solid->shape.rotation.y)) && isfinite(dlp__length(solid->spin)));
    }
    dlp_world_destroy(world);
}

static void a_hundred_thousand_keys_are_looked_up_by_bisection(void **state)
{
    (void)state;
    const int count = DLP_KEYS_MOST;
    dlp_PoseKey *keys = malloc((size_t)count * sizeof *keys);
    assert_non_null(keys);
    for (int k = 0; k < count; k++) {
        keys[k] = (dlp_PoseKey){0.01 * k, dlp__vec3((double)k, 0, 0), dlp__vec3(0, 0, 0)};
    }
    const dlp__PosePath path = {keys, count};
    const double started = dlp__clock();
    for (int n = 0; n < 100000; n++) { /* a linear search would need 1e10 comparisons, a minute and more */
        const double time = random_in(0.01, 0.01 * (count - 2));
        assert_true(fabs(dlp__pose_path_at(&path, DLP_PATH_SMOOTH, time).position.x - 100.0 * time) < 1e-6);
    }
    assert_true(dlp__clock() - started < 5.0);
    free(keys);
}

/* Layers that the nozzle still guides are in line behind each other, exactly under it, wherever it has moved. */
static void layers_guided_by_a_moving_nozzle_stay_in_line_with_it(void **state)
{
    (void)state;
    dlp_World *world = plain_world();
    dlp_EmitterDef def = dlp_default_emitter_def();
    def.nozzle = DLP_NOZZLE_RECTANGLE;
    def.width = def.height = 0.01; /* one particle per layer */
    def.speed = 0.5;
    assert_int_equal(dlp_world_add_emitter(world, &def, NULL), DLP_OK);
    const dlp_PoseKey keys[] = {{0.1, {0, 0, 0.1}, {0, 0, 0}},
                                {0.3, {0.1, 0.1, 0.2}, {0, 0, 0}},
                                {0.4, {0.2, 0.0, 0.1}, {0, 0, 2}},
                                {0.6, {0, 0, 0.1}, {0, 0, 0}}};
    assert_int_equal(dlp_world_set_emitter_keys(world, 0, keys, 4), DLP_OK);
    int guided = 0;
    for (int n = 0; n < 70; n++) {
        step_or_fail(world, 0.01);
        const dlp__Pose pose = dlp__pose_path_at(&world->emitters[0].path, DLP_PATH_SMOOTH, world->time);
        const dlp__Particles *p = particles_of(world);
        for (int64_t i = 0; i < p->count; i++) {
            const double fallen = 0.5 * (world->time - 0.02 * (double)p->id[0][i]); /* m, out of the opening */
            if (fallen > 0.03) {
                continue; /* no longer guided */
            }
            const dlp_Vec3 is = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
            assert_true(distance(is, dlp__add(pose.position, dlp__vec3(0.0, 0.0, -fallen))) < 1e-6);
            guided++;
        }
    }
    assert_true(guided > 150);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_passes_through_its_keys_and_rests_at_both_ends),
        cmocka_unit_test(velocity_and_spin_are_the_derivatives_of_the_pose),
        cmocka_unit_test(a_smooth_path_has_a_continuous_velocity),
        cmocka_unit_test(the_curve_does_not_overshoot_a_key_where_it_stops_or_reverses),
        cmocka_unit_test(evenly_spaced_keys_make_a_uniform_motion),
        cmocka_unit_test(constant_acceleration_is_reproduced),
        cmocka_unit_test(half_turns_and_single_keys_work),
        cmocka_unit_test(a_solid_adds_its_own_motion_to_that_of_its_keys),
        cmocka_unit_test(the_pose_does_not_depend_on_the_steps_that_lead_to_it),
        cmocka_unit_test(keys_are_copied_replaced_and_removed),
        cmocka_unit_test(invalid_keys_are_rejected),
        cmocka_unit_test(the_fastest_accepted_keys_give_finite_poses),
        cmocka_unit_test(a_hundred_thousand_keys_are_looked_up_by_bisection),
        cmocka_unit_test(layers_guided_by_a_moving_nozzle_stay_in_line_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
