/* Builds the two-level grid of a distance field from closest point queries, in parallel, and looks values up by
 * trilinear interpolation. */
#include "geometry/distance_field.h"

#include "base/error.h"
#include "geometry/mesh_triangle.h"
#include "geometry/mesh_builder.h"
#include "geometry/closest_point.h"

#include <math.h>
#include <string.h>

enum {
    NODES = DLP_DISTANCE_NODES,
    BLOCK_NODES = NODES * NODES * NODES,
    MAX_BLOCKS = 1 << 24,        /* 128 MiB of coarse grid */
    MAX_FINE_BLOCKS = 1 << 17,   /* 364 MiB of nodes near a surface */
    MAX_MOVING_BLOCKS = 1 << 15, /* the same for meshes that deform */
};

static const size_t DISPLACEMENT_SIZE = 3 * sizeof(float);

typedef struct Job {
    dlp__DistanceField *field;
    const dlp__ClosestPointQuery *closest;
    double half_sheet; /* m */
    const dlp_Mesh *mesh;
    const float *displacement; /* m, of the mesh's vertices, or null */
} Job;

static double component(dlp_Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double block_edge(const dlp__DistanceField *field)
{
    return DLP_DISTANCE_CELLS * field->cell;
}

static int64_t block_count(const dlp__DistanceField *field)
{
    return field->blocks[0] * field->blocks[1] * field->blocks[2];
}

static int64_t corner_count(const dlp__DistanceField *field)
{
    return (field->blocks[0] + 1) * (field->blocks[1] + 1) * (field->blocks[2] + 1);
}

static dlp_Vec3 grid_point(const dlp__DistanceField *field, double step, int64_t x, int64_t y, int64_t z)
{
    return dlp__add(field->lower, dlp__vec3(step * (double)x, step * (double)y, step * (double)z));
}

/* m, node distances are clamped to this: enough for all cells that reach into the band. */
static double clamp_distance(const dlp__DistanceField *field)
{
    return field->band + 2.0 * field->cell;
}

/* Signed distance at a point, infinity if the mesh is farther than `max_distance`. `last` is the closest point found
 * for the previous query and then for this one. */
static double signed_distance(const Job *job, dlp_Vec3 point, double max_distance, dlp__ClosestPoint *last)
{
    if (!dlp__closest_point_find(job->closest, point, max_distance, last->triangle, last)) {
        return INFINITY;
    }
    return job->half_sheet > 0.0 ? fabs(last->distance) - job->half_sheet : last->distance;
}

static void fill_corners(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__DistanceField *field = job->field;
    const int64_t nx = field->blocks[0] + 1, ny = field->blocks[1] + 1;
    dlp__ClosestPoint closest = {.triangle = DLP_CLOSEST_POINT_NO_HINT};
    for (int64_t n = begin; n < end; n++) {
        const dlp_Vec3 corner = grid_point(field, block_edge(field), n % nx, n / nx % ny, n / nx / ny);
        field->coarse[n] = (float)signed_distance(job, corner, INFINITY, &closest);
    }
}

/* Mark the blocks whose center is so close that some point of them may lie in the band. */
static void find_fine_blocks(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__DistanceField *field = job->field;
    const int64_t nx = field->blocks[0], ny = field->blocks[1];
    const double step = block_edge(field);
    const dlp_Vec3 half = dlp__vec3(0.5 * step, 0.5 * step, 0.5 * step);
    uint32_t hint = DLP_CLOSEST_POINT_NO_HINT;
    for (int64_t n = begin; n < end; n++) {
        const dlp_Vec3 center = dlp__add(grid_point(field, step, n % nx, n / nx % ny, n / nx / ny), half);
        const double search_radius = field->band + dlp__length(half);
        dlp__ClosestPoint found;
        const bool any = dlp__closest_point_find(job->closest, center, search_radius + job->half_sheet, hint, &found);
        hint = any ? found.triangle : hint;
        field->fine_block[n] = any && fabs(fabs(found.distance) - job->half_sheet) < search_radius ? 0 : -1;
    }
}

/* Displacement of a surface point: the vertices' displacements weighted by barycentric coordinates. */
static dlp_Vec3 displacement_at(const Job *job, const dlp__ClosestPoint *at)
{
    const uint32_t *v = job->mesh->triangle + 3 * (int64_t)at->triangle;
    const dlp_Vec3 normal = dlp__triangle_area(job->mesh->position, v);
    const double squared_norm = dlp__dot(normal, normal);
    dlp_Vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const dlp_Vec3 a = dlp__sub(dlp__mesh_vertex(job->mesh->position, v[(k + 1) % 3]), at->point);
        const dlp_Vec3 b = dlp__sub(dlp__mesh_vertex(job->mesh->position, v[(k + 2) % 3]), at->point);
        const double weight = squared_norm > 0.0 ? dlp__dot(dlp__cross(a, b), normal) / squared_norm : 1.0 / 3.0;
        sum = dlp__add(sum, dlp__scale(dlp__mesh_vertex(job->displacement, v[k]), fmin(fmax(weight, 0.0), 1.0)));
    }
    return sum;
}

