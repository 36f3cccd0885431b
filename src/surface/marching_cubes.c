/* Marching cubes in three parallel passes over blocks: signs and counts, vertices, triangles. */
#include "surface/marching_cubes.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = DLP_BLOCK_SIDE,
    CELLS = DLP_BLOCK_CELLS,
    LAYER = SIDE * SIDE,           /* samples */
    OWNED_BITS = (1 << CELLS) - 1, /* bits of the samples of a row that the block owns */
    CHUNK_BLOCKS = 4,
};

/* Smallest distance of a vertex from a sample, in cells: closer vertices of several edges would coincide and make
 * degenerate triangles. */
static const float MIN_EDGE_FRACTION = 0.002f;

/* Signs of a block: a bit for each sample that is inside, and the offset of the first vertex of each row along each axis. */
typedef struct BlockSigns {
    uint16_t inside[SIDE][SIDE];     /* [z][y], bit x */
    uint16_t start[CELLS][CELLS][3]; /* [z][y], then the axis */
    int32_t vertices, triangles;     /* in this block */
    int64_t first_vertex, first_triangle;
    int64_t neighbors[27]; /* indices of the adjacent blocks, or -1; itself in the middle */
} BlockSigns;

typedef struct Marching {
    dlp__MarchedMesh *mesh;
    const dlp__LevelBlocks *blocks;
    BlockSigns *signs;
} Marching;

/* Number of ones among 16 bits: __builtin_popcount is a function call on processors without that instruction. */
static int count_ones(unsigned bits)
{
    bits -= bits >> 1 & 0x5555u;
    bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
    bits = (bits + (bits >> 4)) & 0x0f0fu;
    return (int)((bits + (bits >> 8)) & 0x1fu);
}

/* Bits of the edges along an axis, starting at the owned samples of a row, that the surface crosses. */
static unsigned cut_edges(const BlockSigns *signs, int y, int z, int axis)
{
    unsigned row = signs->inside[z][y];
    unsigned next = axis == 0 ? row >> 1 : axis == 1 ? signs->inside[z][y + 1] : signs->inside[z + 1][y];
    return (row ^ next) & OWNED_BITS;
}

/* Bits of the cells of a row that the surface crosses. */
static unsigned cut_cells(const BlockSigns *signs, int y, int z)
{
    unsigned a = signs->inside[z][y], b = signs->inside[z][y + 1], c = signs->inside[z + 1][y],
             d = signs->inside[z + 1][y + 1];
    unsigned any = a | b | c | d, all = a & b & c & d;
    return (any | any >> 1) & ~(all & all >> 1) & OWNED_BITS;
}

/* Bits of the corners of a cell that are inside. */
static unsigned corner_bits(const BlockSigns *signs, int x, int y, int z)
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
        dlp__Cell block = dlp__cell_of_key(marching->blocks->key[b]);
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
            for (int axis = 0; axis < 3; axis++) {
                signs->start[z][y][axis] = (uint16_t)signs->vertices;
                signs->vertices += count_ones(cut_edges(signs, y, z, axis));
            }
            for (unsigned cells = cut_cells(signs, y, z); cells != 0; cells &= cells - 1) {
                signs->triangles += marching->mesh->table.count[corner_bits(signs, __builtin_ctz(cells), y, z)];
            }
        }
        for (int n = 0; n < 27; n++) {
            signs->neighbors[n] = dlp__level_blocks_find(
                marching->blocks, (dlp__Cell){block.x + n % 3 - 1, block.y + n / 3 % 3 - 1, block.z + n / 9 - 1});
        }
    }
}

/* The index of the vertex on the edge that starts at a sample of a block; x, y, z may be one past its owned samples. */
static uint32_t vertex_index(const Marching *marching, const BlockSigns *signs, int x, int y, int z, int axis)
{
    const int neighbor = 13 + (x == CELLS) + 3 * (y == CELLS) + 9 * (z == CELLS);
    const BlockSigns *owner = &marching->signs[signs->neighbors[neighbor]];
    x = x == CELLS ? 0 : x;
    y = y == CELLS ? 0 : y;
    z = z == CELLS ? 0 : z;
    const int before = count_ones(cut_edges(owner, y, z, axis) & ((1u << x) - 1));
    return (uint32_t)(owner->first_vertex + owner->start[z][y][axis] + before);
}

/* The samples of a block. */
static const float *block_levels(const Marching *marching, int64_t block)
{
    return marching->blocks->level + block * DLP_BLOCK_SAMPLES;
}

/* Index in a block of the sample after this one along each axis. */
static const int next_sample[3] = {1, SIDE, LAYER};

static int sample_index(const int at[3])
{
    return (at[2] * SIDE + at[1]) * SIDE + at[0];
}

