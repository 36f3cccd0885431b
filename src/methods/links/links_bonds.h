/* The links themselves, kept as bonds between particles (Takahashi et al. 2014, section 3.5). */
#ifndef DLP_METHODS_LINKS_BONDS_H
#define DLP_METHODS_LINKS_BONDS_H

#include "methods/links/links_plan.h"

/* Algorithm 1: links under tension lengthen, those that became too long are removed, and new ones are added, which pull
 * from the next step on; links that freeze or melt change their kind. Those that may pull in this step are listed for
 * dlp__links_apply. */
void dlp__links_update(dlp__StepContext *step, const dlp__LinksPlan *plan);

/* One iteration of eqs. 10 and 11. */
void dlp__links_apply(dlp__StepContext *step, const dlp__LinksPlan *plan);

#endif
