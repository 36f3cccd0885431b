/* The points near a place, with their weights; one version per vector width. */
#ifndef DLP_SURFACE_NEAR_POINTS_H
#define DLP_SURFACE_NEAR_POINTS_H

#include "surface/surface_points.h"

#define DLP_NEAR_MOST 256 /* more than these are left out: points that lie so thick say the same */

typedef struct dlp__NearPoints {
    const dlp__Particles *particles;
    float at[3];      /* m   */
    float per_radius; /* 1/m */
    int count;
    int32_t index[DLP_NEAR_MOST];
    float weight[DLP_NEAR_MOST]; /* (1 - r^2 / radius^2)^2 */
} dlp__NearPoints;

/* Add those of a range. A dlp__RowVisitor whose context is a dlp__NearPoints. */
void dlp__near_points_w1(void *context, int32_t begin, int32_t end);
void dlp__near_points_w4(void *context, int32_t begin, int32_t end);
void dlp__near_points_w8(void *context, int32_t begin, int32_t end);
void dlp__near_points_w16(void *context, int32_t begin, int32_t end);

#endif
