/* Boundary particles: they are even on a mesh, leave no gaps, and have the right volume. */
#include "sph/kernel.h"
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static dlp_Samples *sample(const dlp_Mesh *mesh, double spacing, int64_t seed)
{
    dlp_SamplingDef def = dlp_default_sampling_def();
    dlp_Samples *samples = NULL;
    dlp_Error error;
    def.spacing = spacing;
    def.seed = seed;
    if (dlp_mesh_sample(mesh, &def, NULL, &samples, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return samples;
}

/* m2, from a position to the nearest of all samples but one. */
static double nearest_squared_distance(const dlp_SampleView *view, const double position[3], int64_t without)
{
    double smallest = INFINITY;
    for (int64_t n = 0; n < view->count; n++) {
        const float *p = view->position + 3 * n;
        const double x = (double)p[0] - position[0], y = (double)p[1] - position[1], z = (double)p[2] - position[2];
        smallest = n == without ? smallest : fmin(smallest, x * x + y * y + z * z);
    }
    return smallest;
}

static double corner_of(const dlp_Mesh *mesh, int64_t triangle, int k, int axis)
{
    return (double)mesh->position[3 * (int64_t)mesh->triangle[3 * triangle + k] + axis];
}

static double area_of(const dlp_Mesh *mesh)
{
    double sum = 0.0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        double u[3], v[3];
        for (int a = 0; a < 3; a++) {
            u[a] = corner_of(mesh, t, 1, a) - corner_of(mesh, t, 0, a);
            v[a] = corner_of(mesh, t, 2, a) - corner_of(mesh, t, 0, a);
        }
        const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
        sum += 0.5 * sqrt(x * x + y * y + z * z);
    }
    return sum;
}

/* m, the largest distance of random points of the surface from a sample. Points are chosen by triangle, so that small
 * triangles at edges are tested as often as large ones. */
static double largest_gap(const dlp_Mesh *mesh, const dlp_SampleView *view, int tries)
{
    uint64_t seed = 11;
    double largest = 0.0;
    for (int n = 0; n < tries; n++) {
        const int64_t t = (int64_t)(random_number(&seed) * (double)mesh->triangle_count);
        const double a = random_number(&seed), b = (1.0 - a) * random_number(&seed);
        double position[3];
        for (int axis = 0; axis < 3; axis++) {
            position[axis] = a * corner_of(mesh, t, 0, axis) + b * corner_of(mesh, t, 1, axis) +
                             (1.0 - a - b) * corner_of(mesh, t, 2, axis);
        }
        largest = fmax(largest, nearest_squared_distance(view, position, -1));
    }
    return sqrt(largest);
}

static void check_even(const char *name, const dlp_Mesh *mesh, double spacing)
{
    dlp_Samples *samples = sample(mesh, spacing, 1);
    const dlp_SampleView view = dlp_samples_view(samples);
    double sum = 0.0, squares = 0.0, smallest = INFINITY;
    for (int64_t n = 0; n < view.count; n++) {
        const float *p = view.position + 3 * n;
        const double squared_distance = nearest_squared_distance(
            &view, (double[3]){(double)p[0], (double)p[1], (double)p[2]}, n);
        sum += sqrt(squared_distance) / spacing;
        squares += squared_distance / (spacing * spacing);
        smallest = fmin(smallest, sqrt(squared_distance) / spacing);
    }
    const double count = (double)view.count, mean = sum / count, spread = sqrt(squares / count - mean * mean);
    const double hole = largest_gap(mesh, &view, small_scale() ? 2000 : 10000) / spacing;
    const double wanted = area_of(mesh) / (spacing * spacing);
    print_message("%s: %lld samples, %.3f of one for each square; next one at %.3f +- %.3f spacings, at least %.3f; "
                  "largest hole %.3f\n",
                  name, (long long)view.count, count / wanted, mean, spread, smallest, hole);
    assert_true(fabs(mean - 1.0) < 0.15 && spread < 0.15 && hole < 0.85);
    dlp_samples_destroy(samples);
}

static void check_form(dlp_MeshForm form, const char *name, double spacing)
{
    dlp_MeshDef def = dlp_default_mesh_def();
    dlp_Model *model = NULL;
    dlp_Error error;
    def.form = (int32_t)form;
    def.thickness = 0.03;
    assert_int_equal(dlp_model_create(&def, NULL, NULL, &model, &error), DLP_OK);
    check_even(name, dlp_model_mesh(model), spacing);
    dlp_model_destroy(model);
}

/* A ball of about `rows` x 2 `rows` triangles, small ones at its poles. */
static dlp_Mesh ball_mesh(double radius, int rows)
{
    static float position[3 * 65 * 129];
    static uint32_t triangle[6 * 64 * 128];
    const int around = 2 * rows;
    for (int n = 0; n < (rows + 1) * around; n++) {
        const int row = n / around;
        const double down = PI * row / rows, turn = 2.0 * PI * (n % around) / around;
        position[3 * n] = (float)(radius * sin(down) * cos(turn));
        position[3 * n + 1] = (float)(radius * sin(down) * sin(turn));
        position[3 * n + 2] = (float)(radius * cos(down));
    }
    for (int n = 0; n < rows * around; n++) {
        const uint32_t a = (uint32_t)n, b = (uint32_t)(n / around * around + (n + 1) % around), next = (uint32_t)around;
        const uint32_t corner[6] = {a, a + next, b + next, a, b + next, b};
        memcpy(triangle + 6 * n, corner, sizeof corner);
    }
    return (dlp_Mesh){.vertex_count = (rows + 1) * around,
                      .triangle_count = 2 * rows * around,
                      .position = position,
                      .triangle = triangle};
}

static void samples_are_even_and_leave_no_gap(void **state)
{
    (void)state;
    const double spacing = small_scale() ? 0.015 : 0.0075;
    check_form(DLP_FORM_TORUS, "torus", spacing);
    check_form(DLP_FORM_BOWL, "bowl", spacing);
    const dlp_Mesh ball = ball_mesh(0.1, 32);
    check_even("ball", &ball, spacing);
    const dlp_Mesh cube = box_mesh((dlp_Vec3){0.15, 0.15, 0.15});
    check_even("cube", &cube, spacing);
    const dlp_Mesh needle = box_mesh((dlp_Vec3){0.2, 0.002, 0.002}); /* thinner than a spacing: a row of points */
    dlp_Samples *samples = sample(&needle, 0.01, 1);
    const dlp_SampleView view = dlp_samples_view(samples);
    assert_true(view.count >= 18 && view.count <= 30 && largest_gap(&needle, &view, 2000) < 0.0085);
    dlp_samples_destroy(samples);
}

/* On a plane the samples are like a layer of particles: each has the volume that makes the kernel sum of the layer
 * 1. */
static void volumes_match_a_layer_of_particles(void **state)
{
    (void)state;
    const double spacing = 0.01, side = small_scale() ? 0.25 : 0.5, inner = 0.5 * side - 3.0 * spacing;
    const dlp_Mesh slab = box_mesh((dlp_Vec3){side, side, 0.1});
    dlp_Samples *samples = sample(&slab, spacing, 1), *same = sample(&slab, spacing, 1),
                *other = sample(&slab, spacing, 2);
    const dlp_SampleView view = dlp_samples_view(samples), again = dlp_samples_view(same);
    const dlp__Kernel kernel = dlp__kernel(DLP_KERNEL_CUBIC_SPLINE, 2.0 * spacing);
    double lattice = 0.0, sum = 0.0, squares = 0.0;
    for (int n = 0; n < 25; n++) {
        const int row = n / 5 - 2;
        lattice += dlp__kernel_value(&kernel, spacing * hypot(n % 5 - 2, row));
    }
    int64_t count = 0;
    for (int64_t n = 0; n < view.count; n++) {
        const float *p = view.position + 3 * n;
        if (fabs((double)p[0]) < inner && fabs((double)p[1]) < inner) {
            const double part = (double)view.volume[n] * lattice;
            assert_true(fabs(fabs((double)view.normal[3 * n + 2]) - 1.0) < 1e-6);
            sum += part;
            squares += part * part;
            count++;
        }
    }
    const double mean = sum / (double)count, spread = sqrt(squares / (double)count - mean * mean);
    print_message("volumes are %.3f +- %.3f of those of a square lattice\n", mean, spread);
    assert_true(fabs(mean - 1.0) < 0.15 && spread < 0.15);
    assert_int_equal(view.count, again.count);
    assert_memory_equal(view.position, again.position, (size_t)view.count * 3 * sizeof(float));
    assert_memory_equal(view.volume, again.volume, (size_t)view.count * sizeof(float));
    const dlp_SampleView fresh = dlp_samples_view(other);
    assert_true(fresh.count != view.count || fresh.position[0] != view.position[0]);
    dlp_samples_destroy(other);
    dlp_samples_destroy(same);
    dlp_samples_destroy(samples);
}

static void invalid_sampling_is_rejected(void **state)
{
    (void)state;
    dlp_SamplingDef def = dlp_default_sampling_def();
    dlp_Samples *samples = NULL;
    dlp_Error error;
    dlp_Mesh box = box_mesh((dlp_Vec3){100, 100, 100});
    assert_int_equal(dlp_mesh_sample(&box, &def, NULL, &samples, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "use a larger spacing"));
    def.spacing = -1.0;
    assert_int_equal(dlp_mesh_sample(&box, &def, NULL, &samples, &error), DLP_ERROR_ARGUMENT);
    def.spacing = 0.01;
    box = box_mesh((dlp_Vec3){NAN, 1, 1});
    assert_int_equal(dlp_mesh_sample(&box, &def, NULL, &samples, &error), DLP_ERROR_ARGUMENT);
    assert_null(samples);
    box = box_mesh((dlp_Vec3){0, 0, 0}); /* all in one point */
    assert_int_equal(dlp_mesh_sample(&box, &def, NULL, &samples, &error), DLP_OK);
    assert_int_equal(dlp_samples_view(samples).count, 1);
    dlp_samples_destroy(samples);
    dlp_samples_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_even_and_leave_no_gap),
                                       cmocka_unit_test(volumes_match_a_layer_of_particles),
                                       cmocka_unit_test(invalid_sampling_is_rejected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
