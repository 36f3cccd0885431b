#include "base/rank_agreement.h"

#include "base/error.h"

#include <string.h>

enum { BATCH = 256 }; /* values in one reduction */

void dlp_ranks_broadcast(dlp_Ranks *ranks, int from, void *bytes, size_t size)
{
    char *next = bytes;
    while (dlp__ranks_count(ranks) > 1 && size > 0) {
        int64_t words[BATCH] = {0};
        const size_t piece = size < sizeof words ? size : sizeof words;
        if (ranks->rank == from) {
            memcpy(words, next, piece);
        }
        dlp__ranks_reduce(ranks, DLP_REDUCE_OR, words, (int64_t)(piece + sizeof *words - 1) / (int64_t)sizeof *words);
        memcpy(next, words, piece);
        next += piece;
        size -= piece;
    }
}

int64_t dlp__ranks_prefix_sum(dlp_Ranks *ranks, int64_t value)
{
    int64_t sum = 0;
    for (int first = 0; dlp__ranks_count(ranks) > 1 && first < ranks->count; first += BATCH) {
        int64_t values[BATCH] = {0};
        if (ranks->rank >= first && ranks->rank < first + BATCH) {
            values[ranks->rank - first] = value;
        }
        dlp__ranks_reduce(ranks, DLP_REDUCE_SUM, values, BATCH);
        for (int n = 0; n < BATCH && first + n < ranks->rank; n++) {
            sum += values[n];
        }
    }
    return sum;
}

dlp_Result dlp__ranks_agree(dlp_Ranks *ranks, dlp_Result result, dlp_Error *error)
{
    if (dlp__ranks_count(ranks) == 1) {
        return result;
    }
    const int first = (int)dlp__ranks_least(ranks, result != DLP_OK ? ranks->rank : ranks->count);
    if (first == ranks->count) {
        return DLP_OK;
    }
    dlp_Error shared = {.code = result};
    if (ranks->rank == first && error != NULL) {
        shared = *error;
        shared.code = result;
    }
    dlp_ranks_broadcast(ranks, first, &shared, sizeof shared);
    if (ranks->rank != first) {
        dlp__fail(error, shared.code, "%s", shared.text);
    }
    if (first > 0) {
        dlp__error_prefix(error, "rank %d: ", first);
    }
    return shared.code;
}
