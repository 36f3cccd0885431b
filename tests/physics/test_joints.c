/* Joints of a world's solids: constraints, motors, stops, errors, and restoring from files.
 * ctest: timeout 300 */
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846, GRAVITY = 9.81, DT = 1.0 / 400.0;

/* A world with only the solids that a test adds. */
static dlp_World *empty_world(const char *method, int threads)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = 0.01;
    def.threads = threads;
    return make_world(&def);
}

static dlp_SolidId add_box(dlp_World *world, dlp_Vec3 position, dlp_Vec3 size, double density)
{
    dlp_SolidDef def = dlp_default_solid_def();
    def.friction = 0.0;
    dlp_SolidId id = -1;
    def.shape.kind = DLP_SHAPE_BOX;
    def.shape.position = position;
    def.shape.size = size;
    def.density = density;
    assert_int_equal(dlp_world_add_solid(world, &def, &id), DLP_OK);
    return id;
}

static dlp_JointDef joint_def(dlp_JointKind kind, dlp_SolidId solid, dlp_SolidId other, dlp_Vec3 anchor, dlp_Vec3 axis)
{
    dlp_JointDef def = dlp_default_joint_def();
    def.kind = (int32_t)kind;
    def.solid = solid;
    def.other = other;
    def.anchor = anchor;
    def.axis = axis;
    return def;
}

static dlp_JointId add_joint(dlp_World *world, dlp_JointDef def)
{
    dlp_JointId id = -1;
    if (dlp_world_add_joint(world, &def, &id) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    return id;
}

static const dlp__BodyState *state_of(const dlp_World *world, dlp_SolidId id)
{
    return &world->solids.solid[id].state;
}

static void run(dlp_World *world, double time)
{
    for (int step = 0; step < lround(time / DT); step++) {
        step_or_fail(world, DT);
    }
}

/* rad, of a rotation about y or z. */
static double turned_about_z(const dlp_World *world, dlp_SolidId id)
{
    const dlp__Rotation turn = dlp__body_rotation(state_of(world, id));
    return atan2(turn.x.y, turn.x.x);
}

static void a_pendulum_keeps_its_length_and_its_period(void **state)
{
    (void)state;
    dlp_World *world = empty_world("pbf", 1);
    const double length = 0.4, side = 0.04, swing = 0.1;
    const dlp_SolidId bob = add_box(world, (dlp_Vec3){length * sin(swing), 0, -length * cos(swing)},
                                    (dlp_Vec3){side, side, side}, 800.0);
    add_joint(world, joint_def(DLP_JOINT_HINGE, bob, -1, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 1, 0}));
    /* 2 pi sqrt(I / (m g l)), longer by swing^2 / 16 */
    const double period = 2.0 * PI * sqrt((side * side / 6.0 + length * length) / (GRAVITY * length)) *
                          (1.0 + swing * swing / 16.0);
    double crossings[5] = {0}, stretched = 0.0;
    int count = 0;
    double before = state_of(world, bob)->position.x;
    for (double time = 0.0; count < 5 && time < 4.0 * period; time += DT) {
        step_or_fail(world, DT);
        const dlp_Vec3 at = state_of(world, bob)->position;
        stretched = fmax(stretched, fabs(dlp__length(at) / length - 1.0));
        if (before * at.x < 0.0) {
            crossings[count++] = time + DT * before / (before - at.x);
        }
        before = at.x;
    }
    assert_int_equal(count, 5);
    const double found = (crossings[4] - crossings[0]) / 2.0;
    print_message("period %.4f s, expected %.4f s; length error %.2g\n", found, period, stretched);
    assert_true(fabs(found / period - 1.0) < 0.01);
    assert_true(stretched < 0.01);
    assert_true(fabs(state_of(world, bob)->position.y) < 1e-6);
    dlp_world_destroy(world);
}

