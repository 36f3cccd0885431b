/* The matrices of a camera and of the lamp that casts shadows. */
#ifndef DLP_RENDER_VIEW_H
#define DLP_RENDER_VIEW_H

#include "base/vector.h"

#include <dollop/render.h>

typedef struct dlp__View {
    float view[16], projection[16]; /* column-major, as in OpenGL */
    dlp_Vec3 eye, right, up, forward;
    double tangent; /* of half the field of view */
    double aspect;
    double half_height; /* m, of the picture at the target */
} dlp__View;

dlp__View dlp__view_from_camera(const dlp_CameraDef *camera, double aspect, dlp_Vec3 lower, dlp_Vec3 upper);

/* The lamp is to the left of the camera, high and slightly behind the center of the scene; its shadow map covers the
 * box. */
typedef struct dlp__Lamp {
    dlp_Vec3 direction, right; /* unit vectors towards the lamp, and along its longer side */
    float view[16], projection[16], view_projection[16];
    double size; /* m, width of the shadow map */
} dlp__Lamp;

dlp__Lamp dlp__lamp_from_view(const dlp__View *view, dlp_Vec3 lower, dlp_Vec3 upper);

#endif
