/* The shape of each point: a sphere, or an ellipsoid flattened along the surface (Yu and Turk 2013, section 4), with a
 * center moved towards the mean of its neighbors. */
#ifndef DLP_SURFACE_ELLIPSOIDS_H
#define DLP_SURFACE_ELLIPSOIDS_H

#include "surface/surface_points.h"

/* Center and quadratic form: the ellipsoid is d A d <= 1 for the distance d from its center. */
typedef struct dlp__Ellipsoid {
    float center[3]; /* m */
    float matrix[6]; /* 1/m2, A = G^T G: xx yy zz xy xz yz */
    float extent[3]; /* m, half the edges of its bounding box */
    float weight;    /* V det G: volume of the point over that of the ellipsoid */
    float unused[3]; /* padding to a cache line */
} dlp__Ellipsoid;

typedef struct dlp__EllipsoidPlan {
    double spacing;     /* m, of the points */
    double radius;      /* m, of a point inside the fluid */
    double lone_radius; /* m, of a point without neighbors */
    double reach;       /* m, radius of the neighbors that determine the shape */
    double volume;      /* m3, of a point */
    double smoothing;   /* 0: centers do not move; 1: they move to the mean of their neighbors */
    double flatness;    /* largest ratio of axes; 1 makes spheres */
    int simd;           /* vector lanes */
} dlp__EllipsoidPlan;

/* One for each point, in sorted order. */
typedef struct dlp__Ellipsoids {
    dlp__Memory *memory;
    dlp__Ellipsoid *each;
    dlp__Buffer buffer;
} dlp__Ellipsoids;

void dlp__ellipsoids_init(dlp__Ellipsoids *ellipsoids, dlp__Memory *memory);
void dlp__ellipsoids_release(dlp__Ellipsoids *ellipsoids);

/* Compute the ellipsoids of all points; deep inside the fluid they are spheres. False when out of memory. */
bool dlp__ellipsoids_find(dlp__Ellipsoids *ellipsoids, const dlp__SurfacePoints *points, const dlp__Parallel *parallel,
                          const dlp__EllipsoidPlan *plan);

#endif
