/* Both ends of a link hold a copy of its length and change it by the same numbers in the same order, so the copies stay
 * equal bit for bit.
 *
 * A link is elastic if the particles at both ends are frozen, else viscous. Elastic links only form where one of the
 * two particles has no links yet, so that an elastic body does not merge with whatever it touches later. They are kept
 * while the partner is out of reach. */
#include "methods/links/links_bonds.h"
#include "methods/links/links_fields.h"

#include "base/simd.h"
#include "bonds/bond_lanes.h"
#include "bonds/bond_partners.h"
#include "methods/links/links_stages.h"

static const float LEAST = 1e-6f;            /* length of a link, in supports */
static const float LENGTHENING_MOST = 1.0f;  /* of a link in a step, as a fraction of its length */
static const float CANDIDATE_STRETCH = 0.8f; /* of its length; longer links may come under tension within the step */

static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__LinksPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__LinksFields *f = dlp__own_fields(p);
    const dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        const dlp__LinkLaw law = dlp__links_law(plan, p, i);
        f->extension[0][i] = law.linked ? law.extension : -1.0f;
        f->softness[0][i] = law.softness;
        f->frozen[1][i] = f->frozen[0][i];
        f->frozen[0][i] = law.elastic ? 1.0f : 0.0f;
        p->bond_count[0][i] = (float)(part->last[i] - part->first[i]);
    }
}

/* Rows of the stages below: position and extension rate; frozen now and before, number of bonds. */
typedef struct End {
    const float *at, *state;
} End;

static End end_of(const dlp__StageContext *c, int64_t i)
{
    return (End){c->rows[0] + 4 * i, c->rows[1] + 4 * i};
}

/* Lines 3 and 6 to 7 of Algorithm 1; a negative length marks a link to be removed. */
static float updated_length(const dlp__LinksPlan *plan, End own, End other, float length, float r)
{
    const bool frozen = own.state[0] > 0.0f && other.state[0] > 0.0f;
    const bool before = own.state[1] > 0.0f && other.state[1] > 0.0f;
    if (frozen) {
        return before ? length : dlp__link_frozen(length, r);
    }
    length = before ? dlp__link_melted(length, r) : length;
    if (own.at[3] < 0.0f || other.at[3] < 0.0f) {
        return -1.0f;
    }
    if (r > length - plan->slack * length) { /* eq. 12 does not hold */
        const float part = 0.5f * (own.at[3] + other.at[3]) * plan->dt;
        length += (part < LENGTHENING_MOST ? part : LENGTHENING_MOST) * length; /* eq. 13 */
    }
    return length;
}

/* Update the lengths of the existing links of particle i. Marks in `scratch` those that may pull in this step and
 * counts them; returns how many of its partners are neighbours. */
static int32_t update_old(const dlp__StageContext *c, dlp__BondPart *part, int64_t i, int32_t *chosen)
{
    const dlp__LinksPlan *plan = c->arguments;
    const End own = end_of(c, i);
    int32_t near = 0;
    for (int32_t k = part->first[i]; k < part->last[i]; k++) {
        dlp__Bond *bond = &part->bond[k];
        part->scratch[k] = 0.0f;
        if (part->partner[k] < 0) { /* lines 4 and 5: farther than H */
            bond->length = own.state[0] > 0.0f ? bond->length : -1.0f;
            continue;
        }
        const End other = end_of(c, part->partner[k]);
        const float r = dlp__row_distance(own.at, other.at);
        bond->length = updated_length(plan, own, other, bond->length, r);
        if (bond->length >= 0.0f && r > CANDIDATE_STRETCH * bond->length) {
            part->scratch[k] = 1.0f;
            ++*chosen;
        }
        near += r < plan->support;
    }
    return near;
}

/* Whether two neighbours without a common link get one (lines 8 to 11). */
static bool should_link(const dlp__StageContext *c, int64_t i, int32_t j, float r)
{
    const dlp__LinksPlan *plan = c->arguments;
    const End own = end_of(c, i), other = end_of(c, j);
    const bool frozen = own.state[0] > 0.0f && other.state[0] > 0.0f;
    const bool one_is_new = own.state[2] == 0.0f || other.state[2] == 0.0f;
    return own.at[3] >= 0.0f && other.at[3] >= 0.0f && (!frozen || one_is_new) && r > LEAST * plan->support;
}

static void update(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__LinksPlan *plan = c->arguments;
    dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        int32_t *chosen = &part->lanes.list.count[i];
        *chosen = 0;
        const bool complete = update_old(c, part, i, chosen) >= c->fluid->count[i];
        const bool linked = end_of(c, i).at[3] >= 0.0f;
        part->added[i] = linked && !complete ? dlp__bonds_create(c, part, i, should_link, NULL) : 0;
    }
}

