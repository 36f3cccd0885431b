/* Both ends of a spring hold a copy of its length and change it by the same numbers in the same order, so the copies stay equal bit
 * for bit.
 *
 * A new spring has the length that it finds. For a pair that comes near, that is h to within a step's way, as in the paper; for one that is
 * near when its material gets springs, h would be a spring pressed together, and bodies of many of them burst. Springs that forget come
 * between any two that are near; elastic ones only where one of the two has none so far, so that what an elastic body meets later
 * does not become part of it. A partner farther than h is out of sight: a spring that forgets has forgotten it, one that does not
 * waits for it.
 */
#include "methods/springs/springs_bonds.h"

#include "bonds/bond_partners.h"
#include "methods/springs/springs_fields.h"

#include <math.h>

static const float LEAST = 1e-6f; /* length of a spring, in supports */

/* In stages that gather laws, if these go by heat. */
static dlp__SpringLaw law_of(const dlp__StageContext *c, int64_t i)
{
    const dlp__SpringsPlan *plan = c->arguments;
    if (!plan->by_heat) {
        return plan->law[plan->one_law ? 0 : c->particles->material[0][i]];
    }
    const float *first = c->rows[1] + 4 * i, *second = c->rows[2] + 4 * i;
    return (dlp__SpringLaw){0.0f, first[0], first[1], first[2], first[3], second[0]};
}

/* Whether there are springs between two particles: both must have some, and of one kind unless they differ by their temperature
 * only. */
static bool sprung(const dlp__StageContext *c, int64_t i, int64_t j, const dlp__SpringLaw *own,
                   const dlp__SpringLaw *other)
{
    const uint16_t *material = c->particles->material[0];
    return own->stiffness > 0.0f && other->stiffness > 0.0f &&
           (material[i] == material[j] || dlp__spring_is_plastic(own) == dlp__spring_is_plastic(other));
}

static void count_springs(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        c->particles->bond_count[0][i] = (float)(part->last[i] - part->first[i]);
    }
}

/* Lines 6 to 14 of Algorithm 4; a length below zero is that of a spring to be removed. */
static float adjusted(const dlp__SpringsPlan *plan, const dlp__SpringLaw *law, float length, float r)
{
    const float stretched = r - length - law->stretch_yield * length;
    const float compressed = length - law->compress_yield * length - r;
    if (stretched > 0.0f) {
        length += law->stretch_taken * stretched;
    } else if (compressed > 0.0f) {
        length -= law->compress_taken * compressed;
    }
    return length > plan->support ? -1.0f : fmaxf(length, LEAST * plan->support);
}

/* The springs that particle i has; returns how many of its partners are in sight. */
static int32_t adjust_old(const dlp__StageContext *c, dlp__BondPart *part, int64_t i)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__SpringLaw own = law_of(c, i);
    int32_t seen = 0;
    for (int32_t k = part->first[i]; k < part->last[i]; k++) {
        const int32_t j = part->partner[k];
        dlp__Bond *bond = &part->bond[k];
        if (j < 0) {
            const bool waits = own.stiffness > 0.0f && !dlp__spring_is_plastic(&own);
            bond->length = waits ? bond->length : -1.0f;
            continue;
        }
        const dlp__SpringLaw other = law_of(c, j), pair = dlp__spring_pair(&own, &other);
        const float r = dlp__row_distance(c->rows[0] + 4 * i, c->rows[0] + 4 * (int64_t)j);
        bond->length = sprung(c, i, j, &own, &other) ? adjusted(plan, &pair, bond->length, r) : -1.0f;
        seen++;
    }
    return seen;
}

/* Whether two neighbours get a spring, who have none with each other. */
static bool join(const dlp__StageContext *c, int64_t i, int32_t j, float r)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__SpringLaw own = law_of(c, i), other = law_of(c, j), pair = dlp__spring_pair(&own, &other);
    const bool fresh = c->rows[0][4 * i + 3] == 0.0f || c->rows[0][4 * (int64_t)j + 3] == 0.0f;
    return sprung(c, i, j, &own, &other) && (dlp__spring_is_plastic(&pair) || fresh) && r < plan->support &&
           r > LEAST * plan->support;
}

