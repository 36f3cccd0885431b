/* The pair loops of heat as stages; the equations are in heat.h. */
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
    dlp__Stage shape;                /* computes z and the free surface; stores V w for each pair */
    dlp__Stage compute_conductances; /* turns it into the conductance of the pair (W/m3/K) */
    dlp__Stage conduct;              /* product = heat conducted away from each particle by temperature */
    dlp__Stage search;               /* the same for the solver's search direction */
} dlp__HeatStages;

const dlp__HeatStages *dlp__heat_stages(int width);

extern const dlp__HeatStages dlp__heat_stages_w1, dlp__heat_stages_w4, dlp__heat_stages_w8, dlp__heat_stages_w16;

#endif