static void motors_reach_their_speed_and_can_be_steered(void **state)
{
    (void)state;
    dlp_World *world = empty_world("pbf", 1);
    const dlp_SolidId wheel = add_box(world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.2, 0.2, 0.05}, 500.0);
    dlp_JointDef def = joint_def(DLP_JOINT_HINGE, wheel, -1, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 3});
    def.speed = 5.0;
    def.strength = 0.2;
    const dlp_JointId motor = add_joint(world, def);
    run(world, 0.05);
    const double inertia = 500.0 * 0.2 * 0.2 * 0.05 * (0.2 * 0.2 * 2.0) / 12.0;
    assert_true(fabs(state_of(world, wheel)->spin.z / (0.2 * 0.05 / inertia) - 1.0) < 0.02);
    run(world, 0.5);
    print_message("spins with %.4f rad/s\n", state_of(world, wheel)->spin.z);
    assert_true(fabs(state_of(world, wheel)->spin.z - 5.0) < 0.05);
    def.speed = -2.0;
    assert_int_equal(dlp_world_set_joint(world, motor, &def), DLP_OK);
    run(world, 1.0);
    assert_true(fabs(state_of(world, wheel)->spin.z + 2.0) < 0.02);
    assert_true(dlp__length(state_of(world, wheel)->position) < 1e-3);
    dlp_world_destroy(world);
}

/* A wheel on a fixed axle that goes through it. */
static void joined_solids_do_not_collide(void **state)
{
    (void)state;
    dlp_World *world = empty_world("pbf", 1);
    const dlp_SolidId axle = add_box(world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.05, 0.04, 0.3}, 0.0);
    const dlp_SolidId wheel = add_box(world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.2, 0.2, 0.05}, 500.0);
    dlp_JointDef def = joint_def(DLP_JOINT_HINGE, wheel, axle, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 1});
    def.speed = 5.0;
    def.strength = 1.0;
    add_joint(world, def);
    run(world, 0.5);
    assert_true(fabs(state_of(world, wheel)->spin.z - 5.0) < 0.05);
    assert_true(dlp__length(state_of(world, wheel)->position) < 1e-3);
    dlp_world_destroy(world);
}

/* An inclined slider under sideways gravity, with a motor that ends at its stop. */
static void a_slider_moves_along_its_axis_only(void **state)
{
    (void)state;
    dlp_World *world = empty_world("physical", 1);
    const dlp_Vec3 axis = {0.6, 0.0, 0.8};
    const dlp_SolidId piston = add_box(world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.1, 0.1, 0.1}, 500.0);
    dlp_JointDef def = joint_def(DLP_JOINT_SLIDER, piston, -1, (dlp_Vec3){0, 0, 0}, axis);
    def.speed = 0.4;
    def.strength = 100.0;
    def.lower = -0.1;
    def.upper = 0.2;
    add_joint(world, def);
    double aside = 0.0;
    for (int step = 0; step < 400; step++) {
        step_or_fail(world, DT);
        const dlp_Vec3 at = state_of(world, piston)->position;
        aside = fmax(aside, dlp__length(dlp__sub(at, dlp__scale(axis, dlp__dot(at, axis)))));
        if (step == 100) {
            assert_true(fabs(dlp__dot(state_of(world, piston)->velocity, axis) - 0.4) < 0.004);
        }
    }
    const dlp__BodyState *end = state_of(world, piston);
    print_message("%.4f m along, at most %.2g m aside\n", dlp__dot(end->position, axis), aside);
    assert_true(fabs(dlp__dot(end->position, axis) - 0.2) < 0.002);
    assert_true(aside < 1e-4);
    assert_true(fabs(end->quaternion[0]) > 1.0 - 1e-8);
    dlp_world_destroy(world);
}

/* A door in a kinematic turning frame moves with it; speed and stops are those of the first solid relative to the
 * second, whichever of the two is free. */
