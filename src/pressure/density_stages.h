/* What density_constraint.c hands to its stages, and the stages for each vector width. */
#ifndef DLP_PRESSURE_DENSITY_STAGES_H
#define DLP_PRESSURE_DENSITY_STAGES_H

#include "stages/stage_runner.h"
#include "sph/kernel.h"

typedef struct dlp__DensityArguments {
    dlp__Kernel kernel;
    float volume;     /* m3, of a particle                                                 */
    float per_rest;   /* one over the kernel sum of a lattice at rest, close to 1 */
    float self;       /* V W(0)                                                            */
    float dt;         /* s */
    float dt_squared; /* s2                                                                */
    float relaxation;
    float keep;
    float carry;         /* part of the compression found that is let pass                     */
    float softness;      /* m-2: epsilon times the stiffness of a full neighbourhood           */
    float tensile;       /* Pa, the artificial pressure                                        */
    float per_reference; /* m3: one over W at the distance where the artificial pressure is all */
    bool walls;          /* boundary samples count                                             */
} dlp__DensityArguments;

typedef struct dlp__DensityStages {
    dlp__Stage begin;   /* where particles come from, and the multiplier to begin with                   */
    dlp__Stage before;  /* the density there, and so what is let pass in this step                       */
    dlp__Stage guess;   /* move by the pressure carried over from the last step, and the artificial one */
    dlp__Stage measure; /* density, and the change of pressure that would mend it (eqs. 1, 2, 11)       */
    dlp__Stage move;    /* the moves that this change makes (eq. 12)                                    */
} dlp__DensityStages;

extern const dlp__DensityStages dlp__density_stages_w1, dlp__density_stages_w4, dlp__density_stages_w8,
    dlp__density_stages_w16;

#endif
