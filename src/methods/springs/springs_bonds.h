/* The springs themselves, kept as bonds between particles (Clavet et al. 2005, sections 5.1 and 5.2). */
#ifndef DLP_METHODS_SPRINGS_BONDS_H
#define DLP_METHODS_SPRINGS_BONDS_H

#include "methods/springs/springs_plan.h"

#include <math.h>

/* Algorithm 4: rest lengths relax, springs that became too long are removed, and new ones are added, which act from the
 * next step on. */
void dlp__springs_update(dlp__StepContext *step, const dlp__SpringsPlan *plan);

/* Algorithm 3, in gather form: both ends of a spring compute the same displacement, and each applies its own share. */
void dlp__springs_apply(dlp__StepContext *step, const dlp__SpringsPlan *plan);

/* The displacement (m) of a spring of that rest length between particles at a distance r: D of Algorithm 3 without its
 * direction. Springs form within the support h, and r is limited to 2 h: displacements act along the lines of the start
 * of the step and cannot bring a pair together whose predicted distance is larger, so in sequence each displacement
 * would increase the excess that the next one sees, without bound. */
static inline float dlp__spring_move(const dlp__SpringsPlan *plan, float stiffness, float length, float r)
{
    const float distance = fminf(r, 2.0f * plan->support);
    return plan->dt * plan->dt * stiffness * (1.0f - length * plan->per_h) * (length - distance);
}

#endif