static void a_joint_may_connect_to_a_kinematic_solid(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        dlp_World *world = empty_world("pbf", 1);
        dlp_SolidDef frame = dlp_default_solid_def();
        frame.friction = 0.0;
        dlp_SolidId held = -1;
        frame.shape.kind = DLP_SHAPE_BOX;
        frame.shape.size = (dlp_Vec3){0.1, 0.1, 0.1};
        frame.spin = (dlp_Vec3){0, 0, 0.5};
        frame.velocity = (dlp_Vec3){0.1, 0, 0};
        assert_int_equal(dlp_world_add_solid(world, &frame, &held), DLP_OK);
        const dlp_SolidId door = add_box(world, (dlp_Vec3){0, 0, 0.06}, (dlp_Vec3){0.3, 0.05, 0.02}, 500.0);
        dlp_JointDef def = joint_def(DLP_JOINT_HINGE, swapped ? held : door, swapped ? door : held,
                                     (dlp_Vec3){0, 0, 0.06}, (dlp_Vec3){0, 0, 1});
        def.speed = 1.0;
        def.strength = 50.0;
        def.lower = -0.5;
        def.upper = 0.25;
        add_joint(world, def);
        run(world, 1.0);
        const double against = turned_about_z(world, door) - 0.5;
        print_message("the door is turned by %.3f rad against its frame\n", against);
        assert_true(fabs(against - (swapped ? -0.25 : 0.25)) < 0.01);
        assert_true(dlp__length(dlp__sub(state_of(world, door)->position, (dlp_Vec3){0.1, 0, 0.06})) < 2e-3);
        dlp_world_destroy(world);
    }
}

/* A hinge with one half suspended from a ball joint. */
static dlp_World *chain(int threads)
{
    dlp_World *world = empty_world("pbf", threads);
    const dlp_Vec3 size = {0.2, 0.04, 0.04};
    const dlp_SolidId first = add_box(world, (dlp_Vec3){0.12, 0, 0}, size, 700.0);
    const dlp_SolidId second = add_box(world, (dlp_Vec3){0.36, 0.01, 0}, size, 700.0);
    dlp_JointDef knee = joint_def(DLP_JOINT_HINGE, second, first, (dlp_Vec3){0.24, 0, 0}, (dlp_Vec3){0.1, 1, 0.1});
    knee.speed = 3.0;
    knee.strength = 0.3;
    knee.lower = -2.0;
    knee.upper = 2.0;
    add_joint(world, joint_def(DLP_JOINT_BALL, first, -1, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 1}));
    add_joint(world, knee);
    return world;
}

static void joints_are_restored_from_files_bit_for_bit(void **state)
{
    (void)state;
    dlp_World *world = chain(2), *other = chain(8), *loaded = NULL;
    dlp_Error error;
    run(world, 0.2);
    run(other, 0.2);
    assert_true(dlp_world_hash(world) == dlp_world_hash(other));
    assert_int_equal(dlp_world_save(world, "chain.dollop"), DLP_OK);
    assert_int_equal(dlp_world_load("chain.dollop", NULL, &loaded, &error), DLP_OK);
    assert_int_equal(dlp_world_joint_count(loaded), 2);
    dlp_JointDef knee;
    assert_int_equal(dlp_world_get_joint(loaded, 1, &knee), DLP_OK);
    assert_true(knee.kind == DLP_JOINT_HINGE && knee.solid == 1 && knee.other == 0 && knee.speed == 3.0);
    for (int step = 0; step < 40; step++) {
        step_or_fail(world, DT);
        step_or_fail(loaded, DT);
        assert_memory_equal(state_of(world, 1), state_of(loaded, 1), sizeof(dlp__BodyState));
    }
    assert_true(dlp_world_hash(world) == dlp_world_hash(loaded));
    const dlp_Vec3 away = dlp__sub(state_of(world, 0)->position, state_of(world, 1)->position);
    assert_true(dlp__length(away) < 0.25); /* still connected */
    dlp_world_destroy(loaded);
    dlp_world_destroy(other);
    dlp_world_destroy(world);
}

