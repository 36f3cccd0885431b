/* Nozzles and sinks: layers stay one spacing apart for any time step, start and stop times are respected, invalid
 * requests are rejected. */
#include "world/emitters.h"
#include "world/sinks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double SPACING = 0.01; /* m */

/* A world with one material and no method: particles keep their initial velocity. */
static dlp_World *world_create(void)
{
    dlp_World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    dlp__memory_init(&world->memory, NULL);
    world->def = dlp_default_world_def();
    world->def.spacing = SPACING;
    world->materials = malloc(2 * sizeof *world->materials);
    world->emitters = calloc(2, sizeof *world->emitters);
    assert_true(world->materials != NULL && world->emitters != NULL);
    for (int k = 0; k < 2; k++) {
        world->materials[k] = dlp_default_material_def();
        world->materials[k].density = 1000.0 + 500.0 * k;
    }
    world->material_count = 2;
    world->domains.memory = &world->memory;
    world->domains.count = 1;
    static const dlp__FieldId fields[] = {DLP_FIELD_id,       DLP_FIELD_material, DLP_FIELD_position,
                                          DLP_FIELD_velocity, DLP_FIELD_density,  DLP_FIELD_NONE};
    dlp__particles_init(&world->domains.part[0].particles, &world->memory, NULL, fields);
    return world;
}

static void world_destroy(dlp_World *world)
{
    dlp__particles_release(&world->domains.part[0].particles);
    for (int e = 0; e < world->emitter_count; e++) {
        dlp__emitter_release(&world->emitters[e], &world->memory);
    }
    assert_int_equal(world->memory.bytes, 0);
    free(world->emitters);
    free(world->materials);
    free(world);
}

static dlp_EmitterDef thread_along_x(void)
{
    dlp_EmitterDef def = dlp_default_emitter_def();
    def.nozzle = DLP_NOZZLE_RECTANGLE;
    def.width = def.height = SPACING; /* one particle per layer */
    def.direction = dlp__vec3(2, 0, 0);
    def.speed = 0.7;
    return def;
}

static void add_emitter(dlp_World *world, const dlp_EmitterDef *def)
{
    assert_int_equal(dlp__emitter_set(world, &world->emitters[world->emitter_count++], def), DLP_OK);
}

static int64_t count_of(const dlp_World *world)
{
    return world->domains.part[0].particles.count;
}

/* Emit, then move freely. */
static void step(dlp_World *world, double dt)
{
    assert_int_equal(dlp__emitters_run(world, dt), DLP_OK);
    dlp__Particles *particles = &world->domains.part[0].particles;
    for (int64_t i = 0; i < particles->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double moved = (double)particles->position[axis][i] + dt * (double)particles->velocity[axis][i];
            particles->position[axis][i] = (float)moved;
        }
    }
    world->time += dt;
}

static void layers_are_a_spacing_apart_for_any_time_step(void **state)
{
    (void)state;
    const double per_layer = SPACING / 0.7; /* s */
    const double steps[] = {0.013 * per_layer, 0.4 * per_layer, per_layer, 3.7 * per_layer, 50.3 * per_layer};
    for (int k = 0; k < 5; k++) {
        dlp_World *world = world_create();
        dlp_EmitterDef def = thread_along_x();
        add_emitter(world, &def);
        int count = steps[k] < per_layer ? (int)(30.0 * per_layer / steps[k]) : 5;
        for (int i = 0; i < count; i++) {
            step(world, steps[k]);
        }
        int64_t layers = (int64_t)ceil(world->time / per_layer - 1e-9);
        assert_true(llabs(count_of(world) - layers) <= (fabs(world->time / per_layer - (double)layers) < 1e-6));
        const float *x = world->domains.part[0].particles.position[0];
        for (int64_t i = 0; i < count_of(world); i++) {
            /* Rounding: positions are floats around one metre, moved once per step. */
            double left_at = (double)i * per_layer, wanted = 0.7 * (world->time - left_at);
            assert_true(fabs((double)x[i] - wanted) < 1e-7 * (count + 1));
            assert_true(i == 0 || fabs((double)(x[i - 1] - x[i]) - SPACING) < 1e-7 * (count + 1));
        }
        world_destroy(world);
    }
}

