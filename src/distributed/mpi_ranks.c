/* Messages, reductions, start and end. Only the thread that calls dollop calls MPI. */
#include "distributed/mpi_ranks.h"

#include "base/cores.h"
#include "base/error.h"
#include "base/exact_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_TAG = 271, PIECE = 1 << 30 /* bytes: MPI counts them in an int */ };

bool dlp_ranks_supported(void)
{
    return true;
}

static void reduce(dlp_Ranks *ranks, dlp__Reduction how, void *values, int64_t count)
{
    const dlp__MpiRanks *mpi = dlp__mpi_of(ranks);
    const MPI_Datatype types[] = {[DLP_REDUCE_SUM] = MPI_INT64_T,
                                  [DLP_REDUCE_OR] = MPI_INT64_T,
                                  [DLP_REDUCE_LEAST] = MPI_DOUBLE,
                                  [DLP_REDUCE_MOST] = MPI_DOUBLE,
                                  [DLP_REDUCE_EXACT] = mpi->exact_sum};
    const MPI_Op operations[] = {[DLP_REDUCE_SUM] = MPI_SUM,
                                 [DLP_REDUCE_OR] = MPI_BOR,
                                 [DLP_REDUCE_LEAST] = MPI_MIN,
                                 [DLP_REDUCE_MOST] = MPI_MAX,
                                 [DLP_REDUCE_EXACT] = mpi->merge_exact};
    const double started = dlp__clock();
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, types[how], operations[how], mpi->world);
    ranks->reductions++;
    ranks->waited += dlp__clock() - started;
}

static void merge_exact_sums(void *added, void *sums, int *count, MPI_Datatype *type)
{
    const dlp__ExactSum *from = added;
    dlp__ExactSum *to = sums;
    (void)type;
    for (int n = 0; n < *count; n++) {
        dlp__exact_merge(&to[n], &from[n]);
    }
}

static void exchange_sizes(dlp_Ranks *ranks, const int64_t *sent, int64_t *received)
{
    const double started = dlp__clock();
    MPI_Alltoall(sent, 1, MPI_INT64_T, received, 1, MPI_INT64_T, dlp__mpi_of(ranks)->world);
    ranks->reductions++;
    ranks->waited += dlp__clock() - started;
}

static void abort_all(dlp_Ranks *ranks)
{
    MPI_Abort(dlp__mpi_of(ranks)->world, 1);
}

static MPI_Request *next_request(dlp__MpiRanks *mpi)
{
    if (mpi->requests == mpi->room) {
        const int room = 2 * mpi->room + 16;
        MPI_Request *request = realloc(mpi->request, (size_t)room * sizeof *request);
        if (request == NULL) {
            dlp__ranks_fail(&mpi->ranks, "no memory for messages");
        }
        mpi->request = request;
        mpi->room = room;
    }
    return &mpi->request[mpi->requests++];
}

static void start(dlp_Ranks *ranks, const dlp__RankBlocks *sent, const dlp__RankBlocks *received)
{
    dlp__MpiRanks *mpi = dlp__mpi_of(ranks);
    char *to = received->data, *from = sent->data;
    mpi->requests = 0;
    for (int rank = 0; rank < ranks->count; rank++) {
        for (int64_t left = received->size[rank], size; left > 0; left -= size, to += size) {
            size = left < PIECE ? left : PIECE;
            MPI_Irecv(to, (int)size, MPI_BYTE, rank, MESSAGE_TAG, mpi->world, next_request(mpi));
        }
    }
    for (int rank = 0; rank < ranks->count; rank++) {
        for (int64_t left = sent->size[rank], size; left > 0; left -= size, from += size) {
            size = left < PIECE ? left : PIECE;
            MPI_Isend(from, (int)size, MPI_BYTE, rank, MESSAGE_TAG, mpi->world, next_request(mpi));
            ranks->messages++;
            ranks->bytes += size;
        }
    }
}

static void finish(dlp_Ranks *ranks)
{
    dlp__MpiRanks *mpi = dlp__mpi_of(ranks);
    const double started = dlp__clock();
    MPI_Waitall(mpi->requests, mpi->request, MPI_STATUSES_IGNORE);
    ranks->waited += dlp__clock() - started;
}

/* The ranks of this machine that may run on the same cores as this one. */
static int count_sharing(MPI_Comm world)
{
    const uint64_t own = dlp__cores_hash();
    MPI_Comm machine;
    int ranks = 0, sharing = 0;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &ranks);
    uint64_t other = own;
    for (int rank = 0; rank < ranks; rank++, other = own) {
        MPI_Bcast(&other, 1, MPI_UINT64_T, rank, machine);
        sharing += other == own;
    }
    MPI_Comm_free(&machine);
    return sharing;
}

dlp_Result dlp_ranks_from_communicator(int communicator, dlp_Ranks **ranks, dlp_Error *error)
{
    static const dlp__RankCalls calls = {.reduce = reduce,
                                         .exchange_sizes = exchange_sizes,
                                         .start = start,
                                         .finish = finish,
                                         .divide = dlp__mpi_divide,
                                         .abort_all = abort_all};
    int initialized = 0;
    if (ranks == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the place for the ranks is null");
    }
    *ranks = NULL;
    MPI_Initialized(&initialized);
    if (!initialized) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "MPI has not been started: call MPI_Init_thread first, or dlp_ranks_start");
    }
    dlp__MpiRanks *mpi = calloc(1, sizeof *mpi);
    if (mpi == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the ranks");
    }
    mpi->ranks.calls = &calls;
    MPI_Comm_dup(MPI_Comm_f2c(communicator), &mpi->world);
    MPI_Comm_size(mpi->world, &mpi->ranks.count);
    MPI_Comm_rank(mpi->world, &mpi->ranks.rank);
    mpi->ranks.sharing = count_sharing(mpi->world);
    MPI_Type_contiguous((int)sizeof(dlp__ExactSum), MPI_BYTE, &mpi->exact_sum);
    MPI_Type_commit(&mpi->exact_sum);
    MPI_Op_create(merge_exact_sums, 1, &mpi->merge_exact);
    *ranks = &mpi->ranks;
    return DLP_OK;
}

dlp_Result dlp_ranks_start(dlp_Ranks **ranks, dlp_Error *error)
{
    int initialized = 0;
    if (ranks == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the place for the ranks is null");
    }
    MPI_Initialized(&initialized);
    if (!initialized) {
        int level;
        setenv("OMPI_MCA_io", "^ompio", 0); /* unless chosen by the user: see dlp__ranks_check_files() */
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    }
    const dlp_Result result = dlp_ranks_from_communicator((int)MPI_Comm_c2f(MPI_COMM_WORLD), ranks, error);
    if (result == DLP_OK) {
        dlp__mpi_of(*ranks)->started_mpi = !initialized;
    }
    return result;
}

void dlp_ranks_end(dlp_Ranks *ranks)
{
    if (ranks == NULL) {
        return;
    }
    dlp__MpiRanks *mpi = dlp__mpi_of(ranks);
    const bool started_mpi = mpi->started_mpi;
    dlp__mpi_release_divider(mpi);
    MPI_Op_free(&mpi->merge_exact);
    MPI_Type_free(&mpi->exact_sum);
    MPI_Comm_free(&mpi->world);
    free(mpi->request);
    free(mpi);
    if (started_mpi) {
        MPI_Finalize();
    }
}
