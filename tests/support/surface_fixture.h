/* Points to build surfaces from: solids of known volume, and random points. There is one set of points at a time. */
#ifndef DLP_TESTS_SURFACE_FIXTURE_H
#define DLP_TESTS_SURFACE_FIXTURE_H

#include <dollop/surface.h>

#ifdef __cplusplus
extern "C" {
#endif

extern dlp_Points points;

void no_points(void);
void add_point(double x, double y, double z);

/* Solids of about one metre around the origin, filled with a lattice of `across` points per metre. The shell is the
 * sphere with a bubble in it. */
typedef enum Solid { SPHERE, TORUS, SLAB, SHELL } Solid;
void fill_solid(Solid solid, int across);

/* Random clumps, sheets, strings, single and coincident points, of any size and anywhere. */
void random_points(double spacing);
double uniform(double min, double max);

/* Fails with the library's message, or if the mesh is not valid. */
dlp_Surface *make_surface(const dlp_SurfaceDef *def);
dlp_Mesh build_mesh(dlp_Surface *surface);

#ifdef __cplusplus
}
#endif
#endif
