/* What the law of a material predicts in the flows of a rheometer: homogeneous simple shear and extension, without particles. These
 * are the curves with which the virtual rheometer compares what a simulation gives.
 *
 * A material is taken at its reference temperature; see dlp_material_at() for others. Functions return NaN where the law has no such
 * value (an elastic solid has no steady stress) and for null pointers. */
#ifndef DOLLOP_RHEOLOGY_H
#define DOLLOP_RHEOLOGY_H

#include <dollop/defs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Refuses parameters that contradict each other: the checks of dlp_world_add_material(). */
DLP_API dlp_Result dlp_material_check(const dlp_MaterialDef *material, dlp_Error *error);

/* Steady simple shear at `rate` (1/s). */
DLP_API double dlp_material_shear_stress(const dlp_MaterialDef *material, double rate);  /* Pa, solvent included */
DLP_API double dlp_material_normal_stress(const dlp_MaterialDef *material, double rate); /* Pa, first difference N1 */
DLP_API double dlp_material_yield_stress(const dlp_MaterialDef *material); /* Pa; 0: it flows at any stress */

/* Steady uniaxial extension at `rate` (1/s): stress along minus stress across, Pa. */
DLP_API double dlp_material_extensional_stress(const dlp_MaterialDef *material, double rate);

/* Storage and loss modulus (Pa) at an angular frequency (rad/s), for small strains. */
DLP_API void dlp_material_moduli(const dlp_MaterialDef *material, double frequency, double *storage, double *loss);

/* The Newtonian or Maxwell fluid that replaces a material with laws in methods that have none (a shear rate of
 * DLP_EQUIVALENT_RATE): it has the same stress in steady shear at `rate` (1/s, above 0). Its modulus is that of the law, or the sum
 * of its modes; a yield stress becomes part of the viscosity. */
#define DLP_EQUIVALENT_RATE 1.0 /* 1/s */
DLP_API dlp_MaterialDef dlp_material_equivalent(const dlp_MaterialDef *material, double rate);

/* The state of a material in simple shear. */
typedef struct dlp_ShearState {
    double time;          /* s */
    double rate;          /* 1/s */
    double strain;        /* since the start */
    double stress;        /* Pa */
    double normal_stress; /* Pa, N1 */
    double structure;     /* 1 at rest; below 1 in a thixotropic material that has been sheared */
} dlp_ShearState;

/* The shear rate (1/s) at a time. */
typedef double (*dlp_ShearRateFunction)(void *user, double time);

/* The response, from rest, to a prescribed shear rate: states[k] is that at times[k]. Times (s) start at 0 or later and increase. */
DLP_API dlp_Result dlp_material_shear(const dlp_MaterialDef *material, dlp_ShearRateFunction rate, void *user,
                                      const double *times, int count, dlp_ShearState *states, dlp_Error *error);

/* The response, from rest, to a constant shear stress (Pa) from time 0 on: a creep test without inertia. */
DLP_API dlp_Result dlp_material_creep(const dlp_MaterialDef *material, double stress, const double *times, int count,
                                      dlp_ShearState *states, dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif
