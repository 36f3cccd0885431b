/* Free rigid bodies: mass, free flight, reproducibility, and errors.
 * ctest: threaded */
#include "support/body_fixture.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Mass */

static void shapes_have_the_mass_and_inertia_of_their_formulas(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const dlp_Vec3 at = {1, 2, 3}, size = {0.2, 0.3, 0.4};
    const double r = 0.1, h = 0.4;
    const dlp__BodyMass box = dlp__bodies_mass(stage->bodies, add_form(stage, form_of(DLP_SHAPE_BOX, at, size)));
    assert_close(box.mass, 24.0, 1e-12);
    assert_near(box.center, at, 1e-15);
    assert_close(box.inertia[0], 24.0 / 12.0 * (0.09 + 0.16), 1e-12);
    const dlp__BodyMass ball = dlp__bodies_mass(stage->bodies, add_form(stage, form_of(DLP_SHAPE_SPHERE, at, size)));
    assert_close(ball.inertia[1], 0.4 * 1000.0 * 4.0 / 3.0 * PI * r * r * r * r * r, 1e-12);
    const dlp__BodyMass can = dlp__bodies_mass(stage->bodies, add_form(stage, form_of(DLP_SHAPE_CYLINDER, at, size)));
    assert_close(can.mass, 1000.0 * PI * r * r * h, 1e-12);
    assert_close(can.inertia[2], 0.5 * can.mass * r * r, 1e-12);
    assert_close(can.inertia[0], can.mass * (r * r / 4.0 + h * h / 12.0), 1e-12);
    const dlp__BodyMass pill = dlp__bodies_mass(stage->bodies, add_form(stage, form_of(DLP_SHAPE_CAPSULE, at, size)));
    assert_close(pill.mass, can.mass + 1000.0 * 4.0 / 3.0 * PI * r * r * r, 1e-12);
    const double ends = 1000.0 * 4.0 / 3.0 * PI * r * r * r;
    assert_close(pill.inertia[0], can.inertia[0] + ends * (0.4 * r * r + h * h / 4.0 + 3.0 / 8.0 * h * r), 1e-12);
    /* A quarter turn about x swaps y and z; given by its mass instead of its density, it is the same body. */
    const dlp__BodyDef def = {.form = turned(form_of(DLP_SHAPE_BOX, at, size), dlp__vec3(PI / 2.0, 0, 0)),
                              .mass = 24.0};
    const dlp__BodyMass lying = dlp__bodies_mass(stage->bodies, add_body(stage, &def));
    assert_close(lying.inertia[2], box.inertia[1], 1e-12);
    assert_close(lying.inertia[0], box.inertia[0], 1e-12);
    assert_close(lying.inertia[5], 0.0, 1e-12);
    body_stage_destroy(stage);
}

/* The polygons of RING corners along the ring and TUBE corners around the tube are smaller than circles, so the
 * formulas of the torus hold within that error. A box of vertices away from its origin is exact except for its
 * coordinates in single precision. */
static void meshes_have_the_mass_and_inertia_of_their_volume(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    TestMesh made;
    const double ring = 0.3, tube = 0.1;
    make_torus(&made, ring, tube, dlp__vec3(0, 0, 0));
    dlp__BodyMass mass = dlp__bodies_mass(stage->bodies, add_form(stage, mesh_form(&made, dlp__vec3(4, 5, 6))));
    const double volume = 2.0 * PI * PI * ring * tube * tube;
    assert_close(mass.mass, 1000.0 * volume, 0.02 * 1000.0 * volume);
    assert_near(mass.center, dlp__vec3(4, 5, 6), 1e-8);
    assert_close(mass.inertia[2], mass.mass * (ring * ring + 0.75 * tube * tube), 0.01 * mass.inertia[2]);
    assert_close(mass.inertia[0], mass.mass * (0.5 * ring * ring + 0.625 * tube * tube), 0.01 * mass.inertia[0]);
    make_box(&made, dlp__vec3(1, 2, 3), dlp__vec3(1.25, 2.5, 4)); /* all exact in binary */
    mass = dlp__bodies_mass(stage->bodies, add_form(stage, mesh_form(&made, dlp__vec3(0, 0, 0))));
    assert_close(mass.mass, 125.0, 1e-10);
    assert_near(mass.center, dlp__vec3(1.125, 2.25, 3.5), 1e-12);
    assert_close(mass.inertia[0], 125.0 / 12.0 * (0.25 + 1.0), 1e-10);
    assert_close(mass.inertia[1], 125.0 / 12.0 * (0.0625 + 1.0), 1e-10);
    assert_close(mass.inertia[2], 125.0 / 12.0 * (0.0625 + 0.25), 1e-10);
    assert_close(fabs(mass.inertia[3]) + fabs(mass.inertia[4]) + fabs(mass.inertia[5]), 0.0, 1e-10);
    body_stage_destroy(stage);
}

