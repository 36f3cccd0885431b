/* The force on a wall behind one mirror image, from the stress of the particle that sees the image. */
#ifndef DLP_METHODS_PHYSICAL_IMAGE_FORCES_H
#define DLP_METHODS_PHYSICAL_IMAGE_FORCES_H

#include "methods/physical/physical_solver.h"

static inline float *dlp__image_values(const dlp__Mirror *mirror, int64_t row)
{
    return mirror->values + row / DLP_GROUP * DLP_GROUP * DLP_IMAGE_VALUES + row % DLP_GROUP;
}

/* Momentum per particle volume (Pa s / m) that the wall loses; sign as on the left side of the equations. What acts on the
 * image, less what the image's particle receives back. */
typedef struct dlp__ImageForce {
    double viscous[3], viscous_back[3];
    double pressed[3], pressed_back[3];
} dlp__ImageForce;

/* How a force on an image is taken. */
typedef struct dlp__ImageView {
    bool relative_to_wall;   /* as in rates_at() of physical_loops.h */
    bool pulled;             /* with the pull of walls that fluid wets, which acts at the start of a step */
    bool mean_stabilization; /* of both particles: exactly what the fluid receives, also from walls that rotate */
} dlp__ImageView;

/* Of the image at `row` that particle i sees. The velocity of an image is B u + (1 - B) w in viscous terms and R u + (1 - R) w
 * in the divergence, where w is that of the wall; so the wall feels (1 - B) and (1 - R) of the force on the image. The gathered
 * rows are those of the last stage, which was the right side or the second half of the operator. */
dlp__ImageForce dlp__image_force(const dlp__Domain *domain, int64_t i, int64_t row, dlp__ImageView view);

/* Add the momentum that particles gain from the solver's residual, when it has stopped, and from their shift, when it is known, to
 * the balance that walls take up. */
void dlp__physical_record_residual(const dlp__PhysicalSolver *solver);
void dlp__physical_record_shift(const dlp__PhysicalSolver *solver);

/* Add the forces on all walls to the impulses of this step: once after the right side, once after the operator was applied to
 * the solution. Nothing if no probe needs them. */
void dlp__physical_record_walls(const dlp__PhysicalSolver *solver, bool relative_to_wall, bool pulled);

#endif
