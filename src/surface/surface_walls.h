/* Solids that bound the surface. Points near a wall are mirrored, so that the fluid continues behind it and meets it
 * at a right angle; then the level set is clipped at the wall, and vertices on it stay there while the mesh is
 * smoothed. */
#ifndef DLP_SURFACE_WALLS_H
#define DLP_SURFACE_WALLS_H

#include "geometry/shape.h"
#include "surface/marching_cubes.h"

typedef struct dlp__SurfaceWalls {
    dlp__Memory *memory;
    dlp__Shape *shape;
    int count;
    uint8_t *on_wall; /* for each vertex */
    dlp__Buffer shape_buffer, on_wall_buffer;
} dlp__SurfaceWalls;

void dlp__surface_walls_init(dlp__SurfaceWalls *walls, dlp__Memory *memory);
void dlp__surface_walls_release(dlp__SurfaceWalls *walls);

/* Select the solids within `reach` (m) of any point. False when out of memory, like the functions below. */
bool dlp__surface_walls_place(dlp__SurfaceWalls *walls, const dlp_Points *points, double reach);

/* Add the mirror images of particles that are closer than `reach` (m) to a wall; an image has the id of its
 * particle. */
bool dlp__surface_walls_mirror(const dlp__SurfaceWalls *walls, dlp__Particles *particles, double reach);

/* Clip the levels (DLP_BLOCK_SAMPLES of them) of a block: a dlp__LevelClip whose context is dlp__SurfaceWalls. */
void dlp__surface_walls_clip(const void *context, dlp__Cell block, double cell, float *level);

/* Find the vertices on walls; later project them, and vertices that moved into a wall, back to it. */
bool dlp__surface_walls_find_contact(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh,
                                     const dlp__Parallel *parallel, double cell);
void dlp__surface_walls_project(dlp__SurfaceWalls *walls, const dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                                double cell);

#endif
