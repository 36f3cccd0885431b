#include "surface/marching.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = DLP_BLOCK_SIDE,
    CELLS = DLP_BLOCK_CELLS,
    OWN = (1 << CELLS) - 1, /* bits of the samples of a row that are its own */
    BLOCKS_AT_ONCE = 4,
};

/* How near to a sample a vertex may come, in cells: nearer ones of several edges would meet in a point, and triangles have
 * no area. */
static const float NEAREST = 0.002f;

/* What is known of a block before there are vertices: bits of the samples inside, row by row, and where the vertices of each
 * row begin among its own. */
typedef struct BlockSigns {
    uint16_t inside[SIDE][SIDE];  /* [z][y], bit x        */
    uint16_t start[CELLS][CELLS]; /* [z][y]               */
    int32_t vertices, triangles;  /* in this block        */
    int64_t first_vertex, first_triangle;
    int64_t around[27]; /* the blocks around it, or -1; itself in the middle */
} BlockSigns;

typedef struct Marching {
    dlp__MarchedMesh *mesh;
    const dlp__LevelBlocks *blocks;
    BlockSigns *signs;
} Marching;

/* Bits of the edges along an axis, from the own samples of a row, that the surface cuts. */
static unsigned cut_edges(const BlockSigns *signs, int y, int z, int axis)
{
    unsigned row = signs->inside[z][y];
    unsigned next = axis == 0 ? row >> 1 : axis == 1 ? signs->inside[z][y + 1] : signs->inside[z + 1][y];
    return (row ^ next) & OWN;
}

/* Bits of the cells of a row that the surface passes through. */
static unsigned cut_cells(const BlockSigns *signs, int y, int z)
{
    unsigned a = signs->inside[z][y], b = signs->inside[z][y + 1], c = signs->inside[z + 1][y],
             d = signs->inside[z + 1][y + 1];
    unsigned some = a | b | c | d, all = a & b & c & d;
    return (some | some >> 1) & ~(all & all >> 1) & OWN;
}

/* Which corners of a cell are inside. */
static unsigned corners_of(const BlockSigns *signs, int x, int y, int z)
{
    unsigned corners = 0;
    for (int row = 0; row < 4; row++) {
        corners |= (signs->inside[z + row / 2][y + row % 2] >> x & 3u) << 2 * row;
    }
    return corners;
}

static void find_signs(void *context, int64_t begin, int64_t end)
{
    const Marching *marching = context;
    for (int64_t b = begin; b < end; b++) {
        BlockSigns *signs = &marching->signs[b];
        const float *level = marching->blocks->level + b * DLP_BLOCK_SAMPLES;
        dlp__Cell place = dlp__cell_of_key(marching->blocks->key[b]);
        for (int row = 0; row < SIDE * SIDE; row++, level += SIDE) {
            unsigned bits = 0;
            for (int x = 0; x < SIDE; x++) {
                bits |= (unsigned)(level[x] < 0.0f) << x;
            }
            signs->inside[row / SIDE][row % SIDE] = (uint16_t)bits;
        }
        signs->vertices = 0;
        signs->triangles = 0;
        for (int row = 0; row < CELLS * CELLS; row++) {
            int y = row % CELLS, z = row / CELLS;
            signs->start[z][y] = (uint16_t)signs->vertices;
            for (int axis = 0; axis < 3; axis++) {
                signs->vertices += __builtin_popcount(cut_edges(signs, y, z, axis));
            }
            for (unsigned cells = cut_cells(signs, y, z); cells != 0; cells &= cells - 1) {
                signs->triangles += marching->mesh->table.count[corners_of(signs, __builtin_ctz(cells), y, z)];
            }
        }
        for (int n = 0; n < 27; n++) {
            signs->around[n] = dlp__level_blocks_find(
                marching->blocks, (dlp__Cell){place.x + n % 3 - 1, place.y + n / 3 % 3 - 1, place.z + n / 9 - 1});
        }
    }
}