static void adjust(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        const bool complete = adjust_old(c, part, i) >= c->fluid->count[i];
        part->added[i] = !complete && law_of(c, i).stiffness > 0.0f ? dlp__bonds_create(c, part, i, join, NULL) : 0;
    }
}

static void add_springs(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    dlp__bonds_create_range(c, &plan->bonds->part[c->part], begin, end, join);
}

/* clang-format off */
#define PLACES DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_bond_count)
#define LAWS DLP_ROW_FOUR(OWN_spring_law, 0), {{DLP_PART(OWN_spring_law, 4), 0, 0, 0}}
#define PEEKS {DLP_FIELD_id, DLP_FIELD_material}
/* clang-format on */

void dlp__springs_adjust(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage count_stage = {
        .name = "springs count", .function = count_springs, .writes = {DLP_FIELD_bond_count}};
    static const dlp__Stage adjust_stages[] = {
        {.name = "springs adjust", .function = adjust, .gathers = {PLACES}, .peeks = PEEKS},
        {.name = "springs adjust", .function = adjust, .gathers = {PLACES, LAWS}, .peeks = PEEKS}};
    static const dlp__Stage add_stages[] = {
        {.name = "springs add", .function = add_springs, .gathers = {PLACES}, .peeks = PEEKS},
        {.name = "springs add", .function = add_springs, .gathers = {PLACES, LAWS}, .peeks = PEEKS}};
    dlp__Domains *domains = step->domains;
    if (!dlp__step_is_ok(domains) || (!plan->sprung && dlp__bonds_count(plan->bonds) == 0)) {
        return;
    }
    dlp__require_memory(domains, dlp__bonds_begin_add(plan->bonds, domains), "new springs");
    dlp__run(domains, &count_stage, plan);
    dlp__run(domains, &adjust_stages[plan->by_heat], plan);
    if (dlp__step_is_ok(domains)) {
        dlp__require_memory(domains, dlp__bonds_reserve_added(plan->bonds, domains), "new springs");
    }
    dlp__run(domains, &add_stages[plan->by_heat], plan);
}

static void pull(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        const float *own = c->rows[0] + 4 * i, *own_start = c->rows[1] + 4 * i;
        float way[3] = {0.0f, 0.0f, 0.0f};
        for (int32_t k = part->first[i]; k < part->last[i]; k++) {
            const float length = part->bond[k].length;
            if (part->partner[k] < 0 || length < 0.0f) {
                continue;
            }
            const int64_t j = part->partner[k];
            const float *other = c->rows[0] + 4 * j, *start = c->rows[1] + 4 * j;
            const float stiffness = plan->by_heat ? dlp__mean(own_start[3], start[3])
                                                  : dlp__mean(plan->law[p->material[0][i]].stiffness,
                                                              plan->law[p->material[0][j]].stiffness);
            const float move = dlp__spring_move(plan, stiffness, length, dlp__row_distance(own, other));
            const float factor = own[3] / (own[3] + other[3]) * move /
                                 fmaxf(dlp__row_distance(own_start, start), LEAST * plan->support);
            for (int a = 0; a < 3; a++) {
                way[a] += factor * (own_start[a] - start[a]);
            }
        }
        for (int a = 0; a < 3; a++) {
            p->position[a][i] += way[a];
            p->correction[a][i] += way[a];
        }
    }
}

void dlp__springs_pull(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage stage = {.name = "springs pull",
                                     .function = pull,
                                     .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_specific_volume),
                                                 DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, OWN_spring_law)},
                                     .writes = {DLP_FIELD_position, DLP_FIELD_correction},
                                     .peeks = {DLP_FIELD_material}};
    if (plan->sprung) {
        dlp__run(step->domains, &stage, plan);
    }
}
