/* Flow laws: the stress of steady shear as a function of the shear rate, its inverse and its slope.
 *
 * A law with a yield stress needs at least that much to flow. `structure` (0 to 1) is that of a thixotropic material, else 1: it
 * scales the yield stress and the part of the viscosity above infinite_viscosity. Solvent is not included. */
#ifndef DLP_MATERIALS_FLOW_LAW_H
#define DLP_MATERIALS_FLOW_LAW_H

#include "base/error.h"

#include <dollop/world.h>

/* Pa, at a rate above zero. */
double dlp__flow_stress(const dlp_MaterialDef *material, double rate, double structure);
/* Pa; 0: it flows at any stress. */
double dlp__flow_yield_stress(const dlp_MaterialDef *material, double structure);
/* 1/s, of the flow that this stress (Pa) drives; 0 at and below the yield stress. */
double dlp__flow_rate_at(const dlp_MaterialDef *material, double stress, double structure);
/* d ln(stress) / d ln(rate): 1 for a Newtonian fluid, 0 just above a yield stress. It is the viscosity against small changes of the
 * rate over that of the flow. */
double dlp__flow_slope(const dlp_MaterialDef *material, double rate, double structure);
/* The same where the stress at that rate is known. */
double dlp__flow_slope_at(const dlp_MaterialDef *material, double rate, double stress, double structure);

/* Whether its viscosity depends on the rate. */
static inline bool dlp__flow_is_newtonian(const dlp_MaterialDef *material)
{
    return material->flow_law == DLP_FLOW_NEWTONIAN;
}

/* Structure of steady flow at a rate (1/s), and after a time (s) at that rate; 1 if the material is not thixotropic. */
double dlp__structure_steady(const dlp_MaterialDef *material, double rate);
double dlp__structure_after(const dlp_MaterialDef *material, double structure, double rate, double time);

/* Reports parameters of flow and elastic laws that are missing or contradict each other. */
dlp_Result dlp__flow_law_check(const dlp_MaterialDef *material, dlp_Error *error);

#endif
