/* The length of an automatic step (dlp_world_advance). */
#ifndef DLP_WORLD_STEP_LENGTH_H
#define DLP_WORLD_STEP_LENGTH_H

#include "world/world_state.h"

#define DLP_MIN_STEP 1e-9 /* s: its square must be a normal single-precision number */
#define DLP_MAX_STEP 1.0  /* s */

/* Spacings that the particles of soft companions may move in one substep. A layer that an obstacle stops must not be
 * overtaken by the next one, because distances alone do not distinguish inside from outside. Above one spacing, bodies
 * burst when they hit a floor. */
#define DLP_SOFT_CFL 0.5

typedef struct dlp__StepChoice {
    double dt;           /* s */
    double most;         /* s, what the limits allow */
    bool lands;          /* the step ends at the given time */
    dlp_StepLimit limit; /* what limited it */
} dlp__StepChoice;

/* Choose the next step, which ends at `end` (s) at the latest. Depends on nothing but the state that a checkpoint holds. */
dlp_Result dlp__choose_step(dlp_World *world, double end, dlp__StepChoice *choice);

/* The input of a method for a step of dt (s), which is part of one of `requested_dt`. */
dlp__StepContext dlp__world_step_context(dlp_World *world, double dt, double requested_dt);

/* m/s, of the fastest particle, or of the fastest particle in soft companions only. */
double dlp__world_max_speed(const dlp_World *world, bool soft_only);

#endif
