/* Distances compared with dense samples of each surface, and lattices with the volumes that they fill. */
#include "geometry/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { KINDS = 6, MAX_SURFACE = 60000 };

static const double STEP = 0.02; /* m, between surface samples */

static uint64_t random_state = 1;

static double random_in(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

static dlp_Vec3 random_vector(double size)
{
    return dlp__vec3(random_in(-size, size), random_in(-size, size), random_in(-size, size));
}

static dlp_ShapeDef random_shape(int kind)
{
    return (dlp_ShapeDef){
        .kind = kind,
        .position = random_vector(2.0),
        .rotation = random_vector(3.0),
        .size = dlp__vec3(random_in(0.5, 1.5), random_in(0.5, 1.5), random_in(0.5, 1.5)),
        .radius = random_in(0.3, 0.7),
        .length = random_in(0.3, 1.0),
    };
}

static dlp_Vec3 to_world(const dlp__Shape *shape, double x, double y, double z)
{
    return dlp__add(shape->position, dlp__rotate(&shape->rotation, dlp__vec3(x, y, z)));
}

/* Points of the surface about STEP apart. */
typedef struct Surface {
    dlp_Vec3 point[MAX_SURFACE];
    int count;
    const dlp__Shape *shape;
} Surface;

static Surface surface;

static void put(double x, double y, double z)
{
    assert_true(surface.count < MAX_SURFACE);
    surface.point[surface.count++] = to_world(surface.shape, x, y, z);
}

static void sample_box(dlp_Vec3 half)
{
    const double size[3] = {half.x, half.y, half.z};
    for (int axis = 0; axis < 3; axis++) {
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        int nb = (int)(2.0 * size[b] / STEP) + 1, nc = (int)(2.0 * size[c] / STEP) + 1;
        for (int i = 0; i <= nb; i++) {
            for (int j = 0; j <= nc; j++) {
                double p[3];
                p[b] = size[b] * (2.0 * i / nb - 1.0);
                p[c] = size[c] * (2.0 * j / nc - 1.0);
                p[axis] = size[axis];
                put(p[0], p[1], p[2]);
                p[axis] = -size[axis];
                put(p[0], p[1], p[2]);
            }
        }
    }
}

/* A circle of that radius at height z. */
static void sample_ring(double radius, double z)
{
    int n = (int)(6.2832 * radius / STEP) + 1;
    for (int i = 0; i < n; i++) {
        put(radius * cos(6.283185307179586 * i / n), radius * sin(6.283185307179586 * i / n), z);
    }
}

static void sample_round(const dlp__Shape *shape)
{
    double half_length = shape->kind == DLP_SHAPE_SPHERE ? 0.0 : shape->half_length;
    int side = (int)(2.0 * half_length / STEP) + 1, cap = (int)(1.5708 * shape->radius / STEP) + 1;
    for (int i = 0; i <= side; i++) {
        sample_ring(shape->radius, half_length * (2.0 * i / side - 1.0));
    }
    for (int i = 0; i <= cap; i++) {
        double angle = 1.5707963267948966 * i / cap, part = (double)i / cap;
        bool flat = shape->kind == DLP_SHAPE_CYLINDER;
        double ring = shape->radius * (flat ? part : cos(angle)), rise = flat ? 0.0 : shape->radius * sin(angle);
        sample_ring(ring, half_length + rise);
        sample_ring(ring, -half_length - rise);
    }
}

static void sample_surface(const dlp__Shape *shape)
{
    surface.count = 0;
    surface.shape = shape;
    switch (shape->kind) {
    case DLP_SHAPE_PLANE:
        for (int i = -120; i <= 120; i++) {
            for (int j = -120; j <= 120; j++) {
                put(i * STEP, j * STEP, 0.0);
            }
        }
        break;
    case DLP_SHAPE_BOX:
    case DLP_SHAPE_CONTAINER: sample_box(shape->half); break;
    default: sample_round(shape); break;
    }
}

/* Whether a point in the shape's local frame is in the solid; directly from the definitions. */
static bool is_inside(const dlp__Shape *shape, dlp_Vec3 p)
{
    double axis = p.x * p.x + p.y * p.y, radius = shape->radius;
    bool in_box = fabs(p.x) < shape->half.x && fabs(p.y) < shape->half.y && fabs(p.z) < shape->half.z;
    double over = fmax(fabs(p.z) - shape->half_length, 0.0);
    switch (shape->kind) {
    case DLP_SHAPE_PLANE: return p.z < 0.0;
    case DLP_SHAPE_BOX: return in_box;
    case DLP_SHAPE_CONTAINER: return !in_box;
    case DLP_SHAPE_SPHERE: return axis + p.z * p.z < radius * radius;
    case DLP_SHAPE_CAPSULE: return axis + over * over < radius * radius;
    case DLP_SHAPE_CYLINDER: return axis < radius * radius && over == 0.0;
    case DLP_SHAPE_MESH: break; /* test_distance_field.c */
    }
    return false;
}

static void check_against_samples(const dlp__Shape *shape, dlp_Vec3 local)
{
    dlp_Vec3 point = to_world(shape, local.x, local.y, local.z);
    double distance = dlp__shape_distance(shape, point, NULL), nearest = INFINITY;
    for (int i = 0; i < surface.count; i++) {
        nearest = fmin(nearest, dlp__length(dlp__sub(point, surface.point[i])));
    }
    /* The nearest sample is never closer than the surface, and at most about a STEP beside its closest point; on a
     * curved surface seen from outside, that step appears up to (1 + d / R) times as long. */
    double side = 2.0 * STEP;
    assert_true(nearest >= fabs(distance) - 1e-12);
    assert_true(nearest <= sqrt(distance * distance + side * side) + 1e-12);
    if (fabs(distance) > 1e-9) {
        assert_int_equal(distance < 0.0, is_inside(shape, local));
    }
}

static void distances_agree_with_the_nearest_of_many_surface_points(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int trial = 0; trial < 3; trial++) {
            dlp_ShapeDef def = random_shape(kind);
            dlp__Shape shape = dlp__shape_place(&def, NULL);
            sample_surface(&shape);
            for (int i = 0; i < 100; i++) {
                check_against_samples(&shape, random_vector(1.2));
            }
        }
    }
}

