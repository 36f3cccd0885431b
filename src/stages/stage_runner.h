/* Runs stages: packs rows, fills ghosts, spreads the work over threads, keeps time. */
#ifndef DLP_STAGES_STAGE_RUNNER_H
#define DLP_STAGES_STAGE_RUNNER_H

#include "stages/stage.h"

/* What a stage function works with: its own part's particles, and its neighbours through rows and lists. */
typedef struct dlp__StageContext {
    int part; /* which, of the world's */
    dlp__Particles *particles;
    const float *rows[DLP_STAGE_ROWS]; /* four floats for each owned and ghost particle, as declared */
    const dlp__NeighborList *fluid;
    const dlp__NeighborList *boundary;
    const dlp__Samples *samples;
    const dlp__Mirror *mirror;
    float *
        pair_vectors; /* three floats for each entry of the fluid lists, for stages that declare them: see pair_loop.h */
    float *
        pair_weights; /* one float for each                                                                           */
    const void *arguments; /* the method's constants of this step */
} dlp__StageContext;

/* Run one stage over all parts. `arguments` is handed through. Nothing happens once something has failed in this step. */
void dlp__run(dlp__Domains *domains, const dlp__Stage *stage, const void *arguments);

#endif
