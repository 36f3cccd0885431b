/* Membership of clusters, and the call of shape matching. Few particles are new in a step, so these loops are scalar. */
#include "clusters/clusters.h"

#include "base/simd.h"
#include "bonds/bond_lanes.h"
#include "bonds/bond_partners.h"
#include "clusters/cluster_stages.h"
#include "clusters/objects.h"

/* Rows of the stages below. */
enum { AT_OBJECT, REFERENCE_FRESH, ROTATION };

static void leave(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const bool has_cluster = p->cluster_stiffness[0][i] > 0.0f && p->object[0][i] >= 1.0f;
        p->object[0][i] = has_cluster ? p->object[0][i] : 0.0f;
        p->fresh[0][i] = DLP_CLUSTER_OLD;
    }
}

/* The nearest neighbour that touches particle i and belongs to an object of its material, or -1. */
static int32_t touched_member(const dlp__StageContext *c, const dlp__Clusters *clusters, int64_t i)
{
    const dlp__Particles *p = c->particles;
    const float *rows = c->rows[AT_OBJECT];
    float nearest = dlp__touch_distance(clusters->spacing);
    int32_t found = -1;
    for (int32_t n = 0; n < c->fluid->count[i]; n++) {
        const int32_t j = *dlp__neighbors_entry(c->fluid, i, n);
        const float *other = rows + 4 * (int64_t)j;
        const float r = dlp__row_distance(rows + 4 * i, other);
        if (other[3] > 0.0f && p->material[0][j] == p->material[0][i] && r < nearest) {
            nearest = r;
            found = j;
        }
    }
    return found;
}

/* R^T v, for the quaternion w x y z of R. */
static void unrotate_row(const float q[4], const float v[3], float to[3])
{
    const float twice[3] = {2.0f * (v[1] * q[3] - v[2] * q[2]), 2.0f * (v[2] * q[1] - v[0] * q[3]),
                            2.0f * (v[0] * q[2] - v[1] * q[1])};
    to[0] = v[0] + q[0] * twice[0] + (twice[1] * q[3] - twice[2] * q[2]);
    to[1] = v[1] + q[0] * twice[1] + (twice[2] * q[1] - twice[0] * q[3]);
    to[2] = v[2] + q[0] * twice[2] + (twice[0] * q[2] - twice[1] * q[1]);
}

/* Where the clusters of its neighbours in that object put particle i in the reference shape: the mean of s_j + R_j^T (x_i - x_j). */
static void place_in_reference(const dlp__StageContext *c, int64_t i, float object)
{
    float sum[3] = {0.0f, 0.0f, 0.0f}, count = 0.0f;
    const float *own = c->rows[AT_OBJECT] + 4 * i;
    for (int32_t n = 0; n < c->fluid->count[i]; n++) {
        const int64_t j = *dlp__neighbors_entry(c->fluid, i, n);
        const float *other = c->rows[AT_OBJECT] + 4 * j, *place = c->rows[REFERENCE_FRESH] + 4 * j;
        if (other[3] == object) {
            const float way[3] = {own[0] - other[0], own[1] - other[1], own[2] - other[2]};
            float back[3];
            unrotate_row(c->rows[ROTATION] + 4 * j, way, back);
            for (int a = 0; a < 3; a++) {
                sum[a] += place[a] + back[a];
            }
            count += 1.0f;
        }
    }
    for (int a = 0; a < 3; a++) {
        c->particles->reference[a][i] = sum[a] / count;
    }
}

static void join(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        if (p->object[0][i] > 0.0f || !(p->cluster_stiffness[0][i] > 0.0f)) {
            continue;
        }
        const int64_t nearest = touched_member(c, c->arguments, i);
        if (nearest >= 0) {
            const float object = c->rows[AT_OBJECT][4 * nearest + 3];
            place_in_reference(c, i, object);
            for (int n = 0; n < 4; n++) {
                p->rotation[n][i] = c->rows[ROTATION][4 * nearest + n];
            }
            p->object[0][i] = object;
            p->fresh[0][i] = DLP_CLUSTER_JOINED;
        }
    }
}