/* The number of the vertex on the edge from a sample of a block; x, y, z may be one past its own samples. */
static uint32_t vertex_on(const Marching *marching, const BlockSigns *signs, int x, int y, int z, int axis)
{
    const int over = 13 + (x == CELLS) + 3 * (y == CELLS) + 9 * (z == CELLS);
    const BlockSigns *owner = &marching->signs[signs->around[over]];
    x = x == CELLS ? 0 : x;
    y = y == CELLS ? 0 : y;
    z = z == CELLS ? 0 : z;
    int64_t number = owner->first_vertex + owner->start[z][y];
    for (int a = 0; a < axis; a++) {
        number += __builtin_popcount(cut_edges(owner, y, z, a));
    }
    return (uint32_t)(number + __builtin_popcount(cut_edges(owner, y, z, axis) & ((1u << x) - 1)));
}

/* A sample of a block or, one step outside of it, of the block there; false where no block was kept. */
static bool sample_at(const Marching *marching, const BlockSigns *signs, const int at[3], float *level)
{
    int block = 13, inside[3];
    for (int a = 0, step = 1; a < 3; a++, step *= 3) {
        int beyond = at[a] < 0 ? -1 : at[a] >= SIDE ? 1 : 0;
        block += beyond * step;
        inside[a] = at[a] - beyond * CELLS;
    }
    if (signs->around[block] < 0) {
        return false;
    }
    *level = marching->blocks
                 ->level[signs->around[block] * DLP_BLOCK_SAMPLES + (inside[2] * SIDE + inside[1]) * SIDE + inside[0]];
    return true;
}

/* The gradient at a sample, by differences over two cells or, where there is no block on one side, over one. */
static void gradient_at(const Marching *marching, const BlockSigns *signs, const int at[3], float gradient[3])
{
    for (int a = 0; a < 3; a++) {
        float low = 0.0f, high = 0.0f, here = 0.0f;
        int before[3] = {at[0], at[1], at[2]}, after[3] = {at[0], at[1], at[2]};
        before[a]--;
        after[a]++;
        sample_at(marching, signs, at, &here);
        bool has_low = sample_at(marching, signs, before, &low), has_high = sample_at(marching, signs, after, &high);
        gradient[a] = has_low && has_high ? 0.5f * (high - low) : has_high ? high - here : has_low ? here - low : 0.0f;
    }
}

static void place_vertex(const Marching *marching, const BlockSigns *signs, const int at[3], int axis, int64_t vertex,
                         dlp__Cell place)
{
    const int32_t places[3] = {place.x, place.y, place.z};
    int next[3] = {at[0], at[1], at[2]};
    float here = 0.0f, there = 0.0f, first[3], second[3], normal[3];
    next[axis]++;
    sample_at(marching, signs, at, &here);
    sample_at(marching, signs, next, &there);
    float part = fminf(fmaxf(here / (here - there), NEAREST), 1.0f - NEAREST);
    gradient_at(marching, signs, at, first);
    gradient_at(marching, signs, next, second);
    float square = 0.0f;
    for (int a = 0; a < 3; a++) {
        normal[a] = first[a] + part * (second[a] - first[a]);
        square += normal[a] * normal[a];
        double index = (double)((int64_t)places[a] * CELLS + at[a]) + (a == axis ? (double)part : 0.0);
        marching->mesh->position[3 * vertex + a] = (float)(index * marching->blocks->cell);
    }
    float scale = square > 0.0f ? 1.0f / sqrtf(square) : 0.0f;
    for (int a = 0; a < 3; a++) {
        marching->mesh->normal[3 * vertex + a] = scale > 0.0f ? scale * normal[a] : (float)(a == axis);
    }
}

static void place_vertices(void *context, int64_t begin, int64_t end)
{
    const Marching *marching = context;
    for (int64_t b = begin; b < end; b++) {
        const BlockSigns *signs = &marching->signs[b];
        const dlp__Cell place = dlp__cell_of_key(marching->blocks->key[b]);
        int64_t vertex = signs->first_vertex;
        for (int row = 0; row < CELLS * CELLS; row++) {
            for (int axis = 0; axis < 3; axis++) {
                int y = row % CELLS, z = row / CELLS;
                for (unsigned edges = cut_edges(signs, y, z, axis); edges != 0; edges &= edges - 1) {
                    place_vertex(marching, signs, (int[3]){__builtin_ctz(edges), y, z}, axis, vertex++, place);
                }
            }
        }
    }
}

