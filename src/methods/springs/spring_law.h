/* A material as springs and impulses between particles (Clavet et al. 2005, sections 5.1 to 5.3), derived from
 * measurable properties.
 *
 * In shear at a rate D, particles approach each other along half of all directions. If all particles follow the mean
 * flow, an impulse sigma (1 - q) u shared equally by both particles transports momentum like a kinematic viscosity nu =
 * sigma M / 120, and springs of stiffness k (1 - L/h) at rest give a shear modulus G = rho k M / 60. M is the sum of (1
 * - q) r^2 over a particle's neighbours at rest. Springs whose rest length relaxes at a rate alpha give a Maxwell fluid
 * of relaxation time 1 / alpha. */
#ifndef DLP_METHODS_SPRING_LAW_H
#define DLP_METHODS_SPRING_LAW_H

#include "materials/thermal.h"

/* The method's own parameters of a material. */
typedef struct dlp__SpringsMaterial {
    double sigma;       /* 1/s, viscosity impulses in addition to those from `viscosity`                */
    double plasticity;  /* 1/s, relaxation rate of the rest length of a stretched spring; -1: 1 / relaxation time */
    double yield_ratio; /* strain of a spring below which its rest length is constant                   */
    double compress_plasticity;  /* 1/s, the same rate for compressed springs; -1: as when stretched       */
    double compress_yield_ratio; /* the same strain for compressed springs; -1: as when stretched          */
} dlp__SpringsMaterial;

extern const dlp_ParamTable dlp__springs_material_params;

typedef struct dlp__SpringLaw {
    float sigma;          /* 1/s */
    float stiffness;      /* 1/s2; 0: no springs */
    float stretch_taken;  /* fraction of a spring's excess length absorbed by its rest length per step */
    float stretch_yield;  /* yield ratio: fraction of its length below which there is no excess */
    float compress_taken; /* the same in compression */
    float compress_yield;
} dlp__SpringLaw;

/* The law of a material at the temperature of `scale`; `own` is not scaled yet. `moment` is M (m2); the step takes `dt` (s). */
dlp__SpringLaw dlp__spring_law(const dlp_MaterialDef *material, const dlp__FlowScale *scale,
                               const dlp__SpringsMaterial *own, double moment, double dt);

/* Whether its springs relax. */
static inline bool dlp__spring_is_plastic(const dlp__SpringLaw *law)
{
    return law->stretch_taken > 0.0f || law->compress_taken > 0.0f;
}

static inline float dlp__mean(float a, float b)
{
    return 0.5f * (a + b);
}

/* The law of a pair of different materials: the mean of both. */
static inline dlp__SpringLaw dlp__spring_pair(const dlp__SpringLaw *a, const dlp__SpringLaw *b)
{
    return (dlp__SpringLaw){
        .sigma = dlp__mean(a->sigma, b->sigma),
        .stiffness = dlp__mean(a->stiffness, b->stiffness),
        .stretch_taken = dlp__mean(a->stretch_taken, b->stretch_taken),
        .stretch_yield = dlp__mean(a->stretch_yield, b->stretch_yield),
        .compress_taken = dlp__mean(a->compress_taken, b->compress_taken),
        .compress_yield = dlp__mean(a->compress_yield, b->compress_yield),
    };
}

#endif
