/* Distances from meshes: the closest point compared with all triangles, the grid with the closest point, and signs.
 * ctest: threaded */
#include "base/vector.h"
#include "geometry/distance_field.h"
#include "geometry/closest_point.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

/* A ring of radius `big` (m) with a tube of radius `small`, around the origin, its axis along z. */
static dlp_Mesh make_torus(double big, double small, int around, int across)
{
    float *position = malloc((size_t)around * (size_t)across * 3 * sizeof *position);
    uint32_t *triangle = malloc((size_t)around * (size_t)across * 6 * sizeof *triangle);
    if (position == NULL || triangle == NULL) {
        fail_msg("no memory for a torus");
        abort(); /* not reached */
    }
    for (int i = 0; i < around; i++) {
        for (int j = 0; j < across; j++) {
            const double u = 2.0 * PI * i / around, v = 2.0 * PI * j / across, r = big + small * cos(v);
            float *p = position + 3 * (i * across + j);
            p[0] = (float)(r * cos(u)), p[1] = (float)(r * sin(u)), p[2] = (float)(small * sin(v));
            const uint32_t a = (uint32_t)(i * across + j), b = (uint32_t)((i + 1) % around * across + j);
            const uint32_t c = (uint32_t)((i + 1) % around * across + (j + 1) % across);
            const uint32_t d = (uint32_t)(i * across + (j + 1) % across);
            const uint32_t corners[6] = {a, b, c, a, c, d};
            for (int k = 0; k < 6; k++) {
                triangle[6 * (i * across + j) + k] = corners[k];
            }
        }
    }
    return (dlp_Mesh){.vertex_count = (int64_t)around * across,
                      .triangle_count = 2 * (int64_t)around * across,
                      .position = position,
                      .triangle = triangle};
}

static void free_mesh(dlp_Mesh *mesh)
{
    free((void *)(uintptr_t)mesh->position);
    free((void *)(uintptr_t)mesh->triangle);
}

static dlp_Vec3 corner_of(const dlp_Mesh *mesh, int64_t t, int k)
{
    const float *p = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + k];
    return dlp__vec3((double)p[0], (double)p[1], (double)p[2]);
}

/* m, from one triangle, by recursive subdivision towards its best point: slow, and independent of the tested code. */
static double slow_distance(dlp_Vec3 a, dlp_Vec3 b, dlp_Vec3 c, dlp_Vec3 p)
{
    double u = 1.0 / 3.0, v = 1.0 / 3.0, best = INFINITY;
    double step = 0.5;
    for (int round = 0; round < 44; round++, step *= 0.7) {
        double u_best = u, v_best = v;
        for (int n = 0; n < 9; n++) {
            const int across = n % 3 - 1, along = n / 3 - 1;
            const double s = fmin(fmax(u + step * across, 0.0), 1.0);
            const double t = fmin(fmax(v + step * along, 0.0), 1.0 - s);
            const dlp_Vec3 at = dlp__add(a, dlp__add(dlp__scale(dlp__sub(b, a), s), dlp__scale(dlp__sub(c, a), t)));
            const double distance = dlp__length(dlp__sub(p, at));
            if (distance < best) {
                best = distance;
                u_best = s;
                v_best = t;
            }
        }
        u = u_best;
        v = v_best;
    }
    return best;
}

/* The signed distance from a smooth torus; that from its mesh is slightly smaller inside, larger outside. */
static double torus_distance(double big, double small, dlp_Vec3 p)
{
    const double ring = hypot(p.x, p.y) - big;
    return hypot(ring, p.z) - small;
}

static dlp_Vec3 random_point(uint64_t *seed, double size)
{
    const double x = random_number(seed) - 0.5, y = random_number(seed) - 0.5, z = random_number(seed) - 0.5;
    return dlp__vec3(size * x, size * y, size * z);
}

static void the_closest_point_matches_brute_force(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    dlp_Mesh mesh = make_torus(1.0, 0.4, 24, 12);
    dlp__ClosestPointQuery *closest = NULL;
    dlp_Error error;
    assert_int_equal(dlp__closest_point_create(&mesh, &memory, &closest, &error), DLP_OK);
    uint64_t seed = 3;
    for (int n = 0; n < 60; n++) {
        const dlp_Vec3 p = random_point(&seed, 3.5);
        double smallest = INFINITY;
        for (int64_t t = 0; t < mesh.triangle_count; t++) {
            smallest = fmin(smallest,
                            slow_distance(corner_of(&mesh, t, 0), corner_of(&mesh, t, 1), corner_of(&mesh, t, 2), p));
        }
        dlp__ClosestPoint found;
        assert_true(dlp__closest_point_find(closest, p, 100.0, DLP_CLOSEST_POINT_NO_HINT, &found));
        assert_true(fabs(fabs(found.distance) - smallest) < 1e-5);
        assert_true(fabs(dlp__length(dlp__sub(p, found.point)) - fabs(found.distance)) < 1e-12);
        assert_false(dlp__closest_point_find(closest, p, 0.99 * smallest, 7, &found));
    }
    dlp__closest_point_destroy(closest);
    assert_int_equal(memory.bytes, 0);
    free_mesh(&mesh);
}

