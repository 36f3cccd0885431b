/* Parallel loops: on threads of our own, by the host's own tasks, or serial. parallel.c is the only file that knows which. Each rank runs
 * them over its own particles. */
#ifndef DLP_BASE_PARALLEL_H
#define DLP_BASE_PARALLEL_H

#include "base/rank_calls.h"

typedef struct dlp__Parallel {
    dlp_Ranks *ranks; /* that share the world; null: one process */
    int threads;
    dlp_ParallelFor host; /* null: our own threads */
    void *host_user;
} dlp__Parallel;

/* `threads` 0: one per available core: see cores.h. */
void dlp__parallel_init(dlp__Parallel *parallel, int threads, const dlp_Hooks *hooks);

/* The same, and start the threads, so that an error says if a limit forbids so many. */
dlp_Result dlp__parallel_create(dlp__Parallel *parallel, int threads, const dlp_Hooks *hooks, dlp_Error *error);

/* Run `work` over 0 <= i < count in ranges that are split at multiples of `grain`. */
void dlp__parallel_for(const dlp__Parallel *parallel, int64_t count, int64_t grain, dlp_RangeFunction work,
                       void *context);

/* A sum that does not depend on the number of threads: fixed blocks of items are summed separately, then added in order. */
#define DLP_SUM_BLOCK 4096
typedef double (*dlp__SumFunction)(void *context, int64_t begin, int64_t end);
double dlp__parallel_sum(const dlp__Parallel *parallel, int64_t count, dlp__SumFunction sum, void *context);

/* One background thread per process, for work that mostly waits, such as for a disk. `start` waits for earlier work; without a thread
 * the work is done at once. `wait` returns when this context, or with null any, is no longer worked on; what the work wrote is then
 * visible. The work itself may run parallel loops, but not call these functions. */
void dlp__background_start(void (*work)(void *context), void *context);
bool dlp__background_is_busy(const void *context);
void dlp__background_wait(const void *context);

/* A process-wide lock, for libraries with global state. Hold it as briefly as possible; it is not recursive. */
void dlp__process_lock(void);
void dlp__process_unlock(void);

/* Monotonic time in seconds. */
double dlp__clock(void);

#endif
