/* Lattices of particles in shapes. Every row of a lattice is centered: n points at (k - (n - 1) / 2) * spacing. In
 * round shapes all rows have an even or all an odd number of points, whichever is closer to the shape's volume, so that
 * even a drop of a few particles has about the right mass. */
#include "geometry/shape.h"

/* Round shapes with more particles are not counted: it would take long, and no world can hold them. */
static const double MAX_ROUND_COUNT = 4e9;

static const double PI = 3.14159265358979323846;

static double lattice_at(int64_t k, int64_t n, double spacing)
{
    return ((double)k - 0.5 * (double)(n - 1)) * spacing;
}

/* Number of points of a row that lie within `half` of its center. */
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

static int64_t saturating_product(int64_t a, int64_t b)
{
    int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

/* Half the length of the chord through a circle or sphere at `offset` from its center. */
static double half_chord(double radius, double offset_squared)
{
    return sqrt(fmax(radius * radius - offset_squared, 0.0));
}

/* In a plane */

static int64_t disc_rows(double radius, double spacing, bool odd, float *u, float *v)
{
    int64_t count = 0, rows = points_across(radius, spacing, odd);
    for (int64_t j = 0; j < rows; j++) {
        double y = lattice_at(j, rows, spacing);
        int64_t row = points_across(half_chord(radius, y * y), spacing, odd);
        for (int64_t i = 0; u != NULL && i < row; i++) {
            u[count + i] = (float)lattice_at(i, row, spacing);
            v[count + i] = (float)y;
        }
        count += row;
    }
    return count;
}

static bool odd_fits_better(int64_t even, int64_t odd, double wanted)
{
    return even == 0 || fabs((double)odd - wanted) < fabs((double)even - wanted);
}

int64_t dlp__disc_fill(double radius, double spacing, float *u, float *v)
{
    double per_spacing = radius / spacing, area = PI * per_spacing * per_spacing;
    if (!(area < MAX_ROUND_COUNT)) {
        return INT64_MAX;
    }
    int64_t even = disc_rows(radius, spacing, false, NULL, NULL);
    int64_t odd = disc_rows(radius, spacing, true, NULL, NULL);
    bool use_odd = odd_fits_better(even, odd, area);
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
            u[count] = (float)lattice_at(i, across, spacing);
            v[count] = (float)lattice_at(j, up, spacing);
        }
    }
    return saturating_product(across, up);
}

/* In space */

/* Receives the points, rotated and translated with the shape. Null arrays only count. */
typedef struct Output {
    const dlp__Shape *shape;
    double spacing; /* m */
    float *x, *y, *z;
    int64_t count;
} Output;

static void add_point(Output *output, dlp_Vec3 local)
{
    if (output->x != NULL) {
        dlp_Vec3 world_point = dlp__add(output->shape->position, dlp__rotate(&output->shape->rotation, local));
        output->x[output->count] = (float)world_point.x;
        output->y[output->count] = (float)world_point.y;
        output->z[output->count] = (float)world_point.z;
    }
    output->count++;
}

/* A column of n points along the local z axis. */
static void add_column(Output *output, double x, double y, int64_t n)
{
    if (output->x == NULL) {
        output->count += n;
        return;
    }
    for (int64_t k = 0; k < n; k++) {
        add_point(output, dlp__vec3(x, y, lattice_at(k, n, output->spacing)));
    }
}

static int64_t box_count(const dlp__Shape *shape, double spacing)
{
    return saturating_product(
        saturating_product(layers_along(2.0 * shape->half.x, spacing), layers_along(2.0 * shape->half.y, spacing)),
        layers_along(2.0 * shape->half.z, spacing));
}

static void fill_box(Output *output)
{
    double spacing = output->spacing;
    int64_t nx = layers_along(2.0 * output->shape->half.x, spacing);
    int64_t ny = layers_along(2.0 * output->shape->half.y, spacing);
    int64_t nz = layers_along(2.0 * output->shape->half.z, spacing);
    for (int64_t i = 0; i < nx; i++) {
        for (int64_t j = 0; j < ny; j++) {
            add_column(output, lattice_at(i, nx, spacing), lattice_at(j, ny, spacing), nz);
        }
    }
}

