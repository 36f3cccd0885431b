/* Free rigid bodies against known results for friction, stacks, bounces and joints. */
#include "support/body_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Contact */

/* Distance that a box slides in a second down a slope of that angle and direction. */
static double slide(double angle, double friction, double direction)
{
    BodyStage *stage = body_stage_create();
    const dlp_Vec3 axis = {-sin(direction), cos(direction), 0};
    const dlp__Rotation tilt = dlp__rotation(dlp__scale(axis, angle));
    dlp__BodyForm slope = turned(form_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0), dlp__vec3(1, 1, 1)),
                                 dlp__scale(axis, angle));
    dlp__BodyForm box = turned(form_of(DLP_SHAPE_BOX, dlp__scale(tilt.z, 0.05), dlp__vec3(0.2, 0.2, 0.1)),
                               dlp__scale(axis, angle));
    slope.friction = box.friction = friction;
    add_obstacle(stage, slope);
    const int body = add_form(stage, box);
    body_stage_run(stage, 1.0, 5e-3, DOWN);
    const double way = dlp__length(dlp__sub(place_of(stage, body), box.shape.position));
    body_stage_destroy(stage);
    return way;
}

static void a_box_slides_down_a_slope_by_coulombs_law(void **state)
{
    (void)state;
    const double angle = 25.0 / 180.0 * PI; /* tan: 0.466 */
    for (int k = 0; k < 4; k++) {
        const double direction = 0.3 * k;
        const double wanted = 0.5 * GRAVITY * (sin(angle) - 0.25 * cos(angle));
        const double way = slide(angle, 0.25, direction), stuck = slide(angle, 0.6, direction);
        assert_close(way, wanted, 0.05 * wanted);
        assert_true(stuck < 1e-3);
        assert_close(slide(angle, 0.0, direction), 0.5 * GRAVITY * sin(angle), 0.01 * GRAVITY);
    }
}

/* On a slope at the friction angle, a plate thrown across loses as much speed as it gains downhill, and ends
 * straight downhill at half of its speed: friction acts along the sliding direction only. */
static void a_plate_thrown_across_a_slope_ends_downhill_at_half_its_speed(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const dlp_Vec3 tilt = {0.35, 0, 0}; /* rises along y */
    const dlp__Rotation slope = dlp__rotation(tilt);
    dlp__BodyForm floor = turned(form_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0), dlp__vec3(1, 1, 1)), tilt);
    floor.friction = tan(0.35);
    add_obstacle(stage, floor);
    dlp__BodyDef def = {
        .form = turned(form_of(DLP_SHAPE_BOX, dlp__scale(slope.z, 0.005), dlp__vec3(0.2, 0.2, 0.01)), tilt),
        .density = 1000.0,
        .velocity = {1, 0, 0}};
    def.form.friction = tan(0.35);
    const int plate = add_body(stage, &def);
    body_stage_run(stage, 2.0, 5e-3, DOWN);
    assert_near(dlp__unrotate(&slope, state_of(stage, plate).velocity), dlp__vec3(0, -0.5, 0), 0.03);
    body_stage_destroy(stage);
}

static void a_stack_of_boxes_rests(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    add_floor(stage);
    const double edge = 0.1;
    for (int k = 0; k < 5; k++) {
        add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(0, 0, (k + 0.5) * edge), dlp__vec3(edge, edge, edge)));
    }
    body_stage_run(stage, 5.0, 5e-3, DOWN);
    for (int k = 0; k < 5; k++) {
        const dlp_Vec3 off = dlp__sub(place_of(stage, k), dlp__vec3(0, 0, (k + 0.5) * edge));
        assert_true(dlp__length(off) < 0.01 * edge * (k + 1));
        assert_true(fabs(off.x) < 0.01 * edge && fabs(off.y) < 0.01 * edge);
        assert_true(dlp__length(state_of(stage, k).velocity) < 5e-3); /* gravity gives that in half a millisecond */
    }
    body_stage_destroy(stage);
}

