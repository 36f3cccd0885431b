/* Runs stages: packs rows, fills ghosts, distributes the work over threads, measures time. */
#ifndef DLP_STAGES_STAGE_RUNNER_H
#define DLP_STAGES_STAGE_RUNNER_H

#include "stages/stage.h"

/* Arguments of a stage function: the particles of its subdomain, and their neighbours through rows and lists. */
typedef struct dlp__StageContext {
    int part; /* number of the subdomain */
    dlp__Particles *particles;
    const float *rows[DLP_STAGE_ROWS]; /* four floats for each owned and ghost particle, as declared */
    const dlp__NeighborList *fluid;    /* within the support, or within the short radius if the stage says so */
    const dlp__NeighborList *boundary;
    const dlp__Samples *samples;
    const dlp__Mirror *mirror;
    float
        *pair_weights; /* one float for each entry of the fluid lists, for stages that declare them: see pair_loop.h */
    float *long_rows;  /* DLP_LONG_ROW floats for each owned and ghost particle, for stages that declare them */
    const void *arguments; /* the method's constants of this step */
} dlp__StageContext;

/* Run one stage over all subdomains. `arguments` is passed on. Does nothing once the step has failed. */
void dlp__run(dlp__Domains *domains, const dlp__Stage *stage, const void *arguments);

#endif
