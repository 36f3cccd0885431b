/* Visual quality of the surface of a pool: no ripples while it sloshes, no flicker at rest.
 * ctest: slow
 * ctest: timeout 600 */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <dollop/surface.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double D = 0.02; /* m, spacing */

enum { SIDE = 24, DEEP = 12, PROBES = 28, TERMS = 15 }; /* spacings; probes along a side; terms of the waves */

/* A square pool, filled to a depth of DEEP. */
static dlp_World *make_pool(const char *method, double viscosity, dlp_Vec3 velocity)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = D;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = viscosity;
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.friction = 0.0;
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){SIDE * D, SIDE * D, 1.0};
    tank.shape.position = (dlp_Vec3){0.0, 0.0, 0.5};
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){SIDE * D, SIDE * D, DEEP * D};
    fluid.shape.position = (dlp_Vec3){0.0, 0.0, 0.5 * DEEP * D};
    fluid.velocity = velocity;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    return world;
}

static void pass_time(dlp_World *world, double time, double dt)
{
    for (int left = (int)lround(time / dt); left > 0; left--) {
        step_or_fail(world, dt);
    }
}

/* The height (m) of the surface at a position; NaN where there is none. */
static double height_at(const dlp_Mesh *mesh, double x, double y)
{
    double height = NAN;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        double px[3], py[3], pz[3], weight[3];
        for (int c = 0; c < 3; c++) {
            const float *p = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + c];
            px[c] = (double)p[0] - x;
            py[c] = (double)p[1] - y;
            pz[c] = (double)p[2];
        }
        for (int c = 0; c < 3; c++) {
            const int n = (c + 1) % 3, m = (c + 2) % 3;
            weight[c] = px[n] * py[m] - px[m] * py[n];
        }
        const double sum = weight[0] + weight[1] + weight[2];
        if (sum > 0.0 && weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0) {
            height = fmax(isnan(height) ? -HUGE_VAL : height,
                          (weight[0] * pz[0] + weight[1] * pz[1] + weight[2] * pz[2]) / sum);
        }
    }
    return height;
}

/* Heights in the middle of the pool, away from its walls. */
static void probe(dlp_World *world, dlp_SurfaceField field, double heights[PROBES * PROBES])
{
    const dlp__Particles *p = particles_of(world);
    const dlp_Points points = {.count = p->count, .position = {p->position[0], p->position[1], p->position[2]}};
    dlp_SurfaceDef def = dlp_default_surface_def();
    def.spacing = D;
    def.field = (int32_t)field;
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh;
    assert_int_equal(dlp_surface_create(&def, &surface, NULL), DLP_OK);
    assert_int_equal(dlp_surface_build(surface, &points, &mesh, NULL), DLP_OK);
    for (int n = 0; n < PROBES * PROBES; n++) {
        const int column = n % PROBES, row = n / PROBES;
        const double x = ((column + 0.5) / PROBES - 0.5) * 0.6 * SIDE * D,
                     y = ((row + 0.5) / PROBES - 0.5) * 0.6 * SIDE * D;
        heights[n] = height_at(&mesh, x, y);
        assert_true(isfinite(heights[n]));
    }
    dlp_surface_destroy(surface);
}

/* Least squares by Gaussian elimination of the normal equations. */
static void fit(double basis[PROBES * PROBES][TERMS], const double *heights, double factor[TERMS])
{
    static double a[TERMS][TERMS + 1];
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j <= TERMS; j++) {
            a[i][j] = 0.0;
            for (int n = 0; n < PROBES * PROBES; n++) {
                a[i][j] += basis[n][i] * (j < TERMS ? basis[n][j] : heights[n]);
            }
        }
    }
    for (int i = 0; i < TERMS; i++) {
        for (int k = 0; k < TERMS; k++) {
            const double part = k == i ? 0.0 : a[k][i] / a[i][i];
            for (int j = 0; j <= TERMS; j++) {
                a[k][j] -= part * a[i][j];
            }
        }
    }
    for (int i = 0; i < TERMS; i++) {
        factor[i] = a[i][TERMS] / a[i][i];
    }
}

/* Heights (spacings, RMS) without their long waves: polynomials up to the fourth power. */
static double ripple(const double heights[PROBES * PROBES])
{
    static double basis[PROBES * PROBES][TERMS];
    double factor[TERMS], sum = 0.0;
    for (int n = 0; n < PROBES * PROBES; n++) {
        const int column = n % PROBES, row = n / PROBES;
        const double x = 2.0 * (column + 0.5) / PROBES - 1.0, y = 2.0 * (row + 0.5) / PROBES - 1.0;
        int term = 0;
        for (int i = 0; i <= 4; i++) {
            for (int j = 0; j <= 4 - i; j++) {
                basis[n][term++] = pow(x, i) * pow(y, j);
            }
        }
    }
    fit(basis, heights, factor);
    for (int n = 0; n < PROBES * PROBES; n++) {
        double rest = heights[n];
        for (int i = 0; i < TERMS; i++) {
            rest -= factor[i] * basis[n][i];
        }
        sum += rest * rest;
    }
    return sqrt(sum / (PROBES * PROBES)) / D;
}

static void a_sloshing_pool_has_no_ripple(void **state)
{
    (void)state;
    double heights[PROBES * PROBES];
    dlp_World *world = make_pool("pbf", 0.0, (dlp_Vec3){0.3, 0.2, 0.0});
    pass_time(world, 1.5, 0.004);
    probe(world, DLP_SURFACE_ANISOTROPIC, heights);
    const double smooth = ripple(heights);
    probe(world, DLP_SURFACE_ISOTROPIC, heights);
    const double plain = ripple(heights);
    print_message("ripple: %.3f spacings by ellipsoids, %.3f by balls\n", smooth, plain);
    assert_true(smooth < 0.05);
    assert_true(smooth < plain);
    dlp_world_destroy(world);
}

/* A pool of honey that has come to rest, in two frames one after the other. */
static void a_resting_pool_does_not_flicker(void **state)
{
    (void)state;
    double before[PROBES * PROBES], after[PROBES * PROBES], sum = 0.0;
    dlp_World *world = make_pool("physical", 20.0, (dlp_Vec3){0, 0, 0});
    pass_time(world, 0.5, 0.004);
    probe(world, DLP_SURFACE_ANISOTROPIC, before);
    pass_time(world, 0.04, 0.004);
    probe(world, DLP_SURFACE_ANISOTROPIC, after);
    for (int n = 0; n < PROBES * PROBES; n++) {
        sum += (after[n] - before[n]) * (after[n] - before[n]);
    }
    const double change = sqrt(sum / (PROBES * PROBES)) / D;
    print_message("change from frame to frame: %.5f spacings\n", change);
    assert_true(change < 0.005);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sloshing_pool_has_no_ripple),
                                       cmocka_unit_test(a_resting_pool_does_not_flicker)};
    if (small_scale()) {
        print_message("left out: long, and of nothing that other tests do not run under sanitizers\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
