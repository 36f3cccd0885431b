/* Solids that a surface ends at. Points near a wall are mirrored in it, so that the fluid goes on behind it and meets it squarely;
 * then the level set is cut off at the wall, and vertices that lie on it stay there while the mesh is smoothed. */
#ifndef DLP_SURFACE_WALLS_H
#define DLP_SURFACE_WALLS_H

#include "geometry/shape.h"
#include "surface/marching.h"

typedef struct dlp__SurfaceWalls {
    dlp__Memory *memory;
    dlp__Shape *shape;
    int count;
    uint8_t *held; /* for each vertex whether it lies on a wall */
    dlp__Buffer shape_buffer, held_buffer;
} dlp__SurfaceWalls;

void dlp__surface_walls_init(dlp__SurfaceWalls *walls, dlp__Memory *memory);
void dlp__surface_walls_release(dlp__SurfaceWalls *walls);

/* Take those solids of the points that are within `reach` (m) of any. False without memory, as those below. */
bool dlp__surface_walls_place(dlp__SurfaceWalls *walls, const dlp_Points *points, double reach);

/* Add the mirror images of particles that are closer than `reach` (m) to a wall; an image has the id of its particle. */
bool dlp__surface_walls_mirror(const dlp__SurfaceWalls *walls, dlp__Particles *particles, double reach);

/* Cut off the levels (DLP_BLOCK_SAMPLES of them) of the block at a place: a dlp__LevelCut whose context is dlp__SurfaceWalls. */
void dlp__surface_walls_cut(const void *context, dlp__Cell place, double cell, float *level);

/* Find the vertices that lie on walls; put them, and what has come into a wall, back on it. */
bool dlp__surface_walls_hold(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                             double cell);
void dlp__surface_walls_put_back(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                                 double cell);

#endif