static void steps_of_changing_length_leave_no_gap(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    add_emitter(world, &def);
    for (int i = 0; i < 200; i++) {
        step(world, 0.0001 * (double)(1 + (i * i * 37) % 400));
    }
    const float *x = world->domains.part[0].particles.position[0];
    for (int64_t i = 1; i < count_of(world); i++) {
        assert_true(fabs((double)(x[i - 1] - x[i]) - SPACING) < 3e-5);
    }
    assert_true(x[count_of(world) - 1] >= 0.0f && x[count_of(world) - 1] <= 0.0101f);
    world_destroy(world);
}

/* A nozzle without a guide on a curved path: layers leave with the position and velocity that it had at that moment. */
static void a_moving_nozzle_emits_each_layer_at_its_pose_of_that_moment(void **state)
{
    (void)state;
    const dlp_PoseKey keys[] = {{0.1, {0, 0, 0}, {0, 0, 0}},
                                {0.3, {0.2, 0.1, 0}, {0, 0, 0.5}},
                                {0.4, {0.1, 0.3, 0.1}, {0.5, 0, 1}},
                                {0.6, {0, 0, 0.3}, {1, 0, 0}}};
    const double steps[] = {0.0007, 0.004, 0.031, 0.2};
    for (int k = 0; k < 4; k++) {
        dlp_World *world = world_create();
        dlp_EmitterDef def = thread_along_x();
        def.guide = 0.0;
        add_emitter(world, &def);
        dlp__Emitter *emitter = &world->emitters[0];
        assert_int_equal(dlp__pose_path_set(&emitter->path, &world->memory, keys, 4, NULL), DLP_OK);
        while (world->time < 0.7) {
            step(world, steps[k]);
        }
        const dlp__Particles *p = &world->domains.part[0].particles;
        assert_true(count_of(world) >= 49);
        for (int64_t i = 0; i < count_of(world); i++) {
            const double left_at = (double)i * SPACING / 0.7; /* s */
            const dlp__Pose pose = dlp__pose_path_at(&emitter->path, DLP_PATH_SMOOTH, left_at);
            const dlp_Vec3 velocity = dlp__add(dlp__scale(pose.rotation.x, 0.7), pose.velocity);
            const dlp_Vec3 wanted = dlp__add(pose.position, dlp__scale(velocity, world->time - left_at));
            const dlp_Vec3 is = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
            const dlp_Vec3 moving = {(double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]};
            assert_true(dlp__length(dlp__sub(moving, velocity)) < 1e-6);
            assert_true(dlp__length(dlp__sub(is, wanted)) < 1e-4); /* floats, moved a thousand times */
        }
        world_destroy(world);
    }
}

/* A wide nozzle without a guide that turns as it moves: each particle of a layer has the velocity of its own
 * position. */
