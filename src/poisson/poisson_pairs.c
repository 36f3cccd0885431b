/* Copies of neighbour lists without zero weights: see poisson_pairs.h. */
#include "poisson/poisson_pairs.h"

#include <string.h>

/* Lists are copied if at most this part of their entries is not zero: a copy takes about as long as two products. */
static const double FILLED_MOST = 0.6;

static const char *const WHAT = "the couplings of the pressure equation";

bool dlp__poisson_pairs_begin(dlp__PoissonPairs *pairs, dlp__Domains *domains)
{
    for (int d = 0; d < domains->count; d++) {
        const int64_t groups = (domains->part[d].particles.count + DLP_GROUP - 1) / DLP_GROUP;
        dlp__NeighborList *compact = &pairs->compact[d];
        pairs->list[d] = domains->part[d].weights_list;
        pairs->weight[d] = domains->part[d].pair_weights.data;
        compact->particles = domains->part[d].particles.count;
        compact->count = dlp__step_scratch(domains, (groups + 1) * DLP_GROUP, sizeof *compact->count, WHAT);
        compact->start = dlp__step_scratch(domains, groups + 1, sizeof *compact->start, WHAT);
        if (dlp__step_is_ok(domains) && pairs->list[d] == NULL) {
            dlp__domains_fail(domains, DLP_ERROR_ARGUMENT,
                              "the pair weights of the Poisson equation have not been written");
        }
        if (!dlp__step_is_ok(domains)) {
            return false;
        }
        memset(compact->count, 0, (size_t)((groups + 1) * DLP_GROUP) * sizeof *compact->count);
    }
    return true;
}

/* Set `start` from the counts. */
static void lay_out(dlp__NeighborList *list)
{
    const int64_t groups = (list->particles + DLP_GROUP - 1) / DLP_GROUP;
    memset(list->count + list->particles, 0, (size_t)(groups * DLP_GROUP - list->particles) * sizeof *list->count);
    list->start[0] = 0;
    for (int64_t g = 0; g < groups; g++) {
        int32_t longest = 0;
        for (int lane = 0; lane < DLP_GROUP; lane++) {
            const int32_t count = list->count[g * DLP_GROUP + lane];
            longest = count > longest ? count : longest;
        }
        list->start[g + 1] = list->start[g] + longest;
    }
}

typedef struct Copy {
    const dlp__NeighborList *from;
    const float *weight;
    const dlp__NeighborList *to;
    float *to_weight;
} Copy;

/* Particles of the last group that do not exist have empty lists; their entries must be valid indices too. */
static void copy_groups(void *context, int64_t begin, int64_t end)
{
    const Copy *copy = context;
    for (int64_t i = begin * DLP_GROUP; i < end * DLP_GROUP; i++) {
        const int64_t group = i / DLP_GROUP, first = dlp__poisson_first(copy->from, i);
        const int64_t last = copy->to->start[group + 1] * DLP_GROUP, count = copy->to->count[i];
        const bool exists = i < copy->to->particles;
        int64_t to = dlp__poisson_first(copy->to, i), from = first;
        for (int64_t n = 0; n < count; from += DLP_GROUP) { /* overwrites zeros, so that there is no branch */
            copy->to->entry[to] = copy->from->entry[from];
            copy->to_weight[to] = copy->weight[from];
            n += copy->weight[from] > 0.0f;
            to += copy->weight[from] > 0.0f ? DLP_GROUP : 0;
        }
        for (; to < last; to += DLP_GROUP) {
            copy->to->entry[to] = exists ? (int32_t)i : 0;
            copy->to_weight[to] = 0.0f;
        }
    }
}

void dlp__poisson_pairs_compact(dlp__PoissonPairs *pairs, dlp__Domains *domains)
{
    enum { GRAIN = 64 }; /* groups */
    int64_t entries = 0, filled = 0;
    for (int d = 0; d < domains->count; d++) {
        lay_out(&pairs->compact[d]);
        entries += dlp__neighbors_entries(pairs->list[d]);
        filled += dlp__neighbors_entries(&pairs->compact[d]);
    }
    if ((double)filled > FILLED_MOST * (double)entries) {
        return;
    }
    for (int d = 0; d < domains->count; d++) {
        dlp__NeighborList *compact = &pairs->compact[d];
        const int64_t most = dlp__neighbors_entries(compact);
        compact->entry = dlp__step_scratch(domains, most + DLP_GROUP, sizeof *compact->entry, WHAT);
        pairs->compact_weight[d] = dlp__step_scratch(domains, most + DLP_GROUP, sizeof(float), WHAT);
        if (!dlp__step_is_ok(domains)) {
            return;
        }
        Copy copy = {pairs->list[d], pairs->weight[d], compact, pairs->compact_weight[d]};
        dlp__parallel_for(domains->parallel, (compact->particles + DLP_GROUP - 1) / DLP_GROUP, GRAIN, copy_groups,
                          &copy);
        pairs->list[d] = compact;
        pairs->weight[d] = pairs->compact_weight[d];
    }
}