/* 70,000 triangles on 128^3 cells, as in small worlds; 128 cells are 3.2 m here. */
static void a_torus_is_within_a_hundredth_of_a_cell(void **state)
{
    (void)state;
    const double cell = 0.025, big = 1.0, small = 0.5;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, 2, NULL);
    dlp_Mesh mesh = make_torus(big, small, 264, 132);
    dlp__DistanceField field;
    dlp_Error error;
    const double started = dlp__clock();
    const dlp__DistanceDef def = {.cell = cell, .band = 4.0 * cell};
    assert_int_equal(dlp__distance_field_make(&field, &mesh, &def, &memory, &parallel, &error), DLP_OK);
    const double seconds = dlp__clock() - started;
    dlp__ClosestPointQuery *closest = NULL;
    assert_int_equal(dlp__closest_point_create(&mesh, &memory, &closest, &error), DLP_OK);
    uint64_t seed = 5;
    double worst = 0.0, square = 0.0, worst_normal = 0.0;
    int64_t in_band = 0;
    for (int n = 0; n < 200000; n++) {
        const dlp_Vec3 p = random_point(&seed, 3.2);
        const double true_distance = torus_distance(big, small, p);
        dlp_Vec3 normal;
        const double distance = dlp__distance_field_at(&field, p, &normal);
        if (fabs(true_distance) > 2.0 * cell) {
            assert_true(distance * true_distance > 0.0); /* the sign is right everywhere */
            assert_true(fabs(distance) < fabs(true_distance) + 0.1 * cell);
        }
        if (fabs(true_distance) < 3.9 * cell) {
            dlp__ClosestPoint found;
            assert_true(dlp__closest_point_find(closest, p, 1.0, DLP_CLOSEST_POINT_NO_HINT, &found));
            in_band++;
            const double wrong = fabs(distance - found.distance) / cell;
            worst = fmax(worst, wrong);
            square += wrong * wrong;
            const dlp_Vec3 out = dlp__scale(dlp__sub(p, found.point), 1.0 / found.distance);
            worst_normal = fabs(found.distance) > 0.1 * cell ? fmax(worst_normal, dlp__length(dlp__sub(out, normal)))
                                                             : worst_normal;
        }
    }
    print_message(
        "%lld blocks in %.3f s; %lld points in the band: off by %.4f cells RMS, %.4f at most, normals by %.4f\n",
        (long long)field.fine_block_count, seconds, (long long)in_band, sqrt(square / (double)in_band), worst,
        worst_normal);
    assert_true(sqrt(square / (double)in_band) < 0.01); /* facets of the mesh are one cell wide, so it has edges */
    assert_true(worst < 0.02);
    assert_true(worst_normal < 0.06);
    dlp__closest_point_destroy(closest);
    dlp__distance_field_release(&field);
    assert_int_equal(memory.bytes, 0);
    free_mesh(&mesh);
}

static void open_meshes_are_refused_unless_they_are_sheets(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, 2, NULL);
    const float position[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const uint32_t triangle[6] = {0, 1, 2, 0, 2, 3};
    const dlp_Mesh mesh = {.vertex_count = 4, .triangle_count = 2, .position = position, .triangle = triangle};
    dlp__DistanceField field;
    dlp_Error error;
    dlp__DistanceDef def = {.cell = 0.02, .band = 0.1};
    assert_int_equal(dlp__distance_field_make(&field, &mesh, &def, &memory, &parallel, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "not closed (4 of its edges"));
    def.sheet = 0.1;
    assert_int_equal(dlp__distance_field_make(&field, &mesh, &def, &memory, &parallel, &error), DLP_OK);
    dlp_Vec3 normal;
    assert_true(fabs(dlp__distance_field_at(&field, dlp__vec3(0.5, 0.5, 0.1), &normal) - 0.05) < 1e-6);
    assert_true(fabs(normal.z - 1.0) < 1e-6);
    assert_true(fabs(dlp__distance_field_at(&field, dlp__vec3(0.5, 0.5, -0.04), &normal) + 0.01) < 1e-6);
    assert_true(fabs(normal.z + 1.0) < 1e-6);
    assert_true(dlp__distance_field_at(&field, dlp__vec3(0.5, 0.5, 0.5), &normal) > 0.1);
    assert_true(dlp__distance_field_at(&field, dlp__vec3(NAN, 0.5, 0.5), &normal) > 0.0);
    dlp__distance_field_release(&field);
    def = (dlp__DistanceDef){.cell = 1e-6, .band = 4e-6, .sheet = 1e-5};
    assert_int_equal(dlp__distance_field_make(&field, &mesh, &def, &memory, &parallel, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "too large for a grid"));
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_closest_point_matches_brute_force),
                                       cmocka_unit_test(a_torus_is_within_a_hundredth_of_a_cell),
                                       cmocka_unit_test(open_meshes_are_refused_unless_they_are_sheets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