/* A node of a fine block: its position in the grid and its index in the field's arrays. */
typedef struct Node {
    int64_t grid[3], index;
} Node;

static Node node_at(const dlp__DistanceField *field, int64_t block, int x, int y, int z)
{
    const int64_t nx = field->blocks[0], ny = field->blocks[1];
    return (Node){{block % nx * DLP_DISTANCE_CELLS + x, block / nx % ny * DLP_DISTANCE_CELLS + y,
                   block / nx / ny * DLP_DISTANCE_CELLS + z},
                  field->fine_block[block] * (int64_t)BLOCK_NODES + ((int64_t)z * NODES + y) * NODES + x};
}

/* `neighbor_distance` is the distance at a node less than two cells away: if nothing is within the limit, both nodes
 * are on the same side of the surface. The first node of a traversal searches without a limit. */
static void fill_node(const Job *job, const Node *node, float neighbor_distance, dlp__ClosestPoint *closest)
{
    const dlp__DistanceField *field = job->field;
    const double limit = clamp_distance(field);
    const double max_distance = closest->triangle == DLP_CLOSEST_POINT_NO_HINT ? INFINITY : limit + job->half_sheet;
    const dlp_Vec3 at = grid_point(field, field->cell, node->grid[0], node->grid[1], node->grid[2]);
    const double distance = signed_distance(job, at, max_distance, closest);
    field->fine[node->index] = (float)(isfinite(distance) ? fmin(fmax(distance, -limit), limit)
                                                          : copysign(limit, (double)neighbor_distance));
    if (job->displacement != NULL) {
        const dlp_Vec3 displacement = displacement_at(job, closest);
        field->displacement[3 * node->index] = (float)displacement.x;
        field->displacement[3 * node->index + 1] = (float)displacement.y;
        field->displacement[3 * node->index + 2] = (float)displacement.z;
    }
}

/* The nodes that a block owns. Rows are traversed in alternating directions, so consecutive nodes are one cell
 * apart. */
static void fill_interior_nodes(const Job *job, int64_t block)
{
    enum { CELLS = DLP_DISTANCE_CELLS };
    dlp__ClosestPoint closest = {.triangle = DLP_CLOSEST_POINT_NO_HINT};
    float last = 0.0f;
    for (int n = 0; n < CELLS * CELLS * CELLS; n++) {
        const int z = n / (CELLS * CELLS), row = n / CELLS, y_at = row % CELLS, x_at = n % CELLS;
        const int y = z % 2 == 0 ? y_at : CELLS - 1 - y_at, x = row % 2 == 0 ? x_at : CELLS - 1 - x_at;
        const Node node = node_at(job->field, block, x, y, z);
        fill_node(job, &node, last, &closest);
        last = job->field->fine[node.index];
    }
}

