/* The reference shape of method blend: when it is updated (Takamatsu and Kanai 2011, section 3.2). */
#ifndef DLP_METHODS_BLEND_REFERENCE_H
#define DLP_METHODS_BLEND_REFERENCE_H

#include "methods/blend/blend_plan.h"

/* In steps that check the reference shape: objects whose particles were accelerated by external forces above the threshold of eq. 14 lose
 * their clusters, so that dlp__clusters_update() gives them new ones. Resets the mean. */
void dlp__blend_check_reference(dlp__StepContext *step, const dlp__BlendPlan *plan);

/* At the end of a step: add the change of velocity by external forces other than gravity to its sum. */
void dlp__blend_record_external(dlp__StepContext *step);

#endif
