/* A surface that is reused from frame to frame: created for the spacing of the first frame, and again if the spacing changes. */
#ifndef DOLLOP_FRAME_SURFACE_H
#define DOLLOP_FRAME_SURFACE_H

#include <dollop/surface.h>

typedef struct FrameSurface {
    dlp_SurfaceDef def;
    dlp_Surface *surface; /* null before the first frame */
} FrameSurface;

dlp_Result frame_surface_build(FrameSurface *surface, double spacing, const dlp_Points *points, dlp_Mesh *mesh,
                               dlp_Error *error);
void frame_surface_release(FrameSurface *surface);

#endif
