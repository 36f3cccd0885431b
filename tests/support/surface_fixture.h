/* Points to draw surfaces around: solids of known volume, and whatever comes. There is one set of them at a time. */
#ifndef DLP_TESTS_SURFACE_FIXTURE_H
#define DLP_TESTS_SURFACE_FIXTURE_H

#include <dollop/surface.h>

#ifdef __cplusplus
extern "C" {
#endif

extern dlp_Points points;

void no_points(void);
void add_point(double x, double y, double z);

/* Solids of about one metre around the origin, filled with a lattice of `across` points a metre. The shell is the sphere with
 * a bubble in it. */
typedef enum Solid { SPHERE, TORUS, SLAB, SHELL } Solid;
void fill_solid(Solid solid, int across);

/* Clumps, sheets, strings, lone points and points in one place, of any size and anywhere. */
void throw_points(double spacing);
double uniform(double least, double most);

/* Fail in the library's own words, or if the mesh is not whole. */
dlp_Surface *make_surface(const dlp_SurfaceDef *def);
dlp_Mesh build_mesh(dlp_Surface *surface);

#ifdef __cplusplus
}
#endif
#endif