static void the_normal_has_unit_length_and_leads_to_the_surface(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        dlp_ShapeDef def = random_shape(i % KINDS);
        dlp__Shape shape = dlp__shape_place(&def, NULL);
        dlp_Vec3 point = dlp__add(shape.position, random_vector(1.5)), normal;
        double distance = dlp__shape_distance(&shape, point, &normal);
        assert_true(fabs(dlp__length(normal) - 1.0) < 1e-12);
        dlp_Vec3 foot = dlp__sub(point, dlp__scale(normal, distance));
        assert_true(fabs(dlp__shape_distance(&shape, foot, NULL)) < 1e-12);
    }
}

static void the_gradient_of_the_distance_is_the_normal(void **state)
{
    (void)state;
    const double step = 1e-5;
    int checked = 0;
    for (int i = 0; i < 20000; i++) {
        dlp_ShapeDef def = random_shape(i % KINDS);
        dlp__Shape shape = dlp__shape_place(&def, NULL);
        dlp_Vec3 point = dlp__add(shape.position, random_vector(1.2)), normal;
        double at = dlp__shape_distance(&shape, point, &normal), gradient[3];
        bool smooth = true; /* not on an edge with two equally close faces, nor at a center */
        for (int axis = 0; axis < 3; axis++) {
            dlp_Vec3 d = dlp__vec3(axis == 0 ? step : 0.0, axis == 1 ? step : 0.0, axis == 2 ? step : 0.0);
            double after = dlp__shape_distance(&shape, dlp__add(point, d), NULL);
            double before = dlp__shape_distance(&shape, dlp__sub(point, d), NULL);
            smooth = smooth && fabs(after - 2.0 * at + before) < 1e-3 * step;
            gradient[axis] = (after - before) / (2.0 * step);
        }
        if (smooth) {
            checked++;
            dlp_Vec3 found = dlp__vec3(gradient[0], gradient[1], gradient[2]);
            assert_true(dlp__length(dlp__sub(found, normal)) < 2e-3);
        }
    }
    assert_true(checked > 19000);
}

static void a_normal_exists_where_the_direction_is_ambiguous(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        dlp_ShapeDef def = random_shape(kind);
        def.size = dlp__vec3(1.0, 1.0, 1.0);
        dlp__Shape shape = dlp__shape_place(&def, NULL);
        dlp_Vec3 normal, again;
        double distance = dlp__shape_distance(&shape, shape.position, &normal);
        dlp__shape_distance(&shape, shape.position, &again);
        assert_true(fabs(dlp__length(normal) - 1.0) < 1e-12);
        assert_true(dlp__length(dlp__sub(normal, again)) == 0.0);
        dlp_Vec3 foot = dlp__sub(shape.position, dlp__scale(normal, distance));
        assert_true(fabs(dlp__shape_distance(&shape, foot, NULL)) < 1e-12);
    }
}

