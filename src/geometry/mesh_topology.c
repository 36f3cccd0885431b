/* Whether a mesh is closed and turned alike, and of how many parts it is. */
#include "geometry/key_sort.h"
#include "geometry/model.h"

/* A side of a triangle: number 3 t + k goes from corner k of triangle t to the next one. */
static uint32_t side_from(const dlp_Mesh *mesh, int64_t side)
{
    return mesh->triangle[side];
}

static uint32_t side_to(const dlp_Mesh *mesh, int64_t side)
{
    return mesh->triangle[side / 3 * 3 + (side + 1) % 3];
}

/* The two ends as one number, the same for both directions. */
static uint64_t edge_key(const dlp_Mesh *mesh, int64_t side)
{
    const uint64_t from = side_from(mesh, side), to = side_to(mesh, side);
    return from < to ? from << 32 | to : to << 32 | from;
}

/* The triangle that stands for the set of `t`; paths are halved on the way. */
static uint32_t leader_of(uint32_t *leader, uint32_t t)
{
    while (leader[t] != t) {
        leader[t] = leader[leader[t]];
        t = leader[t];
    }
    return t;
}

/* Sides with equal keys are one edge. */
static void count_edge(const dlp_Mesh *mesh, const dlp__Keyed *sides, int64_t count, uint32_t *leader,
                       dlp__Topology *topology)
{
    topology->open_edges += count == 1;
    topology->crowded_edges += count > 2;
    topology->turned_edges += count == 2 && side_from(mesh, sides[0].item) == side_from(mesh, sides[1].item);
    for (int64_t n = 1; n < count; n++) {
        const uint32_t a = leader_of(leader, sides[0].item / 3), b = leader_of(leader, sides[n].item / 3);
        if (a != b) {
            leader[a < b ? b : a] = a < b ? a : b;
            topology->parts--;
        }
    }
}

bool dlp__mesh_topology(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__Topology *topology)
{
    const int64_t triangles = mesh->triangle_count, count = 3 * triangles;
    *topology = (dlp__Topology){.parts = triangles};
    if (triangles == 0) {
        return true;
    }
    dlp__Keyed *sides = dlp__memory_get(memory, count, sizeof *sides);
    dlp__Keyed *spare = dlp__memory_get(memory, count, sizeof *spare);
    uint32_t *leader = dlp__memory_get(memory, triangles, sizeof *leader);
    const bool enough = sides != NULL && spare != NULL && leader != NULL;
    if (enough) {
        for (int64_t side = 0; side < count; side++) {
            sides[side] = (dlp__Keyed){edge_key(mesh, side), (uint32_t)side};
        }
        for (int64_t t = 0; t < triangles; t++) {
            leader[t] = (uint32_t)t;
        }
        dlp__key_sort(sides, spare, count);
        for (int64_t begin = 0, end = 0; begin < count; begin = end) {
            while (end < count && sides[end].key == sides[begin].key) {
                end++;
            }
            count_edge(mesh, sides + begin, end - begin, leader, topology);
        }
    }
    dlp__memory_release(memory, leader, triangles, sizeof *leader);
    dlp__memory_release(memory, spare, count, sizeof *spare);
    dlp__memory_release(memory, sides, count, sizeof *sides);
    return enough;
}
