/* The loops over pairs of particles that heat needs, as stages; the equations stand in heat.h. */
#ifndef DLP_HEAT_HEAT_STAGES_H
#define DLP_HEAT_HEAT_STAGES_H

#include "stages/stage_runner.h"
#include "sph/kernel.h"

typedef struct dlp__HeatArguments {
    dlp__Kernel kernel;
    float volume; /* m3, of a particle */
    float noise;  /* 1/m: see dlp__WallHeat */
    float area;
} dlp__HeatArguments;

typedef struct dlp__HeatStages {
    dlp__Stage shape;   /* finds z and the free surface; leaves V w for each pair            */
    dlp__Stage weigh;   /* makes of that what a kelvin between the two conducts (W/m3/K)     */
    dlp__Stage conduct; /* product = what each particle conducts away by its temperature     */
    dlp__Stage search;  /* the same by what solvers search along                             */
} dlp__HeatStages;

const dlp__HeatStages *dlp__heat_stages(int width);

extern const dlp__HeatStages dlp__heat_stages_w1, dlp__heat_stages_w4, dlp__heat_stages_w8, dlp__heat_stages_w16;

#endif
