/* Checks of particles from a file. Duplicate ids are found with a radix sort: ten million take less than a second, and
 * all memory comes from the world. */
#include "io/particle_checks.h"

#include "base/error.h"
#include "base/rank_agreement.h"
#include "base/rank_exchange.h"

#include <inttypes.h>
#include <string.h>

/* One pass of a radix sort, by 16 bits from `shift` on. */
static void sort_digit(const uint64_t *from, uint64_t *to, int64_t count, int shift, int64_t *offsets)
{
    memset(offsets, 0, 65536 * sizeof *offsets);
    for (int64_t i = 0; i < count; i++) {
        offsets[from[i] >> shift & 0xffff]++;
    }
    int64_t sum = 0;
    for (int d = 0; d < 65536; d++) {
        int64_t population = offsets[d];
        offsets[d] = sum;
        sum += population;
    }
    for (int64_t i = 0; i < count; i++) {
        to[offsets[from[i] >> shift & 0xffff]++] = from[i];
    }
}

/* The sorted ids are in `ids` or `scratch`. */
static const uint64_t *sort_ids(uint64_t *ids, uint64_t *scratch, int64_t count, uint64_t limit, int64_t *offsets)
{
    for (int shift = 0; shift < 64 && limit >> shift != 0; shift += 16) {
        sort_digit(ids, scratch, count, shift, offsets);
        uint64_t *swap = ids;
        ids = scratch;
        scratch = swap;
    }
    return ids;
}

static dlp_Result check_unique(dlp__Memory *memory, const uint64_t *id, int64_t count, uint64_t next_id,
                               dlp_Error *error)
{
    uint64_t *ids = dlp__memory_get(memory, count, sizeof *ids);
    uint64_t *scratch = dlp__memory_get(memory, count, sizeof *scratch);
    int64_t *offsets = dlp__memory_get(memory, 65536, sizeof *offsets);
    dlp_Result result = DLP_OK;
    if (ids == NULL || scratch == NULL || offsets == NULL) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to compare the ids of %" PRId64 " particles", count);
    } else {
        memcpy(ids, id, (size_t)count * sizeof *ids);
        const uint64_t *sorted = sort_ids(ids, scratch, count, next_id, offsets);
        for (int64_t i = 1; i < count && result == DLP_OK; i++) {
            if (sorted[i] == sorted[i - 1]) {
                result = dlp__fail(error, DLP_ERROR_FORMAT, "two particles have the id %" PRIu64, sorted[i]);
            }
        }
    }
    dlp__memory_release(memory, offsets, 65536, sizeof *offsets);
    dlp__memory_release(memory, scratch, count, sizeof *scratch);
    dlp__memory_release(memory, ids, count, sizeof *ids);
    return result;
}

dlp_Result dlp__particles_check(const dlp__Particles *particles, uint64_t next_id, int materials, dlp_Error *error)
{
    for (int64_t i = 0; i < particles->count; i++) {
        uint64_t id = particles->id[0][i];
        if (id >= next_id) {
            return dlp__fail(error, DLP_ERROR_FORMAT, "a particle has the id %" PRIu64 ", but the next is %" PRIu64, id,
                             next_id);
        }
        if (particles->material[0][i] >= materials) {
            return dlp__fail(error, DLP_ERROR_FORMAT,
                             "particle %" PRIu64 " has material %d, but there are only %d materials", id,
                             particles->material[0][i], materials);
        }
    }
    return particles->count > 1 ? check_unique(particles->memory, particles->id[0], particles->count, next_id, error)
                                : DLP_OK;
}

/* Send each id to one rank, the same for equal ids. */
static bool send_ids(dlp__Exchange *exchange, const dlp__Particles *particles, dlp_Ranks *ranks)
{
    const uint64_t count = (uint64_t)ranks->count;
    if (!dlp__exchange_begin(exchange, particles->memory, ranks)) {
        return false;
    }
    for (int64_t i = 0; i < particles->count; i++) {
        const int to = (int)(particles->id[0][i] % count);
        exchange->sent.size[to] += to != ranks->rank ? (int64_t)sizeof(uint64_t) : 0;
    }
    if (!dlp__exchange_reserve(exchange, particles->memory, ranks)) {
        return false;
    }
    for (int64_t i = 0; i < particles->count; i++) {
        const uint64_t id = particles->id[0][i];
        const int to = (int)(id % count);
        if (to != ranks->rank) {
            memcpy(dlp__exchange_place(exchange, to, (int64_t)sizeof id), &id, sizeof id);
        }
    }
    return dlp__exchange_run(exchange, particles->memory, ranks);
}

/* The ids received, and those of this rank that would have been sent to it. */
static dlp_Result check_received(const dlp__Exchange *exchange, const dlp__Particles *particles, dlp_Ranks *ranks,
                                 uint64_t next_id, dlp_Error *error)
{
    const int64_t received = dlp__exchange_received(exchange, ranks) / (int64_t)sizeof(uint64_t);
    const int64_t most = received + particles->count;
    uint64_t *ids = dlp__memory_get(particles->memory, most + 1, sizeof *ids);
    if (ids == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to compare the ids of %" PRId64 " particles", most);
    }
    int64_t count = received;
    memcpy(ids, exchange->received.data, (size_t)received * sizeof *ids);
    for (int64_t i = 0; i < particles->count; i++) {
        if (particles->id[0][i] % (uint64_t)ranks->count == (uint64_t)ranks->rank) {
            ids[count++] = particles->id[0][i];
        }
    }
    const dlp_Result result = count > 1 ? check_unique(particles->memory, ids, count, next_id, error) : DLP_OK;
    dlp__memory_release(particles->memory, ids, most + 1, sizeof *ids);
    return result;
}

dlp_Result dlp__particles_check_ranks(const dlp__Particles *particles, dlp_Ranks *ranks, uint64_t next_id,
                                      dlp_Error *error)
{
    if (dlp__ranks_count(ranks) == 1) {
        return DLP_OK;
    }
    dlp__Exchange exchange = {0};
    if (!send_ids(&exchange, particles, ranks)) {
        dlp__ranks_fail(ranks, "out of memory to compare the ids of particles");
    }
    const dlp_Result result = check_received(&exchange, particles, ranks, next_id, error);
    dlp__exchange_release(&exchange, particles->memory);
    return dlp__ranks_agree(ranks, result, error);
}

dlp_Result dlp__particles_check_companions(const dlp__Particles *particles, int companions, dlp_Error *error)
{
    for (int64_t i = 0; companions > 0 && i < particles->count; i++) {
        if (particles->companion[0][i] > companions) {
            return dlp__fail(error, DLP_ERROR_FORMAT,
                             "particle %" PRIu64 " belongs to companion %d, but there are only %d companions",
                             particles->id[0][i], particles->companion[0][i] - 1, companions);
        }
    }
    return DLP_OK;
}
