/* Extents of what a picture shows: the floor, and everything that casts shadows. */
#ifndef DLP_RENDER_SCENE_EXTENT_H
#define DLP_RENDER_SCENE_EXTENT_H

#include "base/vector.h"

#include <dollop/render.h>

typedef struct dlp__Box {
    dlp_Vec3 lower, upper; /* m */
} dlp__Box;

/* The box around the region of interest and everything that casts a shadow. `plane_half`: m, half the side of the square
 * that is drawn of an inclined plane. */
dlp__Box dlp__casters_box(const dlp_Drawing *drawing, double plane_half);

typedef struct dlp__Floor {
    double height; /* m, NAN for none */
    dlp_Vec3 color;
} dlp__Floor;

/* The floor is the first visible horizontal plane, else the bottom of the first container, else the studio floor below
 * all solids. */
dlp__Floor dlp__floor_of(const dlp_Drawing *drawing);

#endif
