/* Bonds follow their particles to other ranks. */
#include "bonds/bonds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_id(const void *key, const void *item)
{
    const uint64_t id = *(const uint64_t *)key, other = ((const dlp__Migrant *)item)->id;
    return (id > other) - (id < other);
}

/* The rank that a particle went to in the last update, or -1. */
static int destination_of(const dlp__RankPartition *partition, uint64_t id)
{
    const dlp__Migrant *found = partition->migrant_count > 0
                                    ? bsearch(&id, partition->migrant, (size_t)partition->migrant_count,
                                              sizeof *partition->migrant, compare_id)
                                    : NULL;
    return found != NULL ? found->rank : -1;
}

/* Count the bonds that follow, or send them; those that are sent are marked as removed. */
static void send_bonds(dlp__Exchange *moved, dlp__BondPart *part, const dlp__RankPartition *partition, bool counting)
{
    int to = -1;
    for (int64_t k = 0; k < part->count; k++) {
        dlp__Bond *bond = &part->bond[k];
        to = k == 0 || bond->own != part->bond[k - 1].own ? destination_of(partition, bond->own) : to;
        if (to < 0 || bond->length < 0.0f) {
            continue;
        }
        if (counting) {
            moved->sent.size[to] += (int64_t)sizeof *bond;
        } else {
            memcpy(dlp__exchange_place(moved, to, (int64_t)sizeof *bond), bond, sizeof *bond);
            bond->length = -1.0f;
        }
    }
}

/* The range of ids of all ranks: partners may be particles of others. */
static void merge_ids(dlp__Bonds *bonds, dlp_Ranks *ranks)
{
    double range[2] = {bonds->least_id != UINT64_MAX ? -(double)bonds->least_id : -INFINITY, (double)bonds->most_id};
    dlp__ranks_reduce(ranks, DLP_REDUCE_MOST, range, 2);
    if (range[0] > -INFINITY) {
        bonds->least_id = (uint64_t)-range[0];
        bonds->most_id = (uint64_t)range[1];
    }
}

bool dlp__bonds_migrate(dlp__Bonds *bonds, dlp__Domains *domains)
{
    dlp__BondPart *part = &bonds->part[0];
    dlp__Exchange *moved = &bonds->moved;
    merge_ids(bonds, domains->ranks);
    if (!dlp__exchange_begin(moved, bonds->memory, domains->ranks)) {
        return false;
    }
    send_bonds(moved, part, &domains->partition, true);
    if (!dlp__exchange_reserve(moved, bonds->memory, domains->ranks)) {
        return false;
    }
    send_bonds(moved, part, &domains->partition, false);
    if (!dlp__exchange_run(moved, bonds->memory, domains->ranks)) {
        return false;
    }
    const int64_t count = dlp__exchange_received(moved, domains->ranks) / (int64_t)sizeof(dlp__Bond);
    return dlp__bonds_add(bonds, 0, (const dlp__Bond *)(const void *)moved->received.data, count);
}
