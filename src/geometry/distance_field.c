#include "geometry/distance_field.h"

#include "base/error.h"
#include "geometry/mesh_triangle.h"
#include "geometry/model.h"
#include "geometry/nearest.h"

#include <math.h>
#include <string.h>

enum {
    NODES = DLP_DISTANCE_NODES,
    BLOCK_NODES = NODES * NODES * NODES,
    BLOCKS_MOST = 1 << 24, /* 128 MiB of coarse grid          */
    NEAR_MOST = 1 << 17,   /* 364 MiB of nodes near a surface */
    DRIFTS_MOST = 1 << 15, /* the same where each has a drift */
};

static const size_t DRIFT_SIZE = 3 * sizeof(float);

typedef struct Job {
    dlp__DistanceField *field;
    const dlp__Nearest *nearest;
    double half_sheet; /* m */
    const dlp_Mesh *mesh;
    const float *drift; /* m, of its vertices, or null */
} Job;

static double part(dlp_Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double edge_of_block(const dlp__DistanceField *field)
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

static dlp_Vec3 place(const dlp__DistanceField *field, double step, int64_t x, int64_t y, int64_t z)
{
    return dlp__add(field->lower, dlp__vec3(step * (double)x, step * (double)y, step * (double)z));
}

/* m, the largest distance that nodes of blocks near the surface have: enough for all cells that reach into the band. */
static double limit_of(const dlp__DistanceField *field)
{
    return field->band + 2.0 * field->cell;
}

/* What the field says at a point, infinity if the mesh is farther than `within`; `last` is what was nearest to the last point, then
 * to this. */
static double distance_from(const Job *job, dlp_Vec3 point, double within, dlp__NearestPoint *last)
{
    if (!dlp__nearest_find(job->nearest, point, within, last->triangle, last)) {
        return INFINITY;
    }
    return job->half_sheet > 0.0 ? fabs(last->distance) - job->half_sheet : last->distance;
}

static void fill_corners(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__DistanceField *field = job->field;
    const int64_t nx = field->blocks[0] + 1, ny = field->blocks[1] + 1;
    dlp__NearestPoint nearest = {.triangle = DLP_NEAREST_NO_HINT};
    for (int64_t n = begin; n < end; n++) {
        const dlp_Vec3 corner = place(field, edge_of_block(field), n % nx, n / nx % ny, n / nx / ny);
        field->coarse[n] = (float)distance_from(job, corner, INFINITY, &nearest);
    }
}

/* Blocks whose middle is so near that some point of them may lie in the band. */
static void find_near(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__DistanceField *field = job->field;
    const int64_t nx = field->blocks[0], ny = field->blocks[1];
    const double step = edge_of_block(field);
    const dlp_Vec3 half = dlp__vec3(0.5 * step, 0.5 * step, 0.5 * step);
    uint32_t hint = DLP_NEAREST_NO_HINT;
    for (int64_t n = begin; n < end; n++) {
        const dlp_Vec3 middle = dlp__add(place(field, step, n % nx, n / nx % ny, n / nx / ny), half);
        const double reach = field->band + dlp__length(half);
        dlp__NearestPoint found;
        const bool any = dlp__nearest_find(job->nearest, middle, reach + job->half_sheet, hint, &found);
        hint = any ? found.triangle : hint;
        field->near[n] = any && fabs(fabs(found.distance) - job->half_sheet) < reach ? 0 : -1;
    }
}

/* Where a point of the surface goes: the mean over the corners of its triangle, each by the part of it that lies across. */
static dlp_Vec3 drift_of(const Job *job, const dlp__NearestPoint *at)
{
    const uint32_t *v = job->mesh->triangle + 3 * (int64_t)at->triangle;
    const dlp_Vec3 whole = dlp__triangle_area(job->mesh->position, v);
    const double square = dlp__dot(whole, whole);
    dlp_Vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const dlp_Vec3 a = dlp__sub(dlp__mesh_vertex(job->mesh->position, v[(k + 1) % 3]), at->point);
        const dlp_Vec3 b = dlp__sub(dlp__mesh_vertex(job->mesh->position, v[(k + 2) % 3]), at->point);
        const double part = square > 0.0 ? dlp__dot(dlp__cross(a, b), whole) / square : 1.0 / 3.0;
        sum = dlp__add(sum, dlp__scale(dlp__mesh_vertex(job->drift, v[k]), fmin(fmax(part, 0.0), 1.0)));
    }
    return sum;
}

