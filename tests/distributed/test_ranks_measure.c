/* What is measured of a world over several ranks, and the objects of method blend, are those of one process, bit for bit: samples of all
 * kinds of probes, derived fields, connected objects. All ranks compare.
 * ctest: timeout 600 */
#include "base/hash.h"
#include "support/features.h"
#include "support/kitchen.h"
#include "support/rank_fixture.h"

#include <dollop/probe.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double SPACING = 0.025, DT = 0.004; /* m, s */

/* Fast along the periodic axis, so that many particles go to another rank in each step; faster above. */
static void push_along(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    velocity[0] = 2.0f + 5.0f * position[2];
}

static dlp_World *make_stream(const char *method, dlp_Ranks *over)
{
    const int features = FEATURE_PERIODIC | FEATURE_HEAT | FEATURE_ELASTIC | FEATURE_EMITTER | FEATURE_KEYS |
                         FEATURE_PROBES;
    dlp_WorldDef def = feature_def(method, features, SPACING);
    def.hooks.ranks = over;
    dlp_World *world = make_world(&def);
    add_features(world, features);
    assert_int_equal(dlp_world_push(world, push_along, NULL), DLP_OK);
    return world;
}

static void step_both(dlp_World *alone, dlp_World *shared)
{
    step_or_fail(alone, DT);
    step_or_fail(shared, DT);
    assert_true(dlp_world_hash(alone) == dlp_world_hash(shared));
}

/* Probes. */

static void add_probe(dlp_World *world, const dlp_ProbeDef *def)
{
    if (dlp_world_add_probe(world, def, NULL) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

/* Planes so close that particles cross one in the same step in which they go to another rank, wherever the ranks meet. */
static void add_planes(dlp_World *world)
{
    dlp_ProbeDef plane = dlp_default_probe_def();
    plane.kind = DLP_PROBE_FLOW;
    plane.shape = DLP_PROBE_PLANE;
    plane.direction = (dlp_Vec3){1.0, 0.0, 0.0};
    for (int n = 0; n < 80; n++) {
        plane.position.x = 0.005 * n;
        add_probe(world, &plane);
    }
}

/* What feature.c's probes, one of each kind, leave out: regions, openings, materials, intervals, long lines. */
static void add_more_probes(dlp_World *world)
{
    dlp_ProbeDef probe = dlp_default_probe_def();
    probe.kind = DLP_PROBE_FLUID;
    probe.shape = DLP_PROBE_BOX;
    probe.position = (dlp_Vec3){0.1, 0.0, 0.05};
    probe.box = (dlp_Vec3){0.3, 0.1, 0.1};
    add_probe(world, &probe);
    probe.shape = DLP_PROBE_SPHERE;
    probe.radius = 0.06;
    probe.material = 1;
    probe.interval = 0.013;
    add_probe(world, &probe);
    probe.kind = DLP_PROBE_PIECES;
    add_probe(world, &probe);
    probe = dlp_default_probe_def();
    probe.kind = DLP_PROBE_LINE;
    probe.position = (dlp_Vec3){0.0, 0.01, 0.05};
    probe.end = (dlp_Vec3){0.4, 0.02, 0.06};
    probe.count = 30;
    add_probe(world, &probe);
    probe = dlp_default_probe_def();
    probe.kind = DLP_PROBE_FORCE;
    probe.solid = 1;
    add_probe(world, &probe);
}

static void assert_same_samples(const dlp_World *a, const dlp_World *b)
{
    static double x[DLP_PROBE_COLUMNS_MOST], y[DLP_PROBE_COLUMNS_MOST];
    for (int k = 0; k < dlp_world_probe_count(a); k++) {
        const int columns = dlp_world_probe_columns(a, k);
        assert_int_equal(dlp_world_read_probe(a, k, x, columns), DLP_OK);
        assert_int_equal(dlp_world_read_probe(b, k, y, columns), DLP_OK);
        assert_int_equal(dlp_world_probe_samples(a, k), dlp_world_probe_samples(b, k));
        for (int c = 0; c < columns; c++) {
            if (memcmp(&x[c], &y[c], sizeof x[c]) != 0) {
                dlp_ProbeColumn column;
                dlp_ProbeDef def;
                assert_int_equal(dlp_world_probe_column(a, k, c, &column), DLP_OK);
                assert_int_equal(dlp_world_get_probe(a, k, &def), DLP_OK);
                fail_msg("probe %d of kind %d: %s is %.17g instead of %.17g", k, (int)def.kind, column.name, y[c],
                         x[c]);
            }
        }
    }
}

static void probes_take_the_same_samples(void **state)
{
    static const char *const methods[] = {"physical", "pbf", "blend"};
    (void)state;
    for (int m = 0; m < 3; m++) {
        dlp_World *alone = make_stream(methods[m], NULL), *shared = make_stream(methods[m], ranks);
        dlp_World *const worlds[] = {alone, shared};
        for (int w = 0; w < 2; w++) {
            add_planes(worlds[w]);
            add_more_probes(worlds[w]);
        }
        for (int n = 0; n < 12; n++) {
            step_both(alone, shared);
            assert_same_samples(alone, shared);
        }
        dlp_world_destroy(shared);
        dlp_world_destroy(alone);
    }
}

/* Derived fields. */

/* Of the ids and derived fields of all particles, in any order. */
static uint64_t derived_hash(const dlp_World *world, dlp_Ranks *over)
{
    int64_t sum = 0;
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        const float *const fields[] = {view.shear_rate, view.stress[0], view.stress[1], view.stress[2],
                                       view.stress[3],  view.stress[4], view.stress[5], view.viscosity};
        for (int64_t i = 0; i < view.count; i++) {
            uint64_t hash = dlp__hash_word(DLP_HASH_SEED, view.id[i]);
            for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
                hash = fields[f] != NULL ? dlp__hash_bytes(hash, &fields[f][i], sizeof(float)) : hash;
            }
            sum = (int64_t)((uint64_t)sum + dlp__hash_finish(hash));
        }
    }
    return (uint64_t)dlp__ranks_sum(over, sum);
}

