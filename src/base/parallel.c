/* The only file that uses threads: parallel loops on a pool of workers, reproducible sums, the background
 * thread, the process-wide lock and the clock.
 *
 * All worlds of a process share the workers. The thread that asks for a loop takes pieces of it like a worker does, and in the end waits only for
 * workers that are inside a piece. So a worker that the system does not run, because another program has its core, delays nobody before it
 * begins. Idle workers watch for the next loop for a short time, then they sleep. */
#include "base/parallel.h"

#include "base/cores.h"
#include "base/error.h"

#include <dollop/ranks.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { WORKERS_MOST = 1024 };

/* s, that a thread watches for an event before it sleeps: the gap between two loops of a step. Longer, idle workers would take time from
 * other programs; shorter, many loops would have to wake them, which takes 50 us and more. */
static const double WATCHING = 300e-6;

/* A loop in progress. */
typedef struct Loop {
    dlp_RangeFunction work;
    void *context;
    int64_t count, grain;
    atomic_llong next;  /* first item of the next piece    */
    atomic_int helpers; /* workers inside it               */
    int places;         /* for further workers             */
    int core;           /* of the caller                   */
    struct Loop *following;
} Loop;

typedef struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t posted, left; /* a loop was added; the last worker has left one */
    Loop *first;
    int workers, asleep;
    atomic_uint posts; /* loops added so far */
} Pool;

static Pool pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .posted = PTHREAD_COND_INITIALIZER, .left = PTHREAD_COND_INITIALIZER};

static void take_pieces(Loop *loop)
{
    for (;;) {
        const int64_t begin = atomic_fetch_add(&loop->next, loop->grain);
        if (begin >= loop->count) {
            return;
        }
        loop->work(loop->context, begin, loop->grain < loop->count - begin ? begin + loop->grain : loop->count);
    }
}

/* A loop with pieces left and a place for a worker, which it takes. With the lock held. If another program keeps all other cores busy, the
 * system runs a worker on the core of the caller, where it would only delay it: `crowded` is then set. */
static Loop *join_loop(bool *crowded)
{
    const int core = dlp__core_now();
    *crowded = false;
    for (Loop *loop = pool.first; loop != NULL; loop = loop->following) {
        *crowded |= loop->core == core && core >= 0;
        if (loop->places > 0 && !*crowded && atomic_load(&loop->next) < loop->count) {
            loop->places--;
            atomic_fetch_add(&loop->helpers, 1);
            return loop;
        }
    }
    return NULL;
}

/* Watches for so many seconds, then sleeps. With the lock held, which is released meanwhile. */
static void wait_for_loop(double watching)
{
    const unsigned known = atomic_load(&pool.posts);
    pthread_mutex_unlock(&pool.lock);
    const double until = dlp__clock() + watching;
    while (atomic_load(&pool.posts) == known && dlp__clock() < until) {}
    pthread_mutex_lock(&pool.lock);
    while (atomic_load(&pool.posts) == known) {
        pool.asleep++;
        pthread_cond_wait(&pool.posted, &pool.lock);
        pool.asleep--;
    }
}

static void *serve(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        bool crowded;
        Loop *loop = join_loop(&crowded);
        if (loop == NULL) {
            wait_for_loop(crowded ? 0.0 : WATCHING);
            continue;
        }
        pthread_mutex_unlock(&pool.lock);
        take_pieces(loop);
        pthread_mutex_lock(&pool.lock);
        if (atomic_fetch_sub(&loop->helpers, 1) == 1) {
            pthread_cond_broadcast(&pool.left);
        }
    }
    return NULL;
}

/* Signals are for the threads of the program. */
static bool start_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool ok = pthread_create(&thread, NULL, function, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ok) {
        pthread_detach(thread);
    }
    return ok;
}

/* With the lock held. */
static bool start_workers(int count)
{
    while (pool.workers < count && pool.workers < WORKERS_MOST && start_thread(serve, NULL)) {
        pool.workers++;
    }
    return pool.workers >= count || pool.workers == WORKERS_MOST;
}

