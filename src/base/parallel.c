/* The only file that uses threads: parallel loops, reproducible sums, the process-wide lock and the clock. */
#include "base/parallel.h"

#include "base/error.h"

#include <pthread.h>
#include <time.h>
#ifdef DLP_OPENMP
#include <omp.h>
#endif

void dlp__parallel_init(dlp__Parallel *parallel, int threads, const dlp_Hooks *hooks)
{
#ifdef DLP_OPENMP
    int cores = omp_get_num_procs(); /* available to this process */
#else
    int cores = 1;
#endif
    *parallel = (dlp__Parallel){.threads = threads > 0 ? threads : cores > 0 ? cores : 1};
    if (hooks != NULL && hooks->parallel_for != NULL) {
        parallel->host = hooks->parallel_for;
        parallel->host_user = hooks->parallel_user;
    }
}

static pthread_mutex_t process_mutex = PTHREAD_MUTEX_INITIALIZER;

enum { THREADS_TRIED_MAX = 1024 };

static void *wait_at_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Start `count` threads at the same time, and end them. */
static bool try_threads(int count)
{
    pthread_t threads[THREADS_TRIED_MAX];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int started = 0;
    pthread_mutex_lock(&gate);
    while (started < count && pthread_create(&threads[started], NULL, wait_at_gate, &gate) == 0) {
        ++started;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    return started == count;
}

dlp_Result dlp__parallel_create(dlp__Parallel *parallel, int threads, const dlp_Hooks *hooks, dlp_Error *error)
{
    static int proven; /* OpenMP keeps its threads, so the same number is not tried again */
    dlp__parallel_init(parallel, threads, hooks);
#ifdef DLP_OPENMP
    const int more = parallel->host == NULL ? parallel->threads - 1 : 0;
#else
    const int more = 0;
#endif
    const int count = more < THREADS_TRIED_MAX ? more : THREADS_TRIED_MAX;
    dlp__process_lock();
    const bool ok = count <= proven || try_threads(count);
    proven = ok && count > proven ? count : proven;
    dlp__process_unlock();
    return ok ? DLP_OK
              : dlp__fail(
                    error, DLP_ERROR_RESOURCE,
                    "the system cannot start %d threads: use fewer threads, or raise the limits of this process on "
                    "threads (ulimit -u) and memory (ulimit -v)",
                    parallel->threads);
}

void dlp__parallel_for(const dlp__Parallel *parallel, int64_t count, int64_t grain, dlp_RangeFunction work,
                       void *context)
{
    if (count <= 0) {
        return;
    }
    if (parallel->host != NULL) {
        parallel->host(parallel->host_user, count, grain, work, context);
        return;
    }
#ifdef DLP_OPENMP
    if (parallel->threads > 1 && count > grain) {
        int64_t pieces = (count + grain - 1) / grain;
#pragma omp parallel for schedule(dynamic, 1) num_threads(parallel->threads)
        for (int64_t piece = 0; piece < pieces; piece++) {
            int64_t begin = piece * grain;
            int64_t end = begin + grain < count ? begin + grain : count;
            work(context, begin, end);
        }
        return;
    }
#endif
    work(context, 0, count);
}

enum { SUM_BATCH = 64 }; /* blocks summed in parallel */

typedef struct SumContext {
    dlp__SumFunction sum;
    void *context;
    int64_t first, count; /* items of this batch */
    double part[SUM_BATCH];
} SumContext;

static void sum_blocks(void *context, int64_t begin, int64_t end)
{
    SumContext *batch = context;
    for (int64_t block = begin; block < end; block++) {
        int64_t from = batch->first + block * DLP_SUM_BLOCK;
        int64_t to = from + DLP_SUM_BLOCK < batch->count ? from + DLP_SUM_BLOCK : batch->count;
        batch->part[block] = batch->sum(batch->context, from, to);
    }
}

double dlp__parallel_sum(const dlp__Parallel *parallel, int64_t count, dlp__SumFunction sum, void *context)
{
    double total = 0.0;
    SumContext batch = {.sum = sum, .context = context, .count = count};
    for (batch.first = 0; batch.first < count; batch.first += (int64_t)SUM_BATCH * DLP_SUM_BLOCK) {
        int64_t blocks = (count - batch.first + DLP_SUM_BLOCK - 1) / DLP_SUM_BLOCK;
        blocks = blocks < SUM_BATCH ? blocks : SUM_BATCH;
        dlp__parallel_for(parallel, blocks, 1, sum_blocks, &batch);
        for (int64_t block = 0; block < blocks; block++) {
            total += batch.part[block];
        }
    }
    return total;
}

void dlp__process_lock(void)
{
    pthread_mutex_lock(&process_mutex);
}

void dlp__process_unlock(void)
{
    pthread_mutex_unlock(&process_mutex);
}

double dlp__clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
