/* Stages around the solver, for each vector width: coefficients of the materials, and the update of the conformation
 * tensor at the end of the step. */
#ifndef DLP_METHODS_CONFORMATION_STAGES_H
#define DLP_METHODS_CONFORMATION_STAGES_H

#include "methods/conformation/conformation_material.h"
#include "methods/method.h"

typedef struct dlp__ConformationArguments {
    dlp__Kernel kernel;
    float volume; /* m3, of a particle */
    float dt;     /* s                 */
    const dlp_MaterialDef *materials;
    const dlp__ConformationMaterial *own; /* of each material */
    const dlp__Heat *heat;
} dlp__ConformationArguments;

typedef struct dlp__ConformationStages {
    dlp__Stage prepare; /* start positions and material coefficients; needs predicted positions                  */
    dlp__Stage update;  /* the conformation at the end of the step; needs start, velocity and correction_matrix  */
} dlp__ConformationStages;

extern const dlp__ConformationStages dlp__conformation_stages_w1, dlp__conformation_stages_w4,
    dlp__conformation_stages_w8, dlp__conformation_stages_w16;

#endif