static void a_container_reports_each_nearby_face(void **state)
{
    (void)state;
    dlp_ShapeDef def = {.kind = DLP_SHAPE_CONTAINER, .size = {2.0, 2.0, 2.0}};
    dlp__Shape shape = dlp__shape_place(&def, NULL);
    dlp__Wall wall[DLP_SHAPE_WALLS];
    assert_int_equal(dlp__shape_walls(&shape, dlp__vec3(0, 0, 0), 0.5, wall), 0);
    assert_int_equal(dlp__shape_walls(&shape, dlp__vec3(0, 0, 0), 1.5, wall), 6);
    assert_int_equal(dlp__shape_walls(&shape, dlp__vec3(0.9, -0.8, 0.0), 0.5, wall), 2);
    assert_true(fabs(wall[0].distance - 0.1) < 1e-12 && wall[0].normal.x == -1.0);
    assert_true(fabs(wall[1].distance - 0.2) < 1e-12 && wall[1].normal.y == 1.0);
    assert_int_equal(dlp__shape_walls(&shape, dlp__vec3(1.1, 0.0, 0.0), 0.5, wall), 1);
    assert_true(fabs(wall[0].distance + 0.1) < 1e-12);
    for (int i = 0; i < 1000; i++) { /* inside, the distance is that of the closest face */
        dlp_Vec3 point = random_vector(1.0);
        int count = dlp__shape_walls(&shape, point, 10.0, wall);
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            least = fmin(least, wall[k].distance);
        }
        assert_true(fabs(least - dlp__shape_distance(&shape, point, NULL)) < 1e-12);
    }
}

static double volume_of(const dlp_ShapeDef *def)
{
    double r = def->radius, disc = 3.14159265358979323846 * r * r;
    switch (def->kind) {
    case DLP_SHAPE_BOX: return def->size.x * def->size.y * def->size.z;
    case DLP_SHAPE_CAPSULE: return disc * (def->length + 4.0 / 3.0 * r);
    case DLP_SHAPE_CYLINDER: return disc * def->length;
    default: return disc * 4.0 / 3.0 * r;
    }
}

/* Fill the shape and check the properties of every lattice; returns the count. */
static int64_t check_fill(const dlp_ShapeDef *def, double spacing)
{
    dlp__Shape shape = dlp__shape_place(def, NULL);
    int64_t count = dlp__shape_fill_count(&shape, spacing);
    assert_true(count > 0 && count < 100000);
    float *x = malloc(sizeof(float) * (size_t)count * 3), *y = x + count, *z = y + count;
    assert_non_null(x);
    for (int64_t i = 0; i < 3 * count; i++) {
        x[i] = NAN;
    }
    dlp__shape_fill(&shape, spacing, x, y, z);
    double least = INFINITY, outermost = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        dlp_Vec3 a = dlp__vec3((double)x[i], (double)y[i], (double)z[i]);
        double distance = dlp__shape_distance(&shape, a, NULL);
        assert_false(isnan(distance));
        outermost = fmax(outermost, distance);
        for (int64_t j = 0; j < i && count < 3000; j++) {
            least = fmin(least, dlp__length(dlp__sub(a, dlp__vec3((double)x[j], (double)y[j], (double)z[j]))));
        }
    }
    free(x);
    assert_true(outermost < 1e-6);               /* positions are rounded to floats of a few metres */
    assert_true(least > spacing * (1.0 - 1e-5)); /* for the same reason */
    return count;
}

static void a_fill_lies_inside_and_keeps_its_spacing(void **state)
{
    (void)state;
    const int kinds[] = {DLP_SHAPE_BOX, DLP_SHAPE_SPHERE, DLP_SHAPE_CAPSULE, DLP_SHAPE_CYLINDER};
    for (int i = 0; i < 24; i++) {
        dlp_ShapeDef def = random_shape(kinds[i % 4]);
        check_fill(&def, random_in(0.09, 0.3));
    }
}

