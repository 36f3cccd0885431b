/* Particles that have left the cells of their part or rank. */
#include "neighbors/partition.h"

#include <stdlib.h>
#include <string.h>

static int owner_of(const dlp__Domains *domains, dlp__Cell cell)
{
    int owner = 0;
    while (owner < domains->count - 1 && !dlp__box_has(domains->part[owner].lower, domains->part[owner].upper, cell)) {
        owner++;
    }
    return owner;
}

static bool migrate_among_parts(dlp__Domains *domains)
{
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *from = &domains->part[d];
        int64_t count = from->particles.count;
        for (int64_t i = 0; i < count; i++) {
            uint64_t key = ((uint64_t *)from->keys.data)[i];
            if (key == DLP_CELL_DEAD || dlp__box_has(from->lower, from->upper, dlp__cell_of_key(key))) {
                continue;
            }
            dlp__Domain *to = &domains->part[owner_of(domains, dlp__cell_of_key(key))];
            int64_t kept = to->particles.count, index = dlp__particles_add(&to->particles, 1);
            uint64_t *keys = index >= 0 ? dlp__reserve_keys(domains, to, kept) : NULL;
            if (keys == NULL) {
                return false;
            }
            dlp__particles_copy(&to->particles, index, &from->particles, i);
            keys[index] = key;
            ((uint64_t *)from->keys.data)[i] = DLP_CELL_DEAD;
        }
    }
    return true;
}

/* Among ranks, each of which has one part. A particle is sent as its cell key and its record. */

static int rank_of(const dlp__Domains *domains, dlp__Cell cell)
{
    const dlp__RankBox *box = domains->partition.box;
    int rank = domains->ranks->rank; /* most likely */
    if (!dlp__box_has(box[rank].lower, box[rank].upper, cell)) {
        rank = 0;
        while (rank < domains->ranks->count - 1 && !dlp__box_has(box[rank].lower, box[rank].upper, cell)) {
            rank++;
        }
    }
    return rank;
}

static int compare_migrants(const void *a, const void *b)
{
    const uint64_t left = ((const dlp__Migrant *)a)->id, right = ((const dlp__Migrant *)b)->id;
    return (left > right) - (left < right);
}

/* List the particles that leave, with the rank that they go to, sorted by id. */
static bool list_migrants(dlp__Domains *domains)
{
    dlp__RankPartition *partition = &domains->partition;
    const dlp__Domain *part = &domains->part[0];
    const uint64_t *keys = part->keys.data;
    partition->migrant_count = 0;
    for (int64_t i = 0; i < part->particles.count; i++) {
        const int rank = keys[i] != DLP_CELL_DEAD ? rank_of(domains, dlp__cell_of_key(keys[i])) : domains->ranks->rank;
        if (rank == domains->ranks->rank) {
            continue;
        }
        const int64_t room = partition->migrant_buffer.capacity / (int64_t)sizeof(dlp__Migrant);
        if (partition->migrant_count == room &&
            !dlp__buffer_grow(domains->memory, &partition->migrant_buffer, room * (int64_t)sizeof(dlp__Migrant),
                              2 * room + 256, sizeof(dlp__Migrant))) {
            return false;
        }
        partition->migrant = partition->migrant_buffer.data;
        partition->migrant[partition->migrant_count++] = (dlp__Migrant){part->particles.id[0][i], (int32_t)i, rank};
    }
    if (partition->migrant_count > 0) {
        qsort(partition->migrant, (size_t)partition->migrant_count, sizeof *partition->migrant, compare_migrants);
    }
    return true;
}

static bool send_migrants(dlp__Domains *domains, const dlp__ParticleRecord *record)
{
    dlp__RankPartition *partition = &domains->partition;
    dlp__Exchange *moved = &partition->moved;
    uint64_t *keys = domains->part[0].keys.data;
    const int64_t size = (int64_t)(sizeof *keys + record->bytes);
    if (!dlp__exchange_begin(moved, domains->memory, domains->ranks)) {
        return false;
    }
    for (int64_t n = 0; n < partition->migrant_count; n++) {
        moved->sent.size[partition->migrant[n].rank] += size;
    }
    if (!dlp__exchange_reserve(moved, domains->memory, domains->ranks)) {
        return false;
    }
    for (int64_t n = 0; n < partition->migrant_count; n++) {
        const dlp__Migrant *migrant = &partition->migrant[n];
        char *to = dlp__exchange_place(moved, migrant->rank, size);
        memcpy(to, &keys[migrant->index], sizeof *keys);
        dlp__particle_record_write(record, migrant->index, to + sizeof *keys);
        keys[migrant->index] = DLP_CELL_DEAD;
    }
    return dlp__exchange_run(moved, domains->memory, domains->ranks);
}

static bool add_received(dlp__Domains *domains, size_t record_bytes)
{
    dlp__Domain *part = &domains->part[0];
    const dlp__Exchange *moved = &domains->partition.moved;
    const int64_t size = (int64_t)(sizeof(uint64_t) + record_bytes), kept = part->particles.count,
                  count = dlp__exchange_received(moved, domains->ranks) / size;
    if (count == 0) {
        return true;
    }
    if (dlp__particles_add(&part->particles, count) < 0) {
        return false;
    }
    uint64_t *keys = dlp__reserve_keys(domains, part, kept);
    dlp__ParticleRecord record;
    dlp__particle_record_of_state(&record, &part->particles);
    for (int64_t n = 0; n < count && keys != NULL; n++) {
        const char *from = moved->received.data + n * size;
        memcpy(&keys[kept + n], from, sizeof *keys);
        dlp__particle_record_read(&record, kept + n, from + sizeof *keys);
    }
    return keys != NULL;
}

static bool migrate_among_ranks(dlp__Domains *domains)
{
    dlp__ParticleRecord record;
    dlp__particle_record_of_state(&record, &domains->part[0].particles);
    return list_migrants(domains) && send_migrants(domains, &record) && add_received(domains, record.bytes);
}

bool dlp__migrate(dlp__Domains *domains)
{
    if (dlp__ranks_count(domains->ranks) > 1) {
        return migrate_among_ranks(domains);
    }
    return domains->count == 1 || migrate_among_parts(domains);
}