static void a_torus_falls_onto_the_floor_and_comes_to_rest(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    add_floor(stage);
    TestMesh made;
    make_torus(&made, 0.1, 0.03, dlp__vec3(0.05, 0, 0)); /* off its origin */
    dlp__BodyDef def = {.form = mesh_form(&made, dlp__vec3(0, 0, 0.3)), .density = 800.0};
    def.form.shape.rotation = dlp__rotation(dlp__vec3(0.7, 0.2, 0));
    const int torus = add_body(stage, &def);
    body_stage_run(stage, 4.0, 5e-3, DOWN);
    const dlp__BodyMass mass = dlp__bodies_mass(stage->bodies, torus);
    const dlp__BodyState now = state_of(stage, torus);
    assert_close(mass.center.z, 0.03, 0.001);
    assert_true(dlp__length(now.velocity) < 2e-3 && dlp__length(now.spin) < 2e-2);
    assert_close(fabs(dlp__body_rotation(&now).z.z), 1.0, 1e-3);
    body_stage_destroy(stage);
}

static void bodies_of_all_forms_stay_in_their_container(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    TestMesh made;
    make_torus(&made, 0.06, 0.02, dlp__vec3(0, 0, 0));
    add_obstacle(stage, turned(form_of(DLP_SHAPE_CONTAINER, dlp__vec3(0, 0, 0.5), dlp__vec3(0.6, 0.6, 1)),
                               dlp__vec3(0, 0, 0.4)));
    const dlp_ShapeKind kinds[4] = {DLP_SHAPE_BOX, DLP_SHAPE_SPHERE, DLP_SHAPE_CAPSULE, DLP_SHAPE_CYLINDER};
    for (int k = 0; k < 20; k++) {
        const int layer = k / 9;
        const dlp_Vec3 at = {0.15 * (k % 3 - 1), 0.15 * (k / 3 % 3 - 1), 0.15 + 0.15 * layer};
        const dlp_Vec3 turn = {0.3 * k, 0.2, 0.1 * k};
        add_form(
            stage,
            turned(k % 5 == 4 ? mesh_form(&made, at) : form_of(kinds[k % 5], at, dlp__vec3(0.08, 0.1, 0.06)), turn));
    }
    body_stage_run(stage, 3.0, 5e-3, DOWN);
    double fastest = 0.0;
    for (int k = 0; k < 20; k++) {
        const dlp__BodyState now = state_of(stage, k);
        const dlp__Rotation walls = dlp__rotation(dlp__vec3(0, 0, 0.4));
        const dlp_Vec3 inside = dlp__unrotate(&walls, now.position);
        assert_true(fabs(inside.x) < 0.3 && fabs(inside.y) < 0.3 && inside.z > 0.01 && inside.z < 0.5);
        fastest = fmax(fastest, dlp__length(now.velocity));
    }
    assert_true(fastest < 0.3); /* balls may roll */
    body_stage_destroy(stage);
}

static void a_ball_bounces_to_the_height_of_its_restitution(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    add_floor(stage);
    dlp__BodyForm form = form_of(DLP_SHAPE_SPHERE, dlp__vec3(0, 0, 1.05), dlp__vec3(0.1, 0.1, 0.1));
    const int dull = add_form(stage, form);
    form.shape.position.x = 1.0;
    form.restitution = 0.8;
    const int ball = add_form(stage, form);
    body_stage_run(stage, sqrt(2.0 / GRAVITY) * 1.8, 1e-3, DOWN);
    assert_close(place_of(stage, ball).z, 0.05 + 0.64, 0.02); /* at the top of its bounce */
    assert_close(place_of(stage, dull).z, 0.05, 0.001);
    body_stage_destroy(stage);
}

