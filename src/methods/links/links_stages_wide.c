/* The loops over links; their pair equations are in links_pairs.h. */
#include "methods/links/links_stages.h"
#include "methods/links/links_fields.h"

#include "methods/links/links_pairs.h"

typedef enum Kind { UNIFORM, MIXED, SOFT } Kind;

/* The links of particles i, i + 1, ...: their entries, and the values of the first. */
typedef struct Links {
    dlp__Lanes lanes;
    float *value[DLP_BOND_VALUES];
} Links;

DLP_INLINE Links links_of(const dlp__BondLanes *all, int64_t i, Kind kind)
{
    Links links = {.lanes = dlp__lanes(&all->list, i)};
    const int64_t first = links.lanes.entry - all->list.entry;
    for (int n = 0; n < (kind == UNIFORM ? 1 : kind == MIXED ? 2 : 4); n++) {
        links.value[n] = all->value[n] + first;
    }
    return links;
}

DLP_INLINE dlp__Wide link_value(const Links *links, int which, int32_t k)
{
    return dlp__wide_load(links->value[which] + (int64_t)k * DLP_GROUP);
}

/* The pull of link k, divided among `shared` links. */
DLP_INLINE dlp__Wide pull_of(const Links *links, const dlp__Pair *pair, int32_t k, dlp__Wide shared, Kind kind)
{
    dlp__Wide length = link_value(links, DLP_LINK_LENGTH, k);
    if (kind == SOFT) {
        return soft_pull(pair, length, link_value(links, DLP_LINK_SOFTNESS, k), link_value(links, DLP_LINK_PULLED, k),
                         shared);
    }
    return rigid_pull(pair, length, shared);
}

DLP_INLINE void count_range(const dlp__StageContext *c, int64_t begin, int64_t end, Kind kind)
{
    const dlp__LinksFields *f = dlp__own_fields(c->particles);
    const dlp__LinksPlan *plan = c->arguments;
    const dlp__BondLanes *all = &plan->bonds->part[c->part].lanes;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        const Links links = links_of(all, i, kind);
        dlp__Wide count = zero;
        for (int32_t k = 0; k < links.lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&links.lanes, k, c->rows[0], &at);
            dlp__Wide size = pull_of(&links, &pair, k, one, kind);
            count += dlp__wide_where(dlp__wide_less(zero, size * size), one);
        }
        dlp__wide_store(f->taut[0] + i, count);
    }
}

DLP_INLINE void pull_range(const dlp__StageContext *c, int64_t begin, int64_t end, Kind kind)
{
    const dlp__LinksPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__BondLanes *all = &plan->bonds->part[c->part].lanes;
    const dlp__Wide zero = dlp__wide(0.0f), half = dlp__wide(0.5f), least = dlp__wide(1e-6f * plan->support);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        Links links = links_of(all, i, kind);
        PullSums sums = {zero, zero, zero};
        for (int32_t k = 0; k < links.lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&links.lanes, k, c->rows[0], &at);
            dlp__Wide size = pull_of(&links, &pair, k, shared_by(at.w, pair.w), kind);
            dlp__Wide share = kind == UNIFORM ? half : link_value(&links, DLP_LINK_SHARE, k);
            add_pull(&sums, &pair, share * size, least);
            if (kind == SOFT) {
                dlp__wide_store(links.value[DLP_LINK_PULLED] + (int64_t)k * DLP_GROUP,
                                link_value(&links, DLP_LINK_PULLED, k) + size);
            }
        }
        const dlp__Wide place[3] = {at.x, at.y, at.z}, sum[3] = {sums.x, sums.y, sums.z};
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->position[a] + i, place[a] + sum[a]);
            dlp__wide_store(p->correction[a] + i, dlp__wide_load(p->correction[a] + i) + sum[a]);
        }
    }
}

static void count_rigid(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    count_range(c, begin, end, UNIFORM);
}

static void count_soft(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    count_range(c, begin, end, SOFT);
}

static void pull_uniform(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    pull_range(c, begin, end, UNIFORM);
}

static void pull_mixed(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    pull_range(c, begin, end, MIXED);
}

static void pull_soft(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    pull_range(c, begin, end, SOFT);
}

#define COUNT(run) \
    { \
        .name = "links count", .function = run, .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)}, .writes = { \
            OWN_taut \
        } \
    }
#define PULL(run) \
    { \
        .name = "links pull", .function = run, .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_taut)}, \
        .writes = { \
            DLP_FIELD_position, \
            DLP_FIELD_correction \
        } \
    }

const dlp__LinksStages DLP_WIDE(dlp__links_stages) = {
    .count = COUNT(count_rigid),
    .count_soft = COUNT(count_soft),
    .pull = PULL(pull_uniform),
    .pull_mixed = PULL(pull_mixed),
    .pull_soft = PULL(pull_soft),
};
