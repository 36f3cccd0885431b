/* Stepping through the public interface: when changes take effect, substeps, time, views, ids, and the check for NaN and infinity. */
#include "support/api_fixture.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void push_up(void *user, uint64_t id, const float position[3], float velocity[3])
{
    velocity[2] = *(float *)user * position[0] + (float)(id % 2);
}

static void pushes_reach_every_particle_once(void **state)
{
    (void)state;
    float factor = 2.0f;
    for (int parts = 1; parts <= 2; parts++) {
        dlp_World *world = full_world(parts);
        assert_int_equal(dlp_world_push(world, push_up, &factor), DLP_OK);
        for (int part = 0; part < dlp_world_part_count(world); part++) {
            dlp_ParticleView view;
            assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
            for (int64_t i = 0; i < view.count; i++) {
                float expected = 2.0f * view.position[0][i] + (float)(view.id[i] % 2);
                assert_true(fabsf(view.velocity[2][i] - expected) < 1e-6f);
            }
        }
        assert_int_equal(dlp_world_push(world, NULL, NULL), DLP_ERROR_ARGUMENT);
        assert_contains(dlp_world_error(world), "push");
        dlp_world_destroy(world);
    }
}

static void gravity_takes_effect_at_the_next_step(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    float expected[3] = {0.0f, 0.0f, 0.0f};
    for (int step = 0; step < 6; step++) {
        const float g[3] = {(float)step, -2.0f, 0.5f * (float)step};
        assert_int_equal(dlp_world_set_gravity(world, (dlp_Vec3){(double)g[0], (double)g[1], (double)g[2]}), DLP_OK);
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
        for (int a = 0; a < 3; a++) {
            assert_true(view.velocity[a][0] == expected[a]); /* not yet */
            expected[a] += (float)API_TIME_STEP * g[a];
        }
        assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_OK);
        assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
        for (int a = 0; a < 3; a++) {
            assert_true(view.velocity[a][0] == expected[a]);
        }
    }
    dlp_world_destroy(world);
}

static void a_new_density_is_visible_at_once_and_takes_effect_at_the_next_step(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    dlp_ParticleView view;
    assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    float before = view.density[0];
    dlp_MaterialDef material, back;
    assert_int_equal(dlp_world_get_material(world, 0, &material), DLP_OK);
    assert_true(before > 0.0f && (double)before < material.density); /* an isolated particle has a low density */
    material.density = 500.0;
    assert_int_equal(dlp_world_set_material(world, 0, &material), DLP_OK);
    assert_int_equal(dlp_world_get_material(world, 0, &back), DLP_OK);
    assert_true(back.density == 500.0);
    assert_true(view.density[0] == 0.5f * before);
    assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_true(fabsf(view.density[0] - 0.5f * before) <= 1e-6f * before);
    dlp_world_destroy(world);
}

static void a_rejected_call_does_not_affect_later_steps(void **state)
{
    (void)state;
    dlp_World *plain = full_world(1), *disturbed = full_world(1);
    for (int step = 0; step < 5; step++) {
        dlp_MaterialDef material = dlp_default_material_def();
        material.density = NAN;
        assert_int_equal(dlp_world_set_material(disturbed, 0, &material), DLP_ERROR_ARGUMENT);
        dlp_SolidDef solid = dlp_default_solid_def();
        solid.friction = 2.0;
        assert_int_equal(dlp_world_set_solid(disturbed, 0, &solid), DLP_ERROR_ARGUMENT);
        dlp_EmitterDef emitter = dlp_default_emitter_def();
        emitter.speed = -1.0;
        assert_int_equal(dlp_world_set_emitter(disturbed, 0, &emitter), DLP_ERROR_ARGUMENT);
        assert_int_equal(dlp_world_step(disturbed, -1.0), DLP_ERROR_ARGUMENT);
        assert_int_equal(dlp_world_step(plain, API_TIME_STEP), DLP_OK);
        assert_int_equal(dlp_world_step(disturbed, API_TIME_STEP), DLP_OK);
        assert_true(dlp_world_hash(plain) == dlp_world_hash(disturbed));
    }
    dlp_world_destroy(disturbed);
    dlp_world_destroy(plain);
}

static void time_and_steps_are_counted(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    double time = 0.0;
    for (int step = 1; step <= 10; step++) {
        double dt = 0.001 * step;
        uint64_t hash = dlp_world_hash(world);
        assert_int_equal(dlp_world_step(world, dt), DLP_OK);
        time += dt;
        assert_true(dlp_world_time(world) == time);
        assert_int_equal(dlp_world_step_count(world), step);
        assert_true(dlp_world_hash(world) != hash);
    }
    dlp_world_destroy(world);
}

