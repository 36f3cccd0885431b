/* Objects: the connected components of clusters. */
#ifndef DLP_CLUSTERS_OBJECTS_H
#define DLP_CLUSTERS_OBJECTS_H

#include "clusters/clusters.h"

/* m, distance below which particles touch. On a lattice of this spacing it is between the diagonals of a face and of a cube. */
static inline float dlp__touch_distance(float spacing)
{
    return 1.6f * spacing;
}

#endif
