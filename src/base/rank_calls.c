#include "base/rank_calls.h"

#include "base/cores.h"

int dlp_ranks_count(const dlp_Ranks *ranks)
{
    return dlp__ranks_count(ranks);
}

int dlp_ranks_number(const dlp_Ranks *ranks)
{
    return ranks != NULL ? ranks->rank : 0;
}

dlp_RankTraffic dlp_ranks_traffic(dlp_Ranks *ranks)
{
    if (ranks == NULL) {
        return (dlp_RankTraffic){0};
    }
    double most[] = {(double)ranks->messages, (double)ranks->bytes, (double)ranks->reductions, ranks->waited};
    dlp__ranks_reduce(ranks, DLP_REDUCE_MOST, most, sizeof most / sizeof most[0]);
    return (dlp_RankTraffic){(int64_t)most[0], (int64_t)most[1], (int64_t)most[2], most[3]};
}

int dlp_ranks_threads(const dlp_Ranks *ranks)
{
    const int threads = dlp__cores() / (ranks != NULL ? ranks->sharing : 1);
    return threads > 0 ? threads : 1;
}

int64_t dlp_ranks_agree(dlp_Ranks *ranks, int64_t bits)
{
    dlp__ranks_reduce(ranks, DLP_REDUCE_OR, &bits, 1);
    return bits;
}

void dlp_ranks_on_failure(dlp_Ranks *ranks, dlp_RankFailure function, void *user)
{
    if (ranks != NULL) {
        ranks->failed = function;
        ranks->failed_user = user;
    }
}

void dlp__ranks_fail(dlp_Ranks *ranks, const char *text)
{
    if (dlp__ranks_count(ranks) == 1) {
        return;
    }
    if (ranks->failed != NULL) {
        ranks->failed(ranks->failed_user, ranks->rank, text);
    }
    ranks->calls->abort_all(ranks);
}
