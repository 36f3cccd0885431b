/* Surfaces of solids of known volume, and of random points.
 * ctest: threaded */
#include "support/scale.h"
#include "support/surface_fixture.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static double volume_error(Solid solid, int across)
{
    static const double volumes[3] = {0.523598776, 0.155450, 0.4};
    dlp_SurfaceDef def = dlp_default_surface_def();
    def.spacing = 1.0 / across;
    fill_solid(solid, across);
    dlp_Surface *surface = make_surface(&def);
    dlp_Mesh mesh = build_mesh(surface);
    double volume = dlp_mesh_volume(&mesh);
    dlp_surface_destroy(surface);
    return volume / volumes[solid] - 1.0;
}

static void volumes_converge(void **state)
{
    (void)state;
    static const char *const names[3] = {"sphere", "torus", "slab"};
    for (int solid = 0; solid < 3; solid++) {
        double coarse = volume_error(solid, 10), middle = volume_error(solid, 20), fine = volume_error(solid, 40);
        double order = 0.5 * log2(fabs(coarse / fine));
        print_message("%-6s  %+.2f %% at 10 across, %+.2f %% at 20, %+.2f %% at 40; order %.1f\n", names[solid],
                      100.0 * coarse, 100.0 * middle, 100.0 * fine, order);
        assert_true(fabs(fine) < 0.01);
        assert_true(order >= 1.0);
    }
}

/* A ball, a rotated box and a plane through them, for every other frame. */
static void random_solids(dlp_SolidDef solids[3], double spacing, bool any)
{
    static const dlp_ShapeKind kinds[3] = {DLP_SHAPE_SPHERE, DLP_SHAPE_BOX, DLP_SHAPE_PLANE};
    for (int i = 0; i < 3; i++) {
        solids[i] = dlp_default_solid_def();
        solids[i].shape = (dlp_ShapeDef){
            .kind = (int32_t)kinds[i],
            .position = {uniform(-20, 20) * spacing, uniform(-20, 20) * spacing, uniform(-20, 5) * spacing},
            .rotation = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)},
            .size = {uniform(1, 30) * spacing, uniform(1, 30) * spacing, uniform(1, 30) * spacing},
            .radius = uniform(1, 15) * spacing,
            .length = spacing};
    }
    points.solids = solids;
    points.solid_count = any ? 3 : 0;
}

static void any_points_give_a_closed_mesh(void **state)
{
    (void)state;
    const int frames = small_scale() ? 10 : 50;
    dlp_SolidDef solids[3];
    for (int frame = 0; frame < frames; frame++) {
        dlp_SurfaceDef def = dlp_default_surface_def();
        def.spacing = exp(uniform(log(1e-4), log(10.0)));
        def.field = frame % 4;
        def.cell = uniform(0.3, 1.2);
        def.radius = uniform(1.5, 3.5);
        def.smoothing = uniform(0.0, 1.0);
        def.rounds = frame % 3;
        random_points(def.spacing);
        random_solids(solids, def.spacing, frame % 2 == 1);
        dlp_Surface *surface = make_surface(&def);
        build_mesh(surface);
        dlp_surface_destroy(surface);
    }
}

static bool same_mesh(const dlp_Mesh *a, const dlp_Mesh *b)
{
    const size_t vertices = 3 * (size_t)a->vertex_count, triangles = 3 * (size_t)a->triangle_count;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->position, b->position, vertices * sizeof(float)) == 0 &&
           memcmp(a->normal, b->normal, vertices * sizeof(float)) == 0 &&
           memcmp(a->triangle, b->triangle, triangles * sizeof(uint32_t)) == 0 &&
           memcmp(a->fields[0].values, b->fields[0].values, vertices * sizeof(float)) == 0;
}

static void threads_and_widths_give_the_same_bytes(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 8, 2, 2, 2}, simd[] = {1, 1, 1, 4, 8, 16};
    dlp_Surface *oracle = NULL;
    dlp_Mesh expected = {0};
    dlp_PointField speed = {.name = "velocity", .components = 3};
    random_points(0.01);
    for (int a = 0; a < 3; a++) {
        speed.component[a] = points.position[(a + 1) % 3];
    }
    points.field_count = 1;
    points.fields = &speed;
    for (int n = 0; n < 6; n++) {
        dlp_SurfaceDef def = dlp_default_surface_def();
        def.threads = threads[n];
        def.simd = simd[n];
        dlp_Surface *surface = make_surface(&def);
        dlp_Mesh mesh = build_mesh(surface);
        if (n == 0) {
            oracle = surface;
            expected = mesh;
        } else {
            assert_true(same_mesh(&mesh, &expected));
            dlp_surface_destroy(surface);
        }
    }
    dlp_surface_destroy(oracle);
}

