/* The bond store: adding, migration between parts, lookup of partners, validation and hashing. */
#include "bonds/bonds.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void dlp__bonds_init(dlp__Bonds *bonds, dlp__Memory *memory)
{
    memset(bonds, 0, sizeof *bonds);
    bonds->memory = memory;
    bonds->least_id = UINT64_MAX;
}

void dlp__bonds_release(dlp__Bonds *bonds)
{
    dlp__exchange_release(&bonds->moved, bonds->memory);
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        dlp__BondPart *part = &bonds->part[d];
        for (int b = 0; b < DLP_BOND_BUFFERS; b++) {
            dlp__buffer_release(bonds->memory, &part->buffer[b]);
        }
        for (int n = 0; n < DLP_BOND_VALUES; n++) {
            dlp__buffer_release(bonds->memory, &part->lanes.buffer[n]);
        }
        dlp__neighbors_release(&part->lanes.list, bonds->memory);
        dlp__buffer_release(bonds->memory, &part->chunks);
        dlp__buffer_release(bonds->memory, &part->runs);
        dlp__buffer_release(bonds->memory, &part->spare);
        dlp__buffer_release(bonds->memory, &part->bonds);
    }
}

static bool append(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Bond *added, int64_t count)
{
    if (count > INT32_MAX - part->count ||
        !dlp__buffer_grow(bonds->memory, &part->bonds, part->count * (int64_t)sizeof *added, part->count + count,
                          sizeof *added)) {
        return false;
    }
    part->bond = part->bonds.data;
    memcpy(part->bond + part->count, added, (size_t)count * sizeof *added);
    part->count += count;
    return true;
}

bool dlp__bonds_add(dlp__Bonds *bonds, int part, const dlp__Bond *added, int64_t count)
{
    if (count == 0) {
        return true;
    }
    for (int64_t k = 0; k < count; k++) {
        bonds->least_id = added[k].own < bonds->least_id ? added[k].own : bonds->least_id;
        bonds->least_id = added[k].other < bonds->least_id ? added[k].other : bonds->least_id;
        bonds->most_id = added[k].own > bonds->most_id ? added[k].own : bonds->most_id;
        bonds->most_id = added[k].other > bonds->most_id ? added[k].other : bonds->most_id;
    }
    return append(bonds, &bonds->part[part], added, count);
}

bool dlp__bonds_begin_add(dlp__Bonds *bonds, const dlp__Domains *domains)
{
    bool ok = true;
    for (int d = 0; ok && d < domains->count; d++) {
        dlp__BondPart *part = &bonds->part[d];
        ok = dlp__buffer_reserve(bonds->memory, &part->buffer[5], domains->part[d].particles.count + 1,
                                 sizeof *part->added);
        part->added = part->buffer[5].data;
    }
    return ok;
}

bool dlp__bonds_reserve_added(dlp__Bonds *bonds, const dlp__Domains *domains)
{
    for (int d = 0; d < domains->count; d++) {
        dlp__BondPart *part = &bonds->part[d];
        const dlp__Particles *p = &domains->part[d].particles;
        int64_t next = part->count;
        for (int64_t i = 0; i < p->count; i++) {
            const int64_t count = part->added[i];
            if (count > 0) {
                bonds->least_id = p->id[0][i] < bonds->least_id ? p->id[0][i] : bonds->least_id;
                bonds->most_id = p->id[0][i] > bonds->most_id ? p->id[0][i] : bonds->most_id;
            }
            part->added[i] = next;
            next += count;
        }
        part->added[p->count] = next;
        if (next > INT32_MAX || !dlp__buffer_grow(bonds->memory, &part->bonds, part->count * (int64_t)sizeof(dlp__Bond),
                                                  next, sizeof(dlp__Bond))) {
            return false;
        }
        part->bond = part->bonds.data;
        part->count = next;
    }
    return true;
}

int64_t dlp__bonds_count(const dlp__Bonds *bonds)
{
    int64_t total = 0;
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        for (int64_t k = 0; k < bonds->part[d].count; k++) {
            total += bonds->part[d].bond[k].length >= 0.0f;
        }
    }
    return total;
}

dlp__Bond *dlp__bonds_find(dlp__BondPart *part, uint64_t own, uint64_t other)
{
    const dlp__Bond wanted = {.own = own, .other = other};
    return part->count > 0 ? bsearch(&wanted, part->bond, (size_t)part->count, sizeof wanted, dlp__bonds_compare)
                           : NULL;
}

/* Particles by id: a hash table with chains of 1 + particle index, ghosts and images included. If ids are dense,
 * each has its own chain, next to those of the particles created with it, which are likely to be looked up next. */
static int64_t slot_of(const dlp__BondPart *part, uint64_t id)
{
    const uint64_t key = part->ids_dense ? id - part->least_id : id * 0x9e3779b97f4a7c15u >> 20;
    return (int64_t)(key & (uint64_t)(part->slot_count - 1));
}

static bool may_be_bonded(const dlp__Bonds *bonds, uint64_t id)
{
    return id >= bonds->least_id && id <= bonds->most_id;
}

