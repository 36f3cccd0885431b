/* The matrices of a camera and of the lamp that casts shadows. */
#ifndef DLP_RENDER_VIEW_H
#define DLP_RENDER_VIEW_H

#include "base/vector.h"

#include <dollop/render.h>

typedef struct dlp__View {
    float view[16], projection[16]; /* column by column, as OpenGL has them */
    dlp_Vec3 eye, right, up, forward;
    double tangent; /* of half the angle of view */
    double aspect;
    double half_height; /* m, of the picture at the target */
} dlp__View;

dlp__View dlp__view_of(const dlp_CameraDef *camera, double aspect, dlp_Vec3 lower, dlp_Vec3 upper);

/* The lamp stands to the left of the camera, high and a little behind the scene's middle; it sees the box. */
typedef struct dlp__Lamp {
    dlp_Vec3 direction, right; /* unit, to the lamp, and along its longer side */
    float view[16], projection[16], both[16];
    double reach; /* m, across the map */
} dlp__Lamp;

dlp__Lamp dlp__lamp_for(const dlp__View *view, dlp_Vec3 lower, dlp_Vec3 upper);

#endif
