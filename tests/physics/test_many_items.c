/* ctest: serial full timeout 1500
 * Scenes with thousands of emitters, solids, free bodies, joints, sinks, fluids and materials: reading, building and stepping four
 * times as many takes four times as long, not sixteen. Nightly with 10,000 emitters and solids and 1,000 free bodies. */
#include "support/scale.h"
#include "support/scene_fixture.h"

#include <dollop/world.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static const double RATIO_MOST = 8.0;     /* for four times as many items; quadratic: 16; caches alone make it 6 */
static const double SECONDS_LEAST = 0.01; /* a shorter time is measured too coarsely to compare */
enum { STEPS = 3, ROUNDS = 2 };

/* One kind of item: its part of the scene, written for items on a square or cubic lattice. */
typedef struct Kind {
    const char *name;
    int count, full_count; /* the larger number of items, for every change and nightly */
    void (*write)(FILE *file, int count);
} Kind;

static int side_of(int count)
{
    return (int)ceil(sqrt((double)count));
}

/* Water above all items, one layer. */
static void write_layer(FILE *file, int count, double pitch, double height)
{
    const double width = side_of(count) * pitch;
    fprintf(file, "fluids:\n  - {material: water, shape: box, position: [%g, %g, %g], size: [%g, %g, 2 cm]}\n",
            0.5 * width, 0.5 * width, height, width, width);
}

static void write_emitters(FILE *file, int count)
{
    fputs("emitters:\n", file);
    for (int i = 0; i < count; i++) {
        fprintf(
            file,
            "  - {name: e%d, material: water, radius: 3 cm, speed: 5, position: [%g, %g, 1], direction: [0, 0, -1]}\n",
            i, 0.2 * (i % side_of(count)), 0.2 * (i / side_of(count)));
    }
}

static void write_boxes(FILE *file, int count)
{
    fputs("solids:\n", file);
    for (int i = 0; i < count; i++) {
        fprintf(file, "  - {name: s%d, shape: box, position: [%g, %g, 0], size: [5 cm, 5 cm, 5 cm]}\n", i,
                0.1 * (i % side_of(count)), 0.1 * (i / side_of(count)));
    }
    write_layer(file, count, 0.1, 0.03);
}

static void write_moving(FILE *file, int count)
{
    fputs("solids:\n", file);
    for (int i = 0; i < count; i++) {
        const double x = 0.1 * (i % side_of(count)), y = 0.1 * (i / side_of(count));
        fprintf(file,
                "  - {name: s%d, shape: sphere, radius: 3 cm, keys: [{time: 0, position: [%g, %g, 0]}, "
                "{time: 1, position: [%g, %g, 1]}]}\n",
                i, x, y, x, y);
    }
    write_layer(file, count, 0.1, 0.03);
}

/* Spheres that lie on each other and in water. */
static void write_bodies(FILE *file, int count)
{
    const int side = (int)ceil(cbrt((double)count));
    fputs("solids:\n  - {name: floor, shape: plane}\n", file);
    for (int i = 0; i < count; i++) {
        fprintf(file, "  - {name: b%d, shape: sphere, radius: 3 cm, density: 2000, position: [%g, %g, %g]}\n", i,
                0.061 * (i % side), 0.061 * (i / side % side), 0.03 + 0.06 * (i / side / side));
    }
    fprintf(file, "fluids:\n  - {material: water, shape: box, position: [%g, %g, %g], size: [%g, %g, %g]}\n",
            0.03 * side, 0.03 * side, 0.03 * side, 0.06 * side, 0.06 * side, 0.06 * side);
}

static void write_joints(FILE *file, int count)
{
    fputs("solids:\n", file);
    for (int i = 0; i < 2 * count; i++) {
        fprintf(file, "  - {name: b%d, shape: sphere, radius: 3 cm, %s, position: [%g, %g, %g]}\n", i,
                i % 2 ? "density: 800" : "friction: 0", 0.2 * (i / 2 % side_of(count)), 0.2 * (i / 2 / side_of(count)),
                i % 2 ? 0.4 : 0.5);
    }
    fputs("joints:\n", file);
    for (int i = 0; i < count; i++) {
        fprintf(file, "  - {name: j%d, kind: ball, solid: b%d, other: b%d, anchor: [%g, %g, 0.45]}\n", i, 2 * i + 1,
                2 * i, 0.2 * (i % side_of(count)), 0.2 * (i / side_of(count)));
    }
    write_layer(file, count, 0.1, 0.6);
}

static void write_sinks(FILE *file, int count)
{
    fputs("sinks:\n", file);
    for (int i = 0; i < count; i++) {
        fprintf(file, "  - {name: k%d, shape: box, position: [%g, %g, -1], size: [5 cm, 5 cm, 5 cm]}\n", i,
                0.1 * (i % side_of(count)), 0.1 * (i / side_of(count)));
    }
    write_layer(file, count, 0.1, 0.03);
}

/* As many fluids, each of its own material. */
static void write_fluids(FILE *file, int count)
{
    for (int i = 0; i < count; i++) {
        fprintf(file, "  m%d: {density: %d}\n", i, 1000 + i);
    }
    fputs("fluids:\n", file);
    for (int i = 0; i < count; i++) {
        fprintf(file, "  - {name: f%d, material: m%d, shape: box, position: [%g, %g, 0], size: [8 cm, 8 cm, 8 cm]}\n",
                i, i, 0.2 * (i % side_of(count)), 0.2 * (i / side_of(count)));
    }
}