/* Free flight */

static void a_body_falls_by_symplectic_euler(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const int ball = add_form(stage, form_of(DLP_SHAPE_SPHERE, dlp__vec3(0, 0, 100), dlp__vec3(0.1, 0.1, 0.1)));
    const double dt = 2e-3;
    const int steps = 500;
    body_stage_run(stage, steps * dt, dt, DOWN);
    /* Velocity first, then position: g dt2 (1 + 2 + ... + n). */
    assert_close(place_of(stage, ball).z, 100.0 - GRAVITY * dt * dt * steps * (steps + 1) / 2.0, 1e-10);
    assert_near(state_of(stage, ball).velocity, dlp__vec3(0, 0, -GRAVITY * dt * steps), 1e-12);
    body_stage_run(stage, 0.5, 0.1, DOWN); /* 40 substeps each */
    assert_near(state_of(stage, ball).velocity, dlp__vec3(0, 0, -GRAVITY * (dt * steps + 0.5)), 1e-10);
    body_stage_destroy(stage);
}

static dlp_Vec3 angular_momentum(const BodyStage *stage, int body)
{
    const dlp__BodyMass mass = dlp__bodies_mass(stage->bodies, body);
    const dlp_Vec3 w = state_of(stage, body).spin;
    const double *i = mass.inertia;
    return dlp__vec3(i[0] * w.x + i[3] * w.y + i[4] * w.z, i[3] * w.x + i[1] * w.y + i[5] * w.z,
                     i[4] * w.x + i[5] * w.y + i[2] * w.z);
}

/* A plank tumbles about its intermediate axis, which is unstable, so that its spin reverses. */
static void momentum_and_angular_momentum_are_conserved_in_flight(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    TestMesh made;
    make_box(&made, dlp__vec3(0, 0, 0), dlp__vec3(0.5, 0.25, 0.0625)); /* its reference point is a corner */
    dlp__BodyDef def = {.form = mesh_form(&made, dlp__vec3(0, 0, 0)), .density = 500.0};
    def.form.shape.rotation = dlp__rotation(dlp__vec3(0.3, -0.2, 0.5));
    const int plank = add_body(stage, &def);
    dlp__bodies_apply_impulse(stage->bodies, plank, dlp__vec3(3, 2, 1), dlp__vec3(0.02, 0.5, 0.03));
    const dlp__BodyMass mass = dlp__bodies_mass(stage->bodies, plank);
    const dlp_Vec3 velocity = dlp__bodies_velocity_at(stage->bodies, plank, mass.center);
    assert_near(velocity, dlp__scale(dlp__vec3(3, 2, 1), 1.0 / mass.mass), 1e-12);
    assert_near(angular_momentum(stage, plank), dlp__vec3(0.02, 0.5, 0.03), 1e-12);
    const double energy = dlp__dot(angular_momentum(stage, plank), state_of(stage, plank).spin); /* twice */
    body_stage_run(stage, 2.0, 1e-3, dlp__vec3(0, 0, 0));
    const dlp__BodyMass later = dlp__bodies_mass(stage->bodies, plank);
    assert_near(later.center, dlp__add(mass.center, dlp__scale(velocity, 2.0)), 1e-10);
    assert_near(dlp__bodies_velocity_at(stage->bodies, plank, later.center), velocity, 1e-10);
    assert_near(angular_momentum(stage, plank), dlp__vec3(0.02, 0.5, 0.03), 1e-10);
    assert_close(dlp__dot(angular_momentum(stage, plank), state_of(stage, plank).spin), energy, 1e-4 * energy);
    body_stage_destroy(stage);
}

