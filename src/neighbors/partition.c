/* The boxes of cells that parts and ranks own. */
#include "neighbors/partition.h"

#include <math.h>
#include <string.h>

/* Boxes of the parts of one process: recursive bisection of the particles along the longest axis. */

static int32_t coordinate(dlp__Cell cell, int axis)
{
    return axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
}

/* Count the particles of all parts whose cell lies in the box and, along `axis`, below `limit`. */
static int64_t count_below(const dlp__Domains *domains, const dlp__Domain *box, int axis, int32_t limit)
{
    int64_t below = 0;
    for (int d = 0; d < domains->count; d++) {
        const uint64_t *keys = domains->part[d].keys.data;
        for (int64_t i = 0; i < domains->part[d].particles.count; i++) {
            dlp__Cell cell = dlp__cell_of_key(keys[i]);
            below += keys[i] != DLP_CELL_DEAD && dlp__box_has(box->lower, box->upper, cell) &&
                     coordinate(cell, axis) < limit;
        }
    }
    return below;
}

/* The axis of the largest extent of the particles in the box, and its range. */
static int longest_axis(const dlp__Domains *domains, const dlp__Domain *box, int32_t *least, int32_t *most)
{
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (int d = 0; d < domains->count; d++) {
        const uint64_t *keys = domains->part[d].keys.data;
        for (int64_t i = 0; i < domains->part[d].particles.count; i++) {
            dlp__Cell cell = dlp__cell_of_key(keys[i]);
            for (int a = 0; keys[i] != DLP_CELL_DEAD && dlp__box_has(box->lower, box->upper, cell) && a < 3; a++) {
                int32_t c = coordinate(cell, a);
                low[a] = c < low[a] ? c : low[a];
                high[a] = c > high[a] ? c : high[a];
            }
        }
    }
    int axis = 0;
    for (int a = 1; a < 3; a++) {
        axis = (int64_t)high[a] - low[a] > (int64_t)high[axis] - low[axis] ? a : axis;
    }
    *least = low[axis];
    *most = high[axis];
    return axis;
}

/* Cut part `first` in two and give the upper half to part `second`. */
static void cut_box(dlp__Domains *domains, int first, int second)
{
    dlp__Domain *box = &domains->part[first], *half = &domains->part[second];
    int32_t least = 0, most = 0;
    int axis = longest_axis(domains, box, &least, &most);
    int64_t total = count_below(domains, box, axis, INT32_MAX);
    int32_t low = least, high = most; /* the smallest limit with at least half of them below */
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (2 * count_below(domains, box, axis, middle + 1) >= total) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    int32_t cut = total > 0 ? low + 1 : box->lower[axis] + 1;
    memcpy(half->lower, box->lower, sizeof half->lower);
    memcpy(half->upper, box->upper, sizeof half->upper);
    half->lower[axis] = box->upper[axis] = cut < box->upper[axis] ? cut : box->upper[axis];
}

/* All cells that there can be. */
static dlp__RankBox box_of_all(const dlp__CellFrame *frame)
{
    dlp__RankBox box;
    for (int a = 0; a < 3; a++) {
        const int32_t cells = (int32_t)frame->periodic[a];
        box.lower[a] = cells > 0 ? 0 : -DLP_CELL_LIMIT - 1;
        box.upper[a] = cells > 0 ? cells : DLP_CELL_LIMIT + 2;
    }
    return box;
}

static void set_box(dlp__Domain *part, const dlp__RankBox *box)
{
    memcpy(part->lower, box->lower, sizeof part->lower);
    memcpy(part->upper, box->upper, sizeof part->upper);
}

static void cut_boxes(dlp__Domains *domains)
{
    const dlp__RankBox all = box_of_all(&domains->frame);
    set_box(&domains->part[0], &all);
    for (int parts = 1; parts < domains->count; parts *= 2) {
        for (int i = 0; i < parts; i++) {
            cut_box(domains, i, parts + i);
        }
    }
    domains->cut = true;
}

/* Repartition when the largest part holds a third more than its share. */
static bool parts_out_of_balance(const dlp__Domains *domains)
{
    int64_t total = dlp__domains_own_particles(domains), most = 0;
    for (int i = 0; i < domains->count; i++) {
        most = domains->part[i].particles.count > most ? domains->part[i].particles.count : most;
    }
    return most * domains->count * 3 > (total + 4096) * 4;
}

/* Boxes of ranks: see dlp__ranks_divide(). */

enum { STEPS_LEAST = 8 }; /* between two divisions, in which the work is measured */

/* The slowest rank may take this much longer than the mean; and at least so much is to be gained, in s a step, that it is not noise. */
static const double IMBALANCE = 1.05, WORTH = 1e-4;

/* Whether the work of the last steps was unequal, and the same rank was the slowest in the steps before: a machine that is busy with other
 * work delays now this rank, now that. All ranks agree. */
