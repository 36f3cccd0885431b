/* Finds the plane of a flat mesh, fits a square lattice into it and marks the cells inside its triangles. */
#include "geometry/flat_opening.h"

#include "base/error.h"
#include "geometry/mesh_triangle.h"

#include <math.h>
#include <string.h>

static const double FLATNESS = 1e-3;     /* relative to the size: deviation from the plane */
static const double MAX_CELLS = 1 << 24; /* of the lattice: more particles in a layer than anyone needs */

void dlp__opening_axes(dlp_Vec3 flow, dlp_Vec3 *u, dlp_Vec3 *v)
{
    dlp_Vec3 level = dlp__cross(dlp__vec3(0.0, 0.0, 1.0), flow);
    double length = dlp__length(level);
    *u = length > 1e-9 ? dlp__scale(level, 1.0 / length) : dlp__vec3(1.0, 0.0, 0.0);
    *v = dlp__cross(flow, *u);
}

/* A mesh projected on its plane. */
typedef struct Outline {
    const dlp_Mesh *mesh;
    dlp_Vec3 u, v, normal;
    double area;            /* m2 */
    double low[3], high[3]; /* m, bounds along u, v and the normal */
} Outline;

static dlp_Vec3 corner_of(const Outline *outline, int64_t corner)
{
    const float *p = outline->mesh->position + 3 * (int64_t)outline->mesh->triangle[corner];
    const dlp_Vec3 position = dlp__vec3((double)p[0], (double)p[1], (double)p[2]);
    return dlp__vec3(dlp__dot(position, outline->u), dlp__dot(position, outline->v),
                     dlp__dot(position, outline->normal));
}

static void find_bounds(Outline *outline)
{
    for (int a = 0; a < 3; a++) {
        outline->low[a] = INFINITY;
        outline->high[a] = -INFINITY;
    }
    for (int64_t n = 0; n < 3 * outline->mesh->triangle_count; n++) {
        const dlp_Vec3 corner = corner_of(outline, n);
        const double coordinate[3] = {corner.x, corner.y, corner.z};
        for (int a = 0; a < 3; a++) {
            outline->low[a] = fmin(outline->low[a], coordinate[a]);
            outline->high[a] = fmax(outline->high[a], coordinate[a]);
        }
    }
}

/* Find the plane of the mesh, or say why it has none. */
static dlp_Result find_plane(Outline *outline, const dlp_Mesh *mesh, dlp_Error *error)
{
    dlp_Vec3 sum = dlp__vec3(0.0, 0.0, 0.0);
    double total = 0.0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const dlp_Vec3 area = dlp__triangle_area(mesh->position, mesh->triangle + 3 * t);
        sum = dlp__add(sum, area);
        total += dlp__length(area);
    }
    const double length = dlp__length(sum);
    if (!(length > (1.0 - FLATNESS) * total)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh is not an opening: its triangles do not all face the same way; give a flat sheet with its "
            "normals along the flow (Blender: Mesh, Normals, Recalculate Outside)");
    }
    *outline = (Outline){.mesh = mesh, .normal = dlp__scale(sum, 1.0 / length), .area = 0.5 * total};
    dlp__opening_axes(outline->normal, &outline->u, &outline->v);
    find_bounds(outline);
    const double size = fmax(outline->high[0] - outline->low[0], outline->high[1] - outline->low[1]);
    const double thickness = outline->high[2] - outline->low[2];
    if (!(thickness <= FLATNESS * size)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh is not an opening: it is %g m thick and %g m wide, but must be flat to within a thousandth; "
            "give only the face that the fluid leaves through",
            thickness, size);
    }
    return DLP_OK;
}

/* Number of cells in a row of length `size` whose centers lie within it. */
static int64_t cells_along(double size, double spacing, bool odd)
{
    const double half = 0.5 * size / spacing;
    return odd ? 2 * (int64_t)floor(half) + 1 : 2 * (int64_t)floor(half + 0.5);
}

/* A lattice around the center of the mesh, with an even or odd number of cells along each axis. */
static dlp__FlatOpening lattice_of(const Outline *outline, double spacing, bool odd_across, bool odd_up)
{
    const int64_t columns = cells_along(outline->high[0] - outline->low[0], spacing, odd_across);
    const int64_t rows = cells_along(outline->high[1] - outline->low[1], spacing, odd_up);
    return (dlp__FlatOpening){
        .spacing = spacing,
        .u = 0.5 * (outline->low[0] + outline->high[0] - (double)(columns - 1) * spacing),
        .v = 0.5 * (outline->low[1] + outline->high[1] - (double)(rows - 1) * spacing),
        .depth = 0.5 * (outline->low[2] + outline->high[2]),
        .columns = columns,
        .rows = rows,
    };
}

/* Twice the signed area of the triangle a, b, (u, v): positive if the point is to the left of the line from a to b. */
static double orient_2d(dlp_Vec3 a, dlp_Vec3 b, double u, double v)
{
    return (b.x - a.x) * (v - a.y) - (b.y - a.y) * (u - a.x);
}

static int64_t clamp_cell(double cell, int64_t count)
{
    return cell < 0.0 ? 0 : cell > (double)count ? count : (int64_t)cell;
}

