/* Work spread over threads: OpenMP, the host's own tasks, or none. parallel.c is the only file that knows which. */
#ifndef DLP_BASE_PARALLEL_H
#define DLP_BASE_PARALLEL_H

#include <dollop/types.h>

typedef struct dlp__Parallel {
    int threads;
    dlp_ParallelFor host; /* null: ours */
    void *host_user;
} dlp__Parallel;

/* `threads` 0 takes as many as the machine has. */
void dlp__parallel_init(dlp__Parallel *parallel, int threads, const dlp_Hooks *hooks);

/* Run `work` over 0 <= i < count in ranges cut at multiples of `grain`. */
void dlp__parallel_for(const dlp__Parallel *parallel, int64_t count, int64_t grain, dlp_RangeFunction work,
                       void *context);

/* A sum that is the same for any number of threads: fixed blocks of items are summed on their own, then in order. */
#define DLP_SUM_BLOCK 4096
typedef double (*dlp__SumFunction)(void *context, int64_t begin, int64_t end);
double dlp__parallel_sum(const dlp__Parallel *parallel, int64_t count, dlp__SumFunction sum, void *context);

/* One lock for the whole process, for libraries whose state belongs to the process and not to a world. Hold it for as
 * short as can be, and never twice. */
void dlp__process_lock(void);
void dlp__process_unlock(void);

/* Seconds since some fixed moment. */
double dlp__clock(void);

#endif