static void an_impulse_acts_on_the_centre_of_mass_not_the_reference_point(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    TestMesh made;
    make_box(&made, dlp__vec3(1, 0, 0), dlp__vec3(1.5, 0.5, 0.5)); /* 125 kg, centre of mass at 1.25 0.25 0.25 */
    const int body = add_form(stage, mesh_form(&made, dlp__vec3(0, 0, 0)));
    dlp__bodies_apply_impulse(stage->bodies, body, dlp__vec3(0, 0, 0), dlp__vec3(0, 0, 125.0 / 12.0 * 0.5));
    assert_near(state_of(stage, body).spin, dlp__vec3(0, 0, 1), 1e-12);
    assert_near(dlp__bodies_velocity_at(stage->bodies, body, dlp__vec3(1.25, 0.25, 9)), dlp__vec3(0, 0, 0), 1e-12);
    assert_near(state_of(stage, body).velocity, dlp__vec3(0.25, -1.25, 0), 1e-12);
    body_stage_run(stage, 0.5, 2e-3, dlp__vec3(0, 0, 0));
    assert_near(dlp__bodies_mass(stage->bodies, body).center, dlp__vec3(1.25, 0.25, 0.25), 1e-10);
    const dlp_Vec3 corner = {-1.25 * cos(0.5) + 0.25 * sin(0.5), -1.25 * sin(0.5) - 0.25 * cos(0.5), -0.25};
    assert_near(place_of(stage, body), dlp__add(dlp__vec3(1.25, 0.25, 0.25), corner), 1e-10);
    body_stage_destroy(stage);
}

/* Like a floating body supported by the fluid; a step of 1/60 s has seven substeps. */
static void a_supported_body_stays_in_place(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    TestMesh made;
    make_box(&made, dlp__vec3(0, 0, 1), dlp__vec3(0.5, 0.5, 1.5));
    const int body = add_form(stage, mesh_form(&made, dlp__vec3(0, 0, 0)));
    const double dt = 1.0 / 60.0, mass = dlp__bodies_mass(stage->bodies, body).mass;
    for (int step = 0; step < 60; step++) {
        dlp__bodies_apply_impulse(stage->bodies, body, dlp__scale(DOWN, -mass * dt), dlp__vec3(0, 0, 0));
        body_stage_run(stage, dt, dt, DOWN);
    }
    assert_near(dlp__bodies_mass(stage->bodies, body).center, dlp__vec3(0.25, 0.25, 1.25), 1e-10);
    body_stage_destroy(stage);
}

/* Reproducibility */

enum { CROWD = 14 };

/* A heap of everything: shapes, meshes, moving obstacles, a motor. */
static BodyStage *crowd_create(const TestMesh *torus, const TestMesh *block)
{
    BodyStage *stage = body_stage_create();
    const dlp_Vec3 size = {0.08, 0.1, 0.06};
    const dlp_ShapeKind kinds[4] = {DLP_SHAPE_BOX, DLP_SHAPE_SPHERE, DLP_SHAPE_CAPSULE, DLP_SHAPE_CYLINDER};
    add_obstacle(stage, form_of(DLP_SHAPE_CONTAINER, dlp__vec3(0, 0, 1), dlp__vec3(0.5, 0.5, 2)));
    add_obstacle(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(0, 0, 0.05), dlp__vec3(0.3, 0.1, 0.1)));
    add_obstacle(stage, mesh_form(block, dlp__vec3(0.2, 0.2, 0)));
    for (int k = 0; k < CROWD; k++) {
        const int layer = k / 5;
        const dlp_Vec3 at = {0.1 * (k % 3 - 1), 0.13 * (k / 3 % 3 - 1), 0.2 + 0.12 * layer};
        dlp__BodyForm form = k % 5 == 4 ? mesh_form(torus, at) : form_of(kinds[k % 5], at, size);
        form.restitution = k % 3 == 0 ? 0.3 : 0.0;
        add_form(stage, turned(form, dlp__vec3(0.3 * k, 0.2, 0.1 * k)));
    }
    const dlp__JointSpec hinge = {.kind = DLP_JOINT_HINGE,
                                  .body = 0,
                                  .other = 1,
                                  .anchor = {0, 0, 0.2},
                                  .axis = {0, 1, 0},
                                  .motor_speed = 4.0,
                                  .motor_force = 0.1,
                                  .low = -2,
                                  .high = 2};
    add_joint(stage, &hinge);
    return stage;
}

static void crowd_run(BodyStage *stage, int steps)
{
    dlp_Error error = {0};
    for (int k = 0; k < steps; k++) {
        const double angle = 0.01 * (double)stage->step;
        const dlp__Rotation rotation = dlp__rotation(dlp__vec3(0, 0, angle));
        expect_ok(dlp__bodies_place_obstacle(stage->bodies, 1, dlp__vec3(0, 0, 0.05), &rotation, dlp__vec3(0, 0, 0),
                                             dlp__vec3(0, 0, 2), &error),
                  &error);
        body_stage_run(stage, 5e-3, 5e-3, DOWN);
    }
}