/* Mark the cells whose center is in a triangle or on its edge, and count the newly marked ones. */
static void mark_triangle(dlp__FlatOpening *opening, const dlp_Vec3 corner[3])
{
    const double d = opening->spacing, slack = -1e-9 * d * d;
    const dlp_Vec3 a = corner[0], b = corner[1], c = corner[2];
    const double low_u = fmin(fmin(a.x, b.x), c.x), high_u = fmax(fmax(a.x, b.x), c.x);
    const double low_v = fmin(fmin(a.y, b.y), c.y), high_v = fmax(fmax(a.y, b.y), c.y);
    const int64_t first = clamp_cell(floor((low_u - opening->u) / d), opening->columns);
    const int64_t last = clamp_cell(ceil((high_u - opening->u) / d) + 1.0, opening->columns);
    const int64_t lowest = clamp_cell(floor((low_v - opening->v) / d), opening->rows);
    const int64_t highest = clamp_cell(ceil((high_v - opening->v) / d) + 1.0, opening->rows);
    for (int64_t j = lowest; j < highest; j++) {
        for (int64_t i = first; i < last; i++) {
            const double u = opening->u + (double)i * d, v = opening->v + (double)j * d;
            uint8_t *cell = &opening->inside[j * opening->columns + i];
            if (*cell == 0 && orient_2d(a, b, u, v) >= slack && orient_2d(b, c, u, v) >= slack &&
                orient_2d(c, a, u, v) >= slack) {
                *cell = 1;
                opening->count++;
            }
        }
    }
}

static void mark_all(dlp__FlatOpening *opening, const Outline *outline)
{
    memset(opening->inside, 0, (size_t)(opening->columns * opening->rows));
    opening->count = 0;
    for (int64_t t = 0; t < outline->mesh->triangle_count; t++) {
        const dlp_Vec3 corner[3] = {corner_of(outline, 3 * t), corner_of(outline, 3 * t + 1),
                                    corner_of(outline, 3 * t + 2)};
        mark_triangle(opening, corner);
    }
}

static bool odd_cells(double size, double spacing)
{
    return fmod(floor(size / spacing + 0.5), 2.0) != 0.0;
}

/* Of four lattices, choose the one whose number of particles is closest to the area; on a tie the first, whose outer
 * cells reach the edge. */
static dlp_Result fill_best(dlp__FlatOpening *opening, const Outline *outline, double spacing, dlp__Memory *memory,
                            dlp_Error *error)
{
    const double wanted = outline->area / (spacing * spacing);
    const bool odd_across = odd_cells(outline->high[0] - outline->low[0], spacing);
    const bool odd_up = odd_cells(outline->high[1] - outline->low[1], spacing);
    for (int n = 0; n < 4; n++) {
        dlp__FlatOpening trial = lattice_of(outline, spacing, odd_across != (n % 2 == 1), odd_up != (n / 2 == 1));
        if (trial.columns == 0 || trial.rows == 0) {
            continue;
        }
        trial.inside = dlp__memory_get(memory, trial.columns * trial.rows, 1);
        if (trial.inside == NULL) {
            return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for an opening of %lld by %lld particles",
                             (long long)trial.columns, (long long)trial.rows);
        }
        mark_all(&trial, outline);
        const bool better = opening->inside == NULL ||
                            fabs((double)trial.count - wanted) < fabs((double)opening->count - wanted);
        dlp__flat_opening_release(better ? opening : &trial, memory);
        *opening = better ? trial : *opening;
    }
    return DLP_OK;
}

dlp_Result dlp__flat_opening_make(dlp__FlatOpening *opening, const dlp_Mesh *mesh, double spacing, dlp__Memory *memory,
                                  dlp_Error *error)
{
    Outline outline = {.mesh = mesh};
    *opening = (dlp__FlatOpening){.inside = NULL};
    dlp_Result result = find_plane(&outline, mesh, error);
    if (result != DLP_OK) {
        return result;
    }
    const double width = outline.high[0] - outline.low[0], height = outline.high[1] - outline.low[1];
    if (!((width / spacing + 1.0) * (height / spacing + 1.0) < MAX_CELLS)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the opening is %g m by %g m, which is too large for particles %g m apart: check the scale of the mesh, "
            "or use a larger spacing",
            width, height, spacing);
    }
    result = fill_best(opening, &outline, spacing, memory, error);
    if (result == DLP_OK && opening->count == 0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the opening is %g m by %g m, too small for any particle: check the scale of the mesh, or use a spacing "
            "smaller than %g m",
            width, height, spacing);
    }
    return result;
}

void dlp__flat_opening_release(dlp__FlatOpening *opening, dlp__Memory *memory)
{
    dlp__memory_release(memory, opening->inside, opening->columns * opening->rows, 1);
    *opening = (dlp__FlatOpening){.inside = NULL};
}

int64_t dlp__flat_opening_points(const dlp__FlatOpening *opening, float *u, float *v)
{
    int64_t count = 0;
    for (int64_t j = 0; u != NULL && j < opening->rows; j++) {
        for (int64_t i = 0; i < opening->columns; i++) {
            if (opening->inside[j * opening->columns + i] != 0) {
                u[count] = (float)(opening->u + (double)i * opening->spacing);
                v[count++] = (float)(opening->v + (double)j * opening->spacing);
            }
        }
    }
    return opening->count;
}

bool dlp__flat_opening_contains(const dlp__FlatOpening *opening, double u, double v)
{
    const double i = floor((u - opening->u) / opening->spacing + 0.5);
    const double j = floor((v - opening->v) / opening->spacing + 0.5);
    return i >= 0.0 && j >= 0.0 && i < (double)opening->columns && j < (double)opening->rows &&
           opening->inside[(int64_t)j * opening->columns + (int64_t)i] != 0;
}
