/* The triangles of a cube for each of the 256 combinations of inside and outside corners. Corner n is at
 * (n & 1, n >> 1 & 1, n >> 2); edge 4 a + k runs along axis a from the k-th corner without that bit.
 *
 * The table is computed from two rules. On a face with two inside corners across a diagonal, these are separated: both
 * cubes at the face agree, so that there are no holes. And no triangle has a side across a face: so no side is shared
 * by more than two triangles. */
#ifndef DLP_SURFACE_MARCHING_CUBES_TABLE_H
#define DLP_SURFACE_MARCHING_CUBES_TABLE_H

#include <stdint.h>

#define DLP_MARCHING_MAX_TRIANGLES 5 /* per cube */

typedef struct dlp__MarchingTable {
    uint8_t count[256];                                /* triangles, by the bits of the inside corners */
    uint8_t edge[256][3 * DLP_MARCHING_MAX_TRIANGLES]; /* counterclockwise seen from outside */
    uint8_t corner[12];                                /* start of each edge */
} dlp__MarchingTable;

void dlp__marching_table(dlp__MarchingTable *table);

#endif
