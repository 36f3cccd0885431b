/* Computes the table of marching cubes from its two rules. */
#include "surface/marching_cubes_table.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { EDGES = 12, FACES = 6, NONE = EDGES };

/* The edge between two corners that differ in one bit. */
static int edge_between(int a, int b)
{
    int low = a & b, axis = (a ^ b) >> 1; /* 1, 2, 4 become 0, 1, 2 */
    int previous = 0;
    for (int corner = 0; corner < low; corner++) {
        previous += (corner >> axis & 1) == 0;
    }
    return 4 * axis + previous;
}

/* The corners of a face, counterclockwise seen from outside. */
static void face_corners(int face, int ring[4])
{
    int axis = face / 2, side = face % 2;
    int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, origin = side << axis;
    ring[0] = origin;
    ring[1] = origin | (side == 1 ? u : v);
    ring[2] = origin | u | v;
    ring[3] = origin | (side == 1 ? v : u);
}

static bool is_inside(int corners, int corner)
{
    return (corners >> corner & 1) != 0;
}

/* Around each face, every run of inside corners is cut off by a line from the edge where it begins to the edge where it
 * ends. Together these lines form loops around the cube: `next` of each crossed edge. */
static void join_edges(int corners, int next[EDGES])
{
    for (int edge = 0; edge < EDGES; edge++) {
        next[edge] = NONE;
    }
    for (int face = 0; face < FACES; face++) {
        int ring[4];
        face_corners(face, ring);
        for (int k = 0; k < 4; k++) {
            int last = k, previous = (k + 3) % 4;
            if (!is_inside(corners, ring[k]) || is_inside(corners, ring[previous])) {
                continue;
            }
            while (is_inside(corners, ring[(last + 1) % 4])) {
                last = (last + 1) % 4;
            }
            next[edge_between(ring[previous], ring[k])] = edge_between(ring[last], ring[(last + 1) % 4]);
        }
    }
}

/* Bits of the two faces that share an edge. */
static int faces_of(int edge)
{
    int faces = 0;
    for (int face = 0; face < FACES; face++) {
        int ring[4];
        face_corners(face, ring);
        for (int k = 0; k < 4; k++) {
            faces |= edge_between(ring[k], ring[(k + 1) % 4]) == edge ? 1 << face : 0;
        }
    }
    return faces;
}

/* Whether the triangle fan from loop[apex] has no side across a face. */
static bool is_good_apex(const int *loop, int count, int apex)
{
    bool good = true;
    for (int k = 2; k < count - 1; k++) {
        good = good && (faces_of(loop[apex]) & faces_of(loop[(apex + k) % count])) == 0;
    }
    return good;
}

static void add_loop(dlp__MarchingTable *table, int corners, const int *loop, int count)
{
    int apex = 0;
    while (!is_good_apex(loop, count, apex)) {
        apex++;
        assert(apex < count); /* exists for every loop that occurs */
    }
    for (int k = 1; k + 1 < count; k++) {
        uint8_t *edge = table->edge[corners] + 3 * table->count[corners]++;
        edge[0] = (uint8_t)loop[apex];
        edge[1] = (uint8_t)loop[(apex + k) % count];
        edge[2] = (uint8_t)loop[(apex + k + 1) % count];
    }
}

void dlp__marching_table(dlp__MarchingTable *table)
{
    memset(table, 0, sizeof *table);
    for (int corner = 0; corner < 8; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            if ((corner >> axis & 1) == 0) {
                table->corner[edge_between(corner, corner | 1 << axis)] = (uint8_t)corner;
            }
        }
    }
    for (int corners = 0; corners < 256; corners++) {
        int next[EDGES];
        join_edges(corners, next);
        for (int first = 0; first < EDGES; first++) {
            int loop[EDGES], count = 0;
            for (int edge = first; edge != NONE && next[edge] != NONE;) {
                loop[count++] = edge;
                int following = next[edge];
                next[edge] = NONE;
                edge = following;
            }
            if (count > 0) {
                add_loop(table, corners, loop, count);
            }
        }
    }
}
