/* The density constraint of position-based fluids (Macklin and Mueller 2013): particles are moved until the kernel sum
 * n_i = sum V W, fluid and solids together, is at most that of the lattice at rest.
 *
 * Its multiplier is kept as a pressure, lambda_i = -p_i dt^2, which is almost what it is: the moves of one step are
 * those of the force -grad p, so the first guess carries over from one time step to the next. Almost, because kernel
 * sums over disordered particles turn a pressure p into the momentum flux p sum V |W'| r / 3, some 4 % less; that flux
 * is what `pressure` shows. All particles stand for the same volume V = spacing^3; materials of unlike density differ
 * in mass. */
#ifndef DLP_PRESSURE_DENSITY_CONSTRAINT_H
#define DLP_PRESSURE_DENSITY_CONSTRAINT_H

#include "neighbors/stage_runner.h"
#include "sph/kernel.h"

typedef struct dlp__DensitySolver {
    dlp__Kernel kernel;
    float spacing;    /* m                                                                     */
    float dt;         /* s                                                                     */
    float dt_last;    /* s, of the step before; 0 in the first                                 */
    float relaxation; /* part of a Jacobi step that is taken                                   */
    float softness;   /* added to each constraint's stiffness, as a part of a full neighbourhood's (epsilon, eq. 11) */
    float tensile;    /* Pa, the artificial pressure that keeps particles apart (eq. 13)            */
    float keep;       /* part of the last step's pressure taken as first guess                 */
    float recovery;   /* 1/s, rate at which compression is mended that was there before the step: what is mended becomes
                       * speed, so mending all at once makes a resting fluid boil and a nozzle spray */
    double tolerance; /* mean compression beyond what is allowed at which to stop              */
    int64_t least, most; /* iterations                                                         */
} dlp__DensitySolver;

/* The fields that it needs beside position, velocity and density. */
#define DLP_DENSITY_FIELDS \
    (DLP_FIELD_BIT(pressure) | DLP_FIELD_BIT(multiplier) | DLP_FIELD_BIT(multiplier_change) | DLP_FIELD_BIT(start) | \
     DLP_FIELD_BIT(allowed) | DLP_FIELD_BIT(specific_volume) | DLP_FIELD_BIT(correction))

/* Called between iterations, to keep particles out of solids. */
typedef void (*dlp__ContactFunction)(void *context);

/* Iterate; positions are predicted with the velocities as they are, plus `correction`; `specific_volume`, neighbour lists
 * and boundary samples are current. Returns the iterations taken, or -1 without memory. Position and correction move,
 * density and pressure are left as of the end. */
int64_t dlp__density_solve(dlp__Domains *domains, const dlp__DensitySolver *solver, dlp__ContactFunction contact,
                           void *context);

#endif