/* The nodes shared with the next blocks: copied from them if they are fine blocks, too. */
static void fill_shared_nodes(const Job *job, int64_t block)
{
    dlp__DistanceField *field = job->field;
    const int64_t next[3] = {1, field->blocks[0], field->blocks[0] * field->blocks[1]};
    dlp__ClosestPoint closest = {.triangle = DLP_CLOSEST_POINT_NO_HINT};
    for (int n = 0; n < BLOCK_NODES; n++) {
        const int x = n % NODES, y = n / NODES % NODES, z = n / NODES / NODES, last = NODES - 1;
        const Node node = node_at(field, block, x, y, z);
        const bool on_far_face[3] = {x == last, y == last, z == last};
        int64_t owner = block;
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            owner += on_far_face[a] ? next[a] : 0;
            inside = inside && node.grid[a] / DLP_DISTANCE_CELLS < field->blocks[a];
        }
        if (owner == block) {
            continue;
        }
        if (!inside || field->fine_block[owner] < 0) {
            const Node own = node_at(field, block, x - on_far_face[0], y - on_far_face[1], z - on_far_face[2]);
            fill_node(job, &node, field->fine[own.index], &closest);
            continue;
        }
        const Node source = node_at(field, owner, on_far_face[0] ? 0 : x, on_far_face[1] ? 0 : y,
                                    on_far_face[2] ? 0 : z);
        field->fine[node.index] = field->fine[source.index];
        if (job->displacement != NULL) {
            memcpy(field->displacement + 3 * node.index, field->displacement + 3 * source.index, DISPLACEMENT_SIZE);
        }
    }
}

static void for_each_fine_block(const Job *job, int64_t begin, int64_t end, void (*fill)(const Job *job, int64_t block))
{
    for (int64_t n = begin; n < end; n++) {
        if (job->field->fine_block[n] >= 0) {
            fill(job, n);
        }
    }
}

static void fill_all_interior(void *context, int64_t begin, int64_t end)
{
    for_each_fine_block(context, begin, end, fill_interior_nodes);
}

static void fill_all_shared(void *context, int64_t begin, int64_t end)
{
    for_each_fine_block(context, begin, end, fill_shared_nodes);
}

static dlp_Result check_closed(const dlp_Mesh *mesh, dlp__Memory *memory, dlp_Error *error)
{
    dlp__MeshTopology topology;
    if (!dlp__mesh_topology(mesh, memory, &topology)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the edges of %lld triangles",
                         (long long)mesh->triangle_count);
    }
    if (topology.open_edges + topology.nonmanifold_edges > 0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh is not closed (%lld of its edges have one triangle, %lld more than two), so it has no inside: "
            "close it, or give it a thickness with 'sheet'; a flat mesh for emitters is an 'opening'",
            (long long)topology.open_edges, (long long)topology.nonmanifold_edges);
    }
    if (topology.flipped_edges > 0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh has triangles that face inwards next to triangles that face outwards (at %lld edges): make the "
            "normals consistent, or make it a sheet with 'sheet'",
            (long long)topology.flipped_edges);
    }
    return DLP_OK;
}

static void find_bounds(dlp__DistanceField *field, const dlp_Mesh *mesh, double half_sheet)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t n = 0; n < 3 * mesh->vertex_count; n++) {
        const double x = (double)mesh->position[n];
        lower[n % 3] = fmin(lower[n % 3], x - half_sheet);
        upper[n % 3] = fmax(upper[n % 3], x + half_sheet);
    }
    field->mesh_lower = dlp__vec3(lower[0], lower[1], lower[2]);
    field->mesh_upper = dlp__vec3(upper[0], upper[1], upper[2]);
}

static dlp_Result too_large(const dlp__DistanceField *field, dlp_Error *error)
{
    const dlp_Vec3 size = dlp__sub(field->mesh_upper, field->mesh_lower);
    return dlp__fail(
        error, DLP_ERROR_ARGUMENT,
        "the mesh is %g by %g by %g m large, too large for a grid of %g m: check its scale, or use a larger "
        "spacing",
        size.x, size.y, size.z, field->cell);
}