static void assert_same_derived(dlp_World *alone, dlp_World *shared, int fields)
{
    assert_int_equal(dlp_world_derive(alone, fields), DLP_OK);
    assert_int_equal(dlp_world_derive(shared, fields), DLP_OK);
    assert_true(derived_hash(alone, NULL) == derived_hash(shared, ranks));
}

static void derived_fields_are_the_same(void **state)
{
    static const char *const methods[] = {"physical", "pbf"};
    (void)state;
    for (int m = 0; m < 2; m++) {
        const int fields = m == 0 ? DLP_DERIVED_SHEAR_RATE | DLP_DERIVED_STRESS | DLP_DERIVED_VISCOSITY
                                  : DLP_DERIVED_SHEAR_RATE;
        dlp_World *alone = make_stream(methods[m], NULL), *shared = make_stream(methods[m], ranks);
        assert_same_derived(alone, shared, fields); /* before particles are divided among ranks */
        for (int n = 0; n < 10; n++) {
            step_both(alone, shared);
            assert_same_derived(alone, shared, fields);
        }
        dlp_world_destroy(shared);
        dlp_world_destroy(alone);
    }
}

/* Set the first velocity component of the particle with that id, if this rank has it. */
static void set_velocity(dlp_World *world, uint64_t id, float velocity)
{
    dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        p->velocity[0][i] = p->id[0][i] == id ? velocity : p->velocity[0][i];
    }
}

/* The particle that is not finite belongs to one rank; all of them return the error, and can go on. */
static void ranks_agree_that_a_field_cannot_be_derived(void **state)
{
    dlp_World *world = make_stream("pbf", ranks);
    (void)state;
    step_or_fail(world, DT);
    set_velocity(world, 7, NAN);
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_SHEAR_RATE), DLP_ERROR_NOT_FINITE);
    set_velocity(world, 7, 1.0f);
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_SHEAR_RATE), DLP_OK);
    dlp_world_destroy(world);
}

/* Objects of method blend. */

/* Gummy, chocolate that freezes, and dough, which tear and merge: as in test_blend_bits.c. */
static dlp_World *make_kitchen(int variant, dlp_Ranks *over)
{
    dlp_MaterialDef gummy = dlp_default_material_def(), chocolate = gummy, dough = gummy;
    gummy.modulus = 300.0;
    gummy.solvent_viscosity = 0.5;
    chocolate.viscosity = 2.0;
    chocolate.melting_point = 330.0;
    chocolate.latent_heat = 5.0;
    chocolate.frozen_modulus = 500.0;
    chocolate.convection = 100.0;
    dough.modulus = variant == 0 ? 100.0 : 0.0;
    dlp_MaterialDef *const heated[] = {&gummy, &chocolate, &dough};
    for (int m = 0; m < 3; m++) {
        heated[m]->temperature = m == 1 ? 331.0 : 310.0;
        heated[m]->heat_capacity = 2.0;
        heated[m]->conductivity = 5.0;
    }
    KitchenDef kitchen = {{gummy, chocolate, dough}, 0.5, dlp_default_solid_def()};
    kitchen.ball.density = 500.0;
    dlp_WorldDef def = kitchen_world("blend", 1, 0, 1);
    def.hooks.ranks = over;
    dlp_World *world = make_world(&def);
    set_method(world, "update_interval", 0.01);
    set_method(world, "sound_speed", 4.0);
    fill_kitchen(world, &kitchen);
    set_material_param(world, 0, "tear_stretch", 1.3);
    set_material_param(world, 2, "matching_time", variant == 0 ? 0.0 : 0.02);
    set_material_param(world, 2, "alpha", variant == 0 ? 0.5 : 0.85);
    return world;
}