static void crowd_states(const BodyStage *stage, dlp__BodyState states[CROWD])
{
    for (int k = 0; k < CROWD; k++) {
        states[k] = state_of(stage, k);
    }
}

static void a_restored_heap_continues_bit_for_bit(void **state)
{
    (void)state;
    TestMesh torus, block;
    make_torus(&torus, 0.06, 0.02, dlp__vec3(0.02, 0, 0));
    make_box(&block, dlp__vec3(-0.1, -0.1, 0), dlp__vec3(0.05, 0.05, 0.1));
    dlp__BodyState half[CROWD], end[CROWD], again[CROWD];
    BodyStage *stage = crowd_create(&torus, &block);
    crowd_run(stage, 100);
    crowd_states(stage, half);
    const int64_t step = stage->step;
    crowd_run(stage, 150);
    crowd_states(stage, end);
    body_stage_destroy(stage);

    stage = crowd_create(&torus, &block); /* the same from the start */
    crowd_run(stage, 250);
    crowd_states(stage, again);
    assert_memory_equal(end, again, sizeof end);
    for (int pass = 0; pass < 2; pass++) { /* restore in a world with a history, then in a new one */
        dlp_Error error = {0};
        for (int k = 0; k < CROWD; k++) {
            expect_ok(dlp__bodies_set_state(stage->bodies, k, &half[k], &error), &error);
        }
        stage->step = step;
        crowd_run(stage, 150);
        crowd_states(stage, again);
        assert_memory_equal(end, again, sizeof end);
        body_stage_destroy(stage);
        stage = crowd_create(&torus, &block);
    }
    body_stage_destroy(stage);
}

typedef struct ThreadRun {
    const TestMesh *torus, *block;
    dlp__BodyState end[CROWD];
} ThreadRun;

static void *thread_main(void *context)
{
    ThreadRun *thread = context;
    for (int k = 0; k < 3; k++) { /* worlds are created and destroyed while others step */
        BodyStage *stage = crowd_create(thread->torus, thread->block);
        crowd_run(stage, 60);
        crowd_states(stage, thread->end);
        body_stage_destroy(stage);
    }
    return NULL;
}

static void worlds_in_several_threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    TestMesh torus, block;
    make_torus(&torus, 0.06, 0.02, dlp__vec3(0.02, 0, 0));
    make_box(&block, dlp__vec3(-0.1, -0.1, 0), dlp__vec3(0.05, 0.05, 0.1));
    ThreadRun alone = {.torus = &torus, .block = &block}, runs[3];
    thread_main(&alone);
    pthread_t threads[3];
    for (int k = 0; k < 3; k++) {
        runs[k] = (ThreadRun){.torus = &torus, .block = &block};
        assert_int_equal(pthread_create(&threads[k], NULL, thread_main, &runs[k]), 0);
    }
    for (int k = 0; k < 3; k++) {
        pthread_join(threads[k], NULL);
        assert_memory_equal(runs[k].end, alone.end, sizeof alone.end);
    }
}

/* Errors */

static void refused(BodyStage *stage, const dlp__BodyDef *def, const char *word)
{
    dlp_Error error = {0};
    const int count = dlp__bodies_count(stage->bodies);
    assert_int_not_equal(dlp__bodies_add(stage->bodies, def, NULL, &error), DLP_OK);
    if (strstr(error.text, word) == NULL) {
        fail_msg("'%s' does not mention '%s'", error.text, word);
    }
    assert_int_equal(dlp__bodies_count(stage->bodies), count);
}