/* A step that exceeds the Courant limit gives the same result as its substeps one by one. */
static void a_long_step_is_split_into_substeps(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = 0.01;
    dlp_World *both[2];
    assert_int_equal(dlp_world_create(&def, &both[0], NULL), DLP_OK);
    def.cfl = 0.5;
    assert_int_equal(dlp_world_create(&def, &both[1], NULL), DLP_OK);
    dlp_WorldStats stats;
    for (int n = 0; n < 2; n++) {
        dlp_MaterialDef material = dlp_default_material_def();
        assert_int_equal(dlp_world_add_material(both[n], &material, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_points(both[n], 0, (const float[]){0, 0, 0}, 1, (dlp_Vec3){2, 0, 0}), DLP_OK);
    }
    assert_int_equal(dlp_world_step(both[1], 0.006), DLP_OK); /* 2.06 m/s: 2.5 times the limit of half a spacing */
    dlp_world_stats(both[1], &stats);
    assert_int_equal(stats.substeps, 3);
    assert_int_equal(stats.step, 1);
    for (int n = 0; n < 3; n++) {
        assert_int_equal(dlp_world_step(both[0], 0.002), DLP_OK);
    }
    dlp_ParticleView views[2];
    assert_int_equal(dlp_world_view(both[0], 0, &views[0]), DLP_OK);
    assert_int_equal(dlp_world_view(both[1], 0, &views[1]), DLP_OK);
    for (int a = 0; a < 3; a++) {
        assert_true(views[0].position[a][0] == views[1].position[a][0]);
        assert_true(views[0].velocity[a][0] == views[1].velocity[a][0]);
    }
    dlp_world_destroy(both[0]);
    dlp_world_destroy(both[1]);
}

enum { IDS = 20000 };

/* Mark the ids of all particles, which must be unique. Returns the number of particles. */
static int64_t mark_ids(const dlp_World *world, bool seen[IDS])
{
    int64_t total = 0;
    memset(seen, 0, IDS * sizeof *seen);
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        for (int64_t i = 0; i < view.count; i++) {
            assert_true(view.id[i] < IDS);
            assert_false(seen[view.id[i]]);
            seen[view.id[i]] = true;
        }
        total += view.count;
    }
    return total;
}

static void views_point_to_the_store_and_stay_valid(void **state)
{
    (void)state;
    dlp_World *world = full_world(4);
    int64_t total = 0;
    for (int part = 0; part < 4; part++) {
        dlp_ParticleView one, two;
        assert_int_equal(dlp_world_view(world, part, &one), DLP_OK);
        dlp_world_hash(world);
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        assert_int_equal(dlp_world_view(world, part, &two), DLP_OK);
        assert_memory_equal(&one, &two, sizeof one);
        const dlp__Particles *p = &world->domains.part[part].particles;
        assert_ptr_equal(one.id, p->id[0]);
        assert_ptr_equal(one.material, p->material[0]);
        assert_ptr_equal(one.density, p->density[0]);
        assert_ptr_equal(one.pressure, p->pressure[0]);
        for (int a = 0; a < 3; a++) {
            assert_ptr_equal(one.position[a], p->position[a]);
            assert_ptr_equal(one.velocity[a], p->velocity[a]);
        }
        total += one.count;
    }
    assert_int_equal(total, dlp_world_particle_count(world));
    dlp_world_destroy(world);
}

/* A stream from an emitter into a sink below it. */
static void a_stream_from_emitter_to_sink_conserves_particles_and_ids(void **state)
{
    (void)state;
    static bool seen[IDS], gone[IDS];
    for (int parts = 1; parts <= 4; parts *= 4) {
        dlp_World *world = empty_world(parts);
        dlp_MaterialDef material = dlp_default_material_def();
        dlp_EmitterDef emitter = dlp_default_emitter_def();
        emitter.radius = 0.03;
        emitter.speed = 2.0;
        dlp_SinkDef sink = dlp_default_sink_def();
        sink.shape.position.z = -0.7;
        sink.shape.size = (dlp_Vec3){2.0, 2.0, 1.0};
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_sink(world, &sink, NULL), DLP_OK);
        memset(gone, 0, sizeof gone);
        int64_t born = 0;
        for (int step = 0; step < 100; step++) {
            assert_int_equal(dlp_world_step(world, 0.004), DLP_OK);
            dlp_WorldStats stats;
            assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
            int64_t there = mark_ids(world, seen);
            assert_int_equal(there, stats.particles);
            assert_int_equal(there, dlp_world_particle_count(world));
            assert_true(there + stats.removed >= born);
            born = there + stats.removed;
            for (int id = 0; id < IDS; id++) { /* ids are assigned consecutively and never reused */
                assert_false(seen[id] && (gone[id] || id >= born));
                gone[id] = id < born && !seen[id];
            }
        }
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        assert_true(stats.removed > 300 && stats.particles > 100);
        int64_t layers = 80; /* 0.4 s at 2 m/s over 1 cm */
        assert_int_equal(born % layers, 0);
        dlp_world_destroy(world);
    }
}

