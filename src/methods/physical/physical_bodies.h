/* Free bodies in the physical solver. The changes of a body's velocity and spin are unknowns of the same linear system
 * as those of the particles: walls of bodies move with them, and forces on their images act on the body. So a light
 * body in a viscous fluid is as stable as the fluid itself. */
#ifndef DLP_METHODS_PHYSICAL_BODIES_H
#define DLP_METHODS_PHYSICAL_BODIES_H

#include "krylov/conjugate_gradients.h"
#include "methods/method.h"

typedef struct dlp__BodyCoupling {
    dlp__StepContext *step;
    double inertia;           /* as of the particles: see dlp__PhysicalArguments */
    double per_volume;        /* 1/m3: equations are those of momentum over the volume of a particle */
    dlp__KrylovExtra unknown; /* six for each body: velocity, spin */
    double *mobility, *scale;
} dlp__BodyCoupling;

/* After walls have been mirrored. Without free bodies there are no unknowns, and the functions below do nothing. */
void dlp__body_coupling_begin(dlp__BodyCoupling *coupling, dlp__StepContext *step, double inertia);

/* The right side, right after the stage that balanced the forces on particles; `kick` (m/s) is the velocity gained from gravity,
 * `pulled` as in dlp__ImageView. */
void dlp__body_coupling_balance(const dlp__BodyCoupling *coupling, const float kick[3], bool pulled);

/* The inertia of bodies; from here to the end, walls store the change of their velocity instead of the velocity. */
void dlp__body_coupling_ready(const dlp__BodyCoupling *coupling);

/* The operator: before its first stage, and right after its last. */
void dlp__body_coupling_search(const dlp__BodyCoupling *coupling);
void dlp__body_coupling_product(const dlp__BodyCoupling *coupling);

/* Set walls and solids to the velocity of the end of the step, and apply the impulses to the bodies. */
void dlp__body_coupling_end(const dlp__BodyCoupling *coupling);

#endif
