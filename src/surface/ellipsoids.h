/* How far each point reaches, and in which direction: spheres, or ellipsoids that lie flat along the surface (Yu and Turk
 * 2013, section 4), about a place drawn towards the mean of its neighbours. */
#ifndef DLP_SURFACE_ELLIPSOIDS_H
#define DLP_SURFACE_ELLIPSOIDS_H

#include "surface/surface_points.h"

/* Where it is, and its quadratic form: it ends where d A d = 1 for the distance d from its centre. */
typedef struct dlp__Ellipsoid {
    float center[3]; /* m                                              */
    float matrix[6]; /* 1/m2, A = G^T G: xx yy zz xy xz yz             */
    float extent[3]; /* m, half the edges of the box around it         */
    float weight;    /* V det G: volume of the point over that of the ellipsoid's own scale */
    float unused[3]; /* to fill a cache line                           */
} dlp__Ellipsoid;

typedef struct dlp__EllipsoidPlan {
    double spacing;   /* m, of the points */
    double radius;    /* m, of a point inside the fluid                                            */
    double lone;      /* m, of a point without neighbours */
    double reach;     /* m, of the neighbours that tell how the surface lies                       */
    double volume;    /* m3, of a point                                                            */
    double smoothing; /* 0: centres stay; 1: they go to the mean of their neighbours                */
    double flatness;  /* largest ratio of axes; 1 makes spheres                                    */
    int simd;         /* vector lanes */
} dlp__EllipsoidPlan;

/* One for each point, in their sorted order. */
typedef struct dlp__Ellipsoids {
    dlp__Memory *memory;
    dlp__Ellipsoid *each;
    dlp__Buffer buffer;
} dlp__Ellipsoids;

void dlp__ellipsoids_init(dlp__Ellipsoids *ellipsoids, dlp__Memory *memory);
void dlp__ellipsoids_release(dlp__Ellipsoids *ellipsoids);

/* Those of all points; deep inside they are balls. False without memory. */
bool dlp__ellipsoids_find(dlp__Ellipsoids *ellipsoids, const dlp__SurfacePoints *points, const dlp__Parallel *parallel,
                          const dlp__EllipsoidPlan *plan);

#endif
