/* Coulomb friction at rough walls: a particle in contact sticks as long as that takes no more than a fraction of the pressure, and
 * slides against that much beyond. Which of the two it does is known from the previous step: `friction_ratio` is the friction
 * over its limit, of length 1 where the particle slides. One that sticks is pulled back by a stiff linear force, which
 * `friction_ratio` takes over step by step, so that nothing creeps. */
#ifndef DLP_METHODS_PHYSICAL_FRICTION_H
#define DLP_METHODS_PHYSICAL_FRICTION_H

#include "methods/method.h"

/* The right side, after the forces have been balanced. Returns whether any wall has friction: where none has, the others need
 * not be called. */
bool dlp__friction_balance(dlp__StepContext *step);
/* The preconditioner, when `mobility` is final. */
void dlp__friction_precondition(dlp__StepContext *step);
/* The operator, after its last stage. */
void dlp__friction_apply(dlp__StepContext *step);
/* Add the friction of the solution to the impulses on walls, when `change` is known and before the update. */
void dlp__friction_record(dlp__StepContext *step);
/* Which particles stick and which slide, when `change` is known. */
void dlp__friction_update(dlp__StepContext *step, bool has_friction);

#endif
