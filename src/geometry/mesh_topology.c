/* Whether a mesh is closed and consistently oriented, and its number of connected components. */
#include "geometry/radix_sort.h"
#include "geometry/mesh_builder.h"

/* A side of a triangle (half-edge): number 3 t + k goes from corner k of triangle t to the next corner. */
static uint32_t side_from(const dlp_Mesh *mesh, int64_t side)
{
    return mesh->triangle[side];
}

static uint32_t side_to(const dlp_Mesh *mesh, int64_t side)
{
    return mesh->triangle[side / 3 * 3 + (side + 1) % 3];
}

/* Both ends in one number, the same for both directions. */
static uint64_t edge_key(const dlp_Mesh *mesh, int64_t side)
{
    const uint64_t from = side_from(mesh, side), to = side_to(mesh, side);
    return from < to ? from << 32 | to : to << 32 | from;
}

/* The root of the set of `t` (union-find with path halving). */
static uint32_t find_root(uint32_t *parent, uint32_t t)
{
    while (parent[t] != t) {
        parent[t] = parent[parent[t]];
        t = parent[t];
    }
    return t;
}

/* Called for each edge with all its sides. */
typedef void (*EdgeFunction)(const dlp_Mesh *mesh, const dlp__KeyedIndex *sides, int64_t count, void *context);

static bool for_each_edge(const dlp_Mesh *mesh, dlp__Memory *memory, EdgeFunction visit, void *context)
{
    const int64_t count = 3 * mesh->triangle_count;
    dlp__KeyedIndex *sides = dlp__memory_get(memory, count, sizeof *sides);
    dlp__KeyedIndex *spare = dlp__memory_get(memory, count, sizeof *spare);
    const bool ok = sides != NULL && spare != NULL;
    if (ok) {
        for (int64_t side = 0; side < count; side++) {
            sides[side] = (dlp__KeyedIndex){edge_key(mesh, side), (uint32_t)side};
        }
        dlp__radix_sort(sides, spare, count);
        for (int64_t begin = 0, end = 0; begin < count; begin = end) {
            while (end < count && sides[end].key == sides[begin].key) {
                end++;
            }
            visit(mesh, sides + begin, end - begin, context);
        }
    }
    dlp__memory_release(memory, spare, count, sizeof *spare);
    dlp__memory_release(memory, sides, count, sizeof *sides);
    return ok;
}

typedef struct EdgeCount {
    uint32_t *parent;
    dlp__MeshTopology *topology;
} EdgeCount;

static void count_edge(const dlp_Mesh *mesh, const dlp__KeyedIndex *sides, int64_t count, void *context)
{
    const EdgeCount *counted = context;
    dlp__MeshTopology *topology = counted->topology;
    topology->open_edges += count == 1;
    topology->nonmanifold_edges += count > 2;
    topology->flipped_edges += count == 2 && side_from(mesh, sides[0].item) == side_from(mesh, sides[1].item);
    for (int64_t n = 1; n < count; n++) {
        const uint32_t a = find_root(counted->parent, sides[0].item / 3),
                       b = find_root(counted->parent, sides[n].item / 3);
        if (a != b) {
            counted->parent[a < b ? b : a] = a < b ? a : b;
            topology->components--;
        }
    }
}

bool dlp__mesh_topology(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__MeshTopology *topology)
{
    const int64_t triangles = mesh->triangle_count;
    *topology = (dlp__MeshTopology){.components = triangles};
    if (triangles == 0) {
        return true;
    }
    uint32_t *parent = dlp__memory_get(memory, triangles, sizeof *parent);
    for (int64_t t = 0; t < triangles && parent != NULL; t++) {
        parent[t] = (uint32_t)t;
    }
    const bool ok = parent != NULL && for_each_edge(mesh, memory, count_edge, &(EdgeCount){parent, topology});
    dlp__memory_release(memory, parent, triangles, sizeof *parent);
    return ok;
}

static void pair_twins(const dlp_Mesh *mesh, const dlp__KeyedIndex *sides, int64_t count, void *context)
{
    uint32_t *twin = context;
    (void)mesh;
    for (int64_t n = 0; n < count; n++) {
        twin[sides[n].item] = sides[count == 2 ? 1 - n : n].item;
    }
}

bool dlp__mesh_twin_edges(const dlp_Mesh *mesh, dlp__Memory *memory, uint32_t *twin)
{
    return mesh->triangle_count == 0 || for_each_edge(mesh, memory, pair_twins, twin);
}
