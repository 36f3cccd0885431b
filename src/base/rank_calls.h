/* The processes (ranks) that share a world, each with some of its particles. All ranks make the same calls below in the same order, and
 * each call returns the same on all of them. Null is a process alone, for which they do nothing. src/distributed implements them. */
#ifndef DLP_BASE_RANK_CALLS_H
#define DLP_BASE_RANK_CALLS_H

#include <dollop/ranks.h>

/* How values of all ranks become one. None depends on the order of ranks. */
typedef enum dlp__Reduction {
    DLP_REDUCE_SUM,   /* of int64_t                      */
    DLP_REDUCE_OR,    /* of the bits of int64_t          */
    DLP_REDUCE_LEAST, /* of double                       */
    DLP_REDUCE_MOST,  /* of double                       */
    DLP_REDUCE_EXACT, /* of dlp__ExactSum: dlp__exact_merge() */
} dlp__Reduction;

/* Bytes for each rank or from each rank, one block after the other in order of ranks. */
typedef struct dlp__RankBlocks {
    int64_t *size; /* per rank, bytes; a rank may send to itself */
    char *data;
} dlp__RankBlocks;

/* A box of cells: lower <= c < upper. */
typedef struct dlp__RankBox {
    int32_t lower[3], upper[3];
} dlp__RankBox;

/* What balances the load: places with integer coordinates, and the work at each. */
typedef struct dlp__RankWork {
    int64_t count;
    const int32_t (*place)[3];
    const float *work;
} dlp__RankWork;

typedef struct dlp__RankCalls {
    void (*reduce)(dlp_Ranks *ranks, dlp__Reduction how, void *values, int64_t count);
    void (*exchange_sizes)(dlp_Ranks *ranks, const int64_t *sent, int64_t *received);
    void (*start)(dlp_Ranks *ranks, const dlp__RankBlocks *sent, const dlp__RankBlocks *received);
    void (*finish)(dlp_Ranks *ranks);
    bool (*divide)(dlp_Ranks *ranks, const dlp__RankWork *work, dlp__RankBox *boxes);
    void (*abort_all)(dlp_Ranks *ranks);
} dlp__RankCalls;

struct dlp_Ranks {
    int count, rank;
    const dlp__RankCalls *calls;
    int64_t messages, bytes, reductions; /* sent by this rank since the start */
    double waited;                       /* s, for other ranks */
    int sharing;                         /* ranks that may run on the same cores, this one among them */
    dlp_RankFailure failed;              /* of the host; may be null */
    void *failed_user;
};

static inline int dlp__ranks_count(const dlp_Ranks *ranks)
{
    return ranks != NULL ? ranks->count : 1;
}

static inline void dlp__ranks_reduce(dlp_Ranks *ranks, dlp__Reduction how, void *values, int64_t count)
{
    if (dlp__ranks_count(ranks) > 1) {
        ranks->calls->reduce(ranks, how, values, count);
    }
}

static inline int64_t dlp__ranks_sum(dlp_Ranks *ranks, int64_t value)
{
    dlp__ranks_reduce(ranks, DLP_REDUCE_SUM, &value, 1);
    return value;
}

static inline bool dlp__ranks_any(dlp_Ranks *ranks, bool value)
{
    return dlp__ranks_sum(ranks, value) > 0;
}

static inline double dlp__ranks_most(dlp_Ranks *ranks, double value)
{
    dlp__ranks_reduce(ranks, DLP_REDUCE_MOST, &value, 1);
    return value;
}

static inline double dlp__ranks_least(dlp_Ranks *ranks, double value)
{
    dlp__ranks_reduce(ranks, DLP_REDUCE_LEAST, &value, 1);
    return value;
}

/* Tell each rank how many bytes it will receive from this one. */
static inline void dlp__ranks_exchange_sizes(dlp_Ranks *ranks, const int64_t *sent, int64_t *received)
{
    ranks->calls->exchange_sizes(ranks, sent, received);
}

/* Send blocks, and receive those of other ranks whose sizes are known, until dlp__ranks_finish(); one exchange at a time. The arrays must
 * remain until then. */
static inline void dlp__ranks_start(dlp_Ranks *ranks, const dlp__RankBlocks *sent, const dlp__RankBlocks *received)
{
    ranks->calls->start(ranks, sent, received);
}

static inline void dlp__ranks_finish(dlp_Ranks *ranks)
{
    ranks->calls->finish(ranks);
}

/* Divide all places among the ranks: boxes that do not overlap and together contain every place, with work as equal as possible. False if
 * that failed. */
static inline bool dlp__ranks_divide(dlp_Ranks *ranks, const dlp__RankWork *work, dlp__RankBox *boxes)
{
    return ranks->calls->divide(ranks, work, boxes);
}

/* This rank cannot go on, and the others would wait for it for ever: end all of them. Does nothing without other ranks. */
void dlp__ranks_fail(dlp_Ranks *ranks, const char *text);

#endif
