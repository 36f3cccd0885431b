/* Worlds of method mps for tests. */
#ifndef DLP_TESTS_MPS_FIXTURE_H
#define DLP_TESTS_MPS_FIXTURE_H

#include "support/world_fixture.h"

/* One thread, no gravity. */
dlp_WorldDef mps_def(double spacing);

/* A world with one material. */
dlp_World *make_mps(const dlp_WorldDef *def, const dlp_MaterialDef *material);

void run_mps(dlp_World *world, int steps, double dt);

dlp_WorldStats stats_of(const dlp_World *world);

/* An elastic, Maxwell or Newtonian material of the density of water. */
dlp_MaterialDef simple_material(double viscosity, double relaxation_time, double modulus);

/* Add a half space of solid at height z: a floor, or a ceiling if `down`. Stickiness in Pa. */
dlp_SolidId add_plate(dlp_World *world, double z, bool down, double friction, double stickiness);

/* m3 enclosed by the surface mesh of all particles, which ends at the solids. */
double surface_volume(const dlp_World *world);

#endif
