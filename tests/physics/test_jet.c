/* ctest: timeout 300
 * Jets from a nozzle: fluid that leaves at a uniform speed must neither burst apart nor be compressed at the opening. */
#include <dollop/world.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double RADIUS = 0.035, SPEED = 2.8, SPACING = 0.015; /* m, m/s, m */

static dlp_World *make_jet(double gravity)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, -gravity};
    def.threads = 1;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.radius = RADIUS;
    nozzle.speed = SPEED;
    nozzle.direction = (dlp_Vec3){0, 0, 1};
    assert_int_equal(dlp_world_add_emitter(world, &nozzle, NULL), DLP_OK);
    for (int step = 0; step < 200; step++) {
        assert_int_equal(dlp_world_step(world, 0.00135), DLP_OK);
    }
    return world;
}

/* The largest radius (m) and the mean outward speed (m/s) of the particles in a slice of the jet. */
static void measure_slice(const dlp_World *world, double from, double to, double *radius, double *outward)
{
    dlp_ParticleView view;
    dlp_world_view(world, 0, &view);
    int64_t count = 0;
    *radius = *outward = 0.0;
    for (int64_t i = 0; i < view.count; i++) {
        double x = (double)view.position[0][i], y = (double)view.position[1][i], z = (double)view.position[2][i];
        double r = sqrt(x * x + y * y);
        if (z >= from && z < to && r > 0.0) {
            *radius = fmax(*radius, r);
            *outward += (x * (double)view.velocity[0][i] + y * (double)view.velocity[1][i]) / r;
            count++;
        }
    }
    assert_true(count > 0);
    *outward /= (double)count;
}

/* Only the artificial pressure acts on it, which spreads it by a tenth of a degree. */
static void a_jet_without_gravity_stays_a_jet(void **state)
{
    (void)state;
    dlp_World *world = make_jet(0.0);
    double radius, outward;
    measure_slice(world, 0.5, 0.6, &radius, &outward);
    assert_true(radius < 1.4 * RADIUS);
    assert_true(outward < 0.02 * SPEED);
    dlp_world_destroy(world);
}

/* Gravity slows it by g / v in a second, so it widens by half of that: r g / (2 v), 0.04 to 0.07 m/s here. */
static void a_rising_jet_widens_as_it_slows(void **state)
{
    (void)state;
    dlp_World *world = make_jet(9.81);
    double radius, outward;
    measure_slice(world, 0.05, 0.15, &radius, &outward);
    assert_true(outward > 0.03 && outward < 0.1);
    assert_true(radius < 1.2 * RADIUS);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_jet_without_gravity_stays_a_jet),
                                       cmocka_unit_test(a_rising_jet_widens_as_it_slows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