static void particles_from_a_turning_nozzle_have_the_velocity_of_their_position(void **state)
{
    (void)state;
    const dlp_PoseKey keys[] = {{0.0, {0, 0, 0}, {0, 0, 0}},
                                {0.2, {0.1, 0, 0}, {0, 0, 1}},
                                {0.4, {0.1, 0.1, 0}, {0.8, 0, 1}},
                                {0.5, {0, 0.1, 0}, {0.8, 0.3, 1}}};
    enum { POINTS = 15 };
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    def.guide = 0.0;
    def.width = 5.0 * SPACING; /* along y */
    def.height = 3.0 * SPACING;
    add_emitter(world, &def);
    dlp__Emitter *emitter = &world->emitters[0];
    assert_int_equal(dlp__pose_path_set(&emitter->path, &world->memory, keys, 4, NULL), DLP_OK);
    float u[POINTS], v[POINTS];
    assert_int_equal(dlp__emitter_lattice(emitter, SPACING, u, v), POINTS);
    while (world->time < 0.5) {
        step(world, 0.011);
    }
    const dlp__Particles *p = &world->domains.part[0].particles;
    assert_true(count_of(world) >= 30 * POINTS);
    double fastest_turn = 0.0;
    for (int64_t i = 0; i < count_of(world); i++) {
        const int64_t layer = i / POINTS;
        const double left_at = (double)layer * SPACING / 0.7; /* s */
        const dlp__Pose pose = dlp__pose_path_at(&emitter->path, DLP_PATH_SMOOTH, left_at);
        const dlp_Vec3 arm = dlp__rotate(&pose.rotation, dlp__vec3(0.0, (double)u[i % POINTS], (double)v[i % POINTS]));
        const dlp_Vec3 turning = dlp__cross(pose.spin, arm);
        const dlp_Vec3 velocity = dlp__add(dlp__add(dlp__scale(pose.rotation.x, 0.7), pose.velocity), turning);
        const dlp_Vec3 wanted = dlp__add(dlp__add(pose.position, arm), dlp__scale(velocity, world->time - left_at));
        const dlp_Vec3 is = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
        const dlp_Vec3 moving = {(double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]};
        assert_true(dlp__length(dlp__sub(moving, velocity)) < 1e-6);
        assert_true(dlp__length(dlp__sub(is, wanted)) < 1e-5);
        fastest_turn = fmax(fastest_turn, dlp__length(turning));
    }
    assert_true(fastest_turn > 0.1); /* m/s: the effect is significant */
    world_destroy(world);
}

static void a_turned_nozzle_turns_its_opening_too(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    def.width = 5.0 * SPACING; /* along y, before it is turned to x */
    add_emitter(world, &def);
    const dlp_PoseKey key = {0.0, {1, 2, 3}, {0, 0, 1.57079632679489661923}};
    assert_int_equal(dlp__pose_path_set(&world->emitters[0].path, &world->memory, &key, 1, NULL), DLP_OK);
    step(world, 0.5 * SPACING / 0.7);
    const dlp__Particles *p = &world->domains.part[0].particles;
    assert_int_equal(count_of(world), 5);
    float least = 1e9f, most = -1e9f;
    for (int i = 0; i < 5; i++) {
        assert_true(fabsf(p->position[1][i] - 2.0f - 0.005f) < 1e-6f && fabsf(p->position[2][i] - 3.0f) < 1e-6f);
        assert_true(fabsf(p->velocity[0][i]) < 1e-6f && fabsf(p->velocity[1][i] - 0.7f) < 1e-6f);
        least = fminf(least, p->position[0][i]);
        most = fmaxf(most, p->position[0][i]);
    }
    assert_true(fabsf(least - 0.98f) < 1e-6f && fabsf(most - 1.02f) < 1e-6f);
    world_destroy(world);
}

static void fluid_comes_out_between_start_and_stop_only(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    def.start = 0.1;
    def.stop = 0.3;
    def.speed = 1.0;
    add_emitter(world, &def);
    for (int i = 0; i < 9; i++) {
        step(world, 0.011);
    }
    assert_int_equal(count_of(world), 0);
    while (world->time < 1.0) {
        step(world, 0.011);
    }
    assert_int_equal(count_of(world), 20); /* 0.2 s at 1 m/s: 0.2 m */
    world_destroy(world);

    world = world_create(); /* the same in one step */
    add_emitter(world, &def);
    step(world, 1.0);
    assert_int_equal(count_of(world), 20);
    const float *x = world->domains.part[0].particles.position[0];
    assert_true(fabs((double)x[0] - 0.9) < 1e-6);
    world_destroy(world);
}

static void new_particles_have_ids_material_velocity_and_density(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    add_emitter(world, &def);
    def.material = 1;
    def.direction = dlp__vec3(0, 0, -1e-200);
    def.speed = 2.0;
    add_emitter(world, &def);
    world->next_id = 1000;
    step(world, 0.1);
    const dlp__Particles *particles = &world->domains.part[0].particles;
    assert_int_equal(world->next_id, 1000 + (uint64_t)particles->count);
    int64_t second = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        bool of_second = particles->material[0][i] == 1;
        second += of_second;
        assert_int_equal(particles->id[0][i], 1000 + (uint64_t)i);
        assert_true(particles->density[0][i] == (of_second ? 1500.0f : 1000.0f));
        assert_true(particles->velocity[0][i] == (of_second ? 0.0f : 0.7f));
        assert_true(particles->velocity[2][i] == (of_second ? -2.0f : 0.0f));
    }
    assert_true(second == 20 && particles->count == 27);
    world_destroy(world);
}