static dlp_Result out_of_memory(const dlp_Mesh *mesh, dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the distance field of a mesh of %lld triangles",
                     (long long)mesh->triangle_count);
}

/* Choose a grid that covers the mesh and its band. */
static dlp_Result choose_grid(dlp__DistanceField *field, dlp_Error *error)
{
    const double step = block_edge(field), margin = field->band + field->cell;
    const dlp_Vec3 size = dlp__sub(field->mesh_upper, field->mesh_lower);
    double blocks = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double count = ceil((component(size, axis) + 2.0 * margin) / step);
        field->blocks[axis] = (int64_t)fmin(fmax(count, 1.0), MAX_BLOCKS);
        blocks *= fmax(count, 1.0);
    }
    if (!(blocks <= MAX_BLOCKS)) {
        return too_large(field, error);
    }
    field->lower = dlp__sub(field->mesh_lower, dlp__vec3(margin, margin, margin));
    return DLP_OK;
}

static dlp_Result fill(Job *job, const dlp_Mesh *mesh, const dlp__Parallel *parallel, dlp_Error *error)
{
    dlp__DistanceField *field = job->field;
    const int64_t blocks = block_count(field), corners = corner_count(field);
    field->fine_block = dlp__memory_get(field->memory, blocks, sizeof *field->fine_block);
    field->coarse = dlp__memory_get(field->memory, corners, sizeof *field->coarse);
    if (field->fine_block == NULL || field->coarse == NULL) {
        return out_of_memory(mesh, error);
    }
    dlp__parallel_for(parallel, corners, 64, fill_corners, job);
    dlp__parallel_for(parallel, blocks, 64, find_fine_blocks, job);
    for (int64_t n = 0; n < blocks; n++) {
        field->fine_block[n] = field->fine_block[n] < 0 ? -1 : (int32_t)field->fine_block_count++;
    }
    if (field->fine_block_count > (job->displacement != NULL ? MAX_MOVING_BLOCKS : MAX_FINE_BLOCKS)) {
        field->fine_block_count = 0;
        return too_large(field, error);
    }
    field->fine = dlp__memory_get(field->memory, field->fine_block_count * BLOCK_NODES, sizeof *field->fine);
    if (job->displacement != NULL) {
        field->displacement = dlp__memory_get(field->memory, field->fine_block_count * BLOCK_NODES, DISPLACEMENT_SIZE);
    }
    if (field->fine_block_count > 0 &&
        (field->fine == NULL || (job->displacement != NULL && field->displacement == NULL))) {
        return out_of_memory(mesh, error);
    }
    dlp__parallel_for(parallel, blocks, 8, fill_all_interior, job);
    dlp__parallel_for(parallel, blocks, 8, fill_all_shared, job);
    return DLP_OK;
}

dlp_Result dlp__distance_field_make(dlp__DistanceField *field, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                    dlp__Memory *memory, const dlp__Parallel *parallel, dlp_Error *error)
{
    *field = (dlp__DistanceField){.memory = memory, .cell = def->cell, .band = def->band};
    for (int64_t v = 0; def->displacement != NULL && v < mesh->vertex_count; v++) {
        field->max_displacement = fmax(field->max_displacement,
                                       dlp__length(dlp__mesh_vertex(def->displacement, (uint32_t)v)));
    }
    dlp_Result result = def->sheet > 0.0 || def->checked ? DLP_OK : check_closed(mesh, memory, error);
    if (result != DLP_OK) {
        return result;
    }
    find_bounds(field, mesh, 0.5 * def->sheet);
    result = choose_grid(field, error);
    dlp__ClosestPointQuery *closest = NULL;
    result = result == DLP_OK ? dlp__closest_point_create(mesh, memory, &closest, error) : result;
    if (result == DLP_OK) {
        result = fill(&(Job){field, closest, 0.5 * def->sheet, mesh, def->displacement}, mesh, parallel, error);
    }
    dlp__closest_point_destroy(closest);
    if (result != DLP_OK) {
        dlp__distance_field_release(field);
    }
    return result;
}

