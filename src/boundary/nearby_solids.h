/* Which solids are near which particles. Particles are sorted by cell, so 16 consecutive ones lie close together: a
 * solid far from their centre is far from all of them, and most particles are skipped without a distance query. */
#ifndef DLP_BOUNDARY_NEARBY_SOLIDS_H
#define DLP_BOUNDARY_NEARBY_SOLIDS_H

#include "boundary/boundary.h"

#define DLP_NEARBY_BLOCK 256 /* particles tested together first; a multiple of DLP_GROUP */
#define DLP_NEARBY_MOST  64  /* capacity of the list; a group near more is divided, a particle near more is near all */

typedef struct dlp__NearbySolids {
    int count;
    bool all; /* all solids are near, `index` is not used */
    int32_t index[DLP_NEARBY_MOST];
} dlp__NearbySolids;

static inline int dlp__nearby_index(const dlp__NearbySolids *near, int k)
{
    return near->all ? k : near->index[k];
}

/* A listed solid may still be far from every particle of the group, but one that is not listed is at least `reach`
 * away. */
typedef void (*dlp__NearbySolidsFunction)(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near);

/* Whether a neighbour is between a particle and a wall with that normal: nearer to it by half a spacing, and less
 * than a spacing to the side. Neighbour lists must be current. */
bool dlp__particle_is_shielded(const dlp__Particles *particles, const dlp__NeighborList *list, double spacing,
                               int64_t i, dlp_Vec3 normal);

/* Call `visit` for each group of particles, or part of one, in begin <= i < end that has solids within `reach` (m). `begin` is a
 * multiple of DLP_GROUP. */
void dlp__for_groups_near_solids(const dlp__Solids *solids, const dlp__Particles *particles, int64_t begin, int64_t end,
                                 double reach, dlp__NearbySolidsFunction visit, void *context);

/* The wall nearest to a point (m); returns its solid, or null if none is nearer than `reach`. */
const dlp__Solid *dlp__nearest_wall(const dlp__Solids *solids, const dlp__NearbySolids *near, dlp_Vec3 point,
                                    double reach, dlp__Wall *nearest);

/* Pa, normal tension of a particle's stress along a unit vector. */
double dlp__tension_along(const dlp__Particles *p, int64_t i, dlp_Vec3 n);

static inline dlp_Vec3 dlp__particle_position(const dlp__Particles *particles, int64_t i)
{
    return dlp__vec3((double)particles->position[0][i], (double)particles->position[1][i],
                     (double)particles->position[2][i]);
}

#endif
