/* The deviatoric stress of method mps (Mukai et al.): tau = 2 eta D + 2 mu eps, where D is the strain rate and eps the elastic strain,
 * which rotates with the fluid (corotational rate), grows with D and relaxes. The paper's four stresses and their repaired forms
 * differ in eta, mu and relaxation only:
 *
 *   auto            what the material says: Newtonian, Maxwell (eps relaxes in the relaxation time) or elastic
 *   viscous         eta = eta_0, mu = 0                                        eq. 4, Sim. 2
 *   elastic         eta = 0, mu = E / 2 (1 + nu), eps never relaxes            eq. 8, Sim. 3
 *   blend           eta = a eta_0, mu = (1 - a) E / 2 (1 + nu), a of eq. 9     eq. 3, Sim. 1
 *   complex         storage modulus as mu, loss modulus over frequency as eta  eq. 19
 *   complex_printed |E*| eps, with the viscosity of eq. 21                     eq. 20, Sim. 4
 *
 * The shear rate is sqrt(2 D:D): eqs. 10 to 12 give the root of a negative number for incompressible flow. The weight of eq. 9 is
 * smallest at 30.8 1/s and grows without limit beyond, so the rate is clamped there. */
#ifndef DLP_METHODS_MPS_LAW_H
#define DLP_METHODS_MPS_LAW_H

#include "materials/thermal.h"

typedef enum dlp__MpsStress {
    DLP_MPS_AUTO,
    DLP_MPS_VISCOUS,
    DLP_MPS_ELASTIC,
    DLP_MPS_BLEND,
    DLP_MPS_COMPLEX,
    DLP_MPS_COMPLEX_PRINTED,
} dlp__MpsStress;

/* The method's own parameters of a material. */
typedef struct dlp__MpsMaterial {
    int32_t stress;   /* dlp__MpsStress */
    double frequency; /* rad/s, omega of the complex modulus */
} dlp__MpsMaterial;

extern const dlp_ParamTable dlp__mps_material_params;

typedef struct dlp__MpsLaw {
    double viscosity; /* Pa s, eta */
    double modulus;   /* Pa, mu    */
    double rate;      /* 1/s, at which eps relaxes */
} dlp__MpsLaw;

/* The law of a material at a temperature, where the shear rate (1/s) is `shear`. */
dlp__MpsLaw dlp__mps_law(const dlp_MaterialDef *material, const dlp__MpsMaterial *own, double shear);

/* Pa s, viscosity in steady flow; that of an elastic solid is zero. */
double dlp__mps_steady(const dlp__MpsLaw *law);

/* Pa s, viscosity that resists zero-energy modes in a step of `dt` under gravity (m/s2). */
double dlp__mps_stabilizing(const dlp__MpsLaw *law, double density, double spacing, double gravity, double dt);

/* Rejects a stress that lacks a parameter. */
dlp_Result dlp__mps_check_material(const dlp_MaterialDef *material, const void *own, dlp_Error *error);

#endif