static void a_sphere_rests_on_a_mesh(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    TestMesh made;
    make_box(&made, dlp__vec3(-1, -1, -0.5), dlp__vec3(1, 1, 0));
    add_obstacle(stage, mesh_form(&made, dlp__vec3(0, 0, 1)));
    const int ball = add_form(stage, form_of(DLP_SHAPE_SPHERE, dlp__vec3(0.2, 0.1, 1.15), dlp__vec3(0.2, 0.2, 0.2)));
    const int box = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(-0.3, 0.1, 1.15), dlp__vec3(0.2, 0.2, 0.2)));
    body_stage_run(stage, 2.0, 5e-3, DOWN);
    assert_near(place_of(stage, ball), dlp__vec3(0.2, 0.1, 1.1), 0.002);
    assert_near(place_of(stage, box), dlp__vec3(-0.3, 0.1, 1.1), 0.002);
    body_stage_destroy(stage);
}

/* A belt accelerates a box to its speed; a rising floor lifts it; a turntable turns it. */
static void kinematic_obstacles_carry_bodies(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    dlp_Error error = {0};
    const int belt = add_floor(stage);
    const int box = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(0, 0, 0.05), dlp__vec3(0.2, 0.2, 0.1)));
    const dlp__Rotation level = dlp__rotation(dlp__vec3(0, 0, 0));
    const dlp_Vec3 none = {0, 0, 0};
    expect_ok(dlp__bodies_place_obstacle(stage->bodies, belt, none, &level, dlp__vec3(1, 0, 0), none, &error), &error);
    body_stage_run(stage, 0.1, 5e-3, DOWN);
    assert_close(state_of(stage, box).velocity.x, 0.5 * GRAVITY * 0.1, 0.05 * 0.5 * GRAVITY * 0.1);
    body_stage_run(stage, 0.9, 5e-3, DOWN);
    assert_near(state_of(stage, box).velocity, dlp__vec3(1, 0, 0), 0.01);
    for (int k = 0; k < 100; k++) { /* upwards at 0.2 m/s, set at each step */
        const dlp_Vec3 at = {0, 0, 0.2 * 5e-3 * k};
        expect_ok(dlp__bodies_place_obstacle(stage->bodies, belt, at, &level, dlp__vec3(0, 0, 0.2), none, &error),
                  &error);
        body_stage_run(stage, 5e-3, 5e-3, DOWN);
    }
    assert_close(place_of(stage, box).z, 0.15, 0.001);
    assert_near(state_of(stage, box).velocity, dlp__vec3(0, 0, 0.2), 0.01);
    body_stage_destroy(stage);

    stage = body_stage_create();
    const int table = add_obstacle(stage, form_of(DLP_SHAPE_CYLINDER, dlp__vec3(0, 0, -0.5), dlp__vec3(2, 2, 1)));
    const int rider = add_form(stage, form_of(DLP_SHAPE_SPHERE, dlp__vec3(0.5, 0, 0.05), dlp__vec3(0.1, 0.1, 0.1)));
    expect_ok(dlp__bodies_place_obstacle(stage->bodies, table, dlp__vec3(0, 0, -0.5), &level, none, dlp__vec3(0, 0, 1),
                                         &error),
              &error);
    body_stage_run(stage, 0.05, 5e-3, DOWN);
    assert_true(state_of(stage, rider).velocity.y > 0.1);
    body_stage_destroy(stage);
}

/* Joints */

static void a_pendulum_swings_with_the_period_of_its_length(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const double r = 0.05, length = 0.5, swing = 0.1;
    dlp__BodyForm form = form_of(DLP_SHAPE_SPHERE, dlp__vec3(length * sin(swing), 0, -length * cos(swing)),
                                 dlp__vec3(2.0 * r, 0, 0));
    const int ball = add_form(stage, form);
    const dlp__JointSpec hinge = {.kind = DLP_JOINT_HINGE, .body = ball, .other = -1, .axis = {0, 1, 0}};
    add_joint(stage, &hinge);
    /* 2 pi sqrt(I / (m g l)), longer by swing^2 / 16 */
    const double period = 2.0 * PI * sqrt((0.4 * r * r + length * length) / (GRAVITY * length)) *
                          (1.0 + swing * swing / 16.0);
    const double dt = 2e-3;
    double crossings[9] = {0};
    int count = 0;
    for (double time = 0.0, before = place_of(stage, ball).x; count < 9 && time < 10.0 * period; time += dt) {
        body_stage_run(stage, dt, dt, DOWN);
        const double x = place_of(stage, ball).x;
        if (before * x < 0.0) {
            crossings[count++] = time + dt * before / (before - x);
        }
        before = x;
    }
    assert_int_equal(count, 9);
    assert_close((crossings[8] - crossings[0]) / 4.0, period, 0.02 * period);
    assert_close(dlp__length(place_of(stage, ball)), length, 1e-3);
    assert_close(place_of(stage, ball).y, 0.0, 1e-6);
    body_stage_destroy(stage);
}

