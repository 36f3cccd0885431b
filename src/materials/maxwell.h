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
    float
        change_weight; /* of the change of the rate from step to step, with which stress is of second order in time; 1/4 to 5/8 */
} dlp__MaxwellFlow;
#define DLP_MAXWELL_MEMBERS 8 /* number of members */

/* The stress that acts in a step is that at its start, when positions are known and velocities are not. It is
 *
 *     s - p (change of s at the rate of the last step) + w 2 eta (1 - e) (D - D of the last step)
 *       - c 2 eta (1 - e) (D of the last step - D of the step before),        p = a (1 - e), a = 1/6 + (1 - e)/2, c = (1 - e)^2 / 8,
 *
 * which is of second order in time for any dt / tau if w = c + a e + g / (1 - e), g = 1/(1 - e) - 1/2 - tau/dt. For an elastic solid
 * that is the trapezoidal rule (w = 1/4); a Newtonian fluid has w = 5/8 and c = 1/8. Stable for any stiffness (found by scanning a and c):
 * the fastest modes of a Newtonian fluid decay to 0.45 in a step. */
double dlp__maxwell_change_weight(double x);                                 /* w, of x = dt / tau */
double dlp__maxwell_change_weight_of(double x, double kept, double relaxed); /* the same where e and 1 - e are known */

/* `stiffest` (Pa s) limits the viscosity; a tenth of it for materials that store strain. */
dlp__MaxwellFlow dlp__maxwell_flow(const dlp_MaterialDef *material, double dt, double stiffest);

/* Finite extensibility (FENE-P): a spring stretched to tr Q is f = (b - 3) / (b - tr Q) times as stiff as at rest,
 * and relaxes f times as fast, towards I / f. Returns the material in that state; `stiffening` is f. */
dlp_MaterialDef dlp__maxwell_stretched(const dlp_MaterialDef *material, double stiffening);

/* b of a material, or 0 if unlimited. */
double dlp__maxwell_limit(const dlp_MaterialDef *material);
/* f at this limit b and tr Q = `trace`, at most about 1000; 1 if unlimited. */
double dlp__maxwell_stiffening(double limit, double trace);

/* J/m3, G/2 (tr Q - 3 - ln det Q) of the strain Q - I (xx, yy, zz, xy, xz, yz): 0 at rest; its derivative is the stress G (Q - I). */
double dlp__maxwell_energy(double modulus, const double strain[6]);

/* Reports contradictory parameters. */
dlp_Result dlp__maxwell_check(const dlp_MaterialDef *material, dlp_Error *error);

#endif
