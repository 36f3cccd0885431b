/* The box around a shape against its signed distance: no point inside the shape is outside the box, and each face of the
 * box touches the shape. */
#include "geometry/shape.h"

#include <dollop/files.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static double component(dlp_Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void check_shape(dlp_ShapeKind kind)
{
    enum { CELLS = 60 };
    dlp_ShapeDef def = dlp_default_solid_def().shape;
    def.kind = (int32_t)kind;
    def.position = dlp__vec3(0.3, -0.2, 0.5);
    def.rotation = dlp__vec3(0.4, 0.7, -0.3);
    def.size = dlp__vec3(0.6, 0.4, 0.9);
    def.radius = 0.25;
    def.length = 0.8;
    const dlp__Shape shape = dlp__shape_place(&def, NULL);
    dlp_Vec3 lower, upper;
    assert_true(dlp_shape_bounds(&def, NULL, 0, &lower, &upper));
    double found[2][3] = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    const double cell = 2.0 / CELLS;
    for (int n = 0; n < CELLS * CELLS * CELLS; n++) {
        const int i = n % CELLS, j = n / CELLS % CELLS, k = n / (CELLS * CELLS);
        const dlp_Vec3 p = dlp__add(def.position,
                                    dlp__vec3((i + 0.5) * cell - 1, (j + 0.5) * cell - 1, (k + 0.5) * cell - 1));
        const double distance = dlp__shape_distance(&shape, p, NULL);
        for (int a = 0; a < 3 && distance <= 0.0; a++) {
            found[0][a] = fmin(found[0][a], component(p, a));
            found[1][a] = fmax(found[1][a], component(p, a));
        }
    }
    for (int a = 0; a < 3; a++) { /* a corner of a box may end more than a cell beyond the last point inside */
        assert_true(found[0][a] >= component(lower, a) - 1e-9 && found[0][a] < component(lower, a) + 2.5 * cell);
        assert_true(found[1][a] <= component(upper, a) + 1e-9 && found[1][a] > component(upper, a) - 2.5 * cell);
    }
}

static void bounds_enclose_shapes_tightly(void **state)
{
    (void)state;
    check_shape(DLP_SHAPE_BOX);
    check_shape(DLP_SHAPE_SPHERE);
    check_shape(DLP_SHAPE_CAPSULE);
    check_shape(DLP_SHAPE_CYLINDER);
}

static void meshes_are_rotated_and_planes_have_no_bounds(void **state)
{
    (void)state;
    float position[9] = {0, 0, 0, 2, 0, 0, 0, 1, 0};
    const dlp_Mesh mesh = {.vertex_count = 3, .position = position};
    dlp_ShapeDef def = dlp_default_solid_def().shape;
    dlp_Vec3 lower, upper;
    def.kind = DLP_SHAPE_MESH;
    def.mesh = 0;
    def.position = dlp__vec3(1, 0, 0);
    def.rotation = dlp__vec3(0, 0, 1.5707963267948966);
    assert_true(dlp_shape_bounds(&def, &mesh, 1, &lower, &upper));
    assert_true(fabs(lower.x - 0.0) < 1e-6 && fabs(upper.x - 1.0) < 1e-6);
    assert_true(fabs(lower.y - 0.0) < 1e-6 && fabs(upper.y - 2.0) < 1e-6);
    def.mesh = 1;
    assert_false(dlp_shape_bounds(&def, &mesh, 1, &lower, &upper));
    def.kind = DLP_SHAPE_PLANE;
    assert_false(dlp_shape_bounds(&def, &mesh, 1, &lower, &upper));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_enclose_shapes_tightly),
        cmocka_unit_test(meshes_are_rotated_and_planes_have_no_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
