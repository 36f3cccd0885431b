/* The physical solver: viscosity, elasticity and pressure of a step in one linear system for the change of velocity. A
 * material behaves as its numbers in SI units say, whatever the spacing, the time step and the number of iterations. */
#ifndef DLP_METHODS_PHYSICAL_SOLVER_H
#define DLP_METHODS_PHYSICAL_SOLVER_H

#include "krylov/conjugate_gradients.h"
#include "methods/conformation/coarse_grid.h"
#include "methods/conformation/physical_friction.h"
#include "methods/method.h"

typedef struct dlp__PhysicalParams {
    double tolerance;
    int64_t iterations;
    double damping, bulk, inertia, evening, crowding;
} dlp__PhysicalParams;

#define DLP_PHYSICAL_FIELDS \
    (DLP_KRYLOV_FIELDS | DLP_FIELD_BIT(pressure) | DLP_FIELD_BIT(uneven_force) | DLP_FIELD_BIT(stress) | \
     DLP_FIELD_BIT(apart) | DLP_FIELD_BIT(maxwell) | DLP_FIELD_BIT(stiffness) | DLP_FIELD_BIT(bulk) | \
     DLP_FIELD_BIT(swelling) | DLP_FIELD_BIT(unevenness) | DLP_FIELD_BIT(crowding) | DLP_FIELD_BIT(squeeze) | \
     DLP_FIELD_BIT(flux) | DLP_FIELD_BIT(velocity_gradient) | DLP_FIELD_BIT(conformation) | \
     DLP_FIELD_BIT(correction_matrix) | DLP_FIELD_BIT(correction) | DLP_FRICTION_FIELDS)

/* One step. */
dlp_Result dlp__physical_step(dlp__StepContext *step, const dlp__PhysicalParams *params);

#endif