void dlp__distance_field_release(dlp__DistanceField *field)
{
    if (field->memory == NULL) {
        return;
    }
    dlp__memory_release(field->memory, field->displacement, field->fine_block_count * BLOCK_NODES, DISPLACEMENT_SIZE);
    dlp__memory_release(field->memory, field->fine, field->fine_block_count * BLOCK_NODES, sizeof *field->fine);
    dlp__memory_release(field->memory, field->coarse, corner_count(field), sizeof *field->coarse);
    dlp__memory_release(field->memory, field->fine_block, block_count(field), sizeof *field->fine_block);
    *field = (dlp__DistanceField){0};
}

/* The eight values around a point, and its position between them (0 to 1 along each axis). */
typedef struct Cell {
    double value[8];
    double at[3];
    double edge; /* m */
} Cell;

static double lerp(double a, double b, double at)
{
    return a + (b - a) * at;
}

static double interpolate(const Cell *cell, dlp_Vec3 *gradient)
{
    const double *v = cell->value, x = cell->at[0], y = cell->at[1], z = cell->at[2];
    const double low = lerp(lerp(v[0], v[1], x), lerp(v[2], v[3], x), y);
    const double high = lerp(lerp(v[4], v[5], x), lerp(v[6], v[7], x), y);
    gradient->x = lerp(lerp(v[1] - v[0], v[3] - v[2], y), lerp(v[5] - v[4], v[7] - v[6], y), z);
    gradient->y = lerp(lerp(v[2] - v[0], v[3] - v[1], x), lerp(v[6] - v[4], v[7] - v[5], x), z);
    gradient->z = high - low;
    return lerp(low, high, z);
}

/* Lower bound of the distance: for each corner, its distance minus the length of the way there. */
static double lower_bound(const Cell *cell)
{
    double bound = 0.0;
    for (int n = 0; n < 8; n++) {
        const double x = cell->at[0] - (n & 1), y = cell->at[1] - (n >> 1 & 1), z = cell->at[2] - (n >> 2);
        bound = fmax(bound, fabs(cell->value[n]) - cell->edge * sqrt(x * x + y * y + z * z));
    }
    return bound;
}

/* Outside the grid: the distance to the grid, plus the margin between grid and mesh. */
static double distance_outside_grid(const dlp__DistanceField *field, dlp_Vec3 away, dlp_Vec3 *normal)
{
    *normal = dlp__unit_or_up(away);
    return dlp__length(away) + field->band;
}

/* The coarse cell, which is a whole block. */
static Cell coarse_cell(const dlp__DistanceField *field, const int64_t block[3], const double fraction[3])
{
    Cell cell = {.at = {fraction[0], fraction[1], fraction[2]}, .edge = block_edge(field)};
    const int64_t nx = field->blocks[0] + 1, ny = field->blocks[1] + 1;
    for (int n = 0; n < 8; n++) {
        const int64_t x = block[0] + (n & 1), y = block[1] + (n >> 1 & 1), z = block[2] + (n >> 2);
        cell.value[n] = (double)field->coarse[(z * ny + y) * nx + x];
    }
    return cell;
}

/* A cell of a fine block: its first node, counted over all blocks, and the point's position within the cell. */
static int64_t node_of(int32_t fine_block, const double fraction[3], double cell_fraction[3])
{
    int at[3];
    for (int a = 0; a < 3; a++) {
        const double cells = fraction[a] * DLP_DISTANCE_CELLS;
        at[a] = (int)fmin(fmax(cells, 0.0), DLP_DISTANCE_CELLS - 1);
        cell_fraction[a] = cells - at[a];
    }
    return (int64_t)fine_block * BLOCK_NODES + ((int64_t)at[2] * NODES + at[1]) * NODES + at[0];
}