/* How many particles have a stiffness but no cluster, or a cluster but no stiffness. */
static int64_t count_odd(const dlp__Domains *domains, bool loose)
{
    int64_t count = 0;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            count += (p->object[0][i] >= 1.0f) != loose && (p->cluster_stiffness[0][i] > 0.0f) == loose;
        }
    }
    return dlp__ranks_sum(domains->ranks, count);
}

static bool may_tear(const dlp__Clusters *clusters)
{
    bool may = false;
    for (int m = 0; m < clusters->materials; m++) {
        may = may || clusters->tear_stretch[m] > 0.0f;
    }
    return may;
}

typedef struct MemberUpdate {
    const dlp__Clusters *clusters;
    bool any_fresh; /* some clusters are new */
    bool may_leave; /* some particles may leave a cluster */
} MemberUpdate;

/* Symmetric in i and j, so that membership stays mutual. A negative length marks a bond to be removed. */
static float updated_length(const dlp__StageContext *c, const dlp__Clusters *clusters, int64_t i, int32_t j,
                            float length)
{
    const float *own = c->rows[AT_OBJECT] + 4 * i, *other = c->rows[AT_OBJECT] + 4 * (int64_t)j;
    const float r = dlp__row_distance(own, other);
    if (own[3] == 0.0f || own[3] != other[3]) {
        return -1.0f;
    }
    if (c->rows[REFERENCE_FRESH][4 * i + 3] == DLP_CLUSTER_FOUNDED) { /* its whole object is */
        return r > 0.0f && r < clusters->domains->support ? r : -1.0f;
    }
    const float tear = clusters->tear_stretch[c->particles->material[0][i]];
    return tear > 0.0f && r > tear * length ? -1.0f : length;
}

static bool loses_all_members(const dlp__StageContext *c, int64_t i)
{
    return c->rows[AT_OBJECT][4 * i + 3] == 0.0f || c->rows[REFERENCE_FRESH][4 * i + 3] == DLP_CLUSTER_FOUNDED;
}

static bool should_bond(const dlp__StageContext *c, int64_t i, int32_t j, float r)
{
    const float own = c->rows[AT_OBJECT][4 * i + 3], other = c->rows[AT_OBJECT][4 * (int64_t)j + 3];
    const bool fresh = c->rows[REFERENCE_FRESH][4 * i + 3] > 0.0f ||
                       c->rows[REFERENCE_FRESH][4 * (int64_t)j + 3] > 0.0f;
    return fresh && own > 0.0f && own == other && r > 0.0f;
}

/* Update the members of each cluster, and count them and the new ones. */
static void update_members(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const MemberUpdate *update = c->arguments;
    dlp__BondPart *part = &update->clusters->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        for (int32_t k = part->first[i]; k < part->last[i] && update->may_leave; k++) {
            dlp__Bond *bond = &part->bond[k];
            if (part->partner[k] >= 0) {
                bond->length = updated_length(c, update->clusters, i, part->partner[k], bond->length);
                part->partner[k] = bond->length >= 0.0f ? part->partner[k] : -1;
            } else if (loses_all_members(c, i)) {
                bond->length = -1.0f; /* its partner is out of reach */
            }
        }
        int32_t members = 0;
        for (int32_t k = part->first[i]; k < part->last[i]; k++) {
            members += part->partner[k] >= 0;
        }
        part->lanes.list.count[i] = members;
        part->added[i] = update->any_fresh ? dlp__bonds_create(c, part, i, should_bond, NULL) : 0;
        c->particles->cluster_share[0][i] = 1.0f / (1.0f + (float)members);
    }
}

static void create_members(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const MemberUpdate *update = c->arguments;
    dlp__bonds_create_range(c, &update->clusters->bonds->part[c->part], begin, end, should_bond);
}