/* A linear field is reproduced at the vertices, and normals point out of a ball. */
static void fields_and_normals_are_interpolated_to_vertices(void **state)
{
    (void)state;
    dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_PointField field = {.name = "place", .components = 3};
    def.spacing = 1.0 / 20;
    fill_solid(SPHERE, 20);
    memcpy(field.component, points.position, sizeof points.position);
    points.field_count = 1;
    points.fields = &field;
    dlp_Surface *surface = make_surface(&def);
    dlp_Mesh mesh = build_mesh(surface);
    assert_int_equal(mesh.field_count, 1);
    assert_string_equal(mesh.fields[0].name, "place");
    double worst_turn = 1.0, worst_place = 0.0;
    for (int64_t v = 0; v < mesh.vertex_count; v++) {
        const float *p = mesh.position + 3 * v, *n = mesh.normal + 3 * v, *f = mesh.fields[0].values + 3 * v;
        double length = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])), off = 0.0;
        worst_turn = fmin(worst_turn, (double)(p[0] * n[0] + p[1] * n[1] + p[2] * n[2]) / length);
        for (int a = 0; a < 3; a++) {
            off += pow((double)f[a] - (double)p[a], 2.0);
        }
        worst_place = fmax(worst_place, sqrt(off) / def.spacing);
    }
    dlp_surface_destroy(surface);
    print_message("normals within %.1f degrees, means within %.2f spacings\n", acos(worst_turn) * 180.0 / PI,
                  worst_place);
    assert_true(worst_turn > cos(30.0 * PI / 180.0));
    assert_true(worst_place < 2.0); /* the mean of points on one side only */
}

/* The distance from a position to the nearest vertex. */
static double nearest_vertex(const dlp_Mesh *mesh, double x, double y, double z)
{
    double nearest = HUGE_VAL;
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->position + 3 * v;
        nearest = fmin(nearest, hypot(hypot((double)p[0] - x, (double)p[1] - y), (double)p[2] - z));
    }
    return nearest;
}

/* A tank half full with a ball in the middle: the surface fills the tank to within a cell of its corners, enters no
 * solid, and has the volume of the fluid. */
static void check_tank(double shift)
{
    const double d = 0.05, width = 1.0, depth = 0.5, radius = 0.18;
    dlp_SolidDef solids[2] = {dlp_default_solid_def(), dlp_default_solid_def()};
    solids[0].shape = (dlp_ShapeDef){.kind = DLP_SHAPE_CONTAINER,
                                     .position = {0.5 * width + shift, 0.5 * width + shift, 0.5 * width + shift},
                                     .size = {width, width, width},
                                     .radius = 1.0,
                                     .length = 1.0};
    solids[1].shape = (dlp_ShapeDef){.kind = DLP_SHAPE_SPHERE,
                                     .position = {0.5 * width + shift, 0.5 * width + shift, 0.5 * depth + shift},
                                     .size = {1.0, 1.0, 1.0},
                                     .radius = radius,
                                     .length = 1.0};
    no_points();
    const dlp_Vec3 ball = solids[1].shape.position;
    for (int n = 0; n < 20 * 20 * 10; n++) {
        const int layer = n / 400, row = n / 20 % 20;
        const double x = (n % 20 + 0.5) * d + shift, y = (row + 0.5) * d + shift, z = (layer + 0.5) * d + shift;
        if (hypot(hypot(x - ball.x, y - ball.y), z - ball.z) > radius + 0.4 * d) {
            add_point(x, y, z);
        }
    }
    dlp_SurfaceDef def = dlp_default_surface_def();
    def.spacing = d;
    dlp_Surface *surface = make_surface(&def);
    dlp_Mesh mesh = build_mesh(surface);
    const double round = nearest_vertex(&mesh, shift, shift, shift);
    points.solids = solids;
    points.solid_count = 2;
    mesh = build_mesh(surface);
    const double volume = width * width * depth - 4.0 / 3.0 * PI * radius * radius * radius;
    print_message("volume between solids: %+.2f %%, %.2f spacings from a corner (%.2f without)\n",
                  100.0 * (dlp_mesh_volume(&mesh) / volume - 1.0), nearest_vertex(&mesh, shift, shift, shift) / d,
                  round / d);
    assert_true(fabs(dlp_mesh_volume(&mesh) / volume - 1.0) < 0.02);
    assert_true(nearest_vertex(&mesh, shift, shift, shift) < 0.9 * round); /* within a cell, which is half a spacing */
    assert_true(nearest_vertex(&mesh, shift, 0.5, 0.25) < 0.5 * d);
    int64_t on_floor = 0;
    for (int64_t v = 0; v < mesh.vertex_count; v++) {
        const float *p = mesh.position + 3 * v;
        for (int a = 0; a < 3; a++) {
            assert_true((double)p[a] > shift - 0.03 * d && (double)p[a] < width + shift + 0.03 * d);
        }
        assert_true(hypot(hypot((double)p[0] - ball.x, (double)p[1] - ball.y), (double)p[2] - ball.z) >
                    radius - 0.03 * d);
        on_floor += fabs((double)p[2] - shift) < 0.03 * d;
    }
    assert_true((double)on_floor > 0.9 * width * width / (0.25 * d * d)); /* a vertex for each cell of the floor */
    points.solids = NULL;
    points.solid_count = 0;
    dlp_surface_destroy(surface);
}