static void a_disc_holds_as_many_points_as_its_area_requires(void **state)
{
    (void)state;
    dlp__Emitter emitter = {.def = dlp_default_emitter_def()};
    const double radii[] = {0.001, 0.005, 0.012, 0.033, 0.1};
    for (int k = 0; k < 5; k++) {
        emitter.def.radius = radii[k];
        int64_t count = dlp__emitter_lattice(&emitter, SPACING, NULL, NULL);
        double wanted = 3.14159265358979323846 * radii[k] * radii[k] / (SPACING * SPACING);
        assert_true(count >= 1 && fabs((double)count - wanted) <= fmax(1.0, 0.12 * wanted));
        float u[400] = {0}, v[400] = {0};
        assert_true(count <= 400 && dlp__emitter_lattice(&emitter, SPACING, u, v) == count);
        for (int64_t i = 0; i < count; i++) {
            assert_true(hypot((double)u[i], (double)v[i]) <= radii[k] + 1e-9);
            for (int64_t j = 0; j < i; j++) {
                assert_true(hypot((double)(u[i] - u[j]), (double)(v[i] - v[j])) > SPACING * (1.0 - 1e-6));
            }
        }
    }
    emitter.def.nozzle = DLP_NOZZLE_RECTANGLE;
    emitter.def.width = 0.052;
    emitter.def.height = 0.002;
    assert_int_equal(dlp__emitter_lattice(&emitter, SPACING, NULL, NULL), 5);
}

static void a_layer_lies_across_the_flow_with_its_width_level(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = dlp_default_emitter_def();
    def.nozzle = DLP_NOZZLE_RECTANGLE;
    def.width = 0.1;
    def.height = 0.02;
    def.position = dlp__vec3(1, 2, 3);
    def.direction = dlp__vec3(1, 1, -1);
    def.speed = 1.0;
    add_emitter(world, &def);
    step(world, 0.005);
    const dlp__Particles *particles = &world->domains.part[0].particles;
    assert_int_equal(particles->count, 20);
    dlp_Vec3 flow = dlp__scale(dlp__vec3(1, 1, -1), 1.0 / sqrt(3.0)), level = dlp__vec3(1, -1, 0);
    double widest = 0.0;
    for (int64_t i = 0; i < 20; i++) {
        dlp_Vec3 at = dlp__sub(dlp__vec3((double)particles->position[0][i], (double)particles->position[1][i],
                                         (double)particles->position[2][i]),
                               def.position);
        assert_true(fabs(dlp__dot(at, flow) - 0.005) < 1e-6);
        widest = fmax(widest, fabs(dlp__dot(at, level)) / sqrt(2.0));
    }
    assert_true(fabs(widest - 0.045) < 1e-6);
    world_destroy(world);
}

static void an_emitter_added_late_starts_at_the_current_time(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    world->time = 100.0;
    add_emitter(world, &def);
    step(world, SPACING / 0.7 / 2.0);
    assert_int_equal(count_of(world), 1);
    world_destroy(world);
}

static void a_change_of_speed_keeps_the_next_layer_a_spacing_behind(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    def.speed = 1.0;
    add_emitter(world, &def);
    for (int i = 0; i < 40; i++) { /* the speed is ramped up and back, as an animator would do */
        def.speed = 1.0 + 0.5 * sin(i * 0.157079632679);
        assert_int_equal(dlp__emitter_set(world, &world->emitters[0], &def), DLP_OK);
        dlp__Particles *particles = &world->domains.part[0].particles;
        for (int64_t k = 0; k < particles->count; k++) { /* a plug: all emitted particles move at the nozzle's speed */
            particles->velocity[0][k] = (float)def.speed;
        }
        step(world, 0.0037);
    }
    const float *x = world->domains.part[0].particles.position[0];
    assert_true(count_of(world) > 10);
    for (int64_t i = 1; i < count_of(world); i++) {
        assert_true(fabs((double)(x[i - 1] - x[i]) - SPACING) < 1e-5);
    }
    world_destroy(world);
}