/* The derivative along an axis at a sample on a face of a block, whose other side is in the adjacent block: a one-sided difference
 * where that was not kept. */
static float derivative_at_face(const Marching *marching, const BlockSigns *signs, const int at[3], int axis)
{
    static const int to_next_block[3] = {1, 3, 9};
    const bool is_low = at[axis] == 0;
    const int step = next_sample[axis], across = is_low ? (CELLS - 1) * step : -(CELLS - 1) * step;
    const int64_t other = signs->neighbors[is_low ? 13 - to_next_block[axis] : 13 + to_next_block[axis]];
    const float *level = block_levels(marching, signs->neighbors[13]) + sample_index(at);
    const float beyond = other < 0 ? level[0] : block_levels(marching, other)[sample_index(at) + across];
    return (other < 0 ? 1.0f : 0.5f) * (is_low ? level[step] - beyond : beyond - level[-step]);
}

/* The gradient at a sample, by central differences. */
static void gradient_at(const Marching *marching, const BlockSigns *signs, const int at[3], float gradient[3])
{
    const float *level = block_levels(marching, signs->neighbors[13]) + sample_index(at);
    for (int a = 0; a < 3; a++) {
        const bool is_inner = at[a] > 0 && at[a] < SIDE - 1;
        gradient[a] = is_inner ? 0.5f * (level[next_sample[a]] - level[-next_sample[a]])
                               : derivative_at_face(marching, signs, at, a);
    }
}

static void place_vertex(const Marching *marching, const BlockSigns *signs, const int at[3], int axis, int64_t vertex,
                         dlp__Cell block)
{
    const int32_t block_index[3] = {block.x, block.y, block.z};
    int next[3] = {at[0], at[1], at[2]};
    const float *level = block_levels(marching, signs->neighbors[13]) + sample_index(at);
    const float level_here = level[0], level_there = level[next_sample[axis]];
    float first[3], second[3], normal[3];
    next[axis]++;
    float fraction = fminf(fmaxf(level_here / (level_here - level_there), MIN_EDGE_FRACTION), 1.0f - MIN_EDGE_FRACTION);
    gradient_at(marching, signs, at, first);
    gradient_at(marching, signs, next, second);
    float squared_length = 0.0f;
    for (int a = 0; a < 3; a++) {
        normal[a] = first[a] + fraction * (second[a] - first[a]);
        squared_length += normal[a] * normal[a];
        double index = (double)((int64_t)block_index[a] * CELLS + at[a]) + (a == axis ? (double)fraction : 0.0);
        marching->mesh->position[3 * vertex + a] = (float)(index * marching->blocks->cell);
    }
    float scale = squared_length > 0.0f ? 1.0f / sqrtf(squared_length) : 0.0f;
    for (int a = 0; a < 3; a++) {
        marching->mesh->normal[3 * vertex + a] = scale > 0.0f ? scale * normal[a] : (float)(a == axis);
    }
}

static void place_vertices(void *context, int64_t begin, int64_t end)
{
    const Marching *marching = context;
    for (int64_t b = begin; b < end; b++) {
        const BlockSigns *signs = &marching->signs[b];
        const dlp__Cell block = dlp__cell_of_key(marching->blocks->key[b]);
        int64_t vertex = signs->first_vertex;
        for (int row = 0; row < CELLS * CELLS; row++) {
            for (int axis = 0; axis < 3; axis++) {
                int y = row % CELLS, z = row / CELLS;
                for (unsigned edges = cut_edges(signs, y, z, axis); edges != 0; edges &= edges - 1) {
                    place_vertex(marching, signs, (int[3]){__builtin_ctz(edges), y, z}, axis, vertex++, block);
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
        uint32_t *out = marching->mesh->triangle + 3 * signs->first_triangle;
        for (int row = 0; row < CELLS * CELLS; row++) {
            int y = row % CELLS, z = row / CELLS;
            for (unsigned cells = cut_cells(signs, y, z); cells != 0; cells &= cells - 1) {
                int x = __builtin_ctz(cells);
                unsigned corners = corner_bits(signs, x, y, z);
                for (int n = 0; n < 3 * table->count[corners]; n++) {
                    int edge = table->edge[corners][n], corner = table->corner[edge];
                    *out++ = vertex_index(marching, signs, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2),
                                          edge / 4);
                }
            }
        }
    }
}

static void number_vertices(Marching *marching)
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
    dlp__parallel_for(parallel, blocks->count, CHUNK_BLOCKS, find_signs, &marching);
    number_vertices(&marching);
    if (!reserve_mesh(mesh)) {
        return false;
    }
    dlp__parallel_for(parallel, blocks->count, CHUNK_BLOCKS, place_vertices, &marching);
    dlp__parallel_for(parallel, blocks->count, CHUNK_BLOCKS, join_triangles, &marching);
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