/* A solid that is set restarts, and so does its joint. */
static void a_joint_follows_a_solid_that_is_set(void **state)
{
    (void)state;
    dlp_World *world = empty_world("pbf", 1);
    const dlp_SolidId box = add_box(world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.1, 0.1, 0.1}, 500.0);
    add_joint(world, joint_def(DLP_JOINT_BALL, box, -1, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 1}));
    run(world, 0.1);
    dlp_SolidDef def;
    assert_int_equal(dlp_world_get_solid(world, box, &def), DLP_OK);
    def.shape.position = (dlp_Vec3){0, 0, -0.3};
    assert_int_equal(dlp_world_set_solid(world, box, &def), DLP_OK);
    run(world, 0.1);
    assert_true(dlp__length(dlp__sub(state_of(world, box)->position, (dlp_Vec3){0, 0, -0.3})) < 1e-4);
    def.density = 0.0;
    assert_int_equal(dlp_world_set_solid(world, box, &def), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "density"));
    dlp_world_destroy(world);
}

static void invalid_joints_are_rejected_with_a_message(void **state)
{
    (void)state;
    dlp_World *world = empty_world("pbf", 1);
    const dlp_Vec3 none = {0, 0, 0}, up = {0, 0, 1}, size = {0.1, 0.1, 0.1};
    const dlp_SolidId box = add_box(world, none, size, 500.0), wall = add_box(world, up, size, 0.0),
                      floor = add_box(world, up, size, 0.0);
    const struct {
        dlp_JointDef def;
        const char *message;
    } bad[] = {
        {joint_def(DLP_JOINT_HINGE, -1, -1, none, up), "cannot connect solid -1"},
        {joint_def(DLP_JOINT_HINGE, 3, -1, none, up), "the world has 3"},
        {joint_def(DLP_JOINT_HINGE, box, 3, none, up), "the world has 3"},
        {joint_def(DLP_JOINT_HINGE, box, -2, none, up), "joint.other"},
        {joint_def(DLP_JOINT_HINGE, box, box, none, up), "itself"},
        {joint_def(DLP_JOINT_HINGE, wall, floor, none, up), "both are kinematic"},
        {joint_def(DLP_JOINT_SLIDER, wall, -1, none, up), "both are kinematic"},
        {joint_def(DLP_JOINT_SLIDER, box, wall, none, none), "axis is zero"},
        {joint_def(DLP_JOINT_HINGE, box, wall, none, (dlp_Vec3){NAN, 0, 0}), "joint.axis"},
        {joint_def(DLP_JOINT_BALL, box, wall, (dlp_Vec3){0, INFINITY, 0}, up), "joint.anchor"},
        {joint_def((dlp_JointKind)7, box, wall, none, up), "joint.kind"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_int_equal(dlp_world_add_joint(world, &bad[k].def, NULL), DLP_ERROR_ARGUMENT);
        if (strstr(dlp_world_error(world), bad[k].message) == NULL) {
            fail_msg("'%s' does not say '%s'", dlp_world_error(world), bad[k].message);
        }
    }
    dlp_JointDef def = joint_def(DLP_JOINT_HINGE, box, wall, none, up);
    def.lower = 1.0;
    assert_int_equal(dlp_world_add_joint(world, &def, NULL), DLP_ERROR_ARGUMENT);
    def.upper = 4.0;
    assert_int_equal(dlp_world_add_joint(world, &def, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_joint_count(world), 0);
    assert_int_equal(dlp_world_get_joint(world, 0, &def), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_joint(world, -1, &def), DLP_ERROR_ARGUMENT);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_keeps_its_length_and_its_period),
        cmocka_unit_test(motors_reach_their_speed_and_can_be_steered),
        cmocka_unit_test(joined_solids_do_not_collide),
        cmocka_unit_test(a_slider_moves_along_its_axis_only),
        cmocka_unit_test(a_joint_may_connect_to_a_kinematic_solid),
        cmocka_unit_test(joints_are_restored_from_files_bit_for_bit),
        cmocka_unit_test(a_joint_follows_a_solid_that_is_set),
        cmocka_unit_test(invalid_joints_are_rejected_with_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
