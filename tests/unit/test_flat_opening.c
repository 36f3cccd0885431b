/* Openings that are flat meshes: which lattice points are inside, in any plane; invalid openings are rejected. */
#include "geometry/flat_opening.h"
#include "geometry/mesh_list.h"
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

static dlp_Model *make_star(double radius, double hole, int64_t count)
{
    dlp_MeshDef def = dlp_default_mesh_def();
    dlp_Model *model = NULL;
    dlp_Error error;
    def.form = DLP_FORM_STAR;
    def.radius = radius;
    def.hole = hole;
    def.count = count;
    if (dlp_model_create(&def, NULL, NULL, &model, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return model;
}

/* Whether a point is in a star around the origin whose first point is on the x axis. */
static bool in_star(double u, double v, double radius, double hole, int64_t count)
{
    const double wedge = PI / (double)count;
    double angle = fmod(atan2(v, u) + 4.0 * PI, 2.0 * wedge);
    angle = angle > wedge ? 2.0 * wedge - angle : angle; /* half of one point of the star, from its tip on the axis */
    const double r = hypot(u, v), x = r * cos(angle), y = r * sin(angle);
    const double to_x = hole * cos(wedge) - radius, to_y = hole * sin(wedge);
    return to_x * y - to_y * (x - radius) >= 0.0;
}

static void a_star_contains_the_lattice_points_inside_it(void **state)
{
    (void)state;
    const double spacings[] = {0.3e-3, 0.7e-3, 2e-3, 9e-3};
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    for (int64_t points = 3; points <= 8; points++) {
        dlp_Model *model = make_star(0.01, 0.005, points);
        const double area = (double)points * 0.01 * 0.005 * sin(PI / (double)points); /* m2 */
        for (int k = 0; k < 4; k++) {
            dlp__FlatOpening opening;
            dlp_Error error;
            assert_int_equal(dlp__flat_opening_make(&opening, dlp_model_mesh(model), spacings[k], &memory, &error),
                             DLP_OK);
            const double wanted = area / (spacings[k] * spacings[k]);
            assert_true(fabs((double)opening.count - wanted) <= fmax(2.0, 0.05 * wanted));
            int64_t inside = 0;
            for (int64_t n = 0; n < opening.columns * opening.rows; n++) {
                const int64_t column = n % opening.columns, row = n / opening.columns;
                const double u = opening.u + spacings[k] * (double)column, v = opening.v + spacings[k] * (double)row;
                inside += opening.inside[n];
                assert_int_equal(dlp__flat_opening_contains(&opening, u, v), opening.inside[n]);
                /* The single precision of the corners moves the edge by a nanometre. */
                const bool sure = in_star(u * 1.000001, v * 1.000001, 0.01, 0.005, points) ==
                                  in_star(u * 0.999999, v * 0.999999, 0.01, 0.005, points);
                assert_true(!sure || in_star(u, v, 0.01, 0.005, points) == (opening.inside[n] != 0));
            }
            assert_int_equal(inside, opening.count);
            dlp__flat_opening_release(&opening, &memory);
        }
        dlp_model_destroy(model);
    }
    assert_int_equal(memory.bytes, 0);
}

/* A square ring, 5 by 5 with a hole of 1 by 1, of eight triangles in any plane. */
typedef struct Ring {
    float position[24];
    uint32_t triangle[24];
    dlp_Mesh mesh;
} Ring;

static void make_ring(Ring *ring, double edge, dlp__Rotation turn, double depth)
{
    for (int k = 0; k < 8; k++) {
        const double half = k < 4 ? 0.5 * edge : 0.1 * edge;
        const dlp_Vec3 position = dlp__rotate(
            &turn, dlp__vec3((k + 1) / 2 % 2 == 0 ? -half : half, k / 2 % 2 == 0 ? -half : half, depth));
        ring->position[3 * k] = (float)position.x;
        ring->position[3 * k + 1] = (float)position.y;
        ring->position[3 * k + 2] = (float)position.z;
    }
    for (int k = 0; k < 4; k++) {
        const uint32_t a = (uint32_t)k, b = (uint32_t)(k + 1) % 4;
        const uint32_t pair[6] = {a, b, 4 + a, b, 4 + b, 4 + a};
        memcpy(ring->triangle + 6 * k, pair, sizeof pair);
    }
    ring->mesh = (dlp_Mesh){
        .vertex_count = 8, .triangle_count = 8, .position = ring->position, .triangle = ring->triangle};
}

static void a_ring_excludes_its_hole_in_any_plane(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    /* Rotations about z rotate a flat mesh in its plane: that is part of its shape. */
    const dlp_Vec3 turns[] = {{0, 0, 0}, {0.5 * PI, 0, 0}, {0, 0.7, 0}, {PI, 0, 0}, {0.4, 0, 0}};
    for (int k = 0; k < 5; k++) {
        Ring ring;
        dlp__FlatOpening opening;
        dlp_Error error;
        make_ring(&ring, 0.05, dlp__rotation(turns[k]), 0.3);
        assert_int_equal(dlp__flat_opening_make(&opening, &ring.mesh, 0.01, &memory, &error), DLP_OK);
        assert_true(opening.columns == 5 && opening.rows == 5 && opening.count == 24);
        assert_true(fabs(opening.depth - 0.3) < 1e-6);
        assert_true(fabs(opening.u + 0.02) < 1e-6 && fabs(opening.v + 0.02) < 1e-6);
        for (int n = 0; n < 25; n++) {
            assert_int_equal(opening.inside[n], n != 12);
        }
        assert_false(dlp__flat_opening_contains(&opening, 0.0, 0.0));
        assert_true(dlp__flat_opening_contains(&opening, 0.0, 0.006));
        assert_true(dlp__flat_opening_contains(&opening, 0.0249, -0.0249));
        assert_false(dlp__flat_opening_contains(&opening, 0.0251, 0.0));
        assert_false(dlp__flat_opening_contains(&opening, 1e300, NAN));
        dlp__flat_opening_release(&opening, &memory);
    }
    assert_int_equal(memory.bytes, 0);
}

static void expect_rejected(const dlp_Mesh *mesh, double spacing, const char *words)
{
    dlp__Memory memory;
    dlp__FlatOpening opening;
    dlp_Error error = {.text = ""};
    dlp__memory_init(&memory, NULL);
    assert_int_equal(dlp__flat_opening_make(&opening, mesh, spacing, &memory, &error), DLP_ERROR_ARGUMENT);
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
    dlp__flat_opening_release(&opening, &memory);
    assert_int_equal(memory.bytes, 0);
}

static void invalid_openings_are_rejected(void **state)
{
    (void)state;
    const dlp__Rotation none = dlp__rotation(dlp__vec3(0, 0, 0));
    Ring ring;
    const dlp_Mesh box = box_mesh((dlp_Vec3){0.1, 0.1, 0.1});
    expect_rejected(&box, 0.01, "do not all face the same way");
    make_ring(&ring, 0.05, none, 0.0);
    ring.position[2] = 2e-4f; /* one corner out of the plane by 4 thousandths of the width */
    expect_rejected(&ring.mesh, 0.01, "thick");
    ring.position[2] = 2e-5f;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    dlp__FlatOpening opening;
    assert_int_equal(dlp__flat_opening_make(&opening, &ring.mesh, 0.01, &memory, NULL), DLP_OK);
    dlp__flat_opening_release(&opening, &memory);
    make_ring(&ring, 0.05, none, 0.0);
    const uint32_t turned[3] = {1, 0, 4};
    memcpy(ring.triangle, turned, sizeof turned);
    expect_rejected(&ring.mesh, 0.01, "do not all face the same way");
    make_ring(&ring, 0.05, none, 0.0);
    expect_rejected(&ring.mesh, 0.06, "too small for any particle"); /* its only lattice points are in the hole */
    expect_rejected(&ring.mesh, 1e-6, "too large");
    memset(ring.position, 0, sizeof ring.position);
    expect_rejected(&ring.mesh, 0.01, "not an opening");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_star_contains_the_lattice_points_inside_it),
        cmocka_unit_test(a_ring_excludes_its_hole_in_any_plane),
        cmocka_unit_test(invalid_openings_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
