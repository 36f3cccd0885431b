/* Thousands of bonds are added and removed in a step. New ones are appended, removed ones are marked; here both are
 * resolved by one merge into a second array, in chunks of the old order that threads process independently. */
#include "bonds/bonds.h"
#include "geometry/radix_sort.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8192 };

int dlp__bonds_compare(const void *a, const void *b)
{
    const dlp__Bond *x = a, *y = b;
    const int by_own = (x->own > y->own) - (x->own < y->own);
    return by_own != 0 ? by_own : (x->other > y->other) - (x->other < y->other);
}

/* New bonds come in runs of one particle each, so runs are sorted instead of bonds. */
static int64_t list_runs(const dlp__Bond *bond, int64_t count, dlp__KeyedIndex *runs)
{
    int64_t found = 0;
    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || bond[k].own != bond[k - 1].own) {
            if (runs != NULL) {
                runs[found] = (dlp__KeyedIndex){bond[k].own, (uint32_t)k};
            }
            found++;
        }
    }
    return found;
}

/* Sort the bonds of each particle by partner; usually they are sorted already. */
static void sort_partners(dlp__Bond *bond, int64_t count)
{
    for (int64_t begin = 0, end = 0; begin < count; begin = end) {
        bool sorted = true;
        for (end = begin + 1; end < count && bond[end].own == bond[begin].own; end++) {
            sorted &= bond[end - 1].other <= bond[end].other;
        }
        if (!sorted) {
            qsort(bond + begin, (size_t)(end - begin), sizeof *bond, dlp__bonds_compare);
        }
    }
}

/* Sort the new bonds; `part->spare` is large enough to hold them. */
static bool sort_new(dlp__Bonds *bonds, dlp__BondPart *part)
{
    const int64_t count = part->count - part->sorted;
    dlp__Bond *added = part->bond + part->sorted, *from = part->spare.data;
    const int64_t runs = list_runs(added, count, NULL);
    if (!dlp__buffer_reserve(bonds->memory, &part->runs, 2 * runs, sizeof(dlp__KeyedIndex))) {
        return count == 0;
    }
    dlp__KeyedIndex *run = part->runs.data;
    list_runs(added, count, run);
    dlp__radix_sort(run, run + runs, runs);
    memcpy(from, added, (size_t)count * sizeof *from);
    for (int64_t r = 0, to = 0; r < runs; r++) {
        for (int64_t k = run[r].item; k < count && from[k].own == run[r].key; k++) {
            added[to++] = from[k];
        }
    }
    sort_partners(added, count);
    return true;
}

typedef struct Merge {
    const dlp__BondPart *part;
    const dlp__Particles *particles; /* null: owners are not checked */
    int64_t chunks;
    int64_t *kept; /* per chunk: number of bonds kept, then index of the first */
    dlp__Bond *to;
} Merge;

/* The index of the first new bond that does not belong before old bond k. */
static int64_t new_before(const dlp__BondPart *part, int64_t k)
{
    int64_t low = part->sorted, high = part->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (dlp__bonds_compare(&part->bond[middle], &part->bond[k]) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A chunk: old bonds from a to a_end, new ones from b to b_end. */
typedef struct Chunk {
    int64_t a, a_end, b, b_end;
} Chunk;

static Chunk chunk_of(const Merge *merge, int64_t chunk)
{
    const dlp__BondPart *part = merge->part;
    const bool first = chunk == 0, last = chunk == merge->chunks - 1;
    const int64_t a = chunk * CHUNK, a_end = last ? part->sorted : a + CHUNK;
    return (Chunk){.a = a,
                   .a_end = a_end,
                   .b = first ? part->sorted : new_before(part, a),
                   .b_end = last ? part->count : new_before(part, a_end)};
}

/* The owner of the current bonds, and whether it is in the part. */
typedef struct Owner {
    uint64_t id;
    bool exists;
} Owner;

static bool is_kept(const Merge *merge, Owner *owner, const dlp__Bond *bond)
{
    if (merge->particles != NULL && bond->own != owner->id) {
        *owner = (Owner){bond->own, dlp__bonds_find_owner(merge->part, merge->particles, bond->own) >= 0};
    }
    return owner->exists && bond->length >= 0.0f;
}

static int64_t count_kept(const Merge *merge, int64_t begin, int64_t end)
{
    Owner owner = {UINT64_MAX, merge->particles == NULL};
    int64_t kept = 0;
    for (int64_t k = begin; k < end; k++) {
        kept += is_kept(merge, &owner, &merge->part->bond[k]);
    }
    return kept;
}

static void count_range(void *context, int64_t begin, int64_t end)
{
    const Merge *merge = context;
    for (int64_t n = begin; n < end; n++) {
        const Chunk chunk = chunk_of(merge, n);
        merge->kept[n] = count_kept(merge, chunk.a, chunk.a_end) + count_kept(merge, chunk.b, chunk.b_end);
    }
}

static void merge_chunk(const Merge *merge, Chunk chunk, dlp__Bond *to)
{
    const dlp__Bond *bond = merge->part->bond;
    Owner owner = {UINT64_MAX, merge->particles == NULL};
    while (chunk.a < chunk.a_end || chunk.b < chunk.b_end) {
        const bool old = chunk.b == chunk.b_end ||
                         (chunk.a < chunk.a_end && dlp__bonds_compare(&bond[chunk.a], &bond[chunk.b]) <= 0);
        const dlp__Bond *next = &bond[old ? chunk.a++ : chunk.b++];
        if (is_kept(merge, &owner, next)) {
            *to++ = *next;
        }
    }
}

static void merge_range(void *context, int64_t begin, int64_t end)
{
    const Merge *merge = context;
    for (int64_t n = begin; n < end; n++) {
        merge_chunk(merge, chunk_of(merge, n), merge->to + merge->kept[n]);
    }
}

bool dlp__bonds_merge(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Particles *particles,
                      const dlp__Parallel *parallel)
{
    if (part->count == 0) {
        part->sorted = 0;
        return true;
    }
    Merge merge = {
        .part = part, .particles = particles, .chunks = part->sorted > 0 ? (part->sorted + CHUNK - 1) / CHUNK : 1};
    if (!dlp__buffer_reserve(bonds->memory, &part->spare, part->count, sizeof(dlp__Bond)) ||
        !dlp__buffer_reserve(bonds->memory, &part->chunks, merge.chunks, sizeof *merge.kept) ||
        !sort_new(bonds, part)) {
        return false;
    }
    merge.kept = part->chunks.data;
    dlp__parallel_for(parallel, merge.chunks, 1, count_range, &merge);
    int64_t total = 0;
    for (int64_t chunk = 0; chunk < merge.chunks; chunk++) {
        const int64_t kept = merge.kept[chunk];
        merge.kept[chunk] = total;
        total += kept;
    }
    if (total < part->count || part->sorted < part->count) {
        merge.to = part->spare.data;
        dlp__parallel_for(parallel, merge.chunks, 1, merge_range, &merge);
        const dlp__Buffer swap = part->bonds;
        part->bonds = part->spare;
        part->spare = swap;
        part->bond = part->bonds.data;
    }
    part->count = part->sorted = total;
    return true;
}
