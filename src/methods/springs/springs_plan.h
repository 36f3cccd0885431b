/* What a step works with: the constants of the fluid, derived from spacing, density and time step, and the form in which
 * pairs are gone through.
 *
 * Where nothing presses on it the fluid rests at a density at which the pull of the far neighbours and the push of the close ones
 * balance. Which one that is follows from sums over the neighbours of a particle, and those are not what an integral over
 * a continuum says: the particle itself is not among them, and close ones keep apart. Sums over a face-centred lattice of the same
 * density are within 2 % of what was measured in drops (tests/physics/test_springs.c), the integrals 13 % off. So rho_0 is chosen such
 * that this lattice rests at the spacing asked for, whatever the support. */
#ifndef DLP_METHODS_SPRINGS_PLAN_H
#define DLP_METHODS_SPRINGS_PLAN_H

#include "methods/method.h"
#include "methods/springs/spring_law.h"

typedef enum dlp__SpringsForm { DLP_SPRINGS_AUTO, DLP_SPRINGS_GATHER, DLP_SPRINGS_SEQUENCE } dlp__SpringsForm;

typedef struct dlp__SpringsParams {
    double sound_speed; /* m/s; 0: as fast as the step bears */
    double beta;        /* 1/m                               */
    double tension;     /* part of the attraction that is left at surfaces */
    int32_t form;       /* dlp__SpringsForm                  */
} dlp__SpringsParams;

/* The fluid at rest, where a particle's neighbours are at distances r = q h. */
typedef struct dlp__SpringsRest {
    double density;     /* sum of (1-q)^2                                  */
    double near;        /* sum of (1-q)^3                                  */
    double far_moment;  /* sum of q (1-q)                                  */
    double near_moment; /* sum of q (1-q)^2                                */
    double moment;      /* sum of q^2 (1-q)                                */
    double target;      /* rho_0 that makes it rest                        */
    double stiffness;   /* speed of sound squared over k h                 */
} dlp__SpringsRest;

/* `support` is h in spacings. */
dlp__SpringsRest dlp__springs_rest(double support);

typedef struct dlp__SpringsPlan {
    dlp__SpringsRest rest;
    bool in_sequence;
    bool alike;                        /* all materials are as dense   */
    bool viscous;                      /* some impulses are not zero     */
    bool sprung;                       /* some material has springs      */
    float support;                     /* m, h                           */
    float spacing;                     /* m */
    float per_h;                       /* 1/m                            */
    float dt;                          /* s                              */
    float far;                         /* m, k dt^2 of eq. 2             */
    float near;                        /* m, k_near dt^2 of eq. 5        */
    float target;                      /* rho_0                          */
    float slack;                       /* part of the attraction that is not felt where there is too little fluid */
    float balance;                     /* what a near push is worth, as a far one */
    float wetting;                     /* part of the far density that walls have of what fluid would have */
    float beta;                        /* 1/m                            */
    float per_density;                 /* one over the density at rest, in the units of eq. 1      */
    float far_pressure, near_pressure; /* m/s2: what a push in metres is as pressure over density   */
    const dlp_MaterialDef *materials;
    const dlp__SpringsMaterial *own; /* of each material */
    const dlp__SpringLaw *law;       /* of each material              */
    bool one_law;                    /* there is one material only    */
    bool by_heat;  /* some material is not the same at all temperatures: laws are those of particles */
    double moment; /* m2, of the neighbours at rest */
    float sigma_most, stiffness_most; /* that the step bears: temperatures may change after it was chosen */
    const dlp__Heat *heat;
    dlp__Bonds *bonds;
    const dlp__Domains *domains;
} dlp__SpringsPlan;

/* The plan of a step, whose laws are kept in a work buffer of the domains; false without memory. */
bool dlp__springs_plan(dlp__StepContext *step, dlp__SpringsPlan *plan);

dlp__StepLimit dlp__springs_limit(const dlp__StepContext *step);

/* Whether pairs can be gone through in sequence in this world: in one part that ends nowhere. */
bool dlp__springs_can_sequence(const dlp__Domains *domains);

#endif
