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

/* What is done with all the sides of one edge. */
typedef void (*EdgeFunction)(const dlp_Mesh *mesh, const dlp__Keyed *sides, int64_t count, void *context);

static bool each_edge(const dlp_Mesh *mesh, dlp__Memory *memory, EdgeFunction visit, void *context)
{
    const int64_t count = 3 * mesh->triangle_count;
    dlp__Keyed *sides = dlp__memory_get(memory, count, sizeof *sides);
    dlp__Keyed *spare = dlp__memory_get(memory, count, sizeof *spare);
    const bool enough = sides != NULL && spare != NULL;
    if (enough) {
        for (int64_t side = 0; side < count; side++) {
            sides[side] = (dlp__Keyed){edge_key(mesh, side), (uint32_t)side};
        }
        dlp__key_sort(sides, spare, count);
        for (int64_t begin = 0, end = 0; begin < count; begin = end) {
            while (end < count && sides[end].key == sides[begin].key) {
                end++;
            }
            visit(mesh, sides + begin, end - begin, context);
        }
    }
    dlp__memory_release(memory, spare, count, sizeof *spare);
    dlp__memory_release(memory, sides, count, sizeof *sides);
    return enough;
}

typedef struct Count {
    uint32_t *leader;
    dlp__Topology *topology;
} Count;

static void count_edge(const dlp_Mesh *mesh, const dlp__Keyed *sides, int64_t count, void *context)
{
    const Count *counted = context;
    dlp__Topology *topology = counted->topology;
    topology->open_edges += count == 1;
    topology->crowded_edges += count > 2;
    topology->turned_edges += count == 2 && side_from(mesh, sides[0].item) == side_from(mesh, sides[1].item);
    for (int64_t n = 1; n < count; n++) {
        const uint32_t a = leader_of(counted->leader, sides[0].item / 3),
                       b = leader_of(counted->leader, sides[n].item / 3);
        if (a != b) {
            counted->leader[a < b ? b : a] = a < b ? a : b;
            topology->parts--;
        }
    }
}

bool dlp__mesh_topology(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__Topology *topology)
{
    const int64_t triangles = mesh->triangle_count;
    *topology = (dlp__Topology){.parts = triangles};
    if (triangles == 0) {
        return true;
    }
    uint32_t *leader = dlp__memory_get(memory, triangles, sizeof *leader);
    for (int64_t t = 0; t < triangles && leader != NULL; t++) {
        leader[t] = (uint32_t)t;
    }
    const bool enough = leader != NULL && each_edge(mesh, memory, count_edge, &(Count){leader, topology});
    dlp__memory_release(memory, leader, triangles, sizeof *leader);
    return enough;
}

static void pair_up(const dlp_Mesh *mesh, const dlp__Keyed *sides, int64_t count, void *context)
{
    uint32_t *twin = context;
    (void)mesh;
    for (int64_t n = 0; n < count; n++) {
        twin[sides[n].item] = sides[count == 2 ? 1 - n : n].item;
    }
}

bool dlp__mesh_twins(const dlp_Mesh *mesh, dlp__Memory *memory, uint32_t *twin)
{
    return mesh->triangle_count == 0 || each_edge(mesh, memory, pair_up, twin);
}
