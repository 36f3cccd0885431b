/* The pair loops of the Poisson equation, for each vector width. Their arguments are a dlp__PoissonPairs. */
#ifndef DLP_POISSON_POISSON_STAGES_H
#define DLP_POISSON_POISSON_STAGES_H

#include "stages/stage_runner.h"

typedef struct dlp__PoissonStages {
    dlp__Stage begin;   /* mobility = one over the diagonal, residual of `change`, number of couplings */
    dlp__Stage product; /* product = A search */
} dlp__PoissonStages;

extern const dlp__PoissonStages dlp__poisson_stages_w1, dlp__poisson_stages_w4, dlp__poisson_stages_w8,
    dlp__poisson_stages_w16;

#endif
