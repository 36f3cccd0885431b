#include "base/rank_exchange.h"

#include <string.h>

bool dlp__exchange_begin(dlp__Exchange *exchange, dlp__Memory *memory, const dlp_Ranks *ranks)
{
    const int count = ranks->count;
    if (!dlp__buffer_reserve(memory, &exchange->sizes, (int64_t)3 * count, sizeof(int64_t))) {
        return false;
    }
    exchange->sent.size = exchange->sizes.data;
    exchange->received.size = exchange->sent.size + count;
    exchange->written = exchange->received.size + count;
    memset(exchange->sizes.data, 0, (size_t)(3 * count) * sizeof(int64_t));
    return true;
}

bool dlp__exchange_reserve(dlp__Exchange *exchange, dlp__Memory *memory, const dlp_Ranks *ranks)
{
    int64_t all = 0;
    for (int rank = 0; rank < ranks->count; rank++) {
        exchange->written[rank] = all;
        all += exchange->sent.size[rank];
    }
    const bool ok = dlp__buffer_reserve(memory, &exchange->sent_buffer, all + 1, 1);
    exchange->sent.data = exchange->sent_buffer.data;
    return ok;
}

char *dlp__exchange_place(dlp__Exchange *exchange, int rank, int64_t size)
{
    char *place = exchange->sent.data + exchange->written[rank];
    exchange->written[rank] += size;
    return place;
}

int64_t dlp__exchange_received(const dlp__Exchange *exchange, const dlp_Ranks *ranks)
{
    int64_t all = 0;
    for (int rank = 0; rank < ranks->count; rank++) {
        all += exchange->received.size[rank];
    }
    return all;
}

bool dlp__exchange_run(dlp__Exchange *exchange, dlp__Memory *memory, dlp_Ranks *ranks)
{
    dlp__ranks_exchange_sizes(ranks, exchange->sent.size, exchange->received.size);
    if (!dlp__buffer_reserve(memory, &exchange->received_buffer, dlp__exchange_received(exchange, ranks) + 1, 1)) {
        return false;
    }
    exchange->received.data = exchange->received_buffer.data;
    dlp__ranks_start(ranks, &exchange->sent, &exchange->received);
    dlp__ranks_finish(ranks);
    return true;
}

const void *dlp__exchange_gather(dlp__Exchange *exchange, dlp__Memory *memory, dlp_Ranks *ranks, const void *own,
                                 int64_t size, int64_t *all)
{
    *all = size;
    if (dlp__ranks_count(ranks) == 1) {
        return own;
    }
    if (!dlp__exchange_begin(exchange, memory, ranks)) {
        return NULL;
    }
    for (int rank = 0; rank < ranks->count; rank++) {
        exchange->sent.size[rank] = size;
    }
    if (!dlp__exchange_reserve(exchange, memory, ranks)) {
        return NULL;
    }
    for (int rank = 0; rank < ranks->count && size > 0; rank++) {
        memcpy(dlp__exchange_place(exchange, rank, size), own, (size_t)size);
    }
    if (!dlp__exchange_run(exchange, memory, ranks)) {
        return NULL;
    }
    *all = dlp__exchange_received(exchange, ranks);
    return exchange->received.data;
}

void dlp__exchange_release(dlp__Exchange *exchange, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &exchange->received_buffer);
    dlp__buffer_release(memory, &exchange->sent_buffer);
    dlp__buffer_release(memory, &exchange->sizes);
}