static void particle_ids_are_unique(void **state)
{
    (void)state;
    static bool seen[IDS];
    dlp_World *world = full_world(2);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position.z = 2.0;
    fluid.shape.size = (dlp_Vec3){0.1, 0.1, 0.1};
    const float points[6] = {1.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f};
    for (int round = 0; round < 4; round++) {
        int64_t before = dlp_world_particle_count(world), added = 0;
        assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
        assert_int_equal(added, 1000);
        assert_int_equal(dlp_world_add_points(world, 0, points, 2, (dlp_Vec3){0, 0, 0}), DLP_OK);
        assert_int_equal(mark_ids(world, seen), before + 1002);
        assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_OK);
        mark_ids(world, seen);
        fluid.shape.position.z += 1.0;
    }
    dlp_world_destroy(world);
}

static void statistics_are_available_right_after_adding(void **state)
{
    (void)state;
    dlp_World *world = full_world(1);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position.z = 2.0;
    int64_t before = dlp_world_particle_count(world), added = 0;
    fluid.shape.size = (dlp_Vec3){0.1, 0.1, 0.2};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
    assert_int_equal(added, 2000);
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_int_equal(stats.particles, before + added);
    assert_true(stats.neighbors >= 0.0 &&
                stats.neighbors < (double)before); /* the new particles have no neighbour lists yet */
    dlp_world_destroy(world);
}

static void a_nonfinite_value_in_the_state_stops_the_next_step(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY};
    uint64_t pick = 1;
    int tried = 0;
    for (int parts = 1; parts <= 4; parts *= 4) {
        for (int field = 1; field < DLP_FIELD_END; field++) {
            for (int c = 0; c < DLP_FIELD_MOST_COMPONENTS; c++) {
                dlp_World *world = full_world(parts);
                pick = pick * 6364136223846793005u + 1442695040888963407u;
                dlp__Particles *p = &world->domains.part[(pick >> 60) % (uint64_t)parts].particles;
                const dlp__FieldInfo *info = dlp__field_info(p, field);
                const bool searched = (info->flags & DLP_FIELD_SCRATCH) == 0;
                if (!searched || !dlp__particles_have(p, field) || c >= info->components ||
                    info->type != DLP_FIELD_TYPE_float || p->count == 0) {
                    dlp_world_destroy(world);
                    continue;
                }
                int64_t i = (int64_t)((pick >> 20) % (uint64_t)p->count);
                ((float *)dlp__field_array(p, field, c))[i] = bad[tried++ % 2];
                char particle[64], step[64];
                snprintf(particle, sizeof particle, "particle %llu ", (unsigned long long)p->id[0][i]);
                snprintf(step, sizeof step, "step %lld", (long long)dlp_world_step_count(world));
                assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_ERROR_NOT_FINITE);
                assert_contains(dlp_world_error(world), info->name);
                assert_contains(dlp_world_error(world), particle);
                assert_contains(dlp_world_error(world), step);
                assert_contains(dlp_world_error(world), "not finite");
                dlp_world_destroy(world);
            }
        }
    }
    assert_true(tried > 20);
}

static void a_nonfinite_result_is_found_at_the_end_of_the_step(void **state)
{
    (void)state;
    dlp_World *world = lone_particle();
    world->domains.part[0].particles.velocity[2][0] = FLT_MAX; /* finite, but it overflows within the step */
    world->domains.part[0].particles.position[2][0] = FLT_MAX;
    assert_int_equal(dlp_world_step(world, 1.0), DLP_ERROR_NOT_FINITE);
    assert_contains(dlp_world_error(world), "particle 0 ");
    assert_contains(dlp_world_error(world), "after step 1");
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_reach_every_particle_once),
        cmocka_unit_test(gravity_takes_effect_at_the_next_step),
        cmocka_unit_test(a_new_density_is_visible_at_once_and_takes_effect_at_the_next_step),
        cmocka_unit_test(a_rejected_call_does_not_affect_later_steps),
        cmocka_unit_test(time_and_steps_are_counted),
        cmocka_unit_test(a_long_step_is_split_into_substeps),
        cmocka_unit_test(views_point_to_the_store_and_stay_valid),
        cmocka_unit_test(a_stream_from_emitter_to_sink_conserves_particles_and_ids),
        cmocka_unit_test(particle_ids_are_unique),
        cmocka_unit_test(statistics_are_available_right_after_adding),
        cmocka_unit_test(a_nonfinite_value_in_the_state_stops_the_next_step),
        cmocka_unit_test(a_nonfinite_result_is_found_at_the_end_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
