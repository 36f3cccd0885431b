/* Sticky plates: fluid does not climb their sides.
 * ctest: timeout 300 */
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const double SPACING = 0.005, HALF = 0.03, HEIGHT = 0.04, DEPTH = 0.04, IMMERSION = 0.01, WIDTH = 0.16; /* m */
enum { ROWS = 6 };

typedef struct Plate {
    const char *method;
    double reach; /* m; 0: one spacing */
    double most;  /* spacings that fluid may climb */
} Plate;

static void add_plate(dlp_World *world, double reach)
{
    dlp_SolidDef plate = dlp_default_solid_def();
    plate.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(world, &plate, NULL), DLP_OK); /* the floor */
    plate.stickiness = 1e3;
    plate.reach = reach;
    plate.shape.kind = DLP_SHAPE_BOX;
    plate.shape.size = (dlp_Vec3){2.0 * HALF, 1.0, HEIGHT};
    plate.shape.position.z = DEPTH - IMMERSION + 0.5 * HEIGHT;
    assert_int_equal(dlp_world_add_solid(world, &plate, NULL), DLP_OK);
}

/* A layer of fluid around the immersed part of the plate. */
static void add_bath(dlp_World *world)
{
    const int across = (int)lround(WIDTH / SPACING), layers = (int)lround(DEPTH / SPACING);
    float *points = calloc((size_t)(3 * across * layers * ROWS), sizeof *points);
    int64_t count = 0;
    assert_non_null(points);
    for (int n = 0; n < across * layers * ROWS; n++) {
        const double x = (n % across + 0.5) * SPACING - 0.5 * WIDTH, z = (n / across / ROWS + 0.5) * SPACING;
        if (fabs(x) > HALF || z < DEPTH - IMMERSION) {
            points[3 * count] = (float)x;
            points[3 * count + 1] = (float)((n / across % ROWS + 0.5) * SPACING);
            points[3 * count + 2] = (float)z;
            count++;
        }
    }
    assert_int_equal(dlp_world_add_points(world, 0, points, count, (dlp_Vec3){0, 0, 0}), DLP_OK);
    free(points);
}

/* Largest height of fluid beside the plate above the level of the bath at the start, in spacings. */
static double climbed_height(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double highest = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double x = (double)p->position[0][i], side = fabs(x - WIDTH * floor(x / WIDTH + 0.5)) - HALF;
        highest = side < 1.5 * SPACING ? fmax(highest, (double)p->position[2][i]) : highest;
    }
    return (highest - DEPTH) / SPACING;
}

/* With a reach of four spacings fluid of pbf and springs climbs by up to 1.8 spacings within a second and stays there: the
 * wall below it presses it out. A wall that attracts all fluid within its reach lets it climb by 2 to 7 spacings in 0.4 s in
 * the first four cases, and further with time. */
static void fluid_does_not_climb_the_sides_of_a_sticky_plate(void **state)
{
    static const Plate plates[] = {{"conformation", 0.0, 1.0}, {"conformation", 0.02, 2.0}, {"pbf", 0.02, 2.0},
                                   {"springs", 0.02, 2.0},     {"links", 0.02, 2.0},        {"physical", 0.0, 1.0}};
    (void)state;
    for (size_t n = 0; n < sizeof plates / sizeof plates[0]; n++) {
        dlp_WorldDef def = dlp_default_world_def();
        snprintf(def.method, sizeof def.method, "%s", plates[n].method);
        def.spacing = SPACING;
        def.threads = 1;
        def.periodic_min.x = -0.5 * WIDTH;
        def.periodic_size = (dlp_Vec3){WIDTH, ROWS * SPACING, 0.0};
        dlp_World *world = make_world(&def);
        dlp_MaterialDef honey = dlp_default_material_def();
        honey.viscosity = 10.0;
        assert_int_equal(dlp_world_add_material(world, &honey, NULL), DLP_OK);
        add_plate(world, plates[n].reach);
        add_bath(world);
        const double end = 0.4;
        while (dlp_world_time(world) < end) {
            assert_int_equal(dlp_world_advance(world, end), DLP_OK);
        }
        const double climbed = climbed_height(world);
        dlp_world_destroy(world);
        if (!(climbed < plates[n].most)) {
            fail_msg("%s, reach %g m: fluid climbed by %g spacings", plates[n].method, plates[n].reach, climbed);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluid_does_not_climb_the_sides_of_a_sticky_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