static const Kind kinds[] = {
    {"emitters", 2000, 10000, write_emitters},    {"solids", 2000, 10000, write_boxes},
    {"moving solids", 2000, 10000, write_moving}, {"free bodies", 400, 1000, write_bodies},
    {"joints", 400, 1000, write_joints},          {"sinks", 2000, 10000, write_sinks},
    {"fluids", 1000, 1000, write_fluids},
};

/* s of CPU time, which other processes disturb least */
typedef struct Times {
    double read, build, steps;
} Times;

static double lap(clock_t *since)
{
    const clock_t now = clock();
    const double seconds = (double)(now - *since) / CLOCKS_PER_SEC;
    *since = now;
    return seconds;
}

static Times measure(const Kind *kind, int count, const char *method)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    dlp_World *world = NULL;
    dlp_Error error = {0};
    Times times;
    assert_non_null(file);
    fprintf(file, "world: {spacing: 2 cm, threads: 1}\nmethod: %s\nmaterials:\n  water: {density: 1000}\n", method);
    kind->write(file, count);
    assert_int_equal(fclose(file), 0);
    clock_t since = clock();
    dlp_Scene *scene = parse_scene(text, NULL, 0);
    times.read = lap(&since);
    if (dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    times.build = lap(&since);
    for (int step = 0; step < STEPS; step++) {
        if (dlp_world_step(world, 2e-3) != DLP_OK) {
            fail_msg("%s", dlp_world_error(world));
        }
    }
    times.steps = lap(&since);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
    free(text);
    return times;
}

static Times least(Times a, Times b)
{
    return (Times){fmin(a.read, b.read), fmin(a.build, b.build), fmin(a.steps, b.steps)};
}

static void check_ratio(const Kind *kind, const char *what, double few, double many)
{
    const double ratio = many / fmax(few, SECONDS_LEAST);
    if (ratio > RATIO_MOST) {
        fail_msg("%s: %s takes %.3f s and, for four times as many, %.3f s: %.1f times as long", kind->name, what, few,
                 many, ratio);
    }
}

static void check_kind(const Kind *kind, const char *method)
{
    const int count = full_scale() ? kind->full_count : kind->count;
    Times few = {INFINITY, INFINITY, INFINITY}, many = few;
    for (int round = 0; round < ROUNDS; round++) {
        few = least(few, measure(kind, count / 4, method));
        many = least(many, measure(kind, count, method));
    }
    printf("%s, %s: %5d: read %.3f s, build %.3f s, step %.4f s; %5d: read %.3f s, build %.3f s, step %.4f s\n", method,
           kind->name, count / 4, few.read, few.build, few.steps / STEPS, count, many.read, many.build,
           many.steps / STEPS);
    check_ratio(kind, "reading", few.read, many.read);
    check_ratio(kind, "building", few.build, many.build);
    check_ratio(kind, "stepping", few.steps, many.steps);
}

static void set_up_and_steps_are_linear_in_the_number_of_items(void **unused)
{
    (void)unused;
    SKIP_IF_SMALL();
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        check_kind(&kinds[k], "pbf");
        if (full_scale()) {
            check_kind(&kinds[k], "physical");
        }
    }
}

enum { NEAR_SOLIDS = 20, FAR_SOLIDS = 100 };

/* The state after a block has fallen onto moving solids and free bodies for some steps, with more solids far away. */
static uint64_t final_state(const char *method, int far_count)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_SolidDef solid = dlp_default_solid_def();
    dlp_FluidDef fluid = dlp_default_fluid_def();
    const dlp_MaterialDef water = dlp_default_material_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = 0.02;
    def.threads = 1;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    for (int k = 0; k < NEAR_SOLIDS + far_count; k++) {
        const bool is_far = k >= NEAR_SOLIDS;
        solid.shape.kind = k % 3 == 0 ? DLP_SHAPE_BOX : k % 3 == 1 ? DLP_SHAPE_SPHERE : DLP_SHAPE_CAPSULE;
        solid.shape.radius = 0.03;
        solid.shape.length = 0.06;
        solid.shape.size = (dlp_Vec3){0.08, 0.08, 0.04};
        solid.shape.position = (dlp_Vec3){0.09 * (k % 5), 0.09 * (k / 5 % 4), is_far ? 50.0 + k : -0.05};
        solid.velocity = (dlp_Vec3){0, 0, is_far ? 0.0 : 0.2 * (k % 2)};
        solid.density = !is_far && k % 7 == 3 ? 500.0 : 0.0;
        assert_int_equal(dlp_world_add_solid(world, &solid, NULL), DLP_OK);
    }
    fluid.shape.size = (dlp_Vec3){0.36, 0.3, 0.1};
    fluid.shape.position = (dlp_Vec3){0.18, 0.135, 0.03};
    fluid.velocity = (dlp_Vec3){0.1, 0, -1};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    for (int step = 0; step < 12; step++) {
        assert_int_equal(dlp_world_step(world, 2e-3), DLP_OK);
    }
    assert_true(dlp_world_particle_count(world) > 1000);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

/* Few solids are tested one by one, many by their tree: both give the same bits. */
static void solids_far_away_change_nothing(void **unused)
{
    (void)unused;
    for (int m = 0; m < dlp_method_count(); m++) {
        const char *method = dlp_method_name(m);
        const uint64_t alone = final_state(method, 0);
        if (final_state(method, FAR_SOLIDS) != alone) {
            fail_msg("%s: particles move differently", method);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_far_away_change_nothing),
        cmocka_unit_test(set_up_and_steps_are_linear_in_the_number_of_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
