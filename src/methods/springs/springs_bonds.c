/* Both ends of a spring hold a copy of its length and change it by the same numbers in the same order, so the copies stay equal bit
 * for bit.
 *
 * The rest length of a new spring is the current distance. For a pair that approaches, this is h to within one step's
 * displacement, as in the paper; for a pair that is close already when its material gets springs, a rest length of h
 * would mean a compressed spring, and bodies of many of them burst. Plastic springs connect any two particles in range.
 * Elastic ones only form where one of the two particles has none yet, so that an elastic body does not merge with
 * whatever it touches later. A partner farther than h is out of range: a plastic spring is then removed, an elastic one
 * is kept.
 */
#include "methods/springs/springs_bonds.h"

#include "bonds/bond_partners.h"
#include "methods/springs/springs_fields.h"

#include <math.h>

static const float LENGTH_LEAST = 1e-6f; /* length of a spring, in supports */

/* For stages that gather the laws if these depend on temperature. */
static dlp__SpringLaw law_of(const dlp__StageContext *c, int64_t i)
{
    const dlp__SpringsPlan *plan = c->arguments;
    if (!plan->depends_on_temperature) {
        return plan->law[plan->one_law ? 0 : c->particles->material[0][i]];
    }
    const float *first = c->rows[1] + 4 * i, *second = c->rows[2] + 4 * i;
    return (dlp__SpringLaw){0.0f, first[0], first[1], first[2], first[3], second[0]};
}

/* Whether two particles can have a spring: both materials must have springs, of the same kind (plastic or elastic)
 * unless it is the same material. */
static bool can_connect(const dlp__StageContext *c, int64_t i, int64_t j, const dlp__SpringLaw *own,
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

/* Lines 6 to 14 of Algorithm 4; a negative length marks a spring to be removed. */
static float updated_length(const dlp__SpringsPlan *plan, const dlp__SpringLaw *law, float length, float r)
{
    const float stretched = r - length - law->stretch_yield * length;
    const float compressed = length - law->compress_yield * length - r;
    if (stretched > 0.0f) {
        length += law->stretch_taken * stretched;
    } else if (compressed > 0.0f) {
        length -= law->compress_taken * compressed;
    }
    return length > plan->support ? -1.0f : fmaxf(length, LENGTH_LEAST * plan->support);
}

/* Update the existing springs of particle i; returns the number of partners in range. */
static int32_t update_old(const dlp__StageContext *c, dlp__BondPart *part, int64_t i)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__SpringLaw own = law_of(c, i);
    int32_t within_reach = 0;
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
        bond->length = can_connect(c, i, j, &own, &other) ? updated_length(plan, &pair, bond->length, r) : -1.0f;
        within_reach++;
    }
    return within_reach;
}

/* Whether two neighbours without a common spring get one. */
static bool should_connect(const dlp__StageContext *c, int64_t i, int32_t j, float r)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__SpringLaw own = law_of(c, i), other = law_of(c, j), pair = dlp__spring_pair(&own, &other);
    const bool one_is_new = c->rows[0][4 * i + 3] == 0.0f || c->rows[0][4 * (int64_t)j + 3] == 0.0f;
    return can_connect(c, i, j, &own, &other) && (dlp__spring_is_plastic(&pair) || one_is_new) && r < plan->support &&
           r > LENGTH_LEAST * plan->support;
}

static void update(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        const bool complete = update_old(c, part, i) >= c->fluid->count[i];
        part->added[i] = !complete && law_of(c, i).stiffness > 0.0f
                             ? dlp__bonds_create(c, part, i, should_connect, NULL)
                             : 0;
    }
}

static void add_springs(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    dlp__bonds_create_range(c, &plan->bonds->part[c->part], begin, end, should_connect);
}

/* clang-format off */
#define PLACES DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_bond_count)
#define LAWS DLP_ROW_FOUR(OWN_spring_law, 0), {{DLP_PART(OWN_spring_law, 4), 0, 0, 0}}
#define PEEKS {DLP_FIELD_id, DLP_FIELD_material}
/* clang-format on */

void dlp__springs_update(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage count_stage = {
        .name = "springs count", .function = count_springs, .writes = {DLP_FIELD_bond_count}};
    static const dlp__Stage update_stages[] = {
        {.name = "springs update", .function = update, .gathers = {PLACES}, .peeks = PEEKS},
        {.name = "springs update", .function = update, .gathers = {PLACES, LAWS}, .peeks = PEEKS}};
    static const dlp__Stage add_stages[] = {
        {.name = "springs add", .function = add_springs, .gathers = {PLACES}, .peeks = PEEKS},
        {.name = "springs add", .function = add_springs, .gathers = {PLACES, LAWS}, .peeks = PEEKS}};
    dlp__Domains *domains = step->domains;
    if (!dlp__step_is_ok(domains) || !plan->uses_bonds) {
        return;
    }
    dlp__require_memory(domains, dlp__bonds_begin_add(plan->bonds, domains), "new springs");
    dlp__run(domains, &count_stage, plan);
    dlp__run(domains, &update_stages[plan->depends_on_temperature], plan);
    if (dlp__step_is_ok(domains)) {
        dlp__require_memory(domains, dlp__bonds_reserve_added(plan->bonds, domains), "new springs");
    }
    dlp__run(domains, &add_stages[plan->depends_on_temperature], plan);
}

static void apply_springs(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        const float *own = c->rows[0] + 4 * i, *own_start = c->rows[1] + 4 * i;
        float displacement[3] = {0.0f, 0.0f, 0.0f};
        for (int32_t k = part->first[i]; k < part->last[i]; k++) {
            const float length = part->bond[k].length;
            if (part->partner[k] < 0 || length < 0.0f) {
                continue;
            }
            const int64_t j = part->partner[k];
            const float *other = c->rows[0] + 4 * j, *start = c->rows[1] + 4 * j;
            const float stiffness = plan->depends_on_temperature ? dlp__mean(own_start[3], start[3])
                                                                 : dlp__mean(plan->law[p->material[0][i]].stiffness,
                                                                             plan->law[p->material[0][j]].stiffness);
            const float move = dlp__spring_move(plan, stiffness, length, dlp__row_distance(own, other));
            const float factor = own[3] / (own[3] + other[3]) * move /
                                 fmaxf(dlp__row_distance(own_start, start), LENGTH_LEAST * plan->support);
            for (int a = 0; a < 3; a++) {
                displacement[a] += factor * (own_start[a] - start[a]);
            }
        }
        for (int a = 0; a < 3; a++) {
            p->position[a][i] += displacement[a];
            p->correction[a][i] += displacement[a];
        }
    }
}

void dlp__springs_apply(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage stage = {.name = "springs pull",
                                     .function = apply_springs,
                                     .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_specific_volume),
                                                 DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, OWN_spring_law)},
                                     .writes = {DLP_FIELD_position, DLP_FIELD_correction},
                                     .peeks = {DLP_FIELD_material}};
    if (plan->has_springs) {
        dlp__run(step->domains, &stage, plan);
    }
}