static void a_stopped_emitter_can_be_restarted(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    def.speed = 1.0;
    def.stop = 0.1;
    add_emitter(world, &def);
    step(world, 1.0);
    assert_int_equal(count_of(world), 10);
    def.stop = 1.05;
    assert_int_equal(dlp__emitter_set(world, &world->emitters[0], &def), DLP_OK);
    step(world, 1.0);
    assert_int_equal(count_of(world), 15);
    world_destroy(world);
}

static void excessive_amounts_are_rejected_and_change_nothing(void **state)
{
    (void)state;
    dlp_World *world = world_create();
    dlp_EmitterDef def = thread_along_x();
    add_emitter(world, &def);
    def.width = def.height = 1e9;
    def.speed = 1e6;
    add_emitter(world, &def);
    assert_int_equal(dlp__emitters_run(world, 1.0), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(world->error.text, "emitter 1"));
    assert_true(count_of(world) == 0 && world->next_id == 0 && world->emitters[0].layers == 0);
    world->emitters[1].def.nozzle = DLP_NOZZLE_DISC;
    world->emitters[1].def.radius = 1e9;
    assert_int_equal(dlp__emitters_run(world, 1e-9), DLP_ERROR_ARGUMENT);
    world_destroy(world);
}

static void a_sink_removes_particles_inside_it(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    dlp_SinkDef defs[2] = {dlp_default_sink_def(), dlp_default_sink_def()};
    defs[0].shape.kind = DLP_SHAPE_SPHERE;
    defs[0].shape.radius = 0.5;
    defs[1].shape.kind = DLP_SHAPE_PLANE;
    defs[1].shape.position = dlp__vec3(0, 0, -3);
    dlp__Sinks sinks = {0};
    assert_true(dlp__sinks_place(&sinks, &memory, defs, 1, NULL));
    assert_true(dlp__sinks_take(&sinks, 0.1f, 0.2f, 0.3f));
    assert_false(dlp__sinks_take(&sinks, 0.5f, 0.5f, 0.5f));
    assert_false(dlp__sinks_take(&sinks, 0.0f, 0.0f, -4.0f));
    assert_true(dlp__sinks_place(&sinks, &memory, defs, 2, NULL));
    assert_true(dlp__sinks_take(&sinks, 0.1f, 0.2f, 0.3f));
    assert_true(dlp__sinks_take(&sinks, 0.0f, 0.0f, -4.0f));
    assert_false(dlp__sinks_take(&sinks, 0.0f, 0.0f, -2.0f));
    dlp__sinks_release(&sinks, &memory);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_a_spacing_apart_for_any_time_step),
        cmocka_unit_test(steps_of_changing_length_leave_no_gap),
        cmocka_unit_test(a_moving_nozzle_emits_each_layer_at_its_pose_of_that_moment),
        cmocka_unit_test(particles_from_a_turning_nozzle_have_the_velocity_of_their_position),
        cmocka_unit_test(a_turned_nozzle_turns_its_opening_too),
        cmocka_unit_test(fluid_comes_out_between_start_and_stop_only),
        cmocka_unit_test(new_particles_have_ids_material_velocity_and_density),
        cmocka_unit_test(a_disc_holds_as_many_points_as_its_area_requires),
        cmocka_unit_test(a_layer_lies_across_the_flow_with_its_width_level),
        cmocka_unit_test(an_emitter_added_late_starts_at_the_current_time),
        cmocka_unit_test(a_change_of_speed_keeps_the_next_layer_a_spacing_behind),
        cmocka_unit_test(a_stopped_emitter_can_be_restarted),
        cmocka_unit_test(excessive_amounts_are_rejected_and_change_nothing),
        cmocka_unit_test(a_sink_removes_particles_inside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