static void join_triangles(void *context, int64_t begin, int64_t end)
{
    const Marching *marching = context;
    const dlp__MarchingTable *table = &marching->mesh->table;
    for (int64_t b = begin; b < end; b++) {
        const BlockSigns *signs = &marching->signs[b];
        uint32_t *to = marching->mesh->triangle + 3 * signs->first_triangle;
        for (int row = 0; row < CELLS * CELLS; row++) {
            int y = row % CELLS, z = row / CELLS;
            for (unsigned cells = cut_cells(signs, y, z); cells != 0; cells &= cells - 1) {
                int x = __builtin_ctz(cells);
                unsigned corners = corners_of(signs, x, y, z);
                for (int n = 0; n < 3 * table->count[corners]; n++) {
                    int edge = table->edge[corners][n], corner = table->corner[edge];
                    *to++ = vertex_on(marching, signs, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2),
                                      edge / 4);
                }
            }
        }
    }
}

static void number_all(Marching *marching)
{
    int64_t vertices = 0, triangles = 0;
    for (int64_t b = 0; b < marching->blocks->count; b++) {
        marching->signs[b].first_vertex = vertices;
        marching->signs[b].first_triangle = triangles;
        vertices += marching->signs[b].vertices;
        triangles += marching->signs[b].triangles;
    }
    marching->mesh->vertex_count = vertices;
    marching->mesh->triangle_count = triangles;
}

static bool reserve_mesh(dlp__MarchedMesh *mesh)
{
    bool ok = mesh->vertex_count <= UINT32_MAX &&
              dlp__buffer_reserve(mesh->memory, &mesh->position_buffer, mesh->vertex_count + 1, 3 * sizeof(float)) &&
              dlp__buffer_reserve(mesh->memory, &mesh->normal_buffer, mesh->vertex_count + 1, 3 * sizeof(float)) &&
              dlp__buffer_reserve(mesh->memory, &mesh->triangle_buffer, mesh->triangle_count + 1, 3 * sizeof(uint32_t));
    mesh->position = mesh->position_buffer.data;
    mesh->normal = mesh->normal_buffer.data;
    mesh->triangle = mesh->triangle_buffer.data;
    return ok;
}

bool dlp__marching_run(dlp__MarchedMesh *mesh, const dlp__LevelBlocks *blocks, const dlp__Parallel *parallel)
{
    mesh->vertex_count = mesh->triangle_count = 0;
    if (!dlp__buffer_reserve(mesh->memory, &mesh->block_buffer, blocks->count + 1, sizeof(BlockSigns))) {
        return false;
    }
    Marching marching = {mesh, blocks, mesh->block_buffer.data};
    dlp__parallel_for(parallel, blocks->count, BLOCKS_AT_ONCE, find_signs, &marching);
    number_all(&marching);
    if (!reserve_mesh(mesh)) {
        return false;
    }
    dlp__parallel_for(parallel, blocks->count, BLOCKS_AT_ONCE, place_vertices, &marching);
    dlp__parallel_for(parallel, blocks->count, BLOCKS_AT_ONCE, join_triangles, &marching);
    return true;
}

void dlp__marching_init(dlp__MarchedMesh *mesh, dlp__Memory *memory)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->memory = memory;
    dlp__marching_table(&mesh->table);
}

void dlp__marching_release(dlp__MarchedMesh *mesh)
{
    dlp__buffer_release(mesh->memory, &mesh->block_buffer);
    dlp__buffer_release(mesh->memory, &mesh->triangle_buffer);
    dlp__buffer_release(mesh->memory, &mesh->normal_buffer);
    dlp__buffer_release(mesh->memory, &mesh->position_buffer);
}
