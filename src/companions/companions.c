/* Companions: adding them, bonding soft ones, listing members, and the parts of a step. */
#include "companions/companions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dlp__companions_init(dlp__Companions *companions, dlp__Memory *memory)
{
    memset(companions, 0, sizeof *companions);
    companions->memory = memory;
    dlp__bonds_init(&companions->bonds, memory);
}

void dlp__companions_release(dlp__Companions *companions)
{
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        dlp__buffer_release(companions->memory, &companions->member[d].buffer[1]);
        dlp__buffer_release(companions->memory, &companions->member[d].buffer[0]);
    }
    dlp__bonds_release(&companions->bonds);
    dlp__buffer_release(companions->memory, &companions->buffer);
}

bool dlp__companions_add(dlp__Companions *companions, dlp__Domains *domains, const dlp_CompanionDef *def)
{
    static const dlp__FieldId fields[] = {DLP_COMPANION_FIELDS, DLP_FIELD_NONE};
    const int count = companions->count;
    const bool ok = dlp__buffer_grow(companions->memory, &companions->buffer, count * (int64_t)sizeof *def, count + 1,
                                     sizeof *def);
    if (!ok || !dlp__domains_add_fields(domains, fields)) {
        return false;
    }
    companions->def = companions->buffer.data;
    companions->def[count] = *def;
    companions->count++;
    companions->rigid += def->hold == DLP_HOLD_RIGID;
    return true;
}

/* Bonds of soft companions. Springs of equal stiffness along the edges and face diagonals of a cubic lattice make an
 * isotropic solid; these are the neighbours within one and a half spacings. */
static const double BOND_RANGE = 1.5;

/* A particle sorted by cell. Cells are as wide as the bond range, so neighbours are in the same or an adjacent cell. */
typedef struct CellEntry {
    int32_t cell[3];
    int32_t index;
} CellEntry;

static int compare_cells(const int32_t *a, const int32_t *b)
{
    for (int n = 2; n > 0; n--) {
        if (a[n] != b[n]) {
            return a[n] < b[n] ? -1 : 1;
        }
    }
    return (a[0] > b[0]) - (a[0] < b[0]);
}

static int compare_entries(const void *a, const void *b)
{
    const CellEntry *x = a, *y = b;
    const int by_cell = compare_cells(x->cell, y->cell);
    return by_cell != 0 ? by_cell : (x->index > y->index) - (x->index < y->index);
}

/* The first entry whose cell is not before this one. */
static int64_t find_cell(const CellEntry *entries, int64_t count, const int32_t cell[3])
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (compare_cells(entries[middle].cell, cell) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Bond one particle with those in the three cells of a row. */
static bool add_row_bonds(dlp__Companions *companions, const dlp__Particles *p, const CellEntry *entries, int64_t count,
                          const CellEntry *own, int y, int z, double reach)
{
    const int32_t from[3] = {own->cell[0] - 1, own->cell[1] + y, own->cell[2] + z}, to = own->cell[0] + 1;
    bool ok = true;
    for (int64_t k = find_cell(entries, count, from); ok && k < count; k++) {
        const CellEntry *other = &entries[k];
        if (other->cell[2] != from[2] || other->cell[1] != from[1] || other->cell[0] > to) {
            break;
        }
        double r2 = 0.0;
        for (int a = 0; a < 3; a++) {
            const double offset = (double)p->rest[a][own->index] - (double)p->rest[a][other->index];
            r2 += offset * offset;
        }
        if (other->index != own->index && r2 < reach * reach && r2 > 0.0) {
            const dlp__Bond bond = {p->id[0][own->index], p->id[0][other->index], (float)sqrt(r2), 0.0f};
            ok = dlp__bonds_add(&companions->bonds, 0, &bond, 1);
        }
    }
    return ok;
}

bool dlp__companions_add_bonds(dlp__Companions *companions, const dlp__Domains *domains, int64_t first, int64_t count,
                               double spacing)
{
    const dlp__Particles *p = &domains->part[0].particles;
    const double reach = BOND_RANGE * spacing;
    CellEntry *entries = dlp__memory_get(companions->memory, count, sizeof *entries);
    if (entries == NULL) {
        return count == 0;
    }
    for (int64_t k = 0; k < count; k++) {
        entries[k].index = (int32_t)(first + k);
        for (int a = 0; a < 3; a++) {
            entries[k].cell[a] = (int32_t)floor((double)p->rest[a][first + k] / reach);
        }
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    bool ok = true;
    for (int64_t k = 0; ok && k < count; k++) {
        for (int row = 0; ok && row < 9; row++) {
            ok = add_row_bonds(companions, p, entries, count, &entries[k], row % 3 - 1, row / 3 - 1, reach);
        }
    }
    dlp__memory_release(companions->memory, entries, count, sizeof *entries);
    return ok;
}

/* List the particles of rigid companions by companion: a counting sort. */
static bool list_members(const dlp__Companions *companions, dlp__Members *members, const dlp__Particles *p)
{
    const int count = companions->count;
    if (!dlp__buffer_reserve(companions->memory, &members->buffer[0], count + 2, sizeof(int32_t))) {
        return false;
    }
    members->first = members->buffer[0].data;
    memset(members->first, 0, (size_t)(count + 2) * sizeof *members->first);
    int32_t *next = members->first + 1; /* counts of the previous companion, then its insertion index, then its end */
    for (int64_t i = 0; i < p->count; i++) {
        next[dlp__companion_rigid_index(companions, p, i) + 1]++;
    }
    next[0] = 0;
    for (int c = 0; c < count; c++) {
        next[c + 1] += next[c];
    }
    if (!dlp__buffer_reserve(companions->memory, &members->buffer[1], next[count] + 1, sizeof(int32_t))) {
        return false;
    }
    members->index = members->buffer[1].data;
    for (int64_t i = 0; i < p->count; i++) {
        const int companion = dlp__companion_rigid_index(companions, p, i);
        if (companion >= 0) {
            members->index[next[companion]++] = (int32_t)i;
        }
    }
    return true;
}

static bool list_all(dlp__Companions *companions, const dlp__Domains *domains)
{
    bool ok = true;
    for (int d = 0; ok && companions->rigid > 0 && d < domains->count; d++) {
        ok = list_members(companions, &companions->member[d], &domains->part[d].particles);
    }
    return ok;
}

void dlp__companions_update(dlp__Companions *companions, dlp__Domains *domains)
{
    if (!dlp__step_is_ok(domains)) {
        return;
    }
    bool ok = list_all(companions, domains);
    if (companions->count > companions->rigid) {
        ok = ok && dlp__bonds_update(&companions->bonds, domains, domains->support);
    }
    dlp__require_memory(domains, ok, "the particles of companions");
}

void dlp__companions_predict(dlp__Companions *companions, dlp__Domains *domains, float dt)
{
    if (!dlp__step_is_ok(domains)) {
        return;
    }
    dlp__require_memory(domains, list_all(companions, domains), "the particles of companions");
    if (dlp__step_is_ok(domains)) {
        dlp__companions_predict_rigid(companions, domains, dt);
    }
}

void dlp__companions_constrain(dlp__Companions *companions, dlp__Domains *domains, const dlp__CompanionStep *step,
                               int64_t iteration)
{
    if (companions->count > companions->rigid) {
        dlp__companions_solve_bonds(companions, domains, step, iteration);
    }
    dlp__companions_match_shapes(companions, domains);
}
