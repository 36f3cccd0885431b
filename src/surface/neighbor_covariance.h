/* Weighted moments of the neighbors of a point, for ellipsoids.c; one version per vector width. */
#ifndef DLP_SURFACE_NEIGHBOR_COVARIANCE_H
#define DLP_SURFACE_NEIGHBOR_COVARIANCE_H

#include "surface/surface_points.h"

/* Sums over the points closer than the reach, with weights (1 - r^2 / reach^2)^2; lengths in units of the reach. */
typedef struct dlp__NeighborCovariance {
    float weight;
    float mean[3];           /* times the weight: x y z */
    float second_moments[6]; /* times the weight: xx yy zz xy xz yz */
} dlp__NeighborCovariance;

/* For point i, among the candidate ranges. Bitwise equal for every width. */
typedef void (*dlp__NeighborCovarianceFunction)(const dlp__Particles *particles, const dlp__IndexRange *ranges,
                                                int count, int32_t i, float per_reach, dlp__NeighborCovariance *sums);

void dlp__neighbor_covariance_w1(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float,
                                 dlp__NeighborCovariance *);
void dlp__neighbor_covariance_w4(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float,
                                 dlp__NeighborCovariance *);
void dlp__neighbor_covariance_w8(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float,
                                 dlp__NeighborCovariance *);
void dlp__neighbor_covariance_w16(const dlp__Particles *, const dlp__IndexRange *, int, int32_t, float,
                                  dlp__NeighborCovariance *);

#endif
