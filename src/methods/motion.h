/* Steps that position-based methods share around their own constraints: predict positions, push particles out of
 * solids, project the density constraint, and convert displacements into velocity. */
#ifndef DLP_METHODS_MOTION_H
#define DLP_METHODS_MOTION_H

#include "methods/method.h"
#include "pressure/density_constraint.h"

#define DLP_MOTION_FIELDS \
    DLP_FIELD_id, DLP_FIELD_material, DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_density, DLP_FIELD_carrier, \
        DLP_DENSITY_FIELDS

/* Set the velocity of particles in nozzles to the nozzle's velocity. */
void dlp__motion_apply_nozzles(dlp__StepContext *step);

/* Set the velocity of particle i to that of its nozzle at the position of the start of the step; false if it is in
 * none. `start` must be current. */
bool dlp__motion_follow_nozzle(const dlp__StepContext *step, dlp__Particles *p, int64_t i);

/* Attract particles to sticky walls, for methods whose fluid supports no tension. */
void dlp__motion_apply_adhesion(dlp__StepContext *step);

/* Apply gravity to velocities, or the nozzle's velocity to particles in it; predict positions and set
 * `correction` to zero. */
void dlp__motion_predict(dlp__StepContext *step);

/* Stop particles at solids that they hit since the start of the step (continuous collision), before
 * dlp__motion_push_out(). Displacements are added to `correction`. `start` must be current. */
void dlp__motion_sweep(dlp__StepContext *step);

/* Push particles out of solids; displacements are added to `correction`. */
void dlp__motion_push_out(dlp__StepContext *step);

/* Push particles out of solids and pass the reactions on to free bodies and companions, in methods without iterations. */
void dlp__motion_resolve_contact(dlp__StepContext *step);

/* Set `specific_volume` from the materials. */
void dlp__motion_prepare(dlp__StepContext *step);

/* Project positions onto the density constraint; iterations and convergence are reported in the step. `function`
 * (may be null) is called after each iteration, counted from 1, once particles are pushed out of solids. At least
 * `least` iterations are made. */
typedef void (*dlp__IterationFunction)(dlp__StepContext *step, int64_t iteration, const void *arguments);
void dlp__motion_project_density(dlp__StepContext *step, const dlp__DensityParams *params, int64_t least,
                                 dlp__IterationFunction function, const void *arguments);

/* Convert corrections into velocity, after stopping those that crossed a wall; particles in nozzles move with the
 * nozzle's velocity, unless into a solid. */
void dlp__motion_finish(dlp__StepContext *step);

/* Wall friction at the end of a step: see dlp__boundary_apply_wall_friction() and dlp__boundary_apply_friction_left(). */
void dlp__motion_apply_wall_friction(dlp__StepContext *step);
void dlp__motion_apply_friction_left(dlp__StepContext *step);

#endif
