/* Flow rate of nozzles: volume and mass rates through any opening, flow curves over time, and changes during
 * emission. Emitted volume is counted in particles of spacing^3 each. */
#include "support/scale.h"
#include "support/world_fixture.h"
#include "world/emitters.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double DENSITY = 1300.0; /* kg/m3 */

/* No gravity; particles 20 mm past the nozzle are removed, so that the world stays small. */
static dlp_World *make_flow_world(double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.threads = 1;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = DENSITY;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    dlp_SinkDef sink = dlp_default_sink_def();
    sink.shape.position.z = -0.52;
    assert_int_equal(dlp_world_add_sink(world, &sink, NULL), DLP_OK);
    assert_int_equal(add_star_mesh(world, 0.008), 0);
    return world;
}

static dlp_EmitterDef nozzle_of_kind(int kind)
{
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.nozzle = kind;
    nozzle.radius = 0.006;
    nozzle.width = 0.0113;
    nozzle.height = 0.0047;
    nozzle.mesh = 0;
    return nozzle;
}

static void add_nozzle(dlp_World *world, const dlp_EmitterDef *nozzle)
{
    if (dlp_world_add_emitter(world, nozzle, NULL) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

/* m3 emitted so far. */
static double delivered(const dlp_World *world)
{
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    const double spacing = dlp_world_def(world).spacing;
    return (double)(stats.particles + stats.removed) * spacing * spacing * spacing;
}

/* m3 of one layer of emitter 0. */
static double layer_of(const dlp_World *world)
{
    const double spacing = dlp_world_def(world).spacing;
    return (double)dlp__emitter_lattice(&world->emitters[0], spacing, NULL, NULL) * spacing * spacing * spacing;
}

static void run_until(dlp_World *world, double time, double dt)
{
    while (dlp_world_time(world) < time - 1e-9) {
        step_or_fail(world, fmin(dt, time - dlp_world_time(world)));
    }
}

static void the_given_rate_is_emitted_through_any_opening_at_any_spacing(void **state)
{
    (void)state;
    const double rate = 2e-5, time = small_scale() ? 1.0 : 2.0; /* 20 ml/s */
    for (int trial = 0; trial < 12; trial++) {
        const double spacing = trial % 2 == 0 ? 0.002 : 0.0013;
        const bool by_mass = trial / 2 % 2 == 1;
        dlp_World *world = make_flow_world(spacing);
        dlp_EmitterDef nozzle = nozzle_of_kind(trial / 4);
        nozzle.rate = by_mass ? 0.0 : rate;
        nozzle.mass_rate = by_mass ? rate * DENSITY : 0.0;
        add_nozzle(world, &nozzle);
        double volume = 0.0;
        assert_int_equal(dlp_world_emitter_volume(world, 0, 0.0, time, &volume), DLP_OK);
        assert_true(fabs(volume - rate * time) < 1e-9 * volume);
        run_until(world, time, 0.004);
        const double is = delivered(world) / time;
        print_message("nozzle %d, spacing %.1f mm, by %s: %.4g of %.4g ml/s\n", trial / 4, 1e3 * spacing,
                      by_mass ? "mass" : "volume", 1e6 * is, 1e6 * rate);
        assert_true(fabs(is - rate) < (small_scale() ? 0.02 : 0.01) * rate);
        dlp_world_destroy(world);
    }
}

/* The same integral by summing thin slices. */
static double integral(const dlp_FlowKey *keys, int count, double from, double to)
{
    enum { SLICES = 20000 };
    double sum = 0.0;
    for (int n = 0; n < SLICES; n++) {
        const double time = from + (to - from) * (n + 0.5) / SLICES;
        int k = 0;
        while (k + 1 < count && keys[k + 1].time <= time) {
            k++;
        }
        double factor = keys[k].factor;
        if (time > keys[k].time && k + 1 < count) {
            factor += (keys[k + 1].factor - factor) * (time - keys[k].time) / (keys[k + 1].time - keys[k].time);
        }
        sum += factor * (to - from) / SLICES;
    }
    return sum;
}

static const dlp_FlowKey CURVE[] = {{0.1, 0.5}, {0.2, 2.0}, {0.35, 0.0}, {0.5, 0.0}, {0.6, 1.0}, {0.61, 0.2}};
enum { KEYS = sizeof CURVE / sizeof CURVE[0] };

static void the_integral_of_a_curve_and_its_inverse_are_correct(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__FlowCurve curve = {0};
    dlp__memory_init(&memory, NULL);
    assert_true(dlp__flow_curve_between(&curve, 0.3, 0.7) == 0.7 - 0.3 && dlp__flow_curve_at(&curve, 5.0) == 1.0);
    assert_true(dlp__flow_curve_when(&curve, 0.3, 0.2) == 0.5);
    assert_int_equal(dlp__flow_curve_set(&curve, &memory, CURVE, KEYS, NULL), DLP_OK);
    const double times[] = {-1.0, 0.0, 0.1, 0.15, 0.2, 0.3, 0.35, 0.4, 0.55, 0.605, 0.61, 2.0};
    for (int a = 0; a < 12; a++) {
        for (int b = 0; b < 12; b++) {
            const double is = dlp__flow_curve_between(&curve, times[a], times[b]);
            assert_true(fabs(is - integral(CURVE, KEYS, times[a], times[b])) < 1e-5);
            if (b >= a) { /* the inverse is not unique on flat parts, but the integral up to any solution is the same */
                const double when = dlp__flow_curve_when(&curve, times[a], is);
                assert_true(when >= times[a] - 1e-12);
                assert_true(fabs(dlp__flow_curve_between(&curve, times[a], when) - is) < 1e-12);
            }
        }
    }
    assert_true(dlp__flow_curve_at(&curve, -1.0) == 0.5 && dlp__flow_curve_at(&curve, 9.0) == 0.2);
    assert_true(fabs(dlp__flow_curve_at(&curve, 0.275) - 1.0) < 1e-12);
    const dlp_FlowKey closing[] = {{0.0, 1.0}, {1.0, 0.0}};
    assert_int_equal(dlp__flow_curve_set(&curve, &memory, closing, 2, NULL), DLP_OK);
    assert_true(isinf(dlp__flow_curve_when(&curve, 0.0, 0.6)) && dlp__flow_curve_when(&curve, 0.0, 0.5) == 1.0);
    dlp__flow_curve_release(&curve, &memory);
    assert_int_equal(memory.bytes, 0);
}

static void emitted_volume_follows_the_curve_within_a_layer(void **state)
{
    (void)state;
    for (int trial = 0; trial < 6; trial++) {
        dlp_World *world = make_flow_world(0.002);
        dlp_EmitterDef nozzle = nozzle_of_kind(trial % 3);
        nozzle.rate = 2e-5;
        nozzle.guide = trial < 3 ? 3.0 : 0.0;
        nozzle.start = 0.05;
        nozzle.stop = 0.9;
        add_nozzle(world, &nozzle);
        assert_int_equal(dlp_world_set_emitter_flow(world, 0, CURVE, KEYS), DLP_OK);
        for (int n = 1; n <= 20; n++) {
            const double time = 0.05 * n;
            run_until(world, time, 0.003);
            const double wanted = 2e-5 * integral(CURVE, KEYS, 0.05, fmin(fmax(time, 0.05), 0.9));
            double reported = 0.0;
            assert_int_equal(dlp_world_emitter_volume(world, 0, 0.0, time, &reported), DLP_OK);
            assert_true(fabs(reported - wanted) < 1e-4 * wanted + 1e-12);
            assert_true(fabs(delivered(world) - wanted) <= 1.01 * layer_of(world));
        }
        dlp_world_destroy(world);
    }
}

/* A nozzle of one particle per layer: their distances while nothing else moves them. */
static void layers_stay_a_spacing_apart_in_the_guide_as_the_flow_changes(void **state)
{
    (void)state;
    dlp_World *world = make_flow_world(0.002);
    dlp_EmitterDef nozzle = nozzle_of_kind(DLP_NOZZLE_RECTANGLE);
    nozzle.width = nozzle.height = 0.002;
    nozzle.speed = 0.1;
    nozzle.guide = 8.0;
    add_nozzle(world, &nozzle);
    for (int n = 0; n < 200; n++) {
        const double now = dlp_world_time(world);
        const dlp_FlowKey other[] = {{0.0, 0.3}, {now + 0.02, 1.7}};
        if (n == 60) { /* also if the curve or the speed changes during emission */
            assert_int_equal(dlp_world_set_emitter_flow(world, 0, other, 2), DLP_OK);
        } else if (n == 120) {
            nozzle.speed = 0.2;
            assert_int_equal(dlp_world_set_emitter(world, 0, &nozzle), DLP_OK);
        } else if (n == 20) {
            assert_int_equal(dlp_world_set_emitter_flow(world, 0, CURVE, KEYS), DLP_OK);
        }
        step_or_fail(world, 0.003);
        const dlp__Particles *p = particles_of(world);
        uint64_t newest = 0;
        for (int64_t i = 0; i < p->count; i++) {
            newest = p->id[0][i] > newest ? p->id[0][i] : newest;
        }
        double first = 1.0;
        for (int64_t i = 0; i < p->count; i++) {
            first = p->id[0][i] == newest ? (double)p->position[2][i] : first;
        }
        for (int64_t i = 0; i < p->count; i++) {
            const double behind = first - 0.002 * (double)(newest - p->id[0][i]);
            assert_true((double)p->position[2][i] < -0.015 || fabs((double)p->position[2][i] - behind) < 1e-6);
        }
        assert_true(p->count == 0 || (first < 1e-6 && first > -0.0021));
    }
    assert_true(delivered(world) > 20 * 8e-9);
    dlp_world_destroy(world);
}

static void a_mass_rate_follows_the_density_of_its_material(void **state)
{
    (void)state;
    dlp_World *world = make_flow_world(0.002);
    dlp_EmitterDef nozzle = nozzle_of_kind(DLP_NOZZLE_DISC);
    nozzle.mass_rate = 0.026;
    add_nozzle(world, &nozzle);
    run_until(world, 0.5, 0.004);
    dlp_MaterialDef material;
    assert_int_equal(dlp_world_get_material(world, 0, &material), DLP_OK);
    material.density = 650.0;
    assert_int_equal(dlp_world_set_material(world, 0, &material), DLP_OK);
    run_until(world, 1.0, 0.004);
    assert_true(fabs(delivered(world) - (0.5 * 0.026 / 1300.0 + 0.5 * 0.026 / 650.0)) <= 1.01 * layer_of(world));
    dlp_world_destroy(world);
}

static void expect_refused(dlp_World *world, const dlp_EmitterDef *nozzle, const char *words)
{
    assert_int_equal(dlp_world_add_emitter(world, nozzle, NULL), DLP_ERROR_ARGUMENT);
    if (strstr(dlp_world_error(world), words) == NULL) {
        fail_msg("'%s' does not say '%s'", dlp_world_error(world), words);
    }
}

static void contradictions_are_rejected_with_a_message(void **state)
{
    (void)state;
    dlp_World *world = make_flow_world(0.002);
    dlp_EmitterDef nozzle = nozzle_of_kind(DLP_NOZZLE_DISC);
    expect_refused(world, &nozzle, "neither speed nor rate nor mass_rate");
    nozzle.speed = 1.0;
    nozzle.rate = 1e-5;
    expect_refused(world, &nozzle, "both speed and rate");
    nozzle.speed = 0.0;
    nozzle.mass_rate = 1.0;
    expect_refused(world, &nozzle, "both rate and mass_rate");
    nozzle.rate = 0.0;
    nozzle.speed = 1.0;
    expect_refused(world, &nozzle, "both speed and mass_rate");
    nozzle.mass_rate = 0.0;
    nozzle.speed = -1.0;
    expect_refused(world, &nozzle, "speed");
    nozzle.speed = 0.0;
    nozzle.rate = 1e3;
    expect_refused(world, &nozzle, "m/s");
    nozzle.rate = 1e-5;
    nozzle.nozzle = DLP_NOZZLE_MESH;
    nozzle.mesh = -1;
    expect_refused(world, &nozzle, "does not say which");
    nozzle.mesh = 7;
    expect_refused(world, &nozzle, "no mesh 7");
    nozzle.mesh = add_box_mesh(world, (dlp_Vec3){0.01, 0.01, 0.01});
    expect_refused(world, &nozzle, "not an opening");
    assert_int_equal(dlp_world_emitter_count(world), 0);
    nozzle.mesh = 0;
    add_nozzle(world, &nozzle);
    const dlp_FlowKey back[] = {{1.0, 1.0}, {0.5, 1.0}}, negative = {0.0, -1.0};
    assert_int_equal(dlp_world_set_emitter_flow(world, 0, back, 2), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "times must increase"));
    assert_int_equal(dlp_world_set_emitter_flow(world, 0, &negative, 1), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_emitter_flow(world, 0, NULL, 1), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_emitter_flow(world, 1, back, 1), DLP_ERROR_ARGUMENT);
    dlp_world_destroy(world);
}

/* A single triangle at an arbitrary pose, `turn` at `corner`: fluid leaves from its actual position. */
static void a_mesh_in_world_coordinates_emits_at_its_position(void **state)
{
    (void)state;
    const dlp_Vec3 turns[] = {
        {0, 0, 0}, {0.7, 0.2, -2.0}, {3.14159265358979323846, 0, 0}, {1.57, 0, 0}, {0, -1.0, 1.0}};
    const dlp_Vec3 corner = {0.3, -0.2, 0.1};
    for (int k = 0; k < 5; k++) {
        const dlp__Rotation turn = dlp__rotation(turns[k]);
        const dlp_Vec3 corners[3] = {corner, dlp__add(corner, dlp__scale(turn.x, 0.03)),
                                     dlp__add(corner, dlp__scale(turn.y, 0.015))};
        float position[9];
        const uint32_t triangle[3] = {0, 1, 2};
        for (int n = 0; n < 3; n++) {
            position[3 * n] = (float)corners[n].x;
            position[3 * n + 1] = (float)corners[n].y;
            position[3 * n + 2] = (float)corners[n].z;
        }
        const dlp_Mesh mesh = {.vertex_count = 3, .triangle_count = 1, .position = position, .triangle = triangle};
        dlp_World *world = make_flow_world(0.001);
        dlp_MeshDef def = dlp_default_mesh_def();
        dlp_EmitterDef nozzle = nozzle_of_kind(DLP_NOZZLE_MESH);
        def.opening = true;
        nozzle.speed = 0.1;
        nozzle.direction = turn.z;
        assert_int_equal(dlp_world_add_mesh(world, &def, &mesh, &nozzle.mesh), DLP_OK);
        add_nozzle(world, &nozzle);
        step_or_fail(world, 0.005);
        const dlp__Particles *p = particles_of(world);
        assert_true(fabs((double)p->count - 225.0) < 10.0); /* half of 30 by 15 */
        for (int64_t i = 0; i < p->count; i++) {
            const dlp_Vec3 at = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
            const dlp_Vec3 local = dlp__unrotate(&turn, dlp__sub(at, corner));
            assert_true(local.x > -1e-6 && local.y > -1e-6 && local.x / 0.03 + local.y / 0.015 < 1.0 + 1e-4);
            assert_true(fabs(local.z - 0.0005) < 1e-6);
        }
        dlp_world_destroy(world);
    }
}

/* A star is an opening and makes no shape. As a sheet it is a solid, and still an opening. */
static void an_opening_is_no_shape_unless_it_is_a_sheet(void **state)
{
    (void)state;
    dlp_World *world = make_flow_world(0.002);
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 0.0;
    dlp_FluidDef fluid = dlp_default_fluid_def();
    dlp_SinkDef sink = dlp_default_sink_def();
    solid.shape.kind = fluid.shape.kind = sink.shape.kind = DLP_SHAPE_MESH;
    solid.shape.mesh = fluid.shape.mesh = sink.shape.mesh = 0;
    assert_int_equal(dlp_world_add_solid(world, &solid, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "only emitters can use it"));
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_add_sink(world, &sink, NULL), DLP_ERROR_ARGUMENT);
    dlp_MeshDef def;
    dlp_Mesh star;
    assert_int_equal(dlp_world_get_mesh(world, 0, &def, &star), DLP_OK);
    def.sheet = 0.004;
    assert_int_equal(dlp_world_add_mesh(world, &def, &star, &solid.shape.mesh), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &solid, NULL), DLP_OK);
    dlp_EmitterDef nozzle = nozzle_of_kind(DLP_NOZZLE_MESH);
    nozzle.speed = 1.0;
    nozzle.mesh = solid.shape.mesh;
    add_nozzle(world, &nozzle);
    def = dlp_default_mesh_def(); /* a mesh from a file must be marked as an opening */
    assert_int_equal(dlp_world_add_mesh(world, &def, &star, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "'opening'"));
    def.opening = true;
    assert_int_equal(dlp_world_add_mesh(world, &def, &star, NULL), DLP_OK);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_given_rate_is_emitted_through_any_opening_at_any_spacing),
        cmocka_unit_test(the_integral_of_a_curve_and_its_inverse_are_correct),
        cmocka_unit_test(emitted_volume_follows_the_curve_within_a_layer),
        cmocka_unit_test(layers_stay_a_spacing_apart_in_the_guide_as_the_flow_changes),
        cmocka_unit_test(a_mass_rate_follows_the_density_of_its_material),
        cmocka_unit_test(contradictions_are_rejected_with_a_message),
        cmocka_unit_test(a_mesh_in_world_coordinates_emits_at_its_position),
        cmocka_unit_test(an_opening_is_no_shape_unless_it_is_a_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
