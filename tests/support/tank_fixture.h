/* A ball half immersed in the fluid of a tank, for tests of free solids with any method. */
#ifndef DLP_TESTS_TANK_FIXTURE_H
#define DLP_TESTS_TANK_FIXTURE_H

#include "support/world_fixture.h"

#define TANK_SIDE   0.16  /* m, of the tank            */
#define TANK_DEPTH  0.1   /* m, of the fluid in it     */
#define BALL_RADIUS 0.035 /* m                         */

typedef struct TankDef {
    const char *method;
    double density;   /* kg/m3, of the ball; the fluid has 1000     */
    double viscosity; /* Pa.s                                       */
    double gravity;   /* m/s2; if 0, there is no tank */
    double friction;  /* of the ball                                */
    int threads, parts;
} TankDef;

typedef struct Tank {
    dlp_World *world;
    dlp_SolidId ball;
    double fluid; /* m3 */
} Tank;

Tank make_tank(const TankDef *tank_def);
const dlp__Solid *ball_of(const Tank *tank);

/* kg */
double ball_mass(const TankDef *def);

/* The fraction of the ball below the level to which it has raised the fluid. */
double submerged(const Tank *tank);

/* Send fluid and ball towards each other. Returns the total momentum. */
dlp_Vec3 collide(const Tank *tank);
dlp_Vec3 momentum_of(const Tank *tank, const TankDef *def);

/* The hash of the world after some steps of 1/240 s. */
uint64_t tank_hash(const TankDef *def, int steps);

/* Save the world, load it, and check that both continue identically. */
void resume_tank(const Tank *tank);

#endif
