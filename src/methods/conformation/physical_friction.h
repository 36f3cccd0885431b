/* Coulomb's law at rough walls: what lies on one is held as long as that takes no more than a part of the pressure, and slides
 * against that much beyond. Which of the two a particle does is known from the step before: `grip` is the friction in parts of
 * the most there can be, and of length 1 where it slides. One that is held is drawn back by a stiff linear force, which `grip`
 * takes over step by step, so that nothing creeps. */
#ifndef DLP_METHODS_PHYSICAL_FRICTION_H
#define DLP_METHODS_PHYSICAL_FRICTION_H

#include "methods/method.h"

#define DLP_FRICTION_FIELDS (DLP_FIELD_BIT(contact) | DLP_FIELD_BIT(slide) | DLP_FIELD_BIT(grip))

/* The right side, after the forces have been balanced. `rough` tells whether any wall is: where none is, the others need not be
 * called. False without memory. */
bool dlp__friction_balance(dlp__StepContext *step, bool *rough);
/* The preconditioner, when `mobility` is final. */
bool dlp__friction_ready(dlp__StepContext *step);
/* The operator, after its last stage. */
bool dlp__friction_pull(dlp__StepContext *step);
/* What is held now and what slides, when `change` is known. */
bool dlp__friction_settle(dlp__StepContext *step);

#endif