static void a_fine_fill_has_the_volume_of_the_shape(void **state)
{
    (void)state;
    const int kinds[] = {DLP_SHAPE_SPHERE, DLP_SHAPE_CAPSULE, DLP_SHAPE_CYLINDER};
    for (int i = 0; i < 9; i++) {
        dlp_ShapeDef def = random_shape(kinds[i % 3]);
        double spacing = def.radius / 12.0;
        def.length = spacing * floor(def.length / spacing); /* whole layers */
        double wanted = volume_of(&def) / pow(spacing, 3);
        double error = (double)check_fill(&def, spacing) / wanted - 1.0;
        assert_true(fabs(error) < 0.02); /* 24 particles across: the surface is much less rough than one */
    }
}

static void a_box_takes_the_rounded_number_of_layers(void **state)
{
    (void)state;
    dlp_ShapeDef def = {.kind = DLP_SHAPE_BOX, .size = {1.0, 0.26, 0.01}};
    assert_int_equal(check_fill(&def, 0.1), 10 * 3 * 1);
    def.size = dlp__vec3(0.3, 0.3, 0.3); /* 0.3 / 0.1 is 2.9999999999999996 */
    assert_int_equal(check_fill(&def, 0.1), 27);
}

static void even_a_tiny_drop_is_one_particle(void **state)
{
    (void)state;
    dlp_ShapeDef def = {.kind = DLP_SHAPE_SPHERE, .radius = 0.05, .length = 1e30};
    assert_int_equal(check_fill(&def, 0.1), 1);
    def.kind = DLP_SHAPE_CYLINDER;
    def.length = 0.5;
    assert_int_equal(check_fill(&def, 0.1), 5);
}

static void huge_sizes_are_estimated_quickly(void **state)
{
    (void)state;
    dlp_ShapeDef def = {.kind = DLP_SHAPE_BOX, .size = {1e9, 1e9, 1e9}, .radius = 1e9, .length = 1e9};
    const int kinds[] = {DLP_SHAPE_BOX, DLP_SHAPE_SPHERE, DLP_SHAPE_CAPSULE, DLP_SHAPE_CYLINDER};
    for (int i = 0; i < 4; i++) {
        def.kind = kinds[i];
        dlp__Shape shape = dlp__shape_place(&def, NULL);
        assert_true(dlp__shape_fill_count(&shape, 1e-6) == INT64_MAX);
        shape.radius = 1e-9; /* a capsule 1e15 particles long */
        assert_true(kinds[i] == DLP_SHAPE_SPHERE || dlp__shape_fill_count(&shape, 1e-6) == INT64_MAX);
    }
    def = (dlp_ShapeDef){.kind = DLP_SHAPE_BOX, .size = {1e6, 1e6, 1e6}};
    dlp__Shape shape = dlp__shape_place(&def, NULL);
    assert_true(dlp__shape_fill_count(&shape, 1.0) == 1000000000000000000);
    assert_true(dlp__disc_fill(1e9, 1e-6, NULL, NULL) == INT64_MAX);
    assert_true(dlp__rectangle_fill(1e9, 1e9, 1e-6, NULL, NULL) == INT64_MAX);
}

static void planes_and_containers_cannot_be_filled(void **state)
{
    (void)state;
    dlp_ShapeDef def = random_shape(DLP_SHAPE_PLANE);
    dlp__Shape shape = dlp__shape_place(&def, NULL);
    assert_int_equal(dlp__shape_fill_count(&shape, 0.1), -1);
    shape.kind = DLP_SHAPE_CONTAINER;
    assert_int_equal(dlp__shape_fill_count(&shape, 0.1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_agree_with_the_nearest_of_many_surface_points),
        cmocka_unit_test(the_normal_has_unit_length_and_leads_to_the_surface),
        cmocka_unit_test(the_gradient_of_the_distance_is_the_normal),
        cmocka_unit_test(a_normal_exists_where_the_direction_is_ambiguous),
        cmocka_unit_test(a_container_reports_each_nearby_face),
        cmocka_unit_test(a_fill_lies_inside_and_keeps_its_spacing),
        cmocka_unit_test(a_fine_fill_has_the_volume_of_the_shape),
        cmocka_unit_test(a_box_takes_the_rounded_number_of_layers),
        cmocka_unit_test(even_a_tiny_drop_is_one_particle),
        cmocka_unit_test(huge_sizes_are_estimated_quickly),
        cmocka_unit_test(planes_and_containers_cannot_be_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
