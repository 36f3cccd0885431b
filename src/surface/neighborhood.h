/* How the points around a point are spread, for ellipsoids.c; one version per vector width. */
#ifndef DLP_SURFACE_NEIGHBORHOOD_H
#define DLP_SURFACE_NEIGHBORHOOD_H

#include "surface/surface_points.h"

/* Sums over the points closer than the reach, with weights (1 - r^2 / reach^2)^2; lengths in units of the reach. */
typedef struct dlp__Neighborhood {
    float weight;
    float mean[3];    /* times the weight: x y z              */
    float squares[6]; /* times the weight: xx yy zz xy xz yz  */
} dlp__Neighborhood;

/* Around point i, among the ranges of candidates. The same bits for every width. */
typedef void (*dlp__NeighborhoodFunction)(const dlp__Particles *particles, const dlp__IndexRange *ranges, int count,
                                          int32_t i, float per_reach, dlp__Neighborhood *sums);

void dlp__neighborhood_w1(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float, dlp__Neighborhood *);
void dlp__neighborhood_w4(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float, dlp__Neighborhood *);
void dlp__neighborhood_w8(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float, dlp__Neighborhood *);
void dlp__neighborhood_w16(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float, dlp__Neighborhood *);

#endif
