/* Worlds for tests: create one, set a parameter of its method by name, step it. Errors fail the test with the message of the world. */
#ifndef DLP_TESTS_WORLD_FIXTURE_H
#define DLP_TESTS_WORLD_FIXTURE_H

#include "world/world_state.h"

dlp_World *make_world(const dlp_WorldDef *def);

/* Set a parameter of the method: a number, boolean or choice. */
void set_method(dlp_World *world, const char *name, double value);

/* Set or read a number or choice among the method's parameters of a material. */
void set_material_param(dlp_World *world, dlp_MaterialId id, const char *name, double value);
double material_param(const dlp_World *world, dlp_MaterialId id, const char *name);

/* A world of the method `conformation` (Jacobi) in which only viscosity acts: no gravity, no density constraint, no warm start. */
dlp_World *make_viscous_world(double spacing, dlp_Vec3 periodic_size);

void step_or_fail(dlp_World *world, double dt);

/* The particles of a world with a single subdomain. */
dlp__Particles *particles_of(dlp_World *world);

/* Add a lattice of `count` particles along each axis, starting at `corner`, at rest. */
void add_lattice(dlp_World *world, dlp_MaterialId material, const int count[3], dlp_Vec3 corner);

/* Add a ball of the first material. */
void add_fluid_ball(dlp_World *world, double radius, dlp_Vec3 center, dlp_Vec3 velocity, dlp_Vec3 spin);

/* A pseudorandom number from 0 to 1; `state` holds the seed. */
double random_number(uint64_t *state);
/* One from `least` to `most`, evenly distributed, or its logarithm is. */
double random_between(uint64_t *state, double least, double most);
double random_log_between(uint64_t *state, double least, double most);

/* A box centred at the origin as a mesh of twelve triangles, in static memory that the next call overwrites. */
dlp_Mesh box_mesh(dlp_Vec3 size);
/* Add such a box to a world as a mesh. */
dlp_MeshId add_box_mesh(dlp_World *world, dlp_Vec3 size);
/* Add a flat star of six points with an inner radius of radius / 2 as a mesh. */
dlp_MeshId add_star_mesh(dlp_World *world, double radius);

/* 64 bits of ids, positions, velocities, densities and pressures alone: what a simulation shows, whatever fields its method
 * keeps besides. The order of particles does not matter. */
uint64_t motion_hash(const dlp_World *world);

#endif
