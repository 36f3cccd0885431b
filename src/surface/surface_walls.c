#include "surface/surface_walls.h"

#include <string.h>

enum { VERTICES_AT_ONCE = 2048, IMAGES_MOST = 8 };

/* Of a cell: how far the fluid reaches into a wall. So walls that lie on the grid keep their edges, vertices there do not fall
 * together, and renderers see no gap. */
static const double INTO_WALL = 0.05;

/* The same: how near to that depth a cut vertex lies, and how far from it smoothing may have moved it. */
static const double AT_DEPTH = 0.02, NEAR_DEPTH = 0.4;

void dlp__surface_walls_init(dlp__SurfaceWalls *walls, dlp__Memory *memory)
{
    *walls = (dlp__SurfaceWalls){.memory = memory};
}

void dlp__surface_walls_release(dlp__SurfaceWalls *walls)
{
    dlp__buffer_release(walls->memory, &walls->held_buffer);
    dlp__buffer_release(walls->memory, &walls->shape_buffer);
}

/* A ball around all points: its middle, and its radius (m). */
static double ball_around(const dlp_Points *points, dlp_Vec3 *middle)
{
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3 && points->count > 0; a++) {
        low[a] = high[a] = (double)points->position[a][0];
        for (int64_t i = 1; i < points->count; i++) {
            low[a] = fmin(low[a], (double)points->position[a][i]);
            high[a] = fmax(high[a], (double)points->position[a][i]);
        }
    }
    *middle = dlp__vec3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    return 0.5 * dlp__length(dlp__vec3(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
}

bool dlp__surface_walls_place(dlp__SurfaceWalls *walls, const dlp_Points *points, double reach)
{
    dlp_Vec3 middle = {0, 0, 0};
    walls->count = 0;
    const double radius = points->solid_count > 0 ? ball_around(points, &middle) : 0.0;
    if (points->solid_count > 0 &&
        !dlp__buffer_reserve(walls->memory, &walls->shape_buffer, points->solid_count, sizeof(dlp__Shape))) {
        return false;
    }
    walls->shape = walls->shape_buffer.data;
    for (int i = 0; i < points->solid_count; i++) {
        if (points->solids[i].shape.kind == DLP_SHAPE_MESH) {
            continue; /* points come without meshes */
        }
        const dlp__Shape shape = dlp__shape_place(&points->solids[i].shape, NULL);
        if (dlp__shape_distance(&shape, middle, NULL) < radius + reach) {
            walls->shape[walls->count++] = shape;
        }
    }
    return true;
}

/* The images of a point in the walls of a shape, and in edges and corners the images of images; the point itself comes first. Only
 * what lies inside the solid counts: a thin sheet must not put fluid on its other side. */
static int images_of(const dlp__Shape *shape, dlp_Vec3 point, double reach, dlp_Vec3 images[IMAGES_MOST])
{
    dlp__Wall wall[DLP_SHAPE_WALLS];
    const int walls = dlp__shape_walls(shape, point, reach, wall);
    int count = 1;
    images[0] = point;
    for (int w = 0; w < walls; w++) {
        for (int i = count - 1; i >= 0 && count < IMAGES_MOST; i--) {
            const dlp_Vec3 image = dlp__sub(images[i], dlp__scale(wall[w].normal, 2.0 * wall[w].distance));
            if (dlp__shape_distance(shape, image, NULL) < 0.0) {
                images[count++] = image;
            }
        }
    }
    return count;
}

bool dlp__surface_walls_mirror(const dlp__SurfaceWalls *walls, dlp__Particles *particles, double reach)
{
    const int64_t count = particles->count;
    for (int s = 0; s < walls->count; s++) {
        for (int64_t i = 0; i < count; i++) {
            const dlp_Vec3 point = {(double)particles->position[0][i], (double)particles->position[1][i],
                                    (double)particles->position[2][i]};
            const double distance = dlp__shape_distance(&walls->shape[s], point, NULL);
            if (!(distance > 0.0 && distance < reach)) {
                continue;
            }
            dlp_Vec3 images[IMAGES_MOST];
            const int found = images_of(&walls->shape[s], point, reach, images);
            const int64_t first = found > 1 ? dlp__particles_add(particles, found - 1) : 0;
            if (first < 0) {
                return false;
            }
            for (int k = 1; k < found; k++) {
                particles->id[0][first + k - 1] = particles->id[0][i];
                particles->position[0][first + k - 1] = (float)images[k].x;
                particles->position[1][first + k - 1] = (float)images[k].y;
                particles->position[2][first + k - 1] = (float)images[k].z;
            }
        }
    }
    return true;
}

void dlp__surface_walls_cut(const void *context, dlp__Cell place, double cell, float *level)
{
    const dlp__SurfaceWalls *walls = context;
    const double side = cell * DLP_BLOCK_CELLS, half_diagonal = 0.8661 * side;
    const dlp_Vec3 corner = {place.x * side, place.y * side, place.z * side};
    const dlp_Vec3 middle = dlp__add(corner, dlp__vec3(0.5 * side, 0.5 * side, 0.5 * side));
    const int64_t first[3] = {(int64_t)place.x * DLP_BLOCK_CELLS, (int64_t)place.y * DLP_BLOCK_CELLS,
                              (int64_t)place.z * DLP_BLOCK_CELLS};
    for (int s = 0; s < walls->count; s++) {
        if (dlp__shape_distance(&walls->shape[s], middle, NULL) > half_diagonal) {
            continue;
        }
        for (int n = 0; n < DLP_BLOCK_SAMPLES; n++) {
            const int x = n % DLP_BLOCK_SIDE, y = n / DLP_BLOCK_SIDE % DLP_BLOCK_SIDE,
                      z = n / (DLP_BLOCK_SIDE * DLP_BLOCK_SIDE);
            const dlp_Vec3 at = {(double)(first[0] + x) * cell, (double)(first[1] + y) * cell,
                                 (double)(first[2] + z) * cell};
            const float outside = (float)(-dlp__shape_distance(&walls->shape[s], at, NULL) - INTO_WALL * cell);
            level[n] = level[n] > outside ? level[n] : outside;
        }
    }
}

typedef struct Holding {
    dlp__SurfaceWalls *walls;
    const dlp__MarchedMesh *mesh;
    double cell;
} Holding;

static dlp_Vec3 vertex_at(const dlp__MarchedMesh *mesh, int64_t v)
{
    return dlp__vec3((double)mesh->position[3 * v], (double)mesh->position[3 * v + 1],
                     (double)mesh->position[3 * v + 2]);
}

static void find_held(void *context, int64_t begin, int64_t end)
{
    const Holding *holding = context;
    for (int64_t v = begin; v < end; v++) {
        double nearest = HUGE_VAL;
        for (int s = 0; s < holding->walls->count; s++) {
            nearest = fmin(nearest, dlp__shape_distance(&holding->walls->shape[s], vertex_at(holding->mesh, v), NULL));
        }
        holding->walls->held[v] = fabs(nearest / holding->cell + INTO_WALL) < AT_DEPTH;
    }
}

bool dlp__surface_walls_hold(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                             double cell)
{
    if (walls->count == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(walls->memory, &walls->held_buffer, mesh->vertex_count + 1, 1)) {
        return false;
    }
    walls->held = walls->held_buffer.data;
    Holding holding = {walls, mesh, cell};
    dlp__parallel_for(parallel, mesh->vertex_count, VERTICES_AT_ONCE, find_held, &holding);
    return true;
}

/* A vertex that was cut at a wall goes back to the nearest one; none stays deeper in a wall than that. */
static void put_back(void *context, int64_t begin, int64_t end)
{
    const Holding *holding = context;
    for (int64_t v = begin; v < end; v++) {
        const double most = holding->walls->held[v] ? NEAR_DEPTH * holding->cell : 0.0;
        double nearest = most;
        dlp_Vec3 normal = {0, 0, 0};
        for (int s = 0; s < holding->walls->count; s++) {
            dlp_Vec3 out;
            const double above = INTO_WALL * holding->cell +
                                 dlp__shape_distance(&holding->walls->shape[s], vertex_at(holding->mesh, v), &out);
            if (above < nearest) {
                nearest = above;
                normal = out;
            }
        }
        if (nearest < most) {
            holding->mesh->position[3 * v] -= (float)(nearest * normal.x);
            holding->mesh->position[3 * v + 1] -= (float)(nearest * normal.y);
            holding->mesh->position[3 * v + 2] -= (float)(nearest * normal.z);
        }
    }
}

void dlp__surface_walls_put_back(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                                 double cell)
{
    if (walls->count > 0) {
        Holding holding = {walls, mesh, cell};
        dlp__parallel_for(parallel, mesh->vertex_count, VERTICES_AT_ONCE, put_back, &holding);
    }
}
