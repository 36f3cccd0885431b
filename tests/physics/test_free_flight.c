/* ctest: timeout 600
 * A spinning blob in free flight: without forces, linear and angular momentum are conserved. */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const dlp_Vec3 SPEED = {1.0, 0.5, -0.25}; /* m/s   */
static const dlp_Vec3 SPIN = {1.0, -2.0, 4.0};   /* rad/s */

static dlp_World *make_blob(bool two_materials)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.spacing = 0.01;
    def.threads = 1;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    dlp_MaterialDef material = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    material.density = 300.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    set_material_param(world, 1, "smoothing", 0.1);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.kind = DLP_SHAPE_SPHERE;
    fluid.shape.radius = 0.08;
    fluid.velocity = SPEED;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    dlp__Particles *p = &world->domains.part[0].particles;
    for (int64_t i = 0; i < p->count; i++) {
        dlp_Vec3 x = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
        dlp_Vec3 turn = dlp__cross(SPIN, x);
        p->velocity[0][i] += (float)turn.x;
        p->velocity[1][i] += (float)turn.y;
        p->velocity[2][i] += (float)turn.z;
        p->material[0][i] = two_materials && x.x > 0.0 ? 1 : 0;
    }
    return world;
}

/* Angular momentum about the centre of mass, kg m2/s. */
static dlp_Vec3 own_angular(const dlp_WorldStats *stats)
{
    return dlp__sub(stats->angular, dlp__cross(stats->center, stats->momentum));
}

static void check_flight(bool two_materials)
{
    dlp_World *world = make_blob(two_materials);
    dlp_WorldStats before, after;
    dlp_world_stats(world, &before);
    for (int step = 0; step < (small_scale() ? 200 : 1000); step++) {
        assert_int_equal(dlp_world_step(world, 1.0 / 240.0), DLP_OK);
    }
    dlp_world_stats(world, &after);
    dlp_Vec3 spin = own_angular(&before);
    double linear = dlp__length(dlp__sub(after.momentum, before.momentum)) / dlp__length(before.momentum);
    double angular = dlp__length(dlp__sub(own_angular(&after), spin)) / dlp__length(spin);
    print_message("%lld particles: momentum off by %.2g, angular momentum by %.2g (mean compression %.3f %%)\n",
                  (long long)after.particles, linear, angular, 100.0 * after.density_error);
    assert_true(linear < 1e-6);
    assert_true(angular < 1e-3);
    dlp_world_destroy(world);
}

static void a_spinning_blob_keeps_its_momentum(void **state)
{
    (void)state;
    check_flight(false);
}

static void a_blob_of_two_materials_keeps_its_momentum(void **state)
{
    (void)state;
    check_flight(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_spinning_blob_keeps_its_momentum),
                                       cmocka_unit_test(a_blob_of_two_materials_keeps_its_momentum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
