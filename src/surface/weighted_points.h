/* The points near a position with their weights, for the fields of vertices; one version per vector width. */
#ifndef DLP_SURFACE_WEIGHTED_POINTS_H
#define DLP_SURFACE_WEIGHTED_POINTS_H

#include "surface/surface_points.h"

#define DLP_MAX_WEIGHTED_POINTS 256 /* further points are ignored: points so dense have the same values */

typedef struct dlp__WeightedPoints {
    const dlp__Particles *particles;
    float at[3];      /* m */
    float per_radius; /* 1/m */
    int count;
    int32_t index[DLP_MAX_WEIGHTED_POINTS];
    float weight[DLP_MAX_WEIGHTED_POINTS]; /* (1 - r^2 / radius^2)^2 */
} dlp__WeightedPoints;

/* Add the points of a range. A dlp__RowVisitor whose context is a dlp__WeightedPoints. */
void dlp__weighted_points_w1(void *context, int32_t begin, int32_t end);
void dlp__weighted_points_w4(void *context, int32_t begin, int32_t end);
void dlp__weighted_points_w8(void *context, int32_t begin, int32_t end);
void dlp__weighted_points_w16(void *context, int32_t begin, int32_t end);

#endif