static void post(Loop *loop)
{
    pthread_mutex_lock(&pool.lock);
    start_workers(loop->places); /* with fewer if there are no more */
    loop->following = pool.first;
    pool.first = loop;
    atomic_fetch_add(&pool.posts, 1);
    if (pool.asleep > 0) {
        pthread_cond_broadcast(&pool.posted);
    }
    pthread_mutex_unlock(&pool.lock);
}

static void withdraw(const Loop *loop)
{
    pthread_mutex_lock(&pool.lock);
    Loop **at = &pool.first;
    while (*at != loop) {
        at = &(*at)->following;
    }
    *at = loop->following;
    pthread_mutex_unlock(&pool.lock);
}

static void wait_for_helpers(Loop *loop)
{
    const double until = dlp__clock() + WATCHING;
    while (atomic_load(&loop->helpers) > 0 && dlp__clock() < until) {}
    pthread_mutex_lock(&pool.lock); /* a worker that leaves holds it: the loop must last until then */
    while (atomic_load(&loop->helpers) > 0) {
        pthread_cond_wait(&pool.left, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
}

static void run_loop(Loop *loop)
{
    post(loop);
    take_pieces(loop);
    withdraw(loop);
    wait_for_helpers(loop);
}

void dlp__parallel_init(dlp__Parallel *parallel, int threads, const dlp_Hooks *hooks)
{
    dlp_Ranks *ranks = hooks != NULL ? hooks->ranks : NULL;
    *parallel = (dlp__Parallel){.threads = threads > 0 ? threads : dlp_ranks_threads(ranks), .ranks = ranks};
    if (hooks != NULL && hooks->parallel_for != NULL) {
        parallel->host = hooks->parallel_for;
        parallel->host_user = hooks->parallel_user;
    }
}

dlp_Result dlp__parallel_create(dlp__Parallel *parallel, int threads, const dlp_Hooks *hooks, dlp_Error *error)
{
    dlp__parallel_init(parallel, threads, hooks);
    pthread_mutex_lock(&pool.lock);
    const bool ok = parallel->host != NULL || start_workers(parallel->threads - 1);
    pthread_mutex_unlock(&pool.lock);
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
    } else if (parallel->threads > 1 && count > grain) {
        run_loop(&(Loop){.work = work,
                         .context = context,
                         .count = count,
                         .grain = grain,
                         .places = parallel->threads - 1,
                         .core = dlp__core_now()});
    } else {
        work(context, 0, count);
    }
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

/* The work of the background thread; without a function there is none. */
typedef struct Background {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    void (*work)(void *context);
    void *context;
} Background;

static Background background = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void *work_in_background(void *unused)
{
    (void)unused;
    background.work(background.context);
    pthread_mutex_lock(&background.lock);
    background.work = NULL;
    pthread_cond_broadcast(&background.ended);
    pthread_mutex_unlock(&background.lock);
    return NULL;
}

/* With the lock held. */
static bool works_on(const void *context)
{
    return background.work != NULL && (context == NULL || context == background.context);
}

void dlp__background_start(void (*work)(void *context), void *context)
{
    pthread_mutex_lock(&background.lock);
    while (works_on(NULL)) {
        pthread_cond_wait(&background.ended, &background.lock);
    }
    background.work = work;
    background.context = context;
    pthread_mutex_unlock(&background.lock);
    if (!start_thread(work_in_background, NULL)) {
        work_in_background(NULL);
    }
}

bool dlp__background_is_busy(const void *context)
{
    pthread_mutex_lock(&background.lock);
    const bool busy = works_on(context);
    pthread_mutex_unlock(&background.lock);
    return busy;
}

void dlp__background_wait(const void *context)
{
    pthread_mutex_lock(&background.lock);
    while (works_on(context)) {
        pthread_cond_wait(&background.ended, &background.lock);
    }
    pthread_mutex_unlock(&background.lock);
}

static pthread_mutex_t process_mutex = PTHREAD_MUTEX_INITIALIZER;

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