/* A node of a block near the surface: where it is in the grid, and in the field's arrays. */
typedef struct Node {
    int64_t grid[3], index;
} Node;

static Node node_at(const dlp__DistanceField *field, int64_t block, int x, int y, int z)
{
    const int64_t nx = field->blocks[0], ny = field->blocks[1];
    return (Node){{block % nx * DLP_DISTANCE_CELLS + x, block / nx % ny * DLP_DISTANCE_CELLS + y,
                   block / nx / ny * DLP_DISTANCE_CELLS + z},
                  field->near[block] * (int64_t)BLOCK_NODES + ((int64_t)z * NODES + y) * NODES + x};
}

/* `beside` is the distance at a node less than two cells away: where nothing is within the limit, the surface is not between. The
 * first node of a walk finds what is nearest, however far. */
static void fill_node(const Job *job, const Node *node, float beside, dlp__NearestPoint *nearest)
{
    const dlp__DistanceField *field = job->field;
    const double limit = limit_of(field);
    const double within = nearest->triangle == DLP_NEAREST_NO_HINT ? INFINITY : limit + job->half_sheet;
    const dlp_Vec3 at = place(field, field->cell, node->grid[0], node->grid[1], node->grid[2]);
    const double distance = distance_from(job, at, within, nearest);
    field->fine[node->index] = (float)(isfinite(distance) ? fmin(fmax(distance, -limit), limit)
                                                          : copysign(limit, (double)beside));
    if (job->drift != NULL) {
        const dlp_Vec3 way = drift_of(job, nearest);
        field->drift[3 * node->index] = (float)way.x;
        field->drift[3 * node->index + 1] = (float)way.y;
        field->drift[3 * node->index + 2] = (float)way.z;
    }
}

/* The nodes that are a block's own. Rows are walked to and fro, so that each is a cell from the last. */
static void fill_own(const Job *job, int64_t block)
{
    enum { CELLS = DLP_DISTANCE_CELLS };
    dlp__NearestPoint nearest = {.triangle = DLP_NEAREST_NO_HINT};
    float last = 0.0f;
    for (int n = 0; n < CELLS * CELLS * CELLS; n++) {
        const int z = n / (CELLS * CELLS), row = n / CELLS, y_at = row % CELLS, x_at = n % CELLS;
        const int y = z % 2 == 0 ? y_at : CELLS - 1 - y_at, x = row % 2 == 0 ? x_at : CELLS - 1 - x_at;
        const Node node = node_at(job->field, block, x, y, z);
        fill_node(job, &node, last, &nearest);
        last = job->field->fine[node.index];
    }
}

/* Those that it shares with the next blocks: theirs where they are near the surface, too. */
static void fill_shared(const Job *job, int64_t block)
{
    dlp__DistanceField *field = job->field;
    const int64_t next[3] = {1, field->blocks[0], field->blocks[0] * field->blocks[1]};
    dlp__NearestPoint nearest = {.triangle = DLP_NEAREST_NO_HINT};
    for (int n = 0; n < BLOCK_NODES; n++) {
        const int x = n % NODES, y = n / NODES % NODES, z = n / NODES / NODES, last = NODES - 1;
        const Node node = node_at(field, block, x, y, z);
        const bool over[3] = {x == last, y == last, z == last};
        int64_t owner = block;
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            owner += over[a] ? next[a] : 0;
            inside = inside && node.grid[a] / DLP_DISTANCE_CELLS < field->blocks[a];
        }
        if (owner == block) {
            continue;
        }
        if (!inside || field->near[owner] < 0) {
            const Node own = node_at(field, block, x - over[0], y - over[1], z - over[2]);
            fill_node(job, &node, field->fine[own.index], &nearest);
            continue;
        }
        const Node same = node_at(field, owner, over[0] ? 0 : x, over[1] ? 0 : y, over[2] ? 0 : z);
        field->fine[node.index] = field->fine[same.index];
        if (job->drift != NULL) {
            memcpy(field->drift + 3 * node.index, field->drift + 3 * same.index, DRIFT_SIZE);
        }
    }
}

