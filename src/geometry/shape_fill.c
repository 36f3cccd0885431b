/* Lattices of particles in shapes. Every row of a lattice is centred: n points at (k - (n - 1) / 2) * spacing. In round
 * shapes all rows have an even or all an odd number of points, whichever comes nearer to the shape's volume, so that
 * even a drop of a few particles has about the right mass. */
#include "geometry/shape.h"

/* Round shapes beyond this many particles are not counted: it would take long, and no world can hold them. */
static const double ROUND_MOST = 4e9;

static const double PI = 3.14159265358979323846;

static double at(int64_t k, int64_t n, double spacing)
{
    return ((double)k - 0.5 * (double)(n - 1)) * spacing;
}

/* Points of a row that lie within `half` of its centre. */
static int64_t points_across(double half, double spacing, bool odd)
{
    return odd ? 2 * (int64_t)floor(half / spacing) + 1 : 2 * (int64_t)floor(half / spacing + 0.5);
}

static double layer_estimate(double length, double spacing)
{
    return fmax(1.0, floor(length / spacing + 0.5));
}

static int64_t layers_along(double length, double spacing)
{
    double layers = layer_estimate(length, spacing);
    return layers < 9e18 ? (int64_t)layers : INT64_MAX;
}

static int64_t product(int64_t a, int64_t b)
{
    int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

/* Half the length of the chord through a circle or sphere at `offset` from its centre. */
static double half_chord(double radius, double offset_squared)
{
    return sqrt(fmax(radius * radius - offset_squared, 0.0));
}

/* The plane */

static int64_t disc_rows(double radius, double spacing, bool odd, float *u, float *v)
{
    int64_t count = 0, rows = points_across(radius, spacing, odd);
    for (int64_t j = 0; j < rows; j++) {
        double y = at(j, rows, spacing);
        int64_t row = points_across(half_chord(radius, y * y), spacing, odd);
        for (int64_t i = 0; u != NULL && i < row; i++) {
            u[count + i] = (float)at(i, row, spacing);
            v[count + i] = (float)y;
        }
        count += row;
    }
    return count;
}

static bool odd_is_nearer(int64_t even, int64_t odd, double wanted)
{
    return even == 0 || fabs((double)odd - wanted) < fabs((double)even - wanted);
}

int64_t dlp__disc_fill(double radius, double spacing, float *u, float *v)
{
    double per_spacing = radius / spacing, area = PI * per_spacing * per_spacing;
    if (!(area < ROUND_MOST)) {
        return INT64_MAX;
    }
    int64_t even = disc_rows(radius, spacing, false, NULL, NULL);
    int64_t odd = disc_rows(radius, spacing, true, NULL, NULL);
    bool use_odd = odd_is_nearer(even, odd, area);
    if (u != NULL) {
        disc_rows(radius, spacing, use_odd, u, v);
    }
    return use_odd ? odd : even;
}

int64_t dlp__rectangle_fill(double width, double height, double spacing, float *u, float *v)
{
    int64_t across = layers_along(width, spacing), up = layers_along(height, spacing), count = 0;
    for (int64_t j = 0; u != NULL && j < up; j++) {
        for (int64_t i = 0; i < across; i++, count++) {
            u[count] = (float)at(i, across, spacing);
            v[count] = (float)at(j, up, spacing);
        }
    }
    return product(across, up);
}

/* Space */

/* Where filled points go: turned with the shape, to its place. Null arrays count only. */
typedef struct Target {
    const dlp__Shape *shape;
    double spacing; /* m */
    float *x, *y, *z;
    int64_t count;
} Target;

static void add_point(Target *target, dlp_Vec3 local)
{
    if (target->x != NULL) {
        dlp_Vec3 place = dlp__add(target->shape->position, dlp__rotate(&target->shape->rotation, local));
        target->x[target->count] = (float)place.x;
        target->y[target->count] = (float)place.y;
        target->z[target->count] = (float)place.z;
    }
    target->count++;
}

/* A column of n points along the local z axis. */
static void add_column(Target *target, double x, double y, int64_t n)
{
    if (target->x == NULL) {
        target->count += n;
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        add_point(target, dlp__vec3(x, y, at(k, n, target->spacing)));
    }
}

static int64_t box_count(const dlp__Shape *shape, double spacing)
{
    return product(product(layers_along(2.0 * shape->half.x, spacing), layers_along(2.0 * shape->half.y, spacing)),
                   layers_along(2.0 * shape->half.z, spacing));
}

static void fill_box(Target *target)
{
    double spacing = target->spacing;
    int64_t nx = layers_along(2.0 * target->shape->half.x, spacing);
    int64_t ny = layers_along(2.0 * target->shape->half.y, spacing);
    int64_t nz = layers_along(2.0 * target->shape->half.z, spacing);
    for (int64_t i = 0; i < nx; i++) {
        for (int64_t j = 0; j < ny; j++) {
            add_column(target, at(i, nx, spacing), at(j, ny, spacing), nz);
        }
    }
}

/* Sphere, capsule and cylinder: columns over the points of a disc. A cylinder's ends are flat and take layers as a box
 * does; round ends follow the chord. */
static void fill_round(Target *target, bool odd)
{
    const dlp__Shape *shape = target->shape;
    double spacing = target->spacing;
    double half_length = shape->kind == DLP_SHAPE_CAPSULE ? shape->half_length : 0.0;
    bool flat = shape->kind == DLP_SHAPE_CYLINDER;
    int64_t layers = flat ? layers_along(2.0 * shape->half_length, spacing) : 0;
    int64_t rows = points_across(shape->radius, spacing, odd);
    for (int64_t j = 0; j < rows; j++) {
        double y = at(j, rows, spacing);
        int64_t row = points_across(half_chord(shape->radius, y * y), spacing, odd);
        if (flat && target->x == NULL) {
            target->count += row * layers;
            continue;
        }
        for (int64_t i = 0; i < row; i++) {
            double x = at(i, row, spacing);
            double half = half_length + half_chord(shape->radius, x * x + y * y);
            add_column(target, x, y, flat ? layers : points_across(half, spacing, odd));
        }
    }
}

/* Volume over that of one particle; a cylinder's length counts in whole layers. */
static double volume_of_round(const dlp__Shape *shape, double spacing)
{
    double r = shape->radius / spacing, disc = PI * r * r;
    switch (shape->kind) {
    case DLP_SHAPE_CAPSULE: return disc * (4.0 / 3.0 * r + 2.0 * shape->half_length / spacing);
    case DLP_SHAPE_CYLINDER: return disc * layer_estimate(2.0 * shape->half_length, spacing);
    default: return disc * 4.0 / 3.0 * r;
    }
}

static int64_t count_round(const dlp__Shape *shape, double spacing, bool odd)
{
    Target target = {.shape = shape, .spacing = spacing};
    fill_round(&target, odd);
    return target.count;
}

/* The number of points, and whether the lattice is the odd one. A thread thinner than the spacing has next to no volume
 * but still one column, so the length is bounded too. */
static int64_t choose_round(const dlp__Shape *shape, double spacing, bool *odd)
{
    double volume = volume_of_round(shape, spacing);
    double length = shape->kind == DLP_SHAPE_SPHERE ? 0.0 : 2.0 * shape->half_length / spacing;
    if (!(volume < ROUND_MOST) || !(length < ROUND_MOST)) {
        *odd = false;
        return INT64_MAX;
    }
    int64_t of_even = count_round(shape, spacing, false), of_odd = count_round(shape, spacing, true);
    *odd = odd_is_nearer(of_even, of_odd, volume);
    return *odd ? of_odd : of_even;
}

/* The points of a lattice around the middle of the mesh that are inside it. */
static void fill_mesh(Target *target)
{
    dlp_Vec3 lower, upper;
    dlp__moment_bounds(&target->shape->moment, &lower, &upper);
    const dlp_Vec3 size = dlp__sub(upper, lower), middle = dlp__scale(dlp__add(lower, upper), 0.5);
    const int64_t nx = layers_along(size.x, target->spacing), ny = layers_along(size.y, target->spacing),
                  nz = layers_along(size.z, target->spacing);
    for (int64_t i = 0; i < nx; i++) {
        for (int64_t j = 0; j < ny; j++) {
            for (int64_t k = 0; k < nz; k++) {
                const dlp_Vec3 point = dlp__add(
                    middle,
                    dlp__vec3(at(i, nx, target->spacing), at(j, ny, target->spacing), at(k, nz, target->spacing)));
                dlp_Vec3 normal;
                if (dlp__moment_distance(&target->shape->moment, point, &normal) < 0.0) {
                    add_point(target, point);
                }
            }
        }
    }
}

static int64_t count_mesh(const dlp__Shape *shape, double spacing)
{
    dlp_Vec3 lower, upper;
    dlp__moment_bounds(&shape->moment, &lower, &upper);
    const dlp_Vec3 size = dlp__sub(upper, lower);
    if (!(size.x / spacing * size.y / spacing * size.z / spacing < ROUND_MOST)) {
        return INT64_MAX;
    }
    Target target = {.shape = shape, .spacing = spacing};
    fill_mesh(&target);
    return target.count;
}

int64_t dlp__shape_fill_count(const dlp__Shape *shape, double spacing)
{
    bool odd;
    switch (shape->kind) {
    case DLP_SHAPE_PLANE:
    case DLP_SHAPE_CONTAINER: return -1;
    case DLP_SHAPE_BOX: return box_count(shape, spacing);
    case DLP_SHAPE_MESH: return count_mesh(shape, spacing);
    case DLP_SHAPE_SPHERE:
    case DLP_SHAPE_CAPSULE:
    case DLP_SHAPE_CYLINDER: break;
    }
    return choose_round(shape, spacing, &odd);
}

void dlp__shape_fill(const dlp__Shape *shape, double spacing, float *x, float *y, float *z)
{
    Target target = {.shape = shape, .spacing = spacing};
    target.x = x;
    target.y = y;
    target.z = z;
    if (shape->kind == DLP_SHAPE_BOX) {
        fill_box(&target);
        return;
    }
    if (shape->kind == DLP_SHAPE_MESH) {
        fill_mesh(&target);
        return;
    }
    bool odd;
    if (choose_round(shape, spacing, &odd) < INT64_MAX) {
        fill_round(&target, odd);
    }
}
