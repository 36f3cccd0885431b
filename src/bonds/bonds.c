#include "bonds/bonds.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void dlp__bonds_init(dlp__Bonds *bonds, dlp__Memory *memory)
{
    memset(bonds, 0, sizeof *bonds);
    bonds->memory = memory;
    bonds->least = UINT64_MAX;
}

void dlp__bonds_release(dlp__Bonds *bonds)
{
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        dlp__BondPart *part = &bonds->part[d];
        for (int b = 0; b < 5; b++) {
            dlp__buffer_release(bonds->memory, &part->buffer[b]);
        }
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
        bonds->least = added[k].own < bonds->least ? added[k].own : bonds->least;
        bonds->least = added[k].other < bonds->least ? added[k].other : bonds->least;
        bonds->most = added[k].own > bonds->most ? added[k].own : bonds->most;
        bonds->most = added[k].other > bonds->most ? added[k].other : bonds->most;
    }
    return append(bonds, &bonds->part[part], added, count);
}

int64_t dlp__bonds_count(const dlp__Bonds *bonds)
{
    int64_t total = 0;
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        total += bonds->part[d].count;
    }
    return total;
}

static int compare_bonds(const void *a, const void *b)
{
    const dlp__Bond *x = a, *y = b;
    int by_own = (x->own > y->own) - (x->own < y->own);
    return by_own != 0 ? by_own : (x->other > y->other) - (x->other < y->other);
}

dlp__Bond *dlp__bonds_find(dlp__BondPart *part, uint64_t own, uint64_t other)
{
    const dlp__Bond wanted = {.own = own, .other = other};
    return part->count > 0 ? bsearch(&wanted, part->bond, (size_t)part->count, sizeof wanted, compare_bonds) : NULL;
}

/* Put the bonds that have come last in order among the others. */
static bool sort_bonds(dlp__Bonds *bonds, dlp__BondPart *part)
{
    const int64_t old = part->sorted, count = part->count;
    if (old == count) {
        return true;
    }
    if (!dlp__buffer_reserve(bonds->memory, &part->spare, count, sizeof(dlp__Bond))) {
        return false;
    }
    qsort(part->bond + old, (size_t)(count - old), sizeof(dlp__Bond), compare_bonds);
    dlp__Bond *merged = part->spare.data;
    for (int64_t k = 0, a = 0, b = old; k < count; k++) {
        bool first = b == count || (a < old && compare_bonds(&part->bond[a], &part->bond[b]) <= 0);
        merged[k] = part->bond[first ? a : b];
        a += first;
        b += !first;
    }
    const dlp__Buffer swap = part->bonds;
    part->bonds = part->spare;
    part->spare = swap;
    part->bond = part->bonds.data;
    part->sorted = count;
    return true;
}

/* Particles by id: a table of open slots, each with 1 + the index of a particle or ghost. Images of one particle have
 * the same id and stand in the table one after another. */
static int64_t slot_of(const dlp__BondPart *part, uint64_t id)
{
    return (int64_t)(id * 0x9e3779b97f4a7c15u >> 20 & (uint64_t)(part->slot_count - 1));
}

static bool is_bonded(const dlp__Bonds *bonds, uint64_t id)
{
    return id >= bonds->least && id <= bonds->most;
}

static bool list_particles(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Particles *p)
{
    int64_t wanted = 0, slots = 64;
    for (int64_t i = 0; i < p->count + p->ghosts; i++) {
        wanted += is_bonded(bonds, p->id[0][i]);
    }
    while (slots < 2 * wanted) {
        slots *= 2;
    }
    if (!dlp__buffer_reserve(bonds->memory, &part->buffer[0], slots, sizeof *part->slots)) {
        return false;
    }
    part->slots = part->buffer[0].data;
    part->slot_count = slots;
    memset(part->slots, 0, (size_t)slots * sizeof *part->slots);
    for (int64_t i = 0; i < p->count + p->ghosts; i++) {
        if (is_bonded(bonds, p->id[0][i])) {
            int64_t slot = slot_of(part, p->id[0][i]);
            while (part->slots[slot] != 0) {
                slot = (slot + 1) & (slots - 1);
            }
            part->slots[slot] = (int32_t)i + 1;
        }
    }
    return true;
}

