/* The matrices of a camera and of the lamp that casts shadows. */
#ifndef DLP_RENDER_VIEW_H
#define DLP_RENDER_VIEW_H

#include "render/scene_extent.h"

typedef struct dlp__View {
    float view[16], projection[16]; /* column-major, as in OpenGL */
    dlp_Vec3 eye, right, up, forward;
    double tangent; /* of half the field of view */
    double aspect;
    double half_height; /* m, of the picture at the target */
    double scale;       /* m, size of the region of interest */
} dlp__View;

dlp__View dlp__view_from_camera(const dlp_CameraDef *camera, double aspect, dlp_Vec3 lower, dlp_Vec3 upper);

/* The lamp is to the left of the camera, high and slightly behind the center of the scene. Its shadow map covers all
 * casters, as far as their shadows can be in the picture; it does not depend on where they are in it. */
typedef struct dlp__Lamp {
    dlp_Vec3 direction, right; /* unit vectors towards the lamp, and along its longer side */
    float view[16], projection[16], view_projection[16];
    dlp_Vec3 extent; /* m, width, height and depth of the shadow map */
} dlp__Lamp;

dlp__Lamp dlp__lamp_from_view(const dlp__View *view, const dlp__Box *casters);

#endif
