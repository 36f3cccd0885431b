/* Bytes for other ranks and bytes from them, where a receiver does not know how many will come. In this order: dlp__exchange_begin(), add up
 * the sizes, dlp__exchange_reserve(), write at the places that dlp__exchange_place() gives, dlp__exchange_run(), read. */
#ifndef DLP_BASE_RANK_EXCHANGE_H
#define DLP_BASE_RANK_EXCHANGE_H

#include "base/memory.h"
#include "base/rank_calls.h"

typedef struct dlp__Exchange {
    dlp__RankBlocks sent, received;
    int64_t *written; /* per rank, bytes in `sent` before the next place */
    dlp__Buffer sizes, sent_buffer, received_buffer;
} dlp__Exchange;

/* All sizes become 0. False without memory, as below. */
bool dlp__exchange_begin(dlp__Exchange *exchange, dlp__Memory *memory, const dlp_Ranks *ranks);
bool dlp__exchange_reserve(dlp__Exchange *exchange, dlp__Memory *memory, const dlp_Ranks *ranks);
/* Where to write the next `size` bytes for a rank. */
char *dlp__exchange_place(dlp__Exchange *exchange, int rank, int64_t size);
bool dlp__exchange_run(dlp__Exchange *exchange, dlp__Memory *memory, dlp_Ranks *ranks);
/* Bytes received from all ranks. */
int64_t dlp__exchange_received(const dlp__Exchange *exchange, const dlp_Ranks *ranks);
/* The bytes of all ranks, one block after the other in order of ranks, on all of them: `all` bytes, which remain until the exchange is
 * used again. One process alone gets its own back. Null without memory. */
const void *dlp__exchange_gather(dlp__Exchange *exchange, dlp__Memory *memory, dlp_Ranks *ranks, const void *own,
                                 int64_t size, int64_t *all);
void dlp__exchange_release(dlp__Exchange *exchange, dlp__Memory *memory);

#endif