static void invalid_bodies_are_rejected_with_a_message(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    const dlp__BodyDef good = {.form = form_of(DLP_SHAPE_BOX, dlp__vec3(0, 0, 0), dlp__vec3(1, 1, 1)),
                               .density = 1000.0};
    dlp__BodyDef def = good;
    const double densities[] = {0.0, -1.0, NAN, INFINITY, 1e12};
    for (int k = 0; k < 5; k++) {
        def.density = densities[k];
        refused(stage, &def, "density");
    }
    const double masses[] = {-1.0, NAN, INFINITY, 1e-30};
    for (int k = 0; k < 4; k++) {
        def.mass = masses[k];
        refused(stage, &def, "mass");
    }
    def = good;
    def.form.shape.half.y = 0.0;
    refused(stage, &def, "size");
    def = good;
    def.form.shape.half.y = NAN;
    refused(stage, &def, "size");
    def = good;
    def.form.shape.position.z = NAN;
    refused(stage, &def, "position");
    def = good;
    def.form.shape.rotation.y.x = INFINITY;
    refused(stage, &def, "rotation");
    def = good;
    def.form.friction = -1.0;
    refused(stage, &def, "friction");
    def = good;
    def.velocity.x = NAN;
    refused(stage, &def, "m/s");
    def = good;
    def.form.shape.kind = DLP_SHAPE_CONTAINER;
    refused(stage, &def, "container");
    body_stage_destroy(stage);
}

static void invalid_meshes_are_rejected_with_a_message(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    TestMesh made;
    const dlp_Vec3 low = {0, 0, 0}, high = {1, 1, 1};
    make_box(&made, low, high);
    dlp__BodyDef def = {.form = mesh_form(&made, low), .density = 1000.0};
    made.mesh.triangle_count = 11;
    refused(stage, &def, "closed");
    made.mesh.triangle_count = 0;
    refused(stage, &def, "triangles");
    make_box(&made, low, dlp__vec3(1, 1, 0));
    refused(stage, &def, "encloses");
    make_box(&made, low, dlp__vec3(1, 1, -1)); /* inside out */
    refused(stage, &def, "encloses");
    make_box(&made, low, high);
    made.triangle[7] = 8;
    refused(stage, &def, "vertex 8");
    make_box(&made, low, high);
    made.position[4] = NAN;
    refused(stage, &def, "vertex 1");
    body_stage_destroy(stage);
}

static void invalid_states_joints_and_steps_are_rejected_with_a_message(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    dlp_Error error = {0};
    const int body = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(0, 0, 0), dlp__vec3(1, 1, 1)));
    const dlp__BodyState good = state_of(stage, body);
    dlp__BodyState bad = good;
    bad.quaternion[1] = 1.0;
    assert_int_equal(dlp__bodies_set_state(stage->bodies, body, &bad, &error), DLP_ERROR_NOT_FINITE);
    assert_int_equal(dlp__bodies_set_state(stage->bodies, 1, &good, &error), DLP_ERROR_ARGUMENT);
    const dlp__JointSpec specs[] = {
        {.kind = DLP_JOINT_HINGE, .body = 0, .other = 0, .axis = {1, 0, 0}},
        {.kind = DLP_JOINT_HINGE, .body = 0, .other = 1, .axis = {1, 0, 0}},
        {.kind = DLP_JOINT_HINGE, .body = 0, .other = -1, .axis = {0, 0, 0}},
        {.kind = DLP_JOINT_SLIDER, .body = 0, .other = -1, .axis = {NAN, 0, 0}},
        {.kind = DLP_JOINT_SLIDER, .body = 0, .other = -1, .axis = {1, 0, 0}, .low = 1, .high = -1},
        {.kind = DLP_JOINT_HINGE, .body = 0, .other = -1, .axis = {1, 0, 0}, .motor_force = -1},
        {.kind = DLP_JOINT_BALL, .body = 0, .other = -1, .anchor = {INFINITY, 0, 0}},
        {.kind = (dlp_JointKind)7, .body = 0, .other = -1},
    };
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        assert_int_equal(dlp__bodies_add_joint(stage->bodies, &specs[k], &error), DLP_ERROR_ARGUMENT);
    }
    assert_int_equal(dlp__bodies_step(stage->bodies, 0, NAN, DOWN, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp__bodies_step(stage->bodies, 0, 0.01, dlp__vec3(0, 0, NAN), &error), DLP_ERROR_ARGUMENT);
    dlp__bodies_apply_impulse(stage->bodies, body, dlp__vec3(NAN, 0, 0), dlp__vec3(0, 0, 0));
    assert_int_equal(dlp__bodies_step(stage->bodies, 0, 0.01, DOWN, &error), DLP_ERROR_NOT_FINITE);
    expect_ok(dlp__bodies_set_state(stage->bodies, body, &good, &error), &error); /* and it works again */
    body_stage_run(stage, 0.1, 0.01, DOWN);
    body_stage_destroy(stage);
}