static void each_near(const Job *job, int64_t begin, int64_t end, void (*fill)(const Job *job, int64_t block))
{
    for (int64_t n = begin; n < end; n++) {
        if (job->field->near[n] >= 0) {
            fill(job, n);
        }
    }
}

static void fill_all_own(void *context, int64_t begin, int64_t end)
{
    each_near(context, begin, end, fill_own);
}

static void fill_all_shared(void *context, int64_t begin, int64_t end)
{
    each_near(context, begin, end, fill_shared);
}

static dlp_Result check_closed(const dlp_Mesh *mesh, dlp__Memory *memory, dlp_Error *error)
{
    dlp__Topology topology;
    if (!dlp__mesh_topology(mesh, memory, &topology)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory to look at the edges of %lld triangles",
                         (long long)mesh->triangle_count);
    }
    if (topology.open_edges + topology.crowded_edges > 0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh is not closed (%lld of its edges have one triangle, %lld more than two), so it has no "
            "inside: close it, or give it a thickness with 'sheet'; a flat one for emitters is an 'opening'",
            (long long)topology.open_edges, (long long)topology.crowded_edges);
    }
    if (topology.turned_edges > 0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh has triangles that face inwards beside others that face outwards (at %lld edges): turn "
            "them alike, or make it a sheet with 'sheet'",
            (long long)topology.turned_edges);
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

static dlp_Result no_room(const dlp_Mesh *mesh, dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the distances around a mesh of %lld triangles",
                     (long long)mesh->triangle_count);
}

/* A grid around the mesh and its band. */
static dlp_Result lay_out(dlp__DistanceField *field, dlp_Error *error)
{
    const double step = edge_of_block(field), margin = field->band + field->cell;
    const dlp_Vec3 size = dlp__sub(field->mesh_upper, field->mesh_lower);
    double blocks = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double count = ceil((part(size, axis) + 2.0 * margin) / step);
        field->blocks[axis] = (int64_t)fmin(fmax(count, 1.0), BLOCKS_MOST);
        blocks *= fmax(count, 1.0);
    }
    if (!(blocks <= BLOCKS_MOST)) {
        return too_large(field, error);
    }
    field->lower = dlp__sub(field->mesh_lower, dlp__vec3(margin, margin, margin));
    return DLP_OK;
}

static dlp_Result fill(Job *job, const dlp_Mesh *mesh, const dlp__Parallel *parallel, dlp_Error *error)
{
    dlp__DistanceField *field = job->field;
    const int64_t blocks = block_count(field), corners = corner_count(field);
    field->near = dlp__memory_get(field->memory, blocks, sizeof *field->near);
    field->coarse = dlp__memory_get(field->memory, corners, sizeof *field->coarse);
    if (field->near == NULL || field->coarse == NULL) {
        return no_room(mesh, error);
    }
    dlp__parallel_for(parallel, corners, 64, fill_corners, job);
    dlp__parallel_for(parallel, blocks, 64, find_near, job);
    for (int64_t n = 0; n < blocks; n++) {
        field->near[n] = field->near[n] < 0 ? -1 : (int32_t)field->near_count++;
    }
    if (field->near_count > (job->drift != NULL ? DRIFTS_MOST : NEAR_MOST)) {
        field->near_count = 0;
        return too_large(field, error);
    }
    field->fine = dlp__memory_get(field->memory, field->near_count * BLOCK_NODES, sizeof *field->fine);
    if (job->drift != NULL) {
        field->drift = dlp__memory_get(field->memory, field->near_count * BLOCK_NODES, DRIFT_SIZE);
    }
    if (field->near_count > 0 && (field->fine == NULL || (job->drift != NULL && field->drift == NULL))) {
        return no_room(mesh, error);
    }
    dlp__parallel_for(parallel, blocks, 8, fill_all_own, job);
    dlp__parallel_for(parallel, blocks, 8, fill_all_shared, job);
    return DLP_OK;
}

