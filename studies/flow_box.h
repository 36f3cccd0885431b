/* Flows in a periodic box: disordered particles at rest, a flow put in by its formula, and what the particles keep of it. */
#ifndef STUDIES_FLOW_BOX_H
#define STUDIES_FLOW_BOX_H

#include "studies/study_world.h"

typedef struct FlowBoxDef {
    const char *method;
    int counts[3];              /* particles along x, y, z                                */
    double spacing;             /* m                                                      */
    uint64_t seed;              /* of the disorder; 0 leaves the particles on a lattice   */
    const StudyValue *material; /* besides a density of FLOW_DENSITY                      */
    int values;                 /* of the material                                        */
} FlowBoxDef;

#define FLOW_DENSITY 1000.0 /* kg/m3 */
#define FLOW_BOX     0.16   /* m, one wavelength */

/* One material, no gravity, at rest; with a seed, jittered and then settled. */
dlp_World *flow_box(StudyRun *run, const FlowBoxDef *def);

/* A cube of n^3 in the box of one wavelength, filled with a Newtonian fluid. */
dlp_World *flow_cube(StudyRun *run, const char *method, int n, uint64_t seed, double viscosity);

/* The shape of a flow of speed 1 with the wave number k (1/m). */
typedef void (*FlowField)(double k, const float position[3], double flow[3]);

void flow_shear_wave(double k, const float position[3], double flow[3]); /* (sin kz, 0, 0) */

void flow_set(StudyRun *run, dlp_World *world, FlowField field, double k, double speed); /* m/s */
void flow_add(StudyRun *run, dlp_World *world, FlowField field, double k, double speed);

/* The speed (m/s) of the field that fits the velocities best: their projection on it, where the particles are. */
double flow_speed(StudyRun *run, const dlp_World *world, FlowField field, double k);

#endif
