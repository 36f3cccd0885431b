/* Which edges of a cube are joined to triangles, for each way in which its eight corners can lie inside or outside. Corner
 * n is at (n & 1, n >> 1 & 1, n >> 2); edge 4 a + k runs along axis a from the k-th corner that has not that bit.
 *
 * The table is worked out from two rules instead of being written down. On a face with two inside corners across a
 * diagonal, these are kept apart: both cubes at the face see the same, so that there are no holes. And no triangle has a
 * side that cuts across a face: so no side is shared by more than two triangles. */
#ifndef DLP_SURFACE_MARCHING_TABLE_H
#define DLP_SURFACE_MARCHING_TABLE_H

#include <stdint.h>

#define DLP_MARCHING_MOST 5 /* triangles of one cube */

typedef struct dlp__MarchingTable {
    uint8_t count[256];                       /* triangles, by the bits of the corners inside            */
    uint8_t edge[256][3 * DLP_MARCHING_MOST]; /* counter-clockwise when seen from outside                */
    uint8_t corner[12];                       /* where an edge begins                                    */
} dlp__MarchingTable;

void dlp__marching_table(dlp__MarchingTable *table);

#endif
