/* The couplings of the Poisson equation: pair weights and the neighbour lists that they were written for (all neighbours or those
 * within the short radius), or copies without the zeros where lists reach farther than the weights. */
#ifndef DLP_POISSON_POISSON_PAIRS_H
#define DLP_POISSON_POISSON_PAIRS_H

#include "stages/stage_runner.h"

typedef struct dlp__PoissonPairs {
    const dlp__NeighborList *list[DLP_DOMAINS_MOST]; /* of each subdomain */
    const float *weight[DLP_DOMAINS_MOST];           /* laid out like the entries of the list */
    dlp__NeighborList compact[DLP_DOMAINS_MOST];     /* arrays in scratch memory of the step; no buffers */
    float *compact_weight[DLP_DOMAINS_MOST];
} dlp__PoissonPairs;

/* Use the pair weights of the subdomains, and reserve memory to count couplings. False if the step has failed. */
bool dlp__poisson_pairs_begin(dlp__PoissonPairs *pairs, dlp__Domains *domains);

/* Copy the couplings without the zeros, if these are many; `compact[].count` holds the number of couplings of each particle. */
void dlp__poisson_pairs_compact(dlp__PoissonPairs *pairs, dlp__Domains *domains);

/* Index of the first entry of a particle; the next follow DLP_GROUP apart. */
static inline int64_t dlp__poisson_first(const dlp__NeighborList *list, int64_t i)
{
    return list->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP;
}

#endif
