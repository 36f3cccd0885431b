/* A surface that goes from frame to frame: it is made with the first, which tells the spacing, and anew where that changes. */
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
