/* The springs themselves, kept as bonds between particles (Clavet et al. 2005, sections 5.1 and 5.2). */
#ifndef DLP_METHODS_SPRINGS_BONDS_H
#define DLP_METHODS_SPRINGS_BONDS_H

#include "methods/springs/springs_plan.h"

#include <math.h>

/* Algorithm 4: lengths follow what they are drawn to, springs that became too long are removed, and new ones are added, which
 * pull from the next step on. */
void dlp__springs_adjust(dlp__StepContext *step, const dlp__SpringsPlan *plan);

/* Algorithm 3, in gather form: both ends of a spring reckon the same move, and each makes its own. */
void dlp__springs_pull(dlp__StepContext *step, const dlp__SpringsPlan *plan);

/* The displacement (m) of a spring of that length between particles r apart: D of Algorithm 3 without its direction. At rest they
 * were within the support h. A step so violent that they are predicted more than twice as far apart counts as 2 h: displacements go along
 * the lines as the step began and no longer bring such a pair together, so that in sequence each would find the last one's excess
 * grown, without end. */
static inline float dlp__spring_move(const dlp__SpringsPlan *plan, float stiffness, float length, float r)
{
    const float apart = fminf(r, 2.0f * plan->support);
    return plan->dt * plan->dt * stiffness * (1.0f - length * plan->per_h) * (length - apart);
}

#endif
