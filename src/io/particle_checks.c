/* Checks of particles from a file. Duplicate ids are found with a radix sort: ten million take less than a second, and
 * all memory comes from the world. */
#include "io/particle_checks.h"

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

static dlp_Result check_unique(const dlp__Particles *particles, uint64_t next_id, dlp_Error *error)
{
    dlp__Memory *memory = particles->memory;
    int64_t count = particles->count;
    uint64_t *ids = dlp__memory_get(memory, count, sizeof *ids);
    uint64_t *scratch = dlp__memory_get(memory, count, sizeof *scratch);
    int64_t *offsets = dlp__memory_get(memory, 65536, sizeof *offsets);
    dlp_Result result = DLP_OK;
    if (ids == NULL || scratch == NULL || offsets == NULL) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to compare the ids of %" PRId64 " particles", count);
    } else {
        memcpy(ids, particles->id[0], (size_t)count * sizeof *ids);
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
    return particles->count > 1 ? check_unique(particles, next_id, error) : DLP_OK;
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
