/* Mirrors points in walls, clips the level set at them and keeps vertices on them. */
#include "surface/surface_walls.h"

#include <string.h>

enum { CHUNK_VERTICES = 2048, MAX_IMAGES = 8 };

/* In cells: how far the surface extends into a wall. So walls aligned with the grid keep their edges, vertices do not
 * coincide there, and renderers show no gap. */
static const double WALL_DEPTH = 0.05;

/* In cells: the tolerance of the depth of a clipped vertex, and how far smoothing may have moved it. */
static const double DEPTH_TOLERANCE = 0.02, MAX_CORRECTION = 0.4;

void dlp__surface_walls_init(dlp__SurfaceWalls *walls, dlp__Memory *memory)
{
    *walls = (dlp__SurfaceWalls){.memory = memory};
}

void dlp__surface_walls_release(dlp__SurfaceWalls *walls)
{
    dlp__buffer_release(walls->memory, &walls->on_wall_buffer);
    dlp__buffer_release(walls->memory, &walls->shape_buffer);
}

/* A bounding sphere of all points: returns its radius (m). */
static double bounding_sphere(const dlp_Points *points, dlp_Vec3 *center)
{
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3 && points->count > 0; a++) {
        low[a] = high[a] = (double)points->position[a][0];
        for (int64_t i = 1; i < points->count; i++) {
            low[a] = fmin(low[a], (double)points->position[a][i]);
            high[a] = fmax(high[a], (double)points->position[a][i]);
        }
    }
    *center = dlp__vec3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    return 0.5 * dlp__length(dlp__vec3(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
}

bool dlp__surface_walls_place(dlp__SurfaceWalls *walls, const dlp_Points *points, double reach)
{
    dlp_Vec3 center = {0, 0, 0};
    walls->count = 0;
    const double radius = points->solid_count > 0 ? bounding_sphere(points, &center) : 0.0;
    if (points->solid_count > 0 &&
        !dlp__buffer_reserve(walls->memory, &walls->shape_buffer, points->solid_count, sizeof(dlp__Shape))) {
        return false;
    }
    walls->shape = walls->shape_buffer.data;
    for (int i = 0; i < points->solid_count; i++) {
        if (points->solids[i].shape.kind == DLP_SHAPE_MESH) {
            continue; /* meshes are not available here */
        }
        const dlp__Shape shape = dlp__shape_place(&points->solids[i].shape, NULL);
        if (dlp__shape_distance(&shape, center, NULL) < radius + reach) {
            walls->shape[walls->count++] = shape;
        }
    }
    return true;
}

/* The mirror images of a point in the walls of a shape, including images of images at edges and corners; the point
 * itself comes first. Only images inside the solid are used: a thin sheet must not add fluid on its other side. */
static int mirror_images(const dlp__Shape *shape, dlp_Vec3 point, double reach, dlp_Vec3 images[MAX_IMAGES])
{
    dlp__Wall wall[DLP_SHAPE_WALLS];
    const int walls = dlp__shape_walls(shape, point, reach, wall);
    int count = 1;
    images[0] = point;
    for (int w = 0; w < walls; w++) {
        for (int i = count - 1; i >= 0 && count < MAX_IMAGES; i--) {
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
            dlp_Vec3 images[MAX_IMAGES];
            const int found = mirror_images(&walls->shape[s], point, reach, images);
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

void dlp__surface_walls_clip(const void *context, dlp__Cell block, double cell, float *level)
{
    const dlp__SurfaceWalls *walls = context;
    const double side = cell * DLP_BLOCK_CELLS, half_diagonal = 0.8661 * side;
    const dlp_Vec3 corner = {block.x * side, block.y * side, block.z * side};
    const dlp_Vec3 center = dlp__add(corner, dlp__vec3(0.5 * side, 0.5 * side, 0.5 * side));
    const int64_t first[3] = {(int64_t)block.x * DLP_BLOCK_CELLS, (int64_t)block.y * DLP_BLOCK_CELLS,
                              (int64_t)block.z * DLP_BLOCK_CELLS};
    for (int s = 0; s < walls->count; s++) {
        if (dlp__shape_distance(&walls->shape[s], center, NULL) > half_diagonal) {
            continue;
        }
        for (int n = 0; n < DLP_BLOCK_SAMPLES; n++) {
            const int x = n % DLP_BLOCK_SIDE, y = n / DLP_BLOCK_SIDE % DLP_BLOCK_SIDE,
                      z = n / (DLP_BLOCK_SIDE * DLP_BLOCK_SIDE);
            const dlp_Vec3 at = {(double)(first[0] + x) * cell, (double)(first[1] + y) * cell,
                                 (double)(first[2] + z) * cell};
            const float outside = (float)(-dlp__shape_distance(&walls->shape[s], at, NULL) - WALL_DEPTH * cell);
            level[n] = level[n] > outside ? level[n] : outside;
        }
    }
}

typedef struct ContactJob {
    dlp__SurfaceWalls *walls;
    const dlp__MarchedMesh *mesh;
    double cell;
} ContactJob;

static dlp_Vec3 vertex_at(const dlp__MarchedMesh *mesh, int64_t v)
{
    return dlp__vec3((double)mesh->position[3 * v], (double)mesh->position[3 * v + 1],
                     (double)mesh->position[3 * v + 2]);
}

static void find_contact_vertices(void *context, int64_t begin, int64_t end)
{
    const ContactJob *job = context;
    for (int64_t v = begin; v < end; v++) {
        double nearest = HUGE_VAL;
        for (int s = 0; s < job->walls->count; s++) {
            nearest = fmin(nearest, dlp__shape_distance(&job->walls->shape[s], vertex_at(job->mesh, v), NULL));
        }
        job->walls->on_wall[v] = fabs(nearest / job->cell + WALL_DEPTH) < DEPTH_TOLERANCE;
    }
}

bool dlp__surface_walls_find_contact(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh,
                                     const dlp__Parallel *parallel, double cell)
{
    if (walls->count == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(walls->memory, &walls->on_wall_buffer, mesh->vertex_count + 1, 1)) {
        return false;
    }
    walls->on_wall = walls->on_wall_buffer.data;
    ContactJob job = {walls, mesh, cell};
    dlp__parallel_for(parallel, mesh->vertex_count, CHUNK_VERTICES, find_contact_vertices, &job);
    return true;
}

/* Move each vertex that was clipped at a wall back to the nearest wall; no vertex stays deeper in a wall. */
static void project_vertices(void *context, int64_t begin, int64_t end)
{
    const ContactJob *job = context;
    for (int64_t v = begin; v < end; v++) {
        const double max_distance = job->walls->on_wall[v] ? MAX_CORRECTION * job->cell : 0.0;
        double nearest = max_distance;
        dlp_Vec3 normal = {0, 0, 0};
        for (int s = 0; s < job->walls->count; s++) {
            dlp_Vec3 outward;
            const double distance = WALL_DEPTH * job->cell +
                                    dlp__shape_distance(&job->walls->shape[s], vertex_at(job->mesh, v), &outward);
            if (distance < nearest) {
                nearest = distance;
                normal = outward;
            }
        }
        if (nearest < max_distance) {
            job->mesh->position[3 * v] -= (float)(nearest * normal.x);
            job->mesh->position[3 * v + 1] -= (float)(nearest * normal.y);
            job->mesh->position[3 * v + 2] -= (float)(nearest * normal.z);
        }
    }
}

void dlp__surface_walls_project(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                                double cell)
{
    if (walls->count > 0) {
        ContactJob job = {walls, mesh, cell};
        dlp__parallel_for(parallel, mesh->vertex_count, CHUNK_VERTICES, project_vertices, &job);
    }
}
