/* Creates and reuses the surface of frames. */
#include "frame_surface.h"

dlp_Result frame_surface_build(FrameSurface *surface, double spacing, const dlp_Points *points, dlp_Mesh *mesh,
                               dlp_Error *error)
{
    if (surface->surface && spacing != surface->def.spacing) {
        frame_surface_release(surface);
    }
    surface->def.spacing = spacing;
    const dlp_Result result = surface->surface ? DLP_OK : dlp_surface_create(&surface->def, &surface->surface, error);
    return result == DLP_OK ? dlp_surface_build(surface->surface, points, mesh, error) : result;
}

void frame_surface_release(FrameSurface *surface)
{
    dlp_surface_destroy(surface->surface);
    surface->surface = NULL;
}
