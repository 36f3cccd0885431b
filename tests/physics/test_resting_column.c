/* ctest: slow timeout 900
 * A column of water 1 m high, left to itself: it must come to rest and stay there, with hydrostatic pressure. */
#include "support/scale.h"

#include <dollop/world.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { LAYERS = 10 };
static const double GRAVITY = 9.81, HEIGHT = 1.0;

typedef struct Column {
    double pressure[LAYERS], place[LAYERS]; /* Pa and m, sums over particles and moments */
    int64_t count[LAYERS];
    double energy; /* J, mean over moments */
} Column;

static dlp_World *make_column(double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    def.spacing = spacing;
    def.threads = 1; /* small, and other tests run beside it */
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    dlp_SolidDef box = dlp_default_solid_def();
    box.friction = 0.0;
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = (dlp_Vec3){0.3, 0.3, 2.0 * HEIGHT};
    box.shape.position = (dlp_Vec3){0.15, 0.15, HEIGHT};
    assert_int_equal(dlp_world_add_solid(world, &box, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){0.3, 0.3, HEIGHT};
    fluid.shape.position = (dlp_Vec3){0.15, 0.15, 0.5 * HEIGHT};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    return world;
}

static void add_moment(Column *column, const dlp_World *world)
{
    dlp_ParticleView view;
    dlp_world_view(world, 0, &view);
    for (int64_t i = 0; i < view.count; i++) {
        int layer = (int)((double)view.position[2][i] * LAYERS / HEIGHT);
        if (layer >= 0 && layer < LAYERS) {
            column->pressure[layer] += (double)view.pressure[i];
            column->place[layer] += (double)view.position[2][i];
            column->count[layer]++;
        }
    }
}

static void a_column_comes_to_rest_with_hydrostatic_pressure(void **state)
{
    (void)state;
    bool small = small_scale();
    dlp_World *world = make_column(small ? 0.05 : 0.025);
    Column column = {0};
    dlp_WorldStats stats;
    const int settling = 600, watching = 200; /* steps of 1/400 s */
    for (int step = 0; step < settling + watching; step++) {
        assert_int_equal(dlp_world_step(world, 1.0 / 400.0), DLP_OK);
        if (step >= settling) {
            dlp_world_stats(world, &stats);
            column.energy += stats.kinetic_energy / watching;
            add_moment(&column, world);
        }
    }
    double mass = (double)stats.particles * 1000.0 * pow(small ? 0.05 : 0.025, 3.0),
           speed = sqrt(2.0 * column.energy / mass);
    double surface = 2.0 * stats.center.z; /* m: height of the fluid */
    print_message("mean speed %.4f m/s, surface at %.4f m, compression %.3f %%\n", speed, surface,
                  100.0 * stats.density_error);
    /* At rest: below 1 % of the speed that this height would give; larger particles take longer to settle. */
    assert_true(speed < (small ? 0.02 : 0.01) * sqrt(2.0 * GRAVITY * HEIGHT));
    assert_true(fabs(surface - HEIGHT) < 0.03);
    for (int layer = 0; layer < LAYERS - 2; layer++) { /* the last two are a few particles deep only */
        double count = (double)column.count[layer], pressure = column.pressure[layer] / count;
        double theory = 1000.0 * GRAVITY * (surface - column.place[layer] / count);
        print_message("z %.3f m: %.0f Pa, theory %.0f Pa, ratio %.4f\n", column.place[layer] / count, pressure, theory,
                      pressure / theory);
        assert_true(fabs(pressure / theory - 1.0) < 0.05);
    }
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_column_comes_to_rest_with_hydrostatic_pressure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
