/* The Maxwell fluid of a material, and its constants for a time step.
 *
 * Viscosity eta, relaxation time tau and shear modulus G = eta / tau: two determine the third. In a step of length
 * dt solved implicitly, a strain of S = Q - I causes the stress S eta / (tau + dt), and Q - I itself decays to tau /
 * (tau + dt) of its value. So tau = 0 is a Newtonian fluid by implicit Euler, and tau to infinity at fixed G an
 * elastic solid. */
#ifndef DLP_MATERIALS_MAXWELL_H
#define DLP_MATERIALS_MAXWELL_H

#include "base/error.h"

#include <dollop/world.h>

typedef struct dlp__MaxwellStep {
    float compliance; /* 1/Pa, strain over stress; DLP_MAXWELL_INVISCID for an inviscid fluid */
    float retention;  /* fraction of Q - I kept after the step */
} dlp__MaxwellStep;

/* s, relaxation time; 0 for a Newtonian fluid, infinite for an elastic solid. */
double dlp__maxwell_time(const dlp_MaterialDef *material);

#define DLP_MAXWELL_INVISCID 1e30f /* 1/Pa: no single-precision strain causes a significant stress */

dlp__MaxwellStep dlp__maxwell_step(const dlp_MaterialDef *material, double dt);

/* The same step solved exactly for a constant strain rate: with e = exp(-dt / tau) a stress s at its start becomes e
 * s + (1 - e) 2 eta D at its end, and Q becomes e F Q F^T + (1 - e) I + spread (L + L^T) + spread_square L L^T. */
typedef struct dlp__MaxwellFlow {
    float retention;     /* e */
    float viscosity;     /* Pa s, (1 - e) eta */
    float modulus;       /* Pa, 0 if tau is 0 */
    float spread;        /* s */
    float spread_square; /* s2 */
    float limit;         /* upper limit of tr Q; 0: none */
    float solvent;       /* Pa s, additional Newtonian viscosity */
} dlp__MaxwellFlow;
#define DLP_MAXWELL_MEMBERS 7 /* number of members */

/* `stiffest` (Pa s) limits the viscosity; a tenth of it for materials that store strain. */
dlp__MaxwellFlow dlp__maxwell_flow(const dlp_MaterialDef *material, double dt, double stiffest);

/* Finite extensibility (FENE-P): a spring stretched to tr Q is f = (b - 3) / (b - tr Q) times as stiff as at rest,
 * and relaxes f times as fast, towards I / f. Returns the material in that state; `stiffening` is f. */
dlp_MaterialDef dlp__maxwell_stretched(const dlp_MaterialDef *material, double stiffening);

/* b of a material, or 0 if unlimited. */
double dlp__maxwell_limit(const dlp_MaterialDef *material);

/* Reports contradictory parameters. */
dlp_Result dlp__maxwell_check(const dlp_MaterialDef *material, dlp_Error *error);

#endif
