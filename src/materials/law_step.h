/* A material law over a time step of constant velocity gradient: how the stored strain of each Maxwell element and the structure change.
 *
 * An element with conformation Q is carried by the flow and relaxes towards a tensor T at a rate r,
 *
 *     dQ/dt = L Q + Q L^T - r (Q - T),
 *
 * which a step solves exactly for constant r and T, so steady flow is exact at any step. Elastic laws take r and T from the mean of the
 * start and the end of the step. A yield-stress fluid takes r from the stress at the end (a return mapping), so that it neither creeps
 * below its yield stress nor overshoots it. */
#ifndef DLP_MATERIALS_LAW_STEP_H
#define DLP_MATERIALS_LAW_STEP_H

#include "materials/law_parts.h"

/* What a particle remembers: Q - I of each element (xx yy zz xy xz yz), and the part of the structure that is broken down. */
typedef struct dlp__LawState {
    double strain[DLP_MODES_MOST][6];
    double damage;
} dlp__LawState;

/* An element as a Maxwell fluid in the present state. */
typedef struct dlp__LawElement {
    double modulus;    /* Pa, stress over strain */
    double relaxation; /* 1/s, r */
} dlp__LawElement;

/* The elements in a state, before the step. */
void dlp__law_elements(const dlp__LawParts *law, const dlp__LawState *state, dlp__LawElement element[DLP_MODES_MOST]);

/* Carry the state over a step of dt (s) with the velocity gradient L, row by row. Returns the elements that did it. */
void dlp__law_advance(const dlp__LawParts *law, const double gradient[9], double dt, dlp__LawState *state,
                      dlp__LawElement element[DLP_MODES_MOST]);

/* Pa s, of the part of a law that stores nothing, the solvent excluded, at a shear rate (1/s); and the viscosity against small changes of
 * the rate over that, at most 1, for all of a law. */
double dlp__law_viscosity(const dlp__LawParts *law, double rate, double damage);
double dlp__law_slope(const dlp__LawParts *law, const dlp__LawState *state, double rate);

#endif