/* Index offset from the first node of a cell to corner n. */
static int64_t corner_offset(int n)
{
    return (n & 1) + (int64_t)(n >> 1 & 1) * NODES + (int64_t)(n >> 2) * NODES * NODES;
}

/* The cell of a fine block; false where it is beyond the band. */
static bool fine_cell(const dlp__DistanceField *field, int32_t fine_block, const double fraction[3], Cell *cell)
{
    bool all = true;
    const float *node = field->fine + node_of(fine_block, fraction, cell->at);
    const double limit = 0.999 * clamp_distance(field);
    cell->edge = field->cell;
    for (int n = 0; n < 8; n++) {
        cell->value[n] = (double)node[corner_offset(n)];
        all &= fabs(cell->value[n]) <= limit;
    }
    return all;
}

/* The position of a point in the grid. */
typedef struct GridPosition {
    int64_t block[3];
    double fraction[3];  /* of the block's edge, 0 to 1 */
    int32_t fine_block;  /* the field's entry for the block */
    bool outside;        /* outside the grid */
    dlp_Vec3 outside_by; /* m, vector from the grid to the point */
} GridPosition;

static GridPosition locate(const dlp__DistanceField *field, dlp_Vec3 point)
{
    const double step = block_edge(field);
    const dlp_Vec3 from = dlp__sub(point, field->lower);
    const double p[3] = {from.x, from.y, from.z};
    double outside_by[3];
    GridPosition position = {.fine_block = -1};
    for (int a = 0; a < 3; a++) {
        const double size = step * (double)field->blocks[a];
        outside_by[a] = p[a] < 0.0 ? p[a] : p[a] > size ? p[a] - size : 0.0;
        position.outside |= !(p[a] >= 0.0 && p[a] <= size);
        position.block[a] = position.outside ? 0 : (int64_t)fmin(p[a] / step, (double)(field->blocks[a] - 1));
        position.fraction[a] = p[a] / step - (double)position.block[a];
    }
    position.outside_by = dlp__vec3(outside_by[0], outside_by[1], outside_by[2]);
    if (!position.outside) {
        const int64_t *block = position.block;
        position.fine_block = field->fine_block[(block[2] * field->blocks[1] + block[1]) * field->blocks[0] + block[0]];
    }
    return position;
}

double dlp__distance_field_at(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *normal)
{
    const GridPosition position = locate(field, point);
    if (position.outside) {
        return distance_outside_grid(field, position.outside_by, normal);
    }
    Cell finer;
    dlp_Vec3 gradient;
    if (position.fine_block >= 0 && fine_cell(field, position.fine_block, position.fraction, &finer)) {
        const double distance = interpolate(&finer, &gradient);
        *normal = dlp__unit_or_up(gradient);
        return distance;
    }
    const Cell cell = coarse_cell(field, position.block, position.fraction);
    interpolate(&cell, &gradient);
    *normal = dlp__unit_or_up(gradient);
    /* The corners of a block that the surface crosses may be on both sides, its nodes beyond the band are on one. */
    return copysign(fmax(lower_bound(&cell), field->band), position.fine_block >= 0 ? finer.value[0] : cell.value[0]);
}

bool dlp__distance_field_displacement(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *displacement)
{
    const GridPosition position = locate(field, point);
    Cell cell;
    if (field->displacement == NULL || position.fine_block < 0 ||
        !fine_cell(field, position.fine_block, position.fraction, &cell)) {
        return false;
    }
    const float *node = field->displacement + 3 * node_of(position.fine_block, position.fraction, cell.at);
    double value[3];
    for (int a = 0; a < 3; a++) {
        dlp_Vec3 unused;
        for (int n = 0; n < 8; n++) {
            cell.value[n] = (double)node[3 * corner_offset(n) + a];
        }
        value[a] = interpolate(&cell, &unused);
    }
    *displacement = dlp__vec3(value[0], value[1], value[2]);
    return true;
}