static void a_surface_ends_at_solids(void **state)
{
    (void)state;
    check_tank(0.0137);
    check_tank(0.0); /* all walls on the grid */
}

/* Least and largest distance of the vertices of a long chain of points from its axis, away from its ends. */
static void measure_chain(double gap, double radius[2])
{
    enum { HALF = 30 };
    dlp_SurfaceDef def = dlp_default_surface_def();
    def.spacing = 1.0;
    no_points();
    for (int n = -HALF; n < HALF; n++) {
        add_point(n * gap, 0.0, 0.0);
    }
    dlp_Surface *surface = make_surface(&def);
    dlp_Mesh mesh = build_mesh(surface);
    radius[0] = 1e30;
    radius[1] = 0.0;
    for (int64_t i = 0; i < mesh.vertex_count; i++) {
        const float *at = &mesh.position[3 * i];
        const double distance = hypot((double)at[1], (double)at[2]);
        if (fabs((double)at[0]) < 10.0) {
            radius[0] = fmin(radius[0], distance);
            radius[1] = fmax(radius[1], distance);
        }
    }
    dlp_surface_destroy(surface);
}

/* A particle has the volume of a cube of one spacing, so a thread of one particle per spacing has the radius 1 / sqrt(pi) = 0.564. */
static void a_chain_of_particles_is_a_smooth_thread(void **state)
{
    (void)state;
    static const double gaps[] = {0.8, 1.0, 1.2}, uneven[] = {0.2, 0.2, 0.3};
    for (int n = 0; n < 3; n++) {
        double radius[2];
        measure_chain(gaps[n], radius);
        print_message("%.1f spacings apart: radius %.3f to %.3f\n", gaps[n], radius[0], radius[1]);
        assert_true(radius[0] > 0.4 && radius[1] < 0.7);
        assert_true(radius[1] - radius[0] < uneven[n] * radius[1]);
    }
}

static void empty_and_invalid_input_is_handled(void **state)
{
    (void)state;
    dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_Surface *surface = make_surface(&def);
    dlp_Error error = {0};
    no_points();
    dlp_Mesh mesh = build_mesh(surface);
    assert_int_equal(mesh.triangle_count, 0);
    add_point(0.0, 0.0, 0.0);
    mesh = build_mesh(surface);
    assert_true(mesh.triangle_count > 0);
    for (int n = 0; n < 30; n++) { /* coincident points are not smaller than a single point */
        add_point(0.0, 0.0, 0.0);
    }
    mesh = build_mesh(surface);
    assert_true(mesh.triangle_count > 0);
    add_point(1e9, -1e9, 1e9); /* outside the range of cells: it is ignored */
    build_mesh(surface);
    add_point(0.0, NAN, 0.0);
    assert_int_equal(dlp_surface_build(surface, &points, &mesh, &error), DLP_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.text, "point 32"));
    dlp_surface_destroy(surface);
    def.cell = -1.0;
    assert_int_equal(dlp_surface_create(&def, &surface, &error), DLP_ERROR_ARGUMENT);
    assert_null(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_converge),
        cmocka_unit_test(any_points_give_a_closed_mesh),
        cmocka_unit_test(threads_and_widths_give_the_same_bytes),
        cmocka_unit_test(a_surface_ends_at_solids),
        cmocka_unit_test(fields_and_normals_are_interpolated_to_vertices),
        cmocka_unit_test(a_chain_of_particles_is_a_smooth_thread),
        cmocka_unit_test(empty_and_invalid_input_is_handled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
