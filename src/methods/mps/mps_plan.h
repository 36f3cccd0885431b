/* Constants of a step of method mps: sums of its weight w(r) = r_e / r - 1 over a cubic lattice, the state of rest, and the lengths of
 * steps that its explicit parts allow. Lengths inside sums are in spacings. */
#ifndef DLP_METHODS_MPS_PLAN_H
#define DLP_METHODS_MPS_PLAN_H

#include "methods/method.h"
#include "methods/mps/mps_law.h"

typedef enum dlp__MpsCohesion { DLP_MPS_BY_PRESSURE, DLP_MPS_BY_POTENTIAL } dlp__MpsCohesion;
typedef enum dlp__MpsForm { DLP_MPS_STRESS_FORM, DLP_MPS_LAPLACIAN_FORM } dlp__MpsForm;
typedef enum dlp__MpsIntegration { DLP_MPS_CHOOSE, DLP_MPS_EXPLICIT, DLP_MPS_IMPLICIT } dlp__MpsIntegration;

#define DLP_MPS_TIGHTEST 1e-6 /* tolerance: rounding errors of single precision let iterations beyond it diverge */

typedef struct dlp__MpsParams {
    double tolerance;
    int64_t iterations;
    int32_t cohesion;       /* dlp__MpsCohesion    */
    int32_t form;           /* dlp__MpsForm        */
    int32_t integration;    /* dlp__MpsIntegration */
    int32_t preconditioner; /* dlp__PoissonPreconditioner */
    double stabilization, recovery, regularization;
} dlp__MpsParams;

/* Sums over the neighbours on a cubic lattice within r_e = `reach` spacings. */
typedef struct dlp__MpsLattice {
    double number_density; /* n0 = sum w                 */
    double lambda;         /* sum w r^2 / n0, spacings^2 */
    double closeness;      /* sum w / r^2                */
} dlp__MpsLattice;
dlp__MpsLattice dlp__mps_lattice(double reach);

/* C_p of eq. 14 for a surface tension of 1 N/m and a spacing of 1 m: separating the lattice along a plane takes twice the surface
 * tension per area. */
double dlp__mps_cohesion_coefficient(double reach);

typedef struct dlp__MpsPlan {
    dlp__MpsLattice rest;
    float spacing;          /* m */
    double gravity;         /* m/s2, its size */
    float reach, far_reach; /* m, r_e of stress and pressure, and of surface tension */
    float least;            /* m, pairs are never taken to be nearer */
    float dt;
    float moment_factor;    /* 3 / n0 */
    float pair_factor;      /* stress form: stabilization, per w / r^2; 3 / n0 times `stabilization` */
    float laplacian_factor; /* 1/m2, Laplacian form: per w; 3 / (lambda n0) */
    float viscous_flux;     /* 1 in the stress form, else 0 */
    float own_flux;         /* weight of tau_i in the divergence: -1 in the paper's scheme, else 1 */
    float laplacian_model;  /* 1/m2, 6 / (lambda n0) */
    float recovered;        /* fraction of an old density error that the step corrects */
    float regularization;   /* see dlp__MpsParams */
    bool implicit;          /* stress is integrated implicitly */
    bool elastic;           /* some material stores strain */
    bool flows;             /* some material has a stress */
    bool has_tension;       /* some material has surface tension */
    bool by_pressure;       /* negative pressures carry tension */
    bool has_walls;
    double cohesion; /* 1/m, C_p over surface tension */
    const dlp_MaterialDef *materials;
    const dlp__MpsMaterial *own;
    const dlp__Heat *heat;
    const dlp__Solids *solids;
} dlp__MpsPlan;

/* The plan of a step; false when out of memory. */
bool dlp__mps_plan(dlp__StepContext *step, dlp__MpsPlan *plan);

dlp__LongestStep dlp__mps_limit(const dlp__StepContext *step);

#endif
