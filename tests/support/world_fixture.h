/* Worlds for tests: make one or fail, set a method's parameter by its name, step or fail with the world's own words. */
#ifndef DLP_TESTS_WORLD_FIXTURE_H
#define DLP_TESTS_WORLD_FIXTURE_H

#include "world/world_state.h"

dlp_World *make_world(const dlp_WorldDef *def);

/* Set a number, switch or choice of the method's own parameters. */
void set_method(dlp_World *world, const char *name, double value);

/* What conformation.solver may be. */
enum { PHYSICAL = 0, JACOBI = 1 };

/* A world of the method `conformation`, solved by Jacobi iterations, without gravity that moves particles by viscosity alone: no density constraint, no
 * guess from the step before. */
dlp_World *make_viscous_world(double spacing, dlp_Vec3 periodic_size);

void step_or_fail(dlp_World *world, double dt);

/* The particles of a world in one part. */
dlp__Particles *particles_of(dlp_World *world);

/* A lattice of `count` points along each axis from `corner`, at rest; particle 0 of the store is the first of them. */
void add_lattice(dlp_World *world, dlp_MaterialId material, const int count[3], dlp_Vec3 corner);

/* A ball of the first material. */
void add_fluid_ball(dlp_World *world, double radius, dlp_Vec3 center, dlp_Vec3 velocity, dlp_Vec3 spin);

/* From 0 to 1, the same row of numbers for the same seed. */
double random_number(uint64_t *state);

/* A box about the origin as a mesh of twelve triangles; the pointers are to static memory that the next one reuses. */
dlp_Mesh box_mesh(dlp_Vec3 size);
/* Add it to a world as a mesh; its number. */
dlp_MeshId add_box_mesh(dlp_World *world, dlp_Vec3 size);
/* The same for a flat star of six points, half as wide between them. */
dlp_MeshId add_star_mesh(dlp_World *world, double radius);

#endif