dlp_Result dlp__distance_field_make(dlp__DistanceField *field, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                    dlp__Memory *memory, const dlp__Parallel *parallel, dlp_Error *error)
{
    *field = (dlp__DistanceField){.memory = memory, .cell = def->cell, .band = def->band};
    for (int64_t v = 0; def->drift != NULL && v < mesh->vertex_count; v++) {
        field->reach = fmax(field->reach, dlp__length(dlp__mesh_vertex(def->drift, (uint32_t)v)));
    }
    dlp_Result result = def->sheet > 0.0 || def->checked ? DLP_OK : check_closed(mesh, memory, error);
    if (result != DLP_OK) {
        return result;
    }
    find_bounds(field, mesh, 0.5 * def->sheet);
    result = lay_out(field, error);
    dlp__Nearest *nearest = NULL;
    result = result == DLP_OK ? dlp__nearest_create(mesh, memory, &nearest, error) : result;
    if (result == DLP_OK) {
        result = fill(&(Job){field, nearest, 0.5 * def->sheet, mesh, def->drift}, mesh, parallel, error);
    }
    dlp__nearest_destroy(nearest);
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
    dlp__memory_release(field->memory, field->drift, field->near_count * BLOCK_NODES, DRIFT_SIZE);
    dlp__memory_release(field->memory, field->fine, field->near_count * BLOCK_NODES, sizeof *field->fine);
    dlp__memory_release(field->memory, field->coarse, corner_count(field), sizeof *field->coarse);
    dlp__memory_release(field->memory, field->near, block_count(field), sizeof *field->near);
    *field = (dlp__DistanceField){0};
}

/* The eight values around a point, and where it is between them (0 to 1 along each axis). */
typedef struct Cell {
    double value[8];
    double at[3];
    double edge; /* m */
} Cell;

static double blend(double a, double b, double at)
{
    return a + (b - a) * at;
}

static double interpolate(const Cell *cell, dlp_Vec3 *gradient)
{
    const double *v = cell->value, x = cell->at[0], y = cell->at[1], z = cell->at[2];
    const double low = blend(blend(v[0], v[1], x), blend(v[2], v[3], x), y);
    const double high = blend(blend(v[4], v[5], x), blend(v[6], v[7], x), y);
    gradient->x = blend(blend(v[1] - v[0], v[3] - v[2], y), blend(v[5] - v[4], v[7] - v[6], y), z);
    gradient->y = blend(blend(v[2] - v[0], v[3] - v[1], x), blend(v[6] - v[4], v[7] - v[5], x), z);
    gradient->z = high - low;
    return blend(low, high, z);
}

/* No point is nearer to the surface than a corner is, less the way there. */
static double bound(const Cell *cell)
{
    double most = 0.0;
    for (int n = 0; n < 8; n++) {
        const double x = cell->at[0] - (n & 1), y = cell->at[1] - (n >> 1 & 1), z = cell->at[2] - (n >> 2);
        most = fmax(most, fabs(cell->value[n]) - cell->edge * sqrt(x * x + y * y + z * z));
    }
    return most;
}

/* Beyond the grid: the way to it, and at least its margin from there on. */
static double beyond(const dlp__DistanceField *field, dlp_Vec3 away, dlp_Vec3 *normal)
{
    *normal = dlp__unit_or_up(away);
    return dlp__length(away) + field->band;
}

/* The cell of the coarse grid. */
static Cell coarse_cell(const dlp__DistanceField *field, const int64_t block[3], const double within[3])
{
    Cell cell = {.at = {within[0], within[1], within[2]}, .edge = edge_of_block(field)};
    const int64_t nx = field->blocks[0] + 1, ny = field->blocks[1] + 1;
    for (int n = 0; n < 8; n++) {
        const int64_t x = block[0] + (n & 1), y = block[1] + (n >> 1 & 1), z = block[2] + (n >> 2);
        cell.value[n] = (double)field->coarse[(z * ny + y) * nx + x];
    }
    return cell;
}

