/* The arguments that density_constraint.c passes to its stages, and the stages for each vector width. */
#ifndef DLP_PRESSURE_DENSITY_STAGES_H
#define DLP_PRESSURE_DENSITY_STAGES_H

#include "stages/stage_runner.h"
#include "sph/kernel.h"

typedef struct dlp__DensityArguments {
    dlp__Kernel kernel;
    float volume;     /* m3, of a particle */
    float per_rest;   /* one over the kernel sum of a lattice at rest, close to 1 */
    float self;       /* V W(0) */
    float dt;         /* s */
    float dt_squared; /* s2 */
    float relaxation;
    float keep;
    float carry;         /* fraction of the initial compression that is allowed */
    float softness;      /* m-2: epsilon times the stiffness of a full neighbourhood */
    float tensile;       /* Pa, the artificial pressure */
    float per_reference; /* m3: one over W at the distance where the artificial pressure is `tensile` */
    bool walls;          /* include boundary samples */
} dlp__DensityArguments;

typedef struct dlp__DensityStages {
    dlp__Stage begin;   /* initial positions and multiplier */
    dlp__Stage before;  /* density at the initial positions, and the compression allowed in this step */
    dlp__Stage guess;   /* move by the pressure of the last step and the artificial pressure */
    dlp__Stage measure; /* density, and the change of pressure that corrects it (eqs. 1, 2, 11) */
    dlp__Stage move;    /* move by that change (eq. 12) */
} dlp__DensityStages;

extern const dlp__DensityStages dlp__density_stages_w1, dlp__density_stages_w4, dlp__density_stages_w8,
    dlp__density_stages_w16;

#endif
