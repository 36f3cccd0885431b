/* The couplings of the Poisson equation: the neighbour lists and their pair weights, or copies without the zeros. Lists often reach
 * farther than the weights: those of method mps hold four times as many entries as the operator needs. */
#ifndef DLP_POISSON_POISSON_PAIRS_H
#define DLP_POISSON_POISSON_PAIRS_H

#include "stages/stage_runner.h"

typedef struct dlp__PoissonPairs {
    const dlp__NeighborList *list[DLP_DOMAINS_MOST]; /* of each subdomain */
    const float *weight[DLP_DOMAINS_MOST];           /* laid out like the entries of the list */
    dlp__NeighborList compact[DLP_DOMAINS_MOST];     /* arrays in scratch memory of the step; no buffers */
    float *compact_weight[DLP_DOMAINS_MOST];
} dlp__PoissonPairs;

/* Use the lists and pair weights of the subdomains, and reserve memory to count couplings. False if the step has failed. */
bool dlp__poisson_pairs_begin(dlp__PoissonPairs *pairs, dlp__Domains *domains);

/* Copy the couplings without the zeros, if these are many; `compact[].count` holds the number of couplings of each particle. */
void dlp__poisson_pairs_compact(dlp__PoissonPairs *pairs, dlp__Domains *domains);

/* Index of the first entry of a particle; the next follow DLP_GROUP apart. */
static inline int64_t dlp__poisson_first(const dlp__NeighborList *list, int64_t i)
{
    return list->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP;
}

#endif