static void motors_reach_their_speed_and_stops_hold(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const dlp_Vec3 none = {0, 0, 0}, size = {0.1, 0.1, 0.1};
    const int wheel = add_form(stage, form_of(DLP_SHAPE_CYLINDER, none, dlp__vec3(0.2, 0.2, 0.05)));
    const int piston = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(1, 0, 0), size));
    const int door = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(2, 0, 0), size));
    const dlp__JointSpec axle = {.kind = DLP_JOINT_HINGE,
                                 .body = wheel,
                                 .other = -1,
                                 .axis = {0, 0, 2},
                                 .motor_speed = 5.0,
                                 .motor_force = 0.05};
    const dlp__JointSpec rail = {.kind = DLP_JOINT_SLIDER,
                                 .body = piston,
                                 .other = -1,
                                 .axis = {0, 0, 1},
                                 .motor_speed = 0.2,
                                 .motor_force = 100.0,
                                 .low = -0.1,
                                 .high = 0.3};
    const dlp__JointSpec frame = {.kind = DLP_JOINT_HINGE,
                                  .body = door,
                                  .other = -1,
                                  .anchor = {1.95, 0, 0},
                                  .axis = {0, 0, 1},
                                  .motor_speed = -2.0,
                                  .motor_force = 10.0,
                                  .low = -0.5,
                                  .high = 0.5};
    add_joint(stage, &axle);
    add_joint(stage, &rail);
    add_joint(stage, &frame);
    body_stage_run(stage, 0.1, 5e-3, DOWN);
    const dlp__BodyMass mass = dlp__bodies_mass(stage->bodies, wheel);
    assert_close(state_of(stage, wheel).spin.z, 0.05 * 0.1 / mass.inertia[2], 0.02 * 0.05 * 0.1 / mass.inertia[2]);
    assert_close(state_of(stage, piston).velocity.z, 0.2, 0.002);
    body_stage_run(stage, 4.9, 5e-3, DOWN);
    assert_near(state_of(stage, wheel).spin, dlp__vec3(0, 0, 5), 0.01);
    assert_near(place_of(stage, wheel), none, 1e-3);
    assert_near(place_of(stage, piston), dlp__vec3(1, 0, 0.3), 2e-3);
    const dlp__BodyState open = state_of(stage, door);
    const dlp__Rotation turn = dlp__body_rotation(&open);
    assert_close(atan2(turn.x.y, turn.x.x), -0.5, 0.02);
    body_stage_destroy(stage);
}

/* Two pairs fall freely: the motor speed is that of the first body relative to the second. */
static void a_motor_moves_one_body_relative_to_another(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const dlp_Vec3 size = {0.1, 0.1, 0.1};
    const int near = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(3, 0, 0), size));
    const int far = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(3.2, 0, 0), size));
    const dlp__JointSpec screw = {.kind = DLP_JOINT_HINGE,
                                  .body = near,
                                  .other = far,
                                  .anchor = {3.1, 0, 0},
                                  .axis = {1, 0, 0},
                                  .motor_speed = 3.0,
                                  .motor_force = 10.0};
    add_joint(stage, &screw);
    const int left = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(4, 0, 0), size));
    const int right = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(4.2, 0, 0), size));
    const dlp__JointSpec ram = {.kind = DLP_JOINT_SLIDER,
                                .body = left,
                                .other = right,
                                .axis = {1, 0, 0},
                                .motor_speed = -0.5,
                                .motor_force = 100.0};
    add_joint(stage, &ram);
    body_stage_run(stage, 0.1, 5e-3, DOWN);
    assert_close(state_of(stage, near).spin.x - state_of(stage, far).spin.x, 3.0, 0.01);
    assert_close(state_of(stage, left).velocity.x - state_of(stage, right).velocity.x, -0.5, 0.01);
    body_stage_destroy(stage);
}