static bool list_particles(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Particles *p)
{
    int64_t wanted = 0, slots = 64;
    for (int64_t i = 0; i < p->count + p->ghosts; i++) {
        wanted += may_be_bonded(bonds, p->id[0][i]);
    }
    while (slots < 2 * wanted) {
        slots *= 2;
    }
    if (!dlp__buffer_reserve(bonds->memory, &part->buffer[0], slots, sizeof *part->slots) ||
        !dlp__buffer_reserve(bonds->memory, &part->buffer[6], p->count + p->ghosts + 1, sizeof *part->next)) {
        return false;
    }
    part->slots = part->buffer[0].data;
    part->next = part->buffer[6].data;
    part->slot_count = slots;
    part->least_id = bonds->least_id;
    part->ids_dense = bonds->most_id - bonds->least_id < (uint64_t)slots;
    memset(part->slots, 0, (size_t)slots * sizeof *part->slots);
    for (int64_t i = 0; i < p->count + p->ghosts; i++) {
        if (may_be_bonded(bonds, p->id[0][i])) {
            int32_t *chain = &part->slots[slot_of(part, p->id[0][i])];
            part->next[i] = *chain;
            *chain = (int32_t)i + 1;
        }
    }
    return true;
}

int32_t dlp__bonds_find_owner(const dlp__BondPart *part, const dlp__Particles *particles, uint64_t id)
{
    for (int32_t i = part->slots[slot_of(part, id)] - 1; i >= 0; i = part->next[i] - 1) {
        if (i < particles->count && particles->id[0][i] == id) {
            return i;
        }
    }
    return -1;
}

static float distance2(const dlp__Particles *p, int32_t i, int32_t j)
{
    const float x = p->position[0][i] - p->position[0][j], y = p->position[1][i] - p->position[1][j],
                z = p->position[2][i] - p->position[2][j];
    return x * x + y * y + z * z;
}

/* The particle, ghost or image of that id that is nearest to `i`, if it is within range; else -1. */
static int32_t find_nearest(const dlp__BondPart *part, const dlp__Particles *p, int32_t i, uint64_t id, float reach2)
{
    int32_t nearest = -1;
    for (int32_t j = part->slots[slot_of(part, id)] - 1; j >= 0; j = part->next[j] - 1) {
        if (p->id[0][j] != id) {
            continue;
        }
        const float r2 = distance2(p, i, j);
        if (r2 < reach2 || (nearest < 0 && r2 == reach2)) {
            reach2 = r2;
            nearest = j;
        }
    }
    return nearest;
}

/* Move the bonds of particles that have migrated to another part. */
static bool migrate_bonds(dlp__Bonds *bonds, const dlp__Domains *domains, int from)
{
    dlp__BondPart *part = &bonds->part[from];
    int owner = from;
    for (int64_t k = 0; k < part->count; k++) {
        const dlp__Bond bond = part->bond[k];
        if (k == 0 || bond.own != part->bond[k - 1].own) {
            owner = -1;
            for (int d = 0; d < domains->count && owner < 0; d++) {
                const int to = (from + d) % domains->count; /* most likely unchanged */
                owner = dlp__bonds_find_owner(&bonds->part[to], &domains->part[to].particles, bond.own) >= 0 ? to : -1;
            }
        }
        if (owner >= 0 && owner != from && bond.length >= 0.0f) {
            if (!append(bonds, &bonds->part[owner], &bond, 1)) {
                return false;
            }
            part->bond[k].length = -1.0f;
        }
    }
    return true;
}

static bool reserve_indices(dlp__Bonds *bonds, dlp__BondPart *part, int64_t particles)
{
    bool ok = dlp__buffer_reserve(bonds->memory, &part->buffer[1], particles + 1, sizeof(int32_t)) &&
              dlp__buffer_reserve(bonds->memory, &part->buffer[2], particles + 1, sizeof(int32_t)) &&
              dlp__buffer_reserve(bonds->memory, &part->buffer[3], part->count + 1, sizeof(int32_t)) &&
              dlp__buffer_reserve(bonds->memory, &part->buffer[4], part->count + 1, sizeof(float));
    part->first = part->buffer[1].data;
    part->last = part->buffer[2].data;
    part->partner = part->buffer[3].data;
    part->scratch = part->buffer[4].data;
    return ok;
}

enum { FIND_GRAIN = 8192 };

typedef struct Finding {
    dlp__BondPart *part;
    const dlp__Particles *particles;
    float reach2; /* m2 */
} Finding;

/* The partners of particle i, whose bonds are `begin` <= k < `end`. */
static void find_nearest_partners(const Finding *finding, int32_t i, int64_t begin, int64_t end)
{
    dlp__BondPart *part = finding->part;
    for (int64_t k = begin; k < end; k++) {
        part->partner[k] = find_nearest(part, finding->particles, i, part->bond[k].other, finding->reach2);
    }
}

