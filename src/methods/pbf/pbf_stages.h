/* The stages of a position-based fluid's step that no other method has, for each vector width. */
#ifndef DLP_METHODS_PBF_STAGES_H
#define DLP_METHODS_PBF_STAGES_H

#include "methods/method.h"

typedef struct dlp__PbfArguments {
    dlp__Kernel kernel;
    float volume; /* m3, of a particle */
    const dlp_MaterialDef *materials;
} dlp__PbfArguments;

typedef struct dlp__PbfStages {
    dlp__Stage prepare; /* what each particle's material says of smoothing */
    dlp__Stage smooth;  /* XSPH                                            */
} dlp__PbfStages;

extern const dlp__PbfStages dlp__pbf_stages_w1, dlp__pbf_stages_w4, dlp__pbf_stages_w8, dlp__pbf_stages_w16;

#endif
