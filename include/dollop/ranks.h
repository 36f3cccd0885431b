/* A world spread over several processes (ranks) with MPI: set `hooks.ranks` of its def. A world with the same def, steps and calls is the
 * same, bit for bit, for any number of ranks.
 *
 *     dlp_Ranks *ranks = NULL;
 *     dlp_ranks_start(&ranks, &error);
 *     def.hooks.ranks = ranks;
 *     dlp_world_create(&def, &world, &error);
 *     ...
 *     dlp_world_destroy(world);
 *     dlp_ranks_end(ranks);
 *
 * All ranks make the same calls with the same arguments in the same order: those that change the world, advance it, measure it, or
 * write or load files. A file is written by all ranks together, on a disk that all of them share, and any number of ranks, or a program
 * without MPI, reads it. Its particles are in another order than those of one process, and are not compressed. If a rank fails, the
 * call fails on all ranks with the same error, and the file before remains; only an error of the disk while all are writing ends the
 * ranks. dlp_world_view() shows the particles of the calling rank only. If a rank cannot go on, for lack of memory for instance,
 * all of them are ended with a message. */
#ifndef DOLLOP_RANKS_H
#define DOLLOP_RANKS_H

#include <dollop/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_Ranks dlp_Ranks;

/* Whether this build of the library has MPI. Without it the functions below return DLP_ERROR_UNSUPPORTED. */
DLP_API bool dlp_ranks_supported(void);
/* All processes that mpirun started; starts MPI if the program has not. Then, unless OMPI_MCA_io is set, it becomes "^ompio": the component
 * ompio of OpenMPI 4.1 damages files. If the program starts MPI with ompio, worlds over ranks refuse to write HDF5 files. */
DLP_API dlp_Result dlp_ranks_start(dlp_Ranks **ranks, dlp_Error *error);
/* The processes of a communicator, as MPI_Comm_c2f() returns it. It is duplicated. MPI must have been started. */
DLP_API dlp_Result dlp_ranks_from_communicator(int communicator, dlp_Ranks **ranks, dlp_Error *error);
/* Worlds that use it must have been destroyed. Ends MPI if dlp_ranks_start() started it. Null is allowed. */
DLP_API void dlp_ranks_end(dlp_Ranks *ranks);

DLP_API int dlp_ranks_count(const dlp_Ranks *ranks);  /* 1 for null */
DLP_API int dlp_ranks_number(const dlp_Ranks *ranks); /* of the calling process, from 0 */

/* How many threads a rank uses unless told: the cores that it may run on, divided by the ranks of the machine that may run on the same ones. */
DLP_API int dlp_ranks_threads(const dlp_Ranks *ranks);

/* The bits that are set on any rank; all ranks call it. For decisions such as to stop, which must be the same on all of them. */
DLP_API int64_t dlp_ranks_agree(dlp_Ranks *ranks, int64_t bits);
/* The bytes of rank `from` become those of all; all ranks call it with the same size. */
DLP_API void dlp_ranks_broadcast(dlp_Ranks *ranks, int from, void *bytes, size_t size);

/* Called on a rank that cannot go on, for lack of memory for instance, before all ranks are ended; null: none. */
typedef void (*dlp_RankFailure)(void *user, int rank, const char *text);
DLP_API void dlp_ranks_on_failure(dlp_Ranks *ranks, dlp_RankFailure function, void *user);

/* What a rank has sent so far: the most of all ranks, which all call it. */
typedef struct dlp_RankTraffic {
    int64_t messages, bytes; /* to other ranks */
    int64_t reductions;      /* among all ranks */
    double waited;           /* s, for other ranks */
} dlp_RankTraffic;
DLP_API dlp_RankTraffic dlp_ranks_traffic(dlp_Ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