static void objects_tear_merge_melt_and_freeze_alike(void **state)
{
    (void)state;
    for (int variant = 0; variant < 2; variant++) {
        dlp_World *alone = make_kitchen(variant, NULL), *shared = make_kitchen(variant, ranks);
        for (int n = 0; n < 40; n++) {
            step_or_fail(alone, 0.002);
            step_or_fail(shared, 0.002);
            assert_true(dlp_world_hash(alone) == dlp_world_hash(shared));
        }
        dlp_world_destroy(shared);
        dlp_world_destroy(alone);
    }
}

/* A jelly that winds to and fro, so that it crosses the boxes of ranks many times, and free blocks between its turns. */
static dlp_World *make_winding(bool periodic, dlp_Ranks *over)
{
    enum { LONG = 24, ROWS = 7, PITCH = 6 };
    dlp_WorldDef def = dlp_default_world_def();
    dlp_MaterialDef jelly = dlp_default_material_def();
    jelly.modulus = 300.0;
    snprintf(def.method, sizeof def.method, "blend");
    def.spacing = 0.02;
    def.threads = 1;
    def.gravity = (dlp_Vec3){0.0, 0.0, 0.0};
    def.periodic_size.x = periodic ? LONG * def.spacing : 0.0;
    def.hooks.ranks = over;
    dlp_World *world = make_world(&def);
    set_method(world, "sound_speed", 4.0);
    set_method(world, "update_interval", 0.004);
    assert_int_equal(dlp_world_add_material(world, &jelly, NULL), DLP_OK);
    for (int row = 0; row < ROWS; row++) {
        const double x = 0.5 * def.spacing, y = PITCH * row * def.spacing;
        const double turn = row % 2 == 0 ? x + (LONG - 2) * def.spacing : x;
        add_lattice(world, 0, (const int[3]){periodic ? LONG - 4 : LONG, 2, 2}, (dlp_Vec3){periodic ? -x : x, y, 0.0});
        if (row < ROWS - 1) {
            add_lattice(
                world, 0, (const int[3]){2, PITCH - 2, 2},
                (dlp_Vec3){periodic ? turn - 4.0 * def.spacing * (row % 2 == 0) : turn, y + 2.0 * def.spacing, 0.0});
            add_lattice(world, 0, (const int[3]){3, 2, 2},
                        (dlp_Vec3){x + 5.0 * def.spacing, y + 2.0 * def.spacing, 0.2});
        }
    }
    return world;
}

static void an_object_across_many_boxes_has_one_number(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        dlp_World *alone = make_winding(periodic > 0, NULL), *shared = make_winding(periodic > 0, ranks);
        double most = 0.0;
        for (int n = 0; n < 5; n++) {
            step_or_fail(alone, 0.002);
            step_or_fail(shared, 0.002);
            assert_true(dlp_world_hash(alone) == dlp_world_hash(shared));
        }
        const dlp__Particles *p = particles_of(alone);
        for (int64_t i = 0; i < p->count; i++) {
            most = fmax(most, (double)p->object[0][i]);
        }
        print_message("%g objects of %lld particles\n", most, (long long)p->count);
        assert_true(most == 7.0);
        dlp_world_destroy(shared);
        dlp_world_destroy(alone);
    }
}

/* Sheared boxes. */

static void a_box_over_several_ranks_cannot_be_sheared(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.periodic_size = (dlp_Vec3){0.4, 0.4, 0.4};
    def.hooks.ranks = ranks;
    dlp_World *world = make_world(&def);
    const bool is_alone = dlp_ranks_count(ranks) == 1;
    assert_int_equal(dlp_world_set_shear(world, 1.0), is_alone ? DLP_OK : DLP_ERROR_UNSUPPORTED);
    assert_true(is_alone || strstr(dlp_world_error(world), "ranks: use one process") != NULL);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes_take_the_same_samples),
        cmocka_unit_test(derived_fields_are_the_same),
        cmocka_unit_test(ranks_agree_that_a_field_cannot_be_derived),
        cmocka_unit_test(objects_tear_merge_melt_and_freeze_alike),
        cmocka_unit_test(an_object_across_many_boxes_has_one_number),
        cmocka_unit_test(a_box_over_several_ranks_cannot_be_sheared),
    };
    return cmocka_run_group_tests(tests, start_ranks, end_ranks);
}