static void a_million_bodies_are_rejected(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    dlp_Error error = {0};
    const dlp__BodyDef def = {.form = form_of(DLP_SHAPE_SPHERE, dlp__vec3(0, 0, 0), dlp__vec3(1, 1, 1)),
                              .density = 1000.0};
    int count = 0;
    while (count < 1000000 && dlp__bodies_add(stage->bodies, &def, NULL, &error) == DLP_OK) {
        count++;
    }
    assert_int_equal(count, DLP_BODY_LIMIT);
    assert_int_equal(error.code, DLP_ERROR_ARGUMENT);
    body_stage_destroy(stage);
}

/* An allocator that fails after a number of calls. */
static void *allocate_few(void *user, size_t size, size_t alignment)
{
    int *left = user;
    return (*left)-- > 0 ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : NULL;
}

static void release_few(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

static void calls_without_memory_fail_and_leak_nothing(void **state)
{
    (void)state;
    TestMesh made;
    make_torus(&made, 0.1, 0.03, dlp__vec3(0, 0, 0));
    const dlp__BodyDef def = {.form = mesh_form(&made, dlp__vec3(0, 0, 0)), .density = 1000.0};
    bool enough = false;
    int calls = 0;
    for (; !enough && calls < 100; calls++) {
        int left = calls;
        const dlp_Allocator few = {allocate_few, release_few, &left};
        dlp__Memory memory;
        dlp__memory_init(&memory, &few);
        dlp__Bodies *bodies = NULL;
        dlp_Error error = {0};
        dlp_Result result = dlp__bodies_create(&memory, &bodies, &error);
        result = result == DLP_OK ? dlp__bodies_add(bodies, &def, NULL, &error) : result;
        result = result == DLP_OK ? dlp__bodies_add_obstacle(bodies, &def.form, NULL, &error) : result;
        result = result == DLP_OK ? dlp__bodies_step(bodies, 0, 0.001, DOWN, &error) : result;
        enough = result == DLP_OK;
        assert_true(enough || result == DLP_ERROR_MEMORY);
        dlp__bodies_destroy(bodies);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(enough && calls > 8);
}

/* ODE's hash table asserts that it can count the cells; bodies that are far away must not reach it. */
static void bodies_that_fly_away_or_explode_are_handled(void **state)
{
    (void)state;
    BodyStage *stage = body_stage_create();
    add_floor(stage);
    const dlp_Vec3 size = {0.1, 0.1, 0.1};
    const int lost = add_form(stage, form_of(DLP_SHAPE_BOX, dlp__vec3(0, 0, 0.05), size));
    dlp__BodyState far = state_of(stage, lost);
    dlp_Error error = {0};
    far.position = dlp__vec3(-9.9e5, 1e6, 1e9);
    far.velocity = dlp__vec3(-1e5, 1e4, 1e5);
    expect_ok(dlp__bodies_set_state(stage->bodies, lost, &far, &error), &error);
    for (int k = 0; k < 8; k++) { /* all at one position */
        add_form(stage, form_of(k % 2 == 0 ? DLP_SHAPE_BOX : DLP_SHAPE_CYLINDER, dlp__vec3(0, 0, 0), size));
    }
    body_stage_run(stage, 2.0, 0.01, DOWN);
    for (int k = 1; k <= 8; k++) {
        assert_true(dlp__length(place_of(stage, k)) < 3.0);
    }
    body_stage_destroy(stage);
}

int main(void)
{
    const int missing = bodies_missing();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_the_mass_and_inertia_of_their_formulas),
        cmocka_unit_test(meshes_have_the_mass_and_inertia_of_their_volume),
        cmocka_unit_test(a_body_falls_by_symplectic_euler),
        cmocka_unit_test(momentum_and_angular_momentum_are_conserved_in_flight),
        cmocka_unit_test(an_impulse_acts_on_the_centre_of_mass_not_the_reference_point),
        cmocka_unit_test(a_restored_heap_continues_bit_for_bit),
        cmocka_unit_test(worlds_in_several_threads_do_not_disturb_each_other),
        cmocka_unit_test(invalid_bodies_are_rejected_with_a_message),
        cmocka_unit_test(invalid_meshes_are_rejected_with_a_message),
        cmocka_unit_test(invalid_states_joints_and_steps_are_rejected_with_a_message),
        cmocka_unit_test(a_supported_body_stays_in_place),
        cmocka_unit_test(a_million_bodies_are_rejected),
        cmocka_unit_test(calls_without_memory_fail_and_leak_nothing),
        cmocka_unit_test(bodies_that_fly_away_or_explode_are_handled),
    };
    return missing != 0 ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
