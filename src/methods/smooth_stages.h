/* The stages of velocity smoothing, for each vector width. */
#ifndef DLP_METHODS_SMOOTH_STAGES_H
#define DLP_METHODS_SMOOTH_STAGES_H

#include "methods/smooth.h"

typedef struct dlp__SmoothArguments {
    dlp__Kernel kernel;
    float volume; /* m3, of a particle */
    const dlp__StepContext *step;
} dlp__SmoothArguments;

typedef struct dlp__SmoothStages {
    dlp__Stage prepare; /* coefficient of each particle */
    dlp__Stage smooth;  /* XSPH                                            */
} dlp__SmoothStages;

extern const dlp__SmoothStages dlp__smooth_stages_w1, dlp__smooth_stages_w4, dlp__smooth_stages_w8,
    dlp__smooth_stages_w16;

#endif
