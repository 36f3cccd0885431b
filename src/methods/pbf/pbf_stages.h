/* The stages of a position-based fluid's step that are not the density constraint's, for each vector width. */
#ifndef DLP_METHODS_PBF_STAGES_H
#define DLP_METHODS_PBF_STAGES_H

#include "methods/method.h"

typedef struct dlp__PbfArguments {
    dlp__Kernel kernel;
    float volume;     /* m3, of a particle */
    float dt;         /* s                 */
    float gravity[3]; /* m/s2              */
    const dlp_MaterialDef *materials;
} dlp__PbfArguments;

typedef struct dlp__PbfStages {
    dlp__Stage predict; /* apply forces, predict positions                          */
    dlp__Stage prepare; /* what each particle's material says, where loops need it  */
    dlp__Stage finish;  /* the moves of the step become velocity                    */
    dlp__Stage smooth;  /* XSPH                                                     */
} dlp__PbfStages;

extern const dlp__PbfStages dlp__pbf_stages_w1, dlp__pbf_stages_w4, dlp__pbf_stages_w8, dlp__pbf_stages_w16;

#endif
