/* What position-based methods share around their own constraints: predict positions, stay out of solids, keep the
 * density, and turn the moves of a step into velocity. */
#ifndef DLP_METHODS_MOTION_H
#define DLP_METHODS_MOTION_H

#include "methods/method.h"
#include "pressure/density_constraint.h"

#define DLP_MOTION_FIELDS \
    DLP_FIELD_id, DLP_FIELD_material, DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_density, DLP_FIELD_carrier, \
        DLP_DENSITY_FIELDS

/* What a nozzle carries has the nozzle's velocity. */
void dlp__motion_apply_nozzles(dlp__StepContext *step);

/* Give particle i the velocity that the nozzle which carries it has where it was as the step began; false if none does. `start`
 * must be current. */
bool dlp__motion_follow_nozzle(const dlp__StepContext *step, dlp__Particles *p, int64_t i);

/* Velocity gains from sticky walls and from gravity, or is that of the nozzle that carries the particle; positions go where it leads, and nothing
 * has corrected them yet. */
void dlp__motion_predict(dlp__StepContext *step);

/* Stop particles at solids that they have met since the step began, before they are pushed out of those that they are in;
 * what that moves them counts as correction. `start` must be current. */
void dlp__motion_sweep(dlp__StepContext *step);

/* Push particles out of solids; what that moves them counts as correction. */
void dlp__motion_push_out(dlp__StepContext *step);

/* What the materials say of density, where the density constraint needs it. */
void dlp__motion_prepare(dlp__StepContext *step);

/* Project positions onto the density constraint, and report on it in the step. `after_iteration` (may be null) follows each
 * iteration, counted from 1, after particles were kept out of solids; at least `least` iterations are made. */
typedef void (*dlp__IterationFunction)(dlp__StepContext *step, int64_t iteration, const void *arguments);
void dlp__motion_project_density(dlp__StepContext *step, const dlp__DensityParams *params, int64_t least,
                                 dlp__IterationFunction after_iteration, const void *arguments);

/* What corrected positions becomes velocity, once no correction has led through a wall; what a nozzle carries has gone its way,
 * unless into a solid. */
void dlp__motion_finish(dlp__StepContext *step);

#endif