static void a_ball_joint_holds_two_bodies_together(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const dlp_Vec3 size = {0.1, 0.1, 0.1};
    const int a = add_form(stage, form_of(DLP_SHAPE_SPHERE, dlp__vec3(0.1, 0, 0), size));
    const int b = add_form(stage, form_of(DLP_SHAPE_SPHERE, dlp__vec3(0.15, 0, 0), size)); /* they overlap */
    const dlp__JointSpec to_world = {.kind = DLP_JOINT_BALL, .body = a, .other = -1};
    const dlp__JointSpec between = {.kind = DLP_JOINT_BALL, .body = b, .other = a, .anchor = {0.1, 0, 0}};
    add_joint(stage, &to_world);
    add_joint(stage, &between);
    dlp__bodies_apply_impulse(stage->bodies, b, dlp__vec3(0, 0.5, 0), dlp__vec3(0, 0, 0));
    body_stage_run(stage, 3.0, 5e-3, DOWN);
    assert_close(dlp__length(place_of(stage, a)), 0.1, 1e-3);
    assert_close(dlp__length(dlp__sub(place_of(stage, a), place_of(stage, b))), 0.05, 1e-3);
    body_stage_destroy(stage);
}

static void a_joint_is_the_same_before_and_after_states_are_restored(void **state)
{
    (void)state;
    dlp__BodyState half = {.position = {0}}, end[2];
    for (int pass = 0; pass < 2; pass++) {
        BodyStage *stage = body_stage_create();
        dlp_Error error = {0};
        const int body = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(0.3, 0, 0), dlp__vec3(0.1, 0.2, 0.3)));
        const dlp__JointSpec hinge = {
            .kind = DLP_JOINT_HINGE, .body = body, .other = -1, .axis = {0, 1, 0}, .low = -1, .high = 1};
        if (pass == 0) {
            add_joint(stage, &hinge);
            body_stage_run(stage, 0.5, 5e-3, DOWN);
            half = state_of(stage, body);
        } else {
            expect_ok(dlp__bodies_set_state(stage->bodies, body, &half, &error), &error);
            add_joint(stage, &hinge);
            stage->step = 100;
        }
        body_stage_run(stage, 0.5, 5e-3, DOWN);
        end[pass] = state_of(stage, body);
        assert_close(end[pass].position.x, 0.3 * cos(1.0), 0.01); /* hangs on its stop */
        body_stage_destroy(stage);
    }
    assert_memory_equal(&end[0], &end[1], sizeof end[0]);
}

int main(void)
{
    const int missing = bodies_missing();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_down_a_slope_by_coulombs_law),
        cmocka_unit_test(a_plate_thrown_across_a_slope_ends_downhill_at_half_its_speed),
        cmocka_unit_test(a_stack_of_boxes_rests),
        cmocka_unit_test(a_torus_falls_onto_the_floor_and_comes_to_rest),
        cmocka_unit_test(bodies_of_all_forms_stay_in_their_container),
        cmocka_unit_test(a_ball_bounces_to_the_height_of_its_restitution),
        cmocka_unit_test(a_sphere_rests_on_a_mesh),
        cmocka_unit_test(kinematic_obstacles_carry_bodies),
        cmocka_unit_test(a_pendulum_swings_with_the_period_of_its_length),
        cmocka_unit_test(motors_reach_their_speed_and_stops_hold),
        cmocka_unit_test(a_motor_moves_one_body_relative_to_another),
        cmocka_unit_test(a_ball_joint_holds_two_bodies_together),
        cmocka_unit_test(a_joint_is_the_same_before_and_after_states_are_restored),
    };
    return missing != 0 ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