static void list_members(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const MemberUpdate *update = c->arguments;
    dlp__BondPart *part = &update->clusters->bonds->part[c->part];
    for (int64_t i = begin; i < end; i++) {
        int32_t n = 0;
        for (int32_t k = part->first[i]; k < part->last[i]; k++) {
            if (part->partner[k] >= 0) {
                part->lanes.list.entry[dlp__bond_slot(&part->lanes, i, n++)] = part->partner[k];
            }
        }
        dlp__bond_lanes_pad(&part->lanes, i, 0);
    }
}

#define STATES \
    { \
        DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_object), \
            DLP_ROW_VECTOR_SCALAR(DLP_FIELD_reference, DLP_FIELD_fresh), DLP_ROW_FOUR(DLP_FIELD_rotation, 0) \
    }

/* Particles without a cluster join an object or found one; returns whether there were any. */
static bool assign_loose(const dlp__Clusters *clusters)
{
    static const dlp__Stage join_stage = {
        .name = "cluster join",
        .function = join,
        .gathers = STATES,
        .reads = {DLP_FIELD_cluster_stiffness},
        .writes = {DLP_FIELD_object, DLP_FIELD_reference, DLP_FIELD_rotation, DLP_FIELD_fresh},
        .peeks = {DLP_FIELD_material}};
    dlp__Domains *domains = clusters->domains;
    if (!dlp__step_is_ok(domains) || count_odd(domains, true) == 0) {
        return false;
    }
    dlp__run(domains, &join_stage, clusters);
    if (dlp__step_is_ok(domains) && count_odd(domains, true) > 0) {
        dlp__clusters_number_objects(clusters);
    }
    return true;
}

void dlp__clusters_update(const dlp__Clusters *clusters)
{
    static const dlp__Stage leave_stage = {.name = "cluster leave",
                                           .function = leave,
                                           .reads = {DLP_FIELD_cluster_stiffness},
                                           .writes = {DLP_FIELD_object, DLP_FIELD_fresh}};
    static const dlp__Stage member_stage = {.name = "cluster members",
                                            .function = update_members,
                                            .gathers = STATES,
                                            .reads = {DLP_FIELD_material},
                                            .writes = {DLP_FIELD_cluster_share},
                                            .peeks = {DLP_FIELD_id}};
    static const dlp__Stage create_stage = {
        .name = "cluster create", .function = create_members, .gathers = STATES, .peeks = {DLP_FIELD_id}};
    static const dlp__Stage list_stage = {.name = "cluster lists", .function = list_members};
    dlp__Domains *domains = clusters->domains;
    const bool any_leave = count_odd(domains, false) > 0;
    dlp__run(domains, &leave_stage, clusters);
    const bool any_fresh = assign_loose(clusters);
    const MemberUpdate update = {clusters, any_fresh, any_fresh || any_leave || may_tear(clusters)};
    if (dlp__step_is_ok(domains)) {
        dlp__require_memory(
            domains, dlp__bonds_begin_add(clusters->bonds, domains) && dlp__bond_lanes_begin(clusters->bonds, domains),
            "the members of clusters");
    }
    dlp__run(domains, &member_stage, &update);
    if (dlp__step_is_ok(domains)) {
        dlp__require_memory(domains, dlp__bond_lanes_layout(clusters->bonds, domains, 0), "the members of clusters");
    }
    dlp__run(domains, &list_stage, &update);
    if (dlp__step_is_ok(domains) && update.any_fresh) {
        dlp__require_memory(domains, dlp__bonds_reserve_added(clusters->bonds, domains), "new members of clusters");
        dlp__run(domains, &create_stage, &update);
    }
    clusters->bonds->unchanged = !update.may_leave;
}

void dlp__clusters_match(const dlp__Clusters *clusters)
{
    static const dlp__ClusterStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__cluster_stages);
    const dlp__ClusterStages *stages = versions[dlp__width_index(clusters->domains->width)];
    dlp__run(clusters->domains, &stages->frame, clusters);
    dlp__run(clusters->domains, &stages->pull, clusters);
}
