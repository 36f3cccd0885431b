/* The fully viscous cube that Barreiro et al. (2017) drop on the ground to measure drift (their section 4 and Fig. 6):
 * relaxation time 0, compliance 0. The paper gives neither its size nor its height; ours are here. */
#ifndef STUDIES_BARREIRO_CUBE_H
#define STUDIES_BARREIRO_CUBE_H

#include "studies/study_world.h"

#define BARREIRO_SIDE 1.0 /* m */
/* m, of its lowest face above the ground: at 1.4 m/s a step of 30 ms crosses one spacing of the finest cube, 24^3. */
#define BARREIRO_HEIGHT  0.1
#define BARREIRO_GRAVITY 9.81 /* m/s2 */

/* The two solvers that the paper compares, and two of ours: doubly constrained with the stress of the last step as initial guess,
 * and method physical. */
typedef enum BarreiroSolver {
    BARREIRO_POSITION_ONLY,
    BARREIRO_DOUBLY,
    BARREIRO_KEPT,
    BARREIRO_PHYSICAL,
    BARREIRO_SOLVERS
} BarreiroSolver;
extern const char *const barreiro_solver_names[BARREIRO_SOLVERS];
/* The method of a world with this solver. */
const char *barreiro_method(BarreiroSolver solver);

/* Share `total` iterations out: all to the projection of positions, or half to it and half to that of velocities. The
 * method physical has one system, and its tolerance is so small that it makes all of them. */
void barreiro_solver(StudyRun *run, dlp_World *world, BarreiroSolver solver, int total);
/* Method physical as it is meant to be used: to its own tolerance. At most 300 iterations, several times what it needs. */
void barreiro_physical(StudyRun *run, dlp_World *world);

/* A solver and its time step (s). */
typedef struct BarreiroStep {
    BarreiroSolver solver;
    double dt;
} BarreiroStep;

/* A material by the paper's relaxation time tau (s) and compliance alpha (1/Pa). The physical solver gets the viscosity, or
 * with a relaxation time the modulus, that gives the same stress in such a step; for alpha = 0 the largest there is. */
dlp_MaterialId barreiro_material(StudyRun *run, dlp_World *world, double tau, double alpha, BarreiroStep step);

typedef struct BarreiroCube {
    dlp_World *world;
    StudyParticles rest, now;
} BarreiroCube;

/* n^3 particles, as yet in the air, of a material for that solver. */
BarreiroCube barreiro_cube(StudyRun *run, int n, BarreiroSolver solver);
/* The same of another method and material. */
BarreiroCube barreiro_cube_of(StudyRun *run, int n, const char *method, const StudyValue *values, int count);
void barreiro_cube_free(BarreiroCube *cube);

/* RMS distance (m) of the particles from the undeformed cube, moved rigidly to where it fits best. */
double barreiro_drift(StudyRun *run, BarreiroCube *cube);
/* Particles of the last reading that are farther than two sides from where they should have come to rest: those that were
 * thrown out, a few of which can make up most of the RMS. */
int64_t barreiro_thrown(const BarreiroCube *cube);

#endif
