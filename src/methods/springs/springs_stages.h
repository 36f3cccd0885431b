/* The stages of the gather form, for each vector width; their arguments are a dlp__SpringsPlan. */
#ifndef DLP_METHODS_SPRINGS_STAGES_H
#define DLP_METHODS_SPRINGS_STAGES_H

#include "methods/springs/springs_plan.h"

typedef struct dlp__SpringsStages {
    dlp__Stage viscosity;   /* Algorithm 5, at the positions of the start of the step   */
    dlp__Stage densities;   /* Algorithm 2, lines 2 to 12                            */
    dlp__Stage relax;       /* Algorithm 2, lines 13 to 21, for particles of equal mass */
    dlp__Stage relax_mixed; /* the same for different masses */
} dlp__SpringsStages;

extern const dlp__SpringsStages dlp__springs_stages_w1, dlp__springs_stages_w4, dlp__springs_stages_w8,
    dlp__springs_stages_w16;

#endif
