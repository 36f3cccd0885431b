/* Free bodies in the physical solver. How a body's velocity and spin change in a step is unknown like that of each particle, and
 * found with it: walls of bodies move by it, and what the fluid does to their images it does to the body. So a light body in
 * thick fluid is as stable as the fluid itself. */
#ifndef DLP_METHODS_PHYSICAL_BODIES_H
#define DLP_METHODS_PHYSICAL_BODIES_H

#include "krylov/conjugate_gradients.h"
#include "methods/method.h"

typedef struct dlp__BodyCoupling {
    dlp__StepContext *step;
    double per_volume;        /* 1/m3: equations are those of momentum over the volume of a particle */
    dlp__KrylovExtra unknown; /* six for each body: velocity, spin */
    double *mobility, *scale;
} dlp__BodyCoupling;

/* After walls have been mirrored. Without free bodies it has no unknowns, and nothing below does anything. */
void dlp__body_coupling_begin(dlp__BodyCoupling *coupling, dlp__StepContext *step);

/* The right side, right after the stage that balanced the forces on particles; `kick` (m/s) is what gravity brings. */
void dlp__body_coupling_balance(const dlp__BodyCoupling *coupling, const float kick[3]);

/* What bodies resist; from here to the end walls have the change of their velocity in place of it. */
void dlp__body_coupling_ready(const dlp__BodyCoupling *coupling);

/* The operator: before its first stage, and right after its last. */
void dlp__body_coupling_search(const dlp__BodyCoupling *coupling);
void dlp__body_coupling_product(const dlp__BodyCoupling *coupling);

/* Walls and their solids have the velocity of the step's end, and bodies are pushed to it. */
void dlp__body_coupling_end(const dlp__BodyCoupling *coupling);

#endif