static void generate(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__LinksPlan *plan = c->arguments;
    dlp__bonds_create_range(c, &plan->bonds->part[c->part], begin, end, should_link);
}

/* The values of one link besides its length; rows are one over density, and softness. */
static void fill_values(const dlp__LinksPlan *plan, dlp__BondLanes *lanes, int64_t slot, const float *own,
                        const float *other, float stiffness)
{
    const float both = own[0] + other[0];
    if (plan->values_per_link > 1) {
        lanes->value[DLP_LINK_SHARE][slot] = stiffness * own[0] / both;
    }
    if (plan->values_per_link > 2) {
        lanes->value[DLP_LINK_SOFTNESS][slot] = 0.5f * (own[1] + other[1]) / both;
        lanes->value[DLP_LINK_PULLED][slot] = 0.0f;
    }
}

static void build_lists(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__LinksPlan *plan = c->arguments;
    const dlp__Particles *p = c->particles;
    dlp__BondPart *part = &plan->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        const float stiffness = plan->law[p->material[0][i]].stiffness;
        int32_t n = 0;
        for (int32_t k = part->first[i]; k < part->last[i]; k++) {
            if (part->scratch[k] > 0.0f) {
                const int32_t j = part->partner[k];
                const int64_t slot = dlp__bond_slot(&part->lanes, i, n++);
                part->lanes.list.entry[slot] = j;
                part->lanes.value[DLP_LINK_LENGTH][slot] = part->bond[k].length;
                fill_values(plan, &part->lanes, slot, c->rows[0] + 4 * i, c->rows[0] + 4 * (int64_t)j,
                            0.5f * (stiffness + plan->law[p->material[0][j]].stiffness));
            }
        }
        dlp__bond_lanes_pad(&part->lanes, i, plan->values_per_link);
    }
}

#define STATES \
    { \
        DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_extension), \
        { \
            { \
                DLP_PART(OWN_frozen, 0), DLP_PART(OWN_frozen, 1), DLP_PART(DLP_FIELD_bond_count, 0), 0 \
            } \
        } \
    }

void dlp__links_update(dlp__StepContext *step, const dlp__LinksPlan *plan)
{
    static const dlp__Stage prepare_stage = {.name = "links prepare",
                                             .function = prepare,
                                             .reads = {DLP_FIELD_material, DLP_FIELD_temperature, DLP_FIELD_enthalpy},
                                             .writes = {OWN_extension, OWN_softness, OWN_frozen, DLP_FIELD_bond_count}};
    static const dlp__Stage update_stage = {
        .name = "links update", .function = update, .gathers = STATES, .peeks = {DLP_FIELD_id}};
    static const dlp__Stage generate_stage = {
        .name = "links generate", .function = generate, .gathers = STATES, .peeks = {DLP_FIELD_id}};
    static const dlp__Stage list_stage = {
        .name = "links lists",
        .function = build_lists,
        .gathers = {{{DLP_PART(DLP_FIELD_specific_volume, 0), DLP_PART(OWN_softness, 0), 0, 0}}},
        .peeks = {DLP_FIELD_material}};
    dlp__Domains *domains = step->domains;
    if (!dlp__step_is_ok(domains)) {
        return;
    }
    dlp__require_memory(
        domains, dlp__bonds_begin_add(plan->bonds, domains) && dlp__bond_lanes_begin(plan->bonds, domains), "links");
    dlp__run(domains, &prepare_stage, plan);
    dlp__run(domains, &update_stage, plan);
    if (dlp__step_is_ok(domains)) {
        dlp__require_memory(domains, dlp__bond_lanes_layout(plan->bonds, domains, plan->values_per_link), "links");
    }
    dlp__run(domains, &list_stage, plan);
    if (dlp__step_is_ok(domains)) {
        dlp__require_memory(domains, dlp__bonds_reserve_added(plan->bonds, domains), "new links");
    }
    dlp__run(domains, &generate_stage, plan);
}

void dlp__links_apply(dlp__StepContext *step, const dlp__LinksPlan *plan)
{
    static const dlp__LinksStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__links_stages);
    const dlp__LinksStages *stages = versions[dlp__width_index(step->domains->width)];
    const dlp__Stage *count = plan->values_per_link > 2 ? &stages->count_soft : &stages->count;
    const dlp__Stage *pull = plan->values_per_link > 2   ? &stages->pull_soft
                             : plan->values_per_link > 1 ? &stages->pull_mixed
                                                         : &stages->pull;
    dlp__run(step->domains, count, plan);
    dlp__run(step->domains, pull, plan);
}
