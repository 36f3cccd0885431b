/* The loops of SPH in method blend, for each vector width. Their arguments are a dlp__BlendPlan. */
#ifndef DLP_METHODS_BLEND_STAGES_H
#define DLP_METHODS_BLEND_STAGES_H

#include "methods/blend/blend_plan.h"

typedef struct dlp__BlendStages {
    dlp__Stage density; /* and pressure */
    dlp__Stage forces;  /* velocities of the blend, and without external forces */
} dlp__BlendStages;

extern const dlp__BlendStages dlp__blend_stages_w1, dlp__blend_stages_w4, dlp__blend_stages_w8, dlp__blend_stages_w16;

#endif
