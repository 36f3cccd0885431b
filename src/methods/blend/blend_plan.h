/* Constants of a step of method blend. */
#ifndef DLP_METHODS_BLEND_PLAN_H
#define DLP_METHODS_BLEND_PLAN_H

#include "clusters/clusters.h"
#include "methods/blend/blend_law.h"
#include "methods/method.h"

typedef struct dlp__BlendParams {
    double sound_speed;     /* m/s; 0: derived */
    double update_interval; /* s, between checks of the reference shape */
    double damping;         /* numerical, as a fraction of density, spacing and wave speed */
} dlp__BlendParams;

typedef struct dlp__BlendPlan {
    const dlp__StepContext *step;
    dlp__BlendScene scene;
    const dlp__BlendLaw *law; /* of each material whose law does not depend on temperature */
    dlp__Clusters clusters;
    bool matches;    /* some material has clusters */
    bool is_checked; /* the reference shape is checked in this step */
    dlp__Kernel kernel;
    float dt;         /* s */
    float volume;     /* m3, of a particle */
    float self;       /* V W(0) */
    float per_rest;   /* one over the kernel sum at rest */
    float square;     /* m2/s2, c^2 */
    float shear;      /* normalizes the viscous operator: see blend_pairs.h */
    float gravity[3]; /* m/s2 */
} dlp__BlendPlan;

/* The law of particle i, at its temperature. */
dlp__BlendLaw dlp__blend_law_of(const dlp__BlendPlan *plan, const dlp__Particles *p, int64_t i);

/* The plan of a step; its laws are allocated from the step's arena. False when out of memory. */
bool dlp__blend_plan(dlp__StepContext *step, dlp__BlendPlan *plan);

dlp__LongestStep dlp__blend_limit(const dlp__StepContext *step);

/* Modulus and viscosity of a material. */
void dlp__blend_deliver(const dlp__StepContext *step, int material, dlp_DeliveredMaterial *delivered);

#endif
