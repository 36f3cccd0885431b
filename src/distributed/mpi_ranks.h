/* Ranks as processes of MPI. */
#ifndef DLP_DISTRIBUTED_MPI_RANKS_H
#define DLP_DISTRIBUTED_MPI_RANKS_H

#include "base/rank_calls.h"

#include <mpi.h>

typedef struct dlp__MpiRanks {
    dlp_Ranks ranks; /* first, so that its address is that of the whole */
    MPI_Comm world;
    MPI_Datatype exact_sum;
    MPI_Op merge_exact;
    MPI_Request *request; /* of the exchange in progress */
    int requests, room;
    void *divider; /* Zoltan's state: what it divided last; null before the first time */
    bool started_mpi;
} dlp__MpiRanks;

static inline dlp__MpiRanks *dlp__mpi_of(dlp_Ranks *ranks)
{
    return (dlp__MpiRanks *)ranks;
}

/* rank_division.c */
bool dlp__mpi_divide(dlp_Ranks *ranks, const dlp__RankWork *work, dlp__RankBox *boxes);
void dlp__mpi_release_divider(dlp__MpiRanks *mpi);

#endif
