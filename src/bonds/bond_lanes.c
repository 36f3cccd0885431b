/* Bonds in the layout of neighbour lists: allocation and padding. */
#include "bonds/bond_lanes.h"

bool dlp__bond_lanes_begin(dlp__Bonds *bonds, const dlp__Domains *domains)
{
    bool ok = true;
    for (int d = 0; ok && d < domains->count; d++) {
        ok = dlp__neighbors_reserve_counts(&bonds->part[d].lanes.list, bonds->memory, domains->part[d].particles.count);
    }
    return ok;
}

static void pad(dlp__BondLanes *lanes, int64_t i, int32_t from, int32_t to_index, int numbers)
{
    const int64_t group = i / DLP_GROUP;
    const int32_t longest = (int32_t)(lanes->list.start[group + 1] - lanes->list.start[group]);
    for (int32_t k = from; k < longest; k++) {
        const int64_t slot = dlp__bond_slot(lanes, i, k);
        lanes->list.entry[slot] = to_index;
        for (int n = 0; n < numbers; n++) {
            lanes->value[n][slot] = 0.0f;
        }
    }
}

void dlp__bond_lanes_pad(dlp__BondLanes *lanes, int64_t i, int numbers)
{
    pad(lanes, i, lanes->list.count[i], (int32_t)i, numbers);
}

/* The last group may have lanes without a particle. */
static void pad_last_group(dlp__BondLanes *lanes, int64_t particles, int numbers)
{
    for (int64_t i = particles; i % DLP_GROUP != 0; i++) {
        pad(lanes, i, 0, 0, numbers);
    }
}

bool dlp__bond_lanes_layout(dlp__Bonds *bonds, const dlp__Domains *domains, int numbers)
{
    bool ok = true;
    for (int d = 0; ok && d < domains->count; d++) {
        dlp__BondLanes *lanes = &bonds->part[d].lanes;
        const int64_t particles = domains->part[d].particles.count;
        ok = dlp__neighbors_layout(&lanes->list, bonds->memory, particles);
        for (int n = 0; ok && n < numbers; n++) {
            ok = dlp__buffer_reserve(bonds->memory, &lanes->buffer[n], dlp__neighbors_entries(&lanes->list) + DLP_GROUP,
                                     sizeof(float));
            lanes->value[n] = lanes->buffer[n].data;
        }
        if (ok) {
            pad_last_group(lanes, particles, numbers);
        }
    }
    return ok;
}