/* A cell of a block near the surface: its first node, counted over all blocks, and where in it the point is. */
static int64_t node_of(int32_t near, const double within[3], double at_in_cell[3])
{
    int at[3];
    for (int a = 0; a < 3; a++) {
        const double cells = within[a] * DLP_DISTANCE_CELLS;
        at[a] = (int)fmin(fmax(cells, 0.0), DLP_DISTANCE_CELLS - 1);
        at_in_cell[a] = cells - at[a];
    }
    return (int64_t)near * BLOCK_NODES + ((int64_t)at[2] * NODES + at[1]) * NODES + at[0];
}

/* From the first node of a cell to corner n. */
static int64_t to_corner(int n)
{
    return (n & 1) + (int64_t)(n >> 1 & 1) * NODES + (int64_t)(n >> 2) * NODES * NODES;
}

/* The cell of a block near the surface; false where it is beyond the band. */
static bool fine_cell(const dlp__DistanceField *field, int32_t near, const double within[3], Cell *cell)
{
    bool all = true;
    const float *node = field->fine + node_of(near, within, cell->at);
    const double limit = 0.999 * limit_of(field);
    cell->edge = field->cell;
    for (int n = 0; n < 8; n++) {
        cell->value[n] = (double)node[to_corner(n)];
        all &= fabs(cell->value[n]) <= limit;
    }
    return all;
}

/* Where a point is in the grid. */
typedef struct Spot {
    int64_t block[3];
    double within[3]; /* of the block, 0 to 1 */
    int32_t near;     /* as the field says of the block */
    bool outside;     /* of the grid */
    dlp_Vec3 over;    /* m, how far */
} Spot;

static Spot find_spot(const dlp__DistanceField *field, dlp_Vec3 point)
{
    const double step = edge_of_block(field);
    const dlp_Vec3 from = dlp__sub(point, field->lower);
    const double p[3] = {from.x, from.y, from.z};
    double over[3];
    Spot spot = {.near = -1};
    for (int a = 0; a < 3; a++) {
        const double size = step * (double)field->blocks[a];
        over[a] = p[a] < 0.0 ? p[a] : p[a] > size ? p[a] - size : 0.0;
        spot.outside |= !(p[a] >= 0.0 && p[a] <= size);
        spot.block[a] = spot.outside ? 0 : (int64_t)fmin(p[a] / step, (double)(field->blocks[a] - 1));
        spot.within[a] = p[a] / step - (double)spot.block[a];
    }
    spot.over = dlp__vec3(over[0], over[1], over[2]);
    if (!spot.outside) {
        const int64_t *block = spot.block;
        spot.near = field->near[(block[2] * field->blocks[1] + block[1]) * field->blocks[0] + block[0]];
    }
    return spot;
}

double dlp__distance_field_at(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *normal)
{
    const Spot spot = find_spot(field, point);
    if (spot.outside) {
        return beyond(field, spot.over, normal);
    }
    Cell finer;
    dlp_Vec3 gradient;
    if (spot.near >= 0 && fine_cell(field, spot.near, spot.within, &finer)) {
        const double distance = interpolate(&finer, &gradient);
        *normal = dlp__unit_or_up(gradient);
        return distance;
    }
    const Cell cell = coarse_cell(field, spot.block, spot.within);
    interpolate(&cell, &gradient);
    *normal = dlp__unit_or_up(gradient);
    /* Corners of a block that the surface passes may be on both sides, nodes beyond the band are on one. */
    return copysign(fmax(bound(&cell), field->band), spot.near >= 0 ? finer.value[0] : cell.value[0]);
}

bool dlp__distance_field_drift(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *drift)
{
    const Spot spot = find_spot(field, point);
    Cell cell;
    if (field->drift == NULL || spot.near < 0 || !fine_cell(field, spot.near, spot.within, &cell)) {
        return false;
    }
    const float *node = field->drift + 3 * node_of(spot.near, spot.within, cell.at);
    double way[3];
    for (int a = 0; a < 3; a++) {
        dlp_Vec3 unused;
        for (int n = 0; n < 8; n++) {
            cell.value[n] = (double)node[3 * to_corner(n) + a];
        }
        way[a] = interpolate(&cell, &unused);
    }
    *drift = dlp__vec3(way[0], way[1], way[2]);
    return true;
}
