/* The stages of method physical, for each vector width. */
#ifndef DLP_METHODS_PHYSICAL_STAGES_H
#define DLP_METHODS_PHYSICAL_STAGES_H

#include "methods/method.h"

typedef struct dlp__PhysicalArguments {
    dlp__Kernel kernel;
    float volume;       /* m3, of a particle                                                       */
    float per_spacing;  /* 1/m                                                                     */
    float dt;           /* s                                                                       */
    float kick[3];      /* m/s, velocity gained from gravity                                       */
    float inertia;      /* factor on all masses: dt over the time in which forces act              */
    float damping;      /* 0: stress in the middle of two steps, 1: at the end of this one         */
    float bulk;         /* bulk viscosity over shear viscosity                                     */
    float bulk_inertia; /* Pa.s per kg/m3, bulk viscosity of inviscid fluids                       */
    float
        solid_bulk; /* Pa.s per kg/m3, the same of elastic solids in automatic steps, without the part of their modulus */
    bool dt_varies;     /* automatic steps                                                         */
    float stiffest;     /* m2/s, largest kinematic viscosity that the solver can resolve            */
    float fick;         /* m2, shift along the gradient of the kernel sum                          */
    float density_rate; /* fraction of the density error corrected in a step                       */
    float per_rest;     /* one over the kernel sum of a lattice                                    */
    float softness;     /* 1/m2, limits the shift of particles with few neighbours                 */
    bool has_tension;   /* some material has a surface tension                                     */
    bool has_wetting;   /* one of these has a contact angle other than 90 degrees                  */
    bool has_strength;  /* some material has a cohesive strength                                   */
    bool has_laws;      /* some material has a law of physical_laws.h, which all are treated by then */
    const dlp__StepContext *step;
    float shift_mean[3]; /* m/s, mean velocity that shifting would add                              */
} dlp__PhysicalArguments;

typedef struct dlp__PhysicalShapeStages {
    dlp__Stage shape; /* correction matrices, slopes of pairs, the shift from positions */
    dlp__Stage shift; /* the whole shift into `correction`, its effect on velocity into `change`   */
} dlp__PhysicalShapeStages;

typedef struct dlp__PhysicalTensionStages {
    dlp__Stage heights; /* of the surface around each particle                        */
    dlp__Stage stress;  /* stress of surface tension, and the shift that levels the surface */
} dlp__PhysicalTensionStages;

typedef struct dlp__PhysicalWettingStages {
    dlp__Stage stress;   /* of the tension between fluid and walls                   */
    dlp__Stage pull;     /* of walls that turn this tension                          */
    dlp__Stage reaction; /* to it, for walls that feel forces                        */
} dlp__PhysicalWettingStages;

typedef struct dlp__PhysicalStressStages {
    dlp__Stage start;  /* stress, pressure and bulk viscosity at the velocities of the start       */
    dlp__Stage update; /* pressure, conformation, stress and gradient at the velocities of the end */
} dlp__PhysicalStressStages;

typedef struct dlp__PhysicalOperatorStages {
    dlp__Stage right_side; /* momentum added by forces at constant velocities, as residual             */
    dlp__Stage stiffness;  /* coefficients of the operator                                           */
    dlp__Stage diagonal;   /* mobility as inverse of the diagonal, for materials of different stiffness */
    dlp__Stage flux;       /* the operator, first half: flux of the search direction                 */
    dlp__Stage divergence; /* second half: divergence of the flux                                    */
    dlp__Stage right_side_walls, divergence_walls; /* with images in walls                          */
    dlp__Stage flux_bodies, divergence_bodies;     /* with walls that move with the search direction       */
} dlp__PhysicalOperatorStages;

typedef struct dlp__PhysicalMemoryStages {
    dlp__Stage flux;         /* flux and stabilization of the force to be stored  */
    dlp__Stage update;       /* the stored force, and its excess over the limit   */
    dlp__Stage redistribute; /* excess of neighbours                              */
} dlp__PhysicalMemoryStages;

#define DLP_PHYSICAL_WIDTHS(type, name) extern const type name##_w1, name##_w4, name##_w8, name##_w16
DLP_PHYSICAL_WIDTHS(dlp__PhysicalShapeStages, dlp__physical_shape_stages);
DLP_PHYSICAL_WIDTHS(dlp__PhysicalTensionStages, dlp__physical_tension_stages);
DLP_PHYSICAL_WIDTHS(dlp__PhysicalWettingStages, dlp__physical_wetting_stages);
DLP_PHYSICAL_WIDTHS(dlp__PhysicalStressStages, dlp__physical_stress_stages);
DLP_PHYSICAL_WIDTHS(dlp__PhysicalOperatorStages, dlp__physical_operator_stages);
DLP_PHYSICAL_WIDTHS(dlp__PhysicalMemoryStages, dlp__physical_memory_stages);
#undef DLP_PHYSICAL_WIDTHS

#endif
