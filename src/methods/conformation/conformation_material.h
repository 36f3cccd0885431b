/* A material given by the parameter of the paper: the compliance alpha of its constraints, in place of viscosity and modulus. */
#ifndef DLP_METHODS_CONFORMATION_MATERIAL_H
#define DLP_METHODS_CONFORMATION_MATERIAL_H

#include "materials/maxwell.h"

typedef struct dlp__ConformationMaterial {
    double compliance; /* 1/Pa, alpha; -1: derived from viscosity and modulus */
} dlp__ConformationMaterial;

extern const dlp_ParamTable dlp__conformation_material_params;

/* Coefficients of a material for a step of length dt (s). */
dlp__MaxwellStep dlp__conformation_maxwell(const dlp_MaterialDef *material, const dlp__ConformationMaterial *own,
                                           double dt);

/* Rejects a material with contradicting parameters; `own` is null while it is not set. */
dlp_Result dlp__conformation_check(const dlp_MaterialDef *material, const void *own, dlp_Error *error);

#endif