/* Sphere, capsule and cylinder: columns over the points of a disc. A cylinder has flat ends and layers like a box;
 * round ends follow the chord. */
static void fill_round(Output *output, bool odd)
{
    const dlp__Shape *shape = output->shape;
    double spacing = output->spacing;
    double half_length = shape->kind == DLP_SHAPE_CAPSULE ? shape->half_length : 0.0;
    bool flat = shape->kind == DLP_SHAPE_CYLINDER;
    int64_t layers = flat ? layers_along(2.0 * shape->half_length, spacing) : 0;
    int64_t rows = points_across(shape->radius, spacing, odd);
    for (int64_t j = 0; j < rows; j++) {
        double y = lattice_at(j, rows, spacing);
        int64_t row = points_across(half_chord(shape->radius, y * y), spacing, odd);
        if (flat && output->x == NULL) {
            output->count += row * layers;
            continue;
        }
        for (int64_t i = 0; i < row; i++) {
            double x = lattice_at(i, row, spacing);
            double half = half_length + half_chord(shape->radius, x * x + y * y);
            add_column(output, x, y, flat ? layers : points_across(half, spacing, odd));
        }
    }
}

/* Volume in particle volumes; the length of a cylinder is rounded to whole layers. */
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
    Output output = {.shape = shape, .spacing = spacing};
    fill_round(&output, odd);
    return output.count;
}

/* The number of points, and whether the odd lattice is used. A capsule thinner than the spacing has almost no volume
 * but still one column, so the length is limited, too. */
static int64_t choose_round(const dlp__Shape *shape, double spacing, bool *odd)
{
    double volume = volume_of_round(shape, spacing);
    double length = shape->kind == DLP_SHAPE_SPHERE ? 0.0 : 2.0 * shape->half_length / spacing;
    if (!(volume < MAX_ROUND_COUNT) || !(length < MAX_ROUND_COUNT)) {
        *odd = false;
        return INT64_MAX;
    }
    int64_t of_even = count_round(shape, spacing, false), of_odd = count_round(shape, spacing, true);
    *odd = odd_fits_better(of_even, of_odd, volume);
    return *odd ? of_odd : of_even;
}

/* The points of a lattice around the center of the mesh that are inside it. */
static void fill_mesh(Output *output)
{
    dlp_Vec3 lower, upper;
    dlp__interpolated_bounds(&output->shape->field, &lower, &upper);
    const dlp_Vec3 size = dlp__sub(upper, lower), center = dlp__scale(dlp__add(lower, upper), 0.5);
    const int64_t nx = layers_along(size.x, output->spacing), ny = layers_along(size.y, output->spacing),
                  nz = layers_along(size.z, output->spacing);
    for (int64_t i = 0; i < nx; i++) {
        for (int64_t j = 0; j < ny; j++) {
            for (int64_t k = 0; k < nz; k++) {
                const dlp_Vec3 point = dlp__add(center, dlp__vec3(lattice_at(i, nx, output->spacing),
                                                                  lattice_at(j, ny, output->spacing),
                                                                  lattice_at(k, nz, output->spacing)));
                dlp_Vec3 normal;
                if (dlp__interpolated_distance(&output->shape->field, point, &normal) < 0.0) {
                    add_point(output, point);
                }
            }
        }
    }
}

static int64_t count_mesh(const dlp__Shape *shape, double spacing)
{
    dlp_Vec3 lower, upper;
    dlp__interpolated_bounds(&shape->field, &lower, &upper);
    const dlp_Vec3 size = dlp__sub(upper, lower);
    if (!(size.x / spacing * size.y / spacing * size.z / spacing < MAX_ROUND_COUNT)) {
        return INT64_MAX;
    }
    Output output = {.shape = shape, .spacing = spacing};
    fill_mesh(&output);
    return output.count;
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
    Output output = {.shape = shape, .spacing = spacing};
    output.x = x;
    output.y = y;
    output.z = z;
    if (shape->kind == DLP_SHAPE_BOX) {
        fill_box(&output);
        return;
    }
    if (shape->kind == DLP_SHAPE_MESH) {
        fill_mesh(&output);
        return;
    }
    bool odd;
    if (choose_round(shape, spacing, &odd) < INT64_MAX) {
        fill_round(&output, odd);
    }
}
