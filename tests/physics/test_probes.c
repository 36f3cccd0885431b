/* ctest: threaded
 * What probes measure against known answers, and that samples depend neither on threads, lanes and subdomains nor on a checkpoint in
 * between. */
#include "support/api_fixture.h"
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <dollop/probe.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

static dlp_WorldDef physical_def(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = 0.01;
    def.threads = 1;
    return def;
}

static dlp_World *start_world(const dlp_WorldDef *def)
{
    dlp_World *world = make_world(def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = 1;
    must(world, dlp_world_add_material(world, &material, &(dlp_MaterialId){0}));
    return world;
}

static dlp_ProbeId add_probe(dlp_World *world, dlp_ProbeDef def)
{
    dlp_ProbeId id = 0;
    must(world, dlp_world_add_probe(world, &def, &id));
    return id;
}

static dlp_ProbeDef probe_of(int kind)
{
    dlp_ProbeDef def = dlp_default_probe_def();
    def.kind = kind;
    return def;
}

static void read_probe(dlp_World *world, dlp_ProbeId id, double *values, int count)
{
    must(world, dlp_world_read_probe(world, id, values, count));
}

/* About 50 layers leave the nozzle. */
static void the_flow_below_a_nozzle_is_its_rate(void **state)
{
    dlp_WorldDef def = physical_def();
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = start_world(&def);
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.position.z = 0.5;
    emitter.direction = (dlp_Vec3){0, 0, -1};
    emitter.radius = 0.03;
    emitter.rate = 5e-3;
    emitter.stop = 0.3;
    (void)state;
    must(world, dlp_world_add_emitter(world, &emitter, &(dlp_EmitterId){0}));
    dlp_ProbeDef flow = probe_of(DLP_PROBE_FLOW);
    flow.interval = 0.2;
    flow.shape = DLP_PROBE_DISC;
    flow.position.z = 0.4;
    flow.radius = 0.1;
    const dlp_ProbeId down = add_probe(world, flow);
    flow.direction.z = 1;
    const dlp_ProbeId up = add_probe(world, flow);
    flow.position.x = 1; /* beside the jet */
    const dlp_ProbeId aside = add_probe(world, flow);
    flow.position.x = 0;
    flow.shape = DLP_PROBE_RECTANGLE;
    flow.width = flow.height = 0.2;
    const dlp_ProbeId rectangle = add_probe(world, flow);
    double values[3];
    while (dlp_world_time(world) < 0.4 - 1e-9) {
        must(world, dlp_world_step(world, 0.004));
    }
    read_probe(world, down, values, 3);
    assert_true(fabs(values[2] / 15e-4 - 1) < 0.04); /* all that was emitted, to a layer */
    read_probe(world, up, values, 3);
    assert_true(fabs(values[2] / -15e-4 - 1) < 0.04);
    read_probe(world, rectangle, values, 3);
    assert_true(fabs(values[2] / -15e-4 - 1) < 0.04);
    read_probe(world, aside, values, 3);
    assert_true(values[1] == 0 && values[2] == 0);
    assert_int_equal(dlp_world_probe_samples(world, down), 2);
    dlp_world_destroy(world);
}

static void the_fluid_in_a_region_has_its_volume_and_height(void **state)
{
    dlp_WorldDef def = physical_def();
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = start_world(&def);
    dlp_ProbeDef half = probe_of(DLP_PROBE_FLUID);
    double values[9];
    (void)state;
    add_lattice(world, 0, (const int[3]){8, 10, 6}, (dlp_Vec3){0, 0, 0});
    const dlp_ProbeId all = add_probe(world, half);
    half.shape = DLP_PROBE_BOX;
    half.position = (dlp_Vec3){0, 0, 0};
    half.box = (dlp_Vec3){0.08, 1, 1};
    const dlp_ProbeId some = add_probe(world, half);
    half.position.x = 5;
    const dlp_ProbeId none = add_probe(world, half);
    must(world, dlp_world_step(world, 1e-4));
    read_probe(world, all, values, 9);
    assert_true(fabs(values[1] - 480e-6) < 1e-12 && fabs(values[2] - 0.48) < 1e-9);
    assert_true(fabs(values[3] - 0.06) < 1e-3 && fabs(values[4]) < 1e-3 && fabs(values[5] - 0.06) < 1e-3);
    assert_true(fabs(values[6] - 0.04) < 1e-3 && fabs(values[7] - 0.05) < 1e-3 && fabs(values[8] - 0.03) < 1e-3);
    read_probe(world, some, values, 9);
    assert_true(fabs(values[1] - 240e-6) < 1e-12);
    read_probe(world, none, values, 9);
    assert_true(values[1] == 0 && isnan(values[3]) && isnan(values[6]));
    dlp_world_destroy(world);
}

static void shear(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    velocity[0] = 2.0f * position[2] + 0.1f;
}

/* A linear field is interpolated exactly, also at its edge. */
static void values_at_points_are_those_of_the_field(void **state)
{
    dlp_WorldDef def = physical_def();
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = start_world(&def);
    dlp_ProbeDef point = probe_of(DLP_PROBE_POINT);
    double values[14];
    (void)state;
    add_lattice(world, 0, (const int[3]){12, 12, 12}, (dlp_Vec3){0.005, 0.005, 0.005});
    point.position = (dlp_Vec3){0.061, 0.057, 0.0634};
    const dlp_ProbeId inside = add_probe(world, point);
    point.position.z = 0.119;
    const dlp_ProbeId edge = add_probe(world, point);
    point.position.z = 0.2;
    const dlp_ProbeId outside = add_probe(world, point);
    must(world, dlp_world_push(world, shear, NULL));
    must(world, dlp_world_step(world, 1e-5));
    read_probe(world, inside, values, 14);
    assert_true(fabs(values[1] - (2 * 0.0634 + 0.1)) < 1e-3 && fabs(values[2]) < 1e-3);
    assert_true(fabs(values[5] - 2) < 0.02);            /* shear rate */
    assert_true(fabs(values[10] - 2) < 0.02);           /* stress xz of 1 Pa.s */
    assert_true(isnan(values[12]) && values[13] > 900); /* no temperature; density */
    read_probe(world, edge, values, 14);
    assert_true(fabs(values[1] - (2 * 0.119 + 0.1)) < 5e-3);
    read_probe(world, outside, values, 14);
    assert_true(values[0] > 0 && isnan(values[1]) && isnan(values[13]));
    dlp_world_destroy(world);
}

/* Two cubes and a thread of 30 particles bent to a right angle. */
static void pieces_are_counted_and_threads_are_measured(void **state)
{
    dlp_WorldDef def = physical_def();
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = start_world(&def);
    double values[6];
    (void)state;
    add_lattice(world, 0, (const int[3]){4, 4, 4}, (dlp_Vec3){0, 0, 0});
    add_lattice(world, 0, (const int[3]){3, 3, 3}, (dlp_Vec3){0.1, 0, 0});
    add_lattice(world, 0, (const int[3]){15, 1, 1}, (dlp_Vec3){0.3, 0, 0});
    add_lattice(world, 0, (const int[3]){1, 1, 15}, (dlp_Vec3){0.3, 0, 0.01});
    const dlp_ProbeId pieces = add_probe(world, probe_of(DLP_PROBE_PIECES));
    must(world, dlp_world_step(world, 1e-6));
    read_probe(world, pieces, values, 6);
    assert_true(values[1] == 3);
    assert_true(fabs(values[2] - 64e-6) < 1e-12 && fabs(values[3] - 30e-6) < 1e-12 && fabs(values[4] - 27e-6) < 1e-12);
    assert_true(fabs(values[5] - 0.3) < 0.015); /* 29 spacings and one, less the corner that a way of 1.41 cuts */
    dlp_world_destroy(world);
}

static void energy_is_kept_in_free_fall(void **state)
{
    const dlp_WorldDef def = physical_def();
    dlp_World *world = start_world(&def);
    double first[7], last[7];
    (void)state;
    add_lattice(world, 0, (const int[3]){4, 4, 4}, (dlp_Vec3){0, 0, 0});
    const dlp_ProbeId energy = add_probe(world, probe_of(DLP_PROBE_ENERGY));
    for (int step = 0; step < 100; step++) {
        must(world, dlp_world_step(world, 0.002));
        read_probe(world, energy, step == 0 ? first : last, 7);
    }
    const double mass = 0.064;
    assert_true(fabs(last[1] / (0.5 * mass * 9.81 * 9.81 * 0.2 * 0.2) - 1) < 0.02);
    assert_true(fabs(last[4] - first[4]) < 0.02 * last[1]);
    assert_true(last[3] == 0 && fabs(last[5]) < 0.01 * last[1] && isnan(last[6]));
    dlp_world_destroy(world);
}

enum { STIRRED_PROBES = 7 };

/* A slumping block with a probe of each kind. */
static dlp_World *stirred_world(int threads, int simd, int subdomains)
{
    dlp_WorldDef def = physical_def();
    def.threads = threads;
    def.simd = simd;
    def.subdomains = subdomains;
    dlp_World *world = start_world(&def);
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 1;
    must(world, dlp_world_add_solid(world, &floor, NULL));
    add_lattice(world, 0, (const int[3]){10, 10, 12}, (dlp_Vec3){-0.05, -0.05, 0.005});
    for (int kind = 0; kind < STIRRED_PROBES; kind++) {
        dlp_ProbeDef probe = probe_of(kind);
        probe.interval = kind % 2 == 0 ? 0.013 : 0;
        probe.position.z = 0.04;
        probe.shape = kind == DLP_PROBE_FLOW ? DLP_PROBE_DISC : DLP_PROBE_EVERYWHERE;
        add_probe(world, probe);
    }
    return world;
}

static void assert_same_samples(dlp_World *a, dlp_World *b)
{
    for (int k = 0; k < STIRRED_PROBES; k++) {
        double x[200], y[200];
        const int columns = dlp_world_probe_columns(a, k);
        assert_true(columns <= 200);
        read_probe(a, k, x, columns);
        read_probe(b, k, y, columns);
        assert_int_equal(dlp_world_probe_samples(a, k), dlp_world_probe_samples(b, k));
        assert_memory_equal(x, y, (size_t)columns * sizeof *x);
    }
}

static void samples_do_not_depend_on_threads_lanes_and_subdomains(void **state)
{
    dlp_World *one = stirred_world(1, 1, 1), *many = stirred_world(3, 0, 4);
    (void)state;
    for (int step = 0; step < 20; step++) {
        must(one, dlp_world_step(one, 0.004));
        must(many, dlp_world_step(many, 0.004));
        assert_same_samples(one, many);
    }
    dlp_world_destroy(one);
    dlp_world_destroy(many);
}

static void a_loaded_world_continues_its_probes(void **state)
{
    dlp_World *world = stirred_world(1, 0, 1), *loaded = NULL;
    dlp_WorldDef host = physical_def();
    dlp_Error error;
    (void)state;
    for (int step = 0; step < 7; step++) {
        must(world, dlp_world_step(world, 0.004));
    }
    must(world, dlp_world_save(world, "probes.h5"));
    assert_int_equal(dlp_world_load("probes.h5", &host, &loaded, &error), DLP_OK);
    for (int step = 0; step < 7; step++) {
        must(world, dlp_world_step(world, 0.004));
        must(loaded, dlp_world_step(loaded, 0.004));
    }
    assert_same_samples(world, loaded);
    dlp_world_destroy(world);
    dlp_world_destroy(loaded);
}

static void what_cannot_be_measured_is_refused(void **state)
{
    const dlp_WorldDef def = physical_def();
    dlp_World *world = start_world(&def);
    dlp_ProbeDef probe = probe_of(DLP_PROBE_FORCE);
    (void)state;
    probe.solid = 0;
    assert_int_equal(dlp_world_add_probe(world, &probe, NULL), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "solid");
    probe = probe_of(DLP_PROBE_FLOW);
    assert_int_equal(dlp_world_add_probe(world, &probe, NULL), DLP_ERROR_ARGUMENT);
    assert_contains(dlp_world_error(world), "disc, rectangle or plane");
    probe = probe_of(DLP_PROBE_ENERGY);
    snprintf(probe.name, sizeof probe.name, "../escape");
    assert_int_equal(dlp_world_add_probe(world, &probe, NULL), DLP_ERROR_ARGUMENT);
    snprintf(probe.name, sizeof probe.name, "one");
    must(world, dlp_world_add_probe(world, &probe, NULL));
    snprintf(probe.name, sizeof probe.name, "ONE");
    assert_int_equal(dlp_world_add_probe(world, &probe, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_probe_count(world), 1);
    assert_int_equal(dlp_world_probe_columns(world, 3), 0);
    assert_int_equal(dlp_world_read_probe(world, -1, &(double){0}, 1), DLP_ERROR_ARGUMENT);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_flow_below_a_nozzle_is_its_rate),
        cmocka_unit_test(the_fluid_in_a_region_has_its_volume_and_height),
        cmocka_unit_test(values_at_points_are_those_of_the_field),
        cmocka_unit_test(pieces_are_counted_and_threads_are_measured),
        cmocka_unit_test(energy_is_kept_in_free_fall),
        cmocka_unit_test(samples_do_not_depend_on_threads_lanes_and_subdomains),
        cmocka_unit_test(a_loaded_world_continues_its_probes),
        cmocka_unit_test(what_cannot_be_measured_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
