/* Constants of a step: fluid properties derived from spacing, density and time step, and the form in which pairs are processed.
 *
 * At zero pressure the fluid rests at the density at which the pull of far neighbours balances the push of close ones.
 * This density follows from sums over the neighbours of a particle. They differ from continuum integrals, because the
 * particle itself is not included and close neighbours keep a distance. Sums over a face-centred lattice of the same
 * density are within 2 % of measurements in drops (tests/physics/test_springs.c), the integrals 13 % off. So rho_0 is
 * chosen such that this lattice is at rest at the given spacing, for any support.
 *
 * The fluid may be stiffer against compression than the attraction asks for: where the net push P = far + balance * near is
 * positive, a particle has the additional energy per mass h / 8 k stiffening P^2. */
#ifndef DLP_METHODS_SPRINGS_PLAN_H
#define DLP_METHODS_SPRINGS_PLAN_H

#include "methods/method.h"
#include "methods/springs/spring_law.h"

typedef enum dlp__SpringsForm { DLP_SPRINGS_AUTO, DLP_SPRINGS_GATHER, DLP_SPRINGS_SEQUENCE } dlp__SpringsForm;

typedef struct dlp__SpringsParams {
    double sound_speed; /* m/s; 0: chosen by dlp__springs_plan */
    double beta;        /* 1/m                               */
    double tension;     /* fraction of the attraction kept at free surfaces */
    int32_t form;       /* dlp__SpringsForm                  */
} dlp__SpringsParams;

/* The fluid at rest, where a particle's neighbours are at distances r = q h. */
typedef struct dlp__SpringsRest {
    double density;     /* sum of (1-q)^2                                  */
    double near;        /* sum of (1-q)^3                                  */
    double far_moment;  /* sum of q (1-q)                                  */
    double near_moment; /* sum of q (1-q)^2                                */
    double moment;      /* sum of q^2 (1-q)                                */
    double target;      /* rho_0 at which it is at rest                        */
    double stiffness;   /* speed of sound squared over k h                 */
} dlp__SpringsRest;

/* `support` is h in spacings. */
dlp__SpringsRest dlp__springs_rest(double support);

/* m/s2, k of the attraction and k against compression. */
typedef struct dlp__SpringsStiffness {
    double attraction, compression;
} dlp__SpringsStiffness;

/* Where no sound_speed is given, for h = `support` (m) and a step of `dt`. */
dlp__SpringsStiffness dlp__springs_default_stiffness(const dlp__SpringsRest *rest, double support, double spacing,
                                                     double dt, bool in_sequence);

/* The pressing part of dlp__SpringsPlan: push added per net push, see above. */
typedef struct dlp__SpringsStiffening {
    double far, near;
} dlp__SpringsStiffening;
dlp__SpringsStiffening dlp__springs_stiffening(const dlp__SpringsRest *rest, const dlp__SpringsStiffness *stiffness);

typedef struct dlp__SpringsPlan {
    dlp__SpringsRest rest;
    bool in_sequence;
    bool same_density;                 /* all have the same density */
    bool viscous;                      /* some impulse is not zero     */
    bool has_springs;                  /* some material has springs      */
    bool uses_bonds;                   /* the same, or springs are left of a material that had them */
    float support;                     /* m, h                           */
    float spacing;                     /* m */
    float per_h;                       /* 1/m                            */
    float dt;                          /* s                              */
    float far;                         /* m, k dt^2 of eq. 2             */
    float near;                        /* m, k_near dt^2 of eq. 5        */
    float target;                      /* rho_0                          */
    float slack;                       /* fraction of negative pressure removed: 1 - tension */
    float balance;                     /* far push with the same pressure as a unit of near push */
    float stiffening, near_stiffening; /* far and near push that a positive pressure adds, per net push */
    float wetting;                     /* far density of walls as a fraction of that of fluid in their place */
    float beta;                        /* 1/m                            */
    float per_density;                 /* one over the density at rest, in the units of eq. 1      */
    float far_pressure, near_pressure; /* m/s2: pressure over density for a push of one metre   */
    const dlp_MaterialDef *materials;
    const dlp__SpringsMaterial *own; /* of each material */
    const dlp__SpringLaw *law;       /* of each material              */
    bool one_law;                    /* there is only one material    */
    bool depends_on_temperature;     /* some law depends on temperature: laws are stored per particle */
    double moment;                   /* m2, of the neighbours at rest */
    float sigma_most,
        stiffness_most; /* stability limits of this step: temperatures may change after its length was chosen */
    const dlp__Heat *heat;
    dlp__Bonds *bonds;
    const dlp__Domains *domains;
} dlp__SpringsPlan;

/* The plan of a step; its laws are allocated from the step's arena. False when out of memory. */
bool dlp__springs_plan(dlp__StepContext *step, dlp__SpringsPlan *plan);

dlp__LongestStep dlp__springs_limit(const dlp__StepContext *step);

/* Whether this world allows pairs in sequence: one subdomain and no periodic axis. */
bool dlp__springs_can_sequence(const dlp__Domains *domains);

#endif