/* The owned particle of that id, or -1. */
static int32_t find_owned(const dlp__BondPart *part, const dlp__Particles *p, uint64_t id)
{
    for (int64_t slot = slot_of(part, id); part->slots[slot] != 0; slot = (slot + 1) & (part->slot_count - 1)) {
        const int32_t i = part->slots[slot] - 1;
        if (i < p->count && p->id[0][i] == id) {
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

/* The particle, ghost or image of that id which is nearest to `i`, if it is within reach; else -1. */
static int32_t find_nearest(const dlp__BondPart *part, const dlp__Particles *p, int32_t i, uint64_t id, float reach2)
{
    int32_t nearest = -1;
    for (int64_t slot = slot_of(part, id); part->slots[slot] != 0; slot = (slot + 1) & (part->slot_count - 1)) {
        const int32_t j = part->slots[slot] - 1;
        if (p->id[0][j] != id) {
            continue;
        }
        const float r2 = distance2(p, i, j);
        if (r2 <= reach2) {
            reach2 = r2;
            nearest = j;
        }
    }
    return nearest;
}

/* Hand on the bonds of particles that have left a part, and drop those of particles that are nowhere. */
static bool bring_home(dlp__Bonds *bonds, const dlp__Domains *domains, int from)
{
    dlp__BondPart *part = &bonds->part[from];
    int64_t kept = 0, sorted = 0;
    int owner = -1;
    for (int64_t k = 0; k < part->count; k++) {
        const dlp__Bond bond = part->bond[k];
        if (k == 0 || bond.own != part->bond[k - 1].own) {
            owner = -1;
            for (int d = 0; d < domains->count && owner < 0; d++) {
                const int to = (from + d) % domains->count; /* it is most likely to be where it was */
                owner = find_owned(&bonds->part[to], &domains->part[to].particles, bond.own) >= 0 ? to : -1;
            }
        }
        if (bond.length < 0.0f || owner < 0) {
            continue;
        }
        if (owner != from && !append(bonds, &bonds->part[owner], &bond, 1)) {
            return false;
        }
        if (owner == from) {
            part->bond[kept++] = bond; /* never past k, and bond k - 1 keeps the id that is compared */
            sorted += k < part->sorted;
        }
    }
    part->count = kept;
    part->sorted = sorted;
    return true;
}

static bool reserve_places(dlp__Bonds *bonds, dlp__BondPart *part, int64_t particles)
{
    bool room = dlp__buffer_reserve(bonds->memory, &part->buffer[1], particles + 1, sizeof(int32_t)) &&
                dlp__buffer_reserve(bonds->memory, &part->buffer[2], particles + 1, sizeof(int32_t)) &&
                dlp__buffer_reserve(bonds->memory, &part->buffer[3], part->count + 1, sizeof(int32_t)) &&
                dlp__buffer_reserve(bonds->memory, &part->buffer[4], part->count + 1, sizeof(float));
    part->first = part->buffer[1].data;
    part->last = part->buffer[2].data;
    part->place = part->buffer[3].data;
    part->load = part->buffer[4].data;
    return room;
}

static bool find_places(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Particles *p, float reach)
{
    if (!reserve_places(bonds, part, p->count)) {
        return false;
    }
    memset(part->first, 0, (size_t)p->count * sizeof *part->first);
    memset(part->last, 0, (size_t)p->count * sizeof *part->last);
    int32_t i = -1;
    for (int64_t k = 0; k < part->count; k++) {
        const dlp__Bond *bond = &part->bond[k];
        if (k == 0 || bond->own != bond[-1].own) {
            i = find_owned(part, p, bond->own);
            part->first[i] = (int32_t)k;
        }
        part->last[i] = (int32_t)k + 1;
        part->place[k] = find_nearest(part, p, i, bond->other, reach * reach);
    }
    return true;
}

bool dlp__bonds_update(dlp__Bonds *bonds, const dlp__Domains *domains, float reach)
{
    bool room = true;
    for (int d = 0; room && d < domains->count; d++) {
        room = sort_bonds(bonds, &bonds->part[d]) &&
               list_particles(bonds, &bonds->part[d], &domains->part[d].particles);
    }
    for (int d = 0; room && d < domains->count; d++) {
        room = bring_home(bonds, domains, d);
    }
    for (int d = 0; room && d < domains->count; d++) {
        room = sort_bonds(bonds, &bonds->part[d]) &&
               find_places(bonds, &bonds->part[d], &domains->part[d].particles, reach);
    }
    return room;
}

const char *dlp__bonds_fault(dlp__Bonds *bonds, int part, uint64_t next_id)
{
    dlp__BondPart *own = &bonds->part[part];
    if (!sort_bonds(bonds, own)) {
        return "need more memory than there is";
    }
    for (int64_t k = 0; k < own->count; k++) {
        const dlp__Bond *bond = &own->bond[k];
        if (bond->own >= next_id || bond->other >= next_id) {
            return "name particles that never were";
        }
        if (bond->own == bond->other) {
            return "bind a particle to itself";
        }
        if (!(bond->length > 0.0f && bond->length <= 1e9f)) {
            return "have lengths that are not above 0 and at most 1e9 m";
        }
        if (k > 0 && compare_bonds(bond - 1, bond) == 0) {
            return "hold the same pair twice";
        }
    }
    return NULL;
}

uint64_t dlp__bonds_hash(const dlp__Bonds *bonds)
{
    uint64_t total = 0;
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        for (int64_t k = 0; k < bonds->part[d].count; k++) {
            total += dlp__hash_finish(dlp__hash_bytes(DLP_HASH_SEED, &bonds->part[d].bond[k], sizeof(dlp__Bond)));
        }
    }
    return total;
}