/* The same where no chain has more than one particle: ids are dense, and there are no ghosts. */
static void find_only_partners(const Finding *finding, int32_t i, int64_t begin, int64_t end)
{
    dlp__BondPart *part = finding->part;
    for (int64_t k = begin; k < end; k++) {
        const int32_t j = part->slots[slot_of(part, part->bond[k].other)] - 1;
        part->partner[k] = distance2(finding->particles, i, j < 0 ? i : j) <= finding->reach2 ? j : -1;
    }
}

/* Handles the particles whose first bond is in the range. */
static void find_range(void *context, int64_t begin, int64_t end)
{
    const Finding *finding = context;
    dlp__BondPart *part = finding->part;
    const dlp__Bond *bond = part->bond;
    const bool are_unique = part->ids_dense && finding->particles->ghosts == 0;
    int64_t k = begin;
    while (k < end && k > 0 && bond[k].own == bond[k - 1].own) {
        k++;
    }
    while (k < end) {
        const int32_t i = dlp__bonds_find_owner(part, finding->particles, bond[k].own);
        const uint64_t own = bond[k].own;
        part->first[i] = (int32_t)k;
        while (k < part->count && bond[k].own == own) {
            k++;
        }
        part->last[i] = (int32_t)k;
        (are_unique ? find_only_partners : find_nearest_partners)(finding, i, part->first[i], k);
    }
}

static bool find_partners(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Domains *domains, const dlp__Particles *p,
                          float reach)
{
    if (!reserve_indices(bonds, part, p->count)) {
        return false;
    }
    memset(part->first, 0, (size_t)p->count * sizeof *part->first);
    memset(part->last, 0, (size_t)p->count * sizeof *part->last);
    Finding finding = {part, p, reach * reach};
    dlp__parallel_for(domains->parallel, part->count, FIND_GRAIN, find_range, &finding);
    return true;
}

/* Whether bonds are sorted and complete already. */
static bool is_merged(const dlp__Bonds *bonds, const dlp__Domains *domains)
{
    return bonds->unchanged && domains->count == 1 && dlp__ranks_count(domains->ranks) == 1 &&
           domains->removed == bonds->removed_particles;
}

bool dlp__bonds_update(dlp__Bonds *bonds, dlp__Domains *domains, float reach)
{
    const double started = dlp__clock();
    const bool merged = is_merged(bonds, domains);
    bool ok = dlp__ranks_count(domains->ranks) == 1 || dlp__bonds_migrate(bonds, domains);
    for (int d = 0; ok && d < domains->count; d++) {
        ok = list_particles(bonds, &bonds->part[d], &domains->part[d].particles);
    }
    for (int d = 0; ok && domains->count > 1 && d < domains->count; d++) {
        ok = migrate_bonds(bonds, domains, d);
    }
    for (int d = 0; ok && d < domains->count; d++) {
        dlp__BondPart *part = &bonds->part[d];
        const dlp__Particles *p = &domains->part[d].particles;
        ok = (merged || dlp__bonds_merge(bonds, part, p, domains->parallel)) &&
             find_partners(bonds, part, domains, p, reach);
    }
    bonds->unchanged = false;
    bonds->removed_particles = domains->removed;
    dlp__profile_add(domains, "bonds", started);
    return ok;
}

static const char *length_fault(const dlp__BondPart *part)
{
    for (int64_t k = 0; k < part->count; k++) {
        if (!(part->bond[k].length > 0.0f && part->bond[k].length <= 1e9f)) {
            return "have lengths outside 0 to 1e9 m";
        }
    }
    return NULL;
}

static const char *pair_fault(const dlp__BondPart *part, uint64_t next_id)
{
    for (int64_t k = 0; k < part->count; k++) {
        const dlp__Bond *bond = &part->bond[k];
        if (bond->own >= next_id || bond->other >= next_id) {
            return "name particles that never existed";
        }
        if (bond->own == bond->other) {
            return "connect a particle to itself";
        }
        if (k > 0 && dlp__bonds_compare(bond - 1, bond) == 0) {
            return "contain the same pair twice";
        }
    }
    return NULL;
}

dlp_Result dlp__bonds_check(dlp__Bonds *bonds, int part, uint64_t next_id, dlp_Error *error)
{
    dlp__BondPart *own = &bonds->part[part];
    const dlp__Parallel alone = {.threads = 1};
    const char *fault = length_fault(own); /* before dlp__bonds_merge drops negative lengths as removed */
    if (fault == NULL && !dlp__bonds_merge(bonds, own, NULL, &alone)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld bonds", (long long)own->count);
    }
    fault = fault == NULL ? pair_fault(own, next_id) : fault;
    return fault == NULL ? DLP_OK : dlp__fail(error, DLP_ERROR_FORMAT, "they %s", fault);
}

uint64_t dlp__bonds_hash(const dlp__Bonds *bonds)
{
    uint64_t total = 0;
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        for (int64_t k = 0; k < bonds->part[d].count; k++) {
            const dlp__Bond *bond = &bonds->part[d].bond[k];
            total += bond->length >= 0.0f ? dlp__hash_finish(dlp__hash_bytes(DLP_HASH_SEED, bond, sizeof(dlp__Bond)))
                                          : 0;
        }
    }
    return total;
}
