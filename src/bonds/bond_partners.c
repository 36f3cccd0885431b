/* Creates bonds between neighbours, skipping those that are bonded already. */
#include "bonds/bond_partners.h"

/* The partners of a particle: an open-addressing hash table of 1 + index. */
enum { SLOTS = 512, SLOTS_FULL = 384 };
typedef struct Partners {
    int32_t slot[SLOTS];
    int count;
} Partners;

static unsigned slot_of(int32_t j)
{
    return (unsigned)j * 2654435769u >> 23;
}

static void add_partner(Partners *partners, int32_t j)
{
    if (partners->count < SLOTS_FULL) {
        unsigned slot = slot_of(j);
        while (partners->slot[slot] != 0) {
            slot = (slot + 1) % SLOTS;
        }
        partners->slot[slot] = j + 1;
    }
    partners->count++;
}

static Partners list_partners(const dlp__BondPart *part, int64_t i)
{
    Partners partners = {.count = 0};
    for (int32_t k = part->first[i]; k < part->last[i]; k++) {
        if (part->partner[k] >= 0) {
            add_partner(&partners, part->partner[k]);
        }
    }
    return partners;
}

static bool is_partner(const Partners *partners, dlp__BondPart *part, const dlp__Particles *p, int64_t i, int32_t j)
{
    if (partners->count > SLOTS_FULL) { /* too many for the table */
        return dlp__bonds_find(part, p->id[0][i], p->id[0][j]) != NULL;
    }
    for (unsigned slot = slot_of(j); partners->slot[slot] != 0; slot = (slot + 1) % SLOTS) {
        if (partners->slot[slot] == j + 1) {
            return true;
        }
    }
    return false;
}

int64_t dlp__bonds_create(const dlp__StageContext *context, dlp__BondPart *part, int64_t i, dlp__BondPredicate join,
                          dlp__Bond *to)
{
    const dlp__Particles *p = context->particles;
    const dlp__NeighborList *list = context->fluid;
    const Partners partners = list_partners(part, i);
    int64_t added = 0;
    for (int32_t n = 0; n < list->count[i]; n++) {
        const int32_t j = *dlp__neighbors_entry(list, i, n);
        const float r = dlp__row_distance(context->rows[0] + 4 * i, context->rows[0] + 4 * (int64_t)j);
        if (is_partner(&partners, part, p, i, j) || !join(context, i, j, r)) {
            continue;
        }
        if (to != NULL) {
            to[added] = (dlp__Bond){p->id[0][i], p->id[0][j], r, 0.0f};
        }
        added++;
    }
    return added;
}

void dlp__bonds_create_range(const dlp__StageContext *context, dlp__BondPart *part, int64_t begin, int64_t end,
                             dlp__BondPredicate join)
{
    for (int64_t i = begin; i < end; i++) {
        if (part->added[i] < part->added[i + 1]) {
            dlp__bonds_create(context, part, i, join, part->bond + part->added[i]);
        }
    }
}
