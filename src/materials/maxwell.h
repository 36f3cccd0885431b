/* The Maxwell fluid that a material is, and what a time step sees of it.
 *
 * Viscosity eta, relaxation time tau and shear modulus G = eta / tau: two say the third. In a step of length dt solved
 * implicitly, a strain of S = Q - I leaves the stress S eta / (tau + dt), and Q - I itself shrinks to
 * tau / (tau + dt) of what it was. So tau = 0 is a Newtonian fluid by implicit Euler, and tau without end at a fixed G
 * an elastic solid. */
#ifndef DLP_MATERIALS_MAXWELL_H
#define DLP_MATERIALS_MAXWELL_H

#include "base/error.h"

#include <dollop/world.h>

typedef struct dlp__MaxwellStep {
    float compliance; /* 1/Pa, strain over stress; DLP_MAXWELL_INVISCID where there is none */
    float retention;  /* part of Q - I that outlives the step                               */
} dlp__MaxwellStep;

/* s, its relaxation time; 0 for what flows at once, infinite for an elastic solid. */
double dlp__maxwell_time(const dlp_MaterialDef *material);

#define DLP_MAXWELL_INVISCID 1e30f /* 1/Pa: no strain of single precision leaves a stress that matters */

dlp__MaxwellStep dlp__maxwell_step(const dlp_MaterialDef *material, double dt);

/* The same step solved exactly for a rate of strain that stays: with e = exp(-dt / tau) a stress s at its beginning is
 * e s + (1 - e) 2 eta D at its end, and Q is e F Q F^T + (1 - e) I + spread (L + L^T) + spread_square L L^T. */
typedef struct dlp__MaxwellFlow {
    float retention;     /* e                        */
    float viscosity;     /* Pa s, (1 - e) eta        */
    float modulus;       /* Pa, 0 where tau is 0     */
    float spread;        /* s                        */
    float spread_square; /* s2                       */
    float limit;         /* tr Q stays below it; 0: no limit */
    float solvent;       /* Pa s, Newtonian, beside all that */
} dlp__MaxwellFlow;
#define DLP_MAXWELL_PARTS 7 /* numbers in it */

/* `stiffest` (Pa s) limits the viscosity; a tenth of it where strain is remembered. */
dlp__MaxwellFlow dlp__maxwell_flow(const dlp_MaterialDef *material, double dt, double stiffest);

/* Finite extensibility (FENE-P): a spring that is drawn out to tr Q is f = (b - 3) / (b - tr Q) times as stiff as at rest, and
 * relaxes f times as fast, towards I / f. Returns the material as it is then; `taut` is f. */
dlp_MaterialDef dlp__maxwell_drawn(const dlp_MaterialDef *material, double taut);

/* b of a material, or 0 where nothing limits it. */
double dlp__maxwell_limit(const dlp_MaterialDef *material);

/* Refuses what contradicts itself. */
dlp_Result dlp__maxwell_check(const dlp_MaterialDef *material, dlp_Error *error);

#endif