static bool ranks_out_of_balance(dlp__Domains *domains)
{
    dlp__RankPartition *partition = &domains->partition;
    if (++partition->steps < STEPS_LEAST) {
        return false;
    }
    const double most = dlp__ranks_most(domains->ranks, partition->busy);
    const double mean = (double)dlp__ranks_sum(domains->ranks, (int64_t)(partition->busy * 1e9)) * 1e-9 /
                        dlp__ranks_count(domains->ranks);
    const int slowest = (int)dlp__ranks_least(domains->ranks,
                                              partition->busy == most ? domains->ranks->rank : INFINITY);
    const bool uneven = most > IMBALANCE * mean && most - mean > WORTH * partition->steps,
               lasts = partition->uneven && slowest == partition->slowest;
    partition->imbalance = mean > 0.0 ? most / mean : 1.0;
    partition->slowest = slowest;
    partition->uneven = uneven && !lasts;
    partition->per_particle = partition->busy / (double)(dlp__domains_own_particles(domains) + 1);
    partition->steps = 0;
    partition->busy = 0.0;
    return uneven && lasts;
}

/* The cells of this rank's particles with the work in each; a cell may be listed more than once. */
static bool list_work(dlp__Domains *domains, dlp__RankWork *work)
{
    const dlp__Domain *part = &domains->part[0];
    const uint64_t *keys = part->keys.data;
    const int64_t particles = part->particles.count;
    int32_t(*place)[3] = dlp__arena_take(&domains->arena, particles + 1, sizeof *place);
    float *amount = dlp__arena_take(&domains->arena, particles + 1, sizeof *amount);
    int64_t count = 0;
    if (place == NULL || amount == NULL) {
        return false;
    }
    for (int64_t i = 0; i < particles; i++) {
        if (keys[i] == DLP_CELL_DEAD) {
            continue;
        }
        const dlp__Cell cell = dlp__cell_of_key(keys[i]);
        if (count == 0 || place[count - 1][0] != cell.x || place[count - 1][1] != cell.y ||
            place[count - 1][2] != cell.z) {
            memcpy(place[count], (const int32_t[3]){cell.x, cell.y, cell.z}, sizeof *place);
            amount[count++] = 0.0f;
        }
        amount[count - 1] += (float)domains->partition.per_particle;
    }
    *work = (dlp__RankWork){count, (const int32_t(*)[3])place, amount};
    return true;
}

static bool divide_among_ranks(dlp__Domains *domains)
{
    dlp__RankPartition *partition = &domains->partition;
    const int ranks = dlp__ranks_count(domains->ranks);
    const dlp__RankBox all = box_of_all(&domains->frame);
    dlp__RankWork work;
    if (!dlp__buffer_reserve(domains->memory, &partition->box_buffer, ranks, sizeof *partition->box)) {
        return false;
    }
    partition->box = partition->box_buffer.data;
    if (dlp__domains_particles(domains) == 0) { /* nothing to divide yet */
        memset(partition->box, 0, (size_t)ranks * sizeof *partition->box);
        partition->box[0] = all;
    } else if (list_work(domains, &work) && dlp__ranks_divide(domains->ranks, &work, partition->box)) {
        domains->cut = true;
    } else {
        return false;
    }
    for (int rank = 0; rank < ranks; rank++) {
        dlp__RankBox *box = &partition->box[rank];
        for (int a = 0; a < 3; a++) {
            box->lower[a] = box->lower[a] > all.lower[a] ? box->lower[a] : all.lower[a];
            box->upper[a] = box->upper[a] < all.upper[a] ? box->upper[a] : all.upper[a];
        }
    }
    set_box(&domains->part[0], &partition->box[domains->ranks->rank]);
    return true;
}

bool dlp__partition_update(dlp__Domains *domains)
{
    if (dlp__ranks_count(domains->ranks) > 1) {
        const bool uneven = ranks_out_of_balance(domains);
        return (domains->cut && !uneven) || divide_among_ranks(domains);
    }
    if (!domains->cut || parts_out_of_balance(domains)) {
        cut_boxes(domains);
    }
    return true;
}

bool dlp__partition_copy(dlp__Domains *domains, const dlp__Domains *from)
{
    const int ranks = dlp__ranks_count(from->ranks);
    dlp__RankPartition *partition = &domains->partition;
    if (ranks == 1 || !from->cut) {
        return true;
    }
    if (!dlp__buffer_reserve(domains->memory, &partition->box_buffer, ranks, sizeof *partition->box)) {
        return false;
    }
    partition->box = partition->box_buffer.data;
    memcpy(partition->box, from->partition.box, (size_t)ranks * sizeof *partition->box);
    set_box(&domains->part[0], &partition->box[from->ranks->rank]);
    domains->cut = true;
    return true;
}

void dlp__partition_release(dlp__Domains *domains)
{
    dlp__RankPartition *partition = &domains->partition;
    dlp__exchange_release(&partition->moved, domains->memory);
    dlp__buffer_release(domains->memory, &partition->migrant_buffer);
    dlp__buffer_release(domains->memory, &partition->box_buffer);
}
