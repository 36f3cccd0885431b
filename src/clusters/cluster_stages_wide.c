/* The loops of shape matching; its equations are in cluster_pairs.h. A particle weighs one over the number of its clusters in each of
 * them, so that their goals conserve momentum (Rivers and James 2007, sect. 4.1). */
#include "clusters/cluster_stages.h"

#include "clusters/cluster_pairs.h"
#include "clusters/nearest_rotation.h"

DLP_INLINE ClusterSums sum_members(const dlp__StageContext *c, const dlp__NeighborList *members, int64_t i)
{
    const dlp__Wide zero = dlp__wide(0.0f);
    const dlp__WideRow at = dlp__own_rows(c->rows[0], i), from = dlp__own_rows(c->rows[1], i);
    const dlp__Lanes lanes = dlp__lanes(members, i);
    ClusterSums sums = {.weight = at.w, .r = {zero, zero, zero}, .s = {zero, zero, zero}};
    for (int n = 0; n < 9; n++) {
        sums.moment[n / 3][n % 3] = zero;
    }
    for (int32_t k = 0; k < lanes.longest; k++) {
        const dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        const dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
        add_member(&sums, dlp__wide_where(pair.there, pair.w), (Vector){zero - pair.x, zero - pair.y, zero - pair.z},
                   (Vector){other.x - from.x, other.y - from.y, other.z - from.z});
    }
    center_moments(&sums);
    return sums;
}

/* Clusters whose rotation Newton's method did not find, because they are inverted or were joined out of place. */
DLP_INLINE void find_failed_rotations(const dlp__StageContext *c, const ClusterSums *sums, unsigned failed, int64_t i)
{
    float *const *rotation = c->particles->rotation;
    float lanes[9][DLP_WIDTH];
    for (int n = 0; n < 9 && failed != 0; n++) {
        dlp__wide_store(lanes[n], sums->moment[n / 3][n % 3]);
    }
    for (int lane = 0; lane < DLP_WIDTH && failed != 0; lane++) {
        double moment[9];
        for (int n = 0; n < 9; n++) {
            moment[n] = (double)lanes[n][lane];
        }
        if ((failed >> lane & 1u) != 0) {
            const dlp__NearestRotation nearest = dlp__nearest_rotation(moment);
            for (int n = 0; n < 4; n++) {
                rotation[n][i + lane] = (float)nearest.quaternion[n];
            }
        }
    }
}

DLP_INLINE Quaternion rotation_of(const dlp__Particles *p, int64_t i)
{
    return (Quaternion){dlp__wide_load(p->rotation[0] + i), dlp__wide_load(p->rotation[1] + i),
                        dlp__wide_load(p->rotation[2] + i), dlp__wide_load(p->rotation[3] + i)};
}

static void frame(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__Clusters *clusters = c->arguments;
    const dlp__NeighborList *members = &clusters->bonds->part[c->part].lanes.list;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        ClusterSums sums = sum_members(c, members, i);
        dlp__WideMask failed;
        const Quaternion found = find_rotation(rotation_of(p, i), sums.moment, &failed);
        dlp__wide_store(p->rotation[0] + i, found.w);
        dlp__wide_store(p->rotation[1] + i, found.x);
        dlp__wide_store(p->rotation[2] + i, found.y);
        dlp__wide_store(p->rotation[3] + i, found.z);
        find_failed_rotations(c, &sums, dlp__wide_bits(failed), i);
        const Vector offset = minus(sums.r, rotate(rotation_of(p, i), sums.s));
        dlp__wide_store(p->cluster_offset[0] + i, offset.x);
        dlp__wide_store(p->cluster_offset[1] + i, offset.y);
        dlp__wide_store(p->cluster_offset[2] + i, offset.z);
    }
}

/* Eq. 7: the goal of particle i in cluster j, from its position, is x_j - x_i + R_j (s_i - s_j) + offset_j. */
static void pull(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__Clusters *clusters = c->arguments;
    const dlp__NeighborList *members = &clusters->bonds->part[c->part].lanes.list;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        const dlp__WideRow at = dlp__own_rows(c->rows[0], i), from = dlp__own_rows(c->rows[1], i),
                           own = dlp__own_rows(c->rows[3], i);
        const dlp__Lanes lanes = dlp__lanes(members, i);
        Vector sum = times(own.y, (Vector){at.w, from.w, own.x});
        for (int32_t k = 0; k < lanes.longest; k++) {
            const dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            const dlp__WideRow place = dlp__wide_rows(c->rows[1], pair.index),
                               rotation = dlp__wide_rows(c->rows[2], pair.index),
                               other = dlp__wide_rows(c->rows[3], pair.index);
            const Vector s = {from.x - place.x, from.y - place.y, from.z - place.z};
            const Vector way = minus(rotate((Quaternion){rotation.x, rotation.y, rotation.z, rotation.w}, s),
                                     (Vector){pair.x, pair.y, pair.z});
            sum = plus(sum, times(dlp__wide_where(pair.there, other.y), plus(way, (Vector){pair.w, place.w, other.x})));
        }
        const dlp__Wide share = dlp__wide_load(p->cluster_share[0] + i);
        const Vector pulled = times(share, sum);
        dlp__wide_store(p->cluster_pull[0] + i, pulled.x);
        dlp__wide_store(p->cluster_pull[1] + i, pulled.y);
        dlp__wide_store(p->cluster_pull[2] + i, pulled.z);
    }
}

/* clang-format off */
const dlp__ClusterStages DLP_WIDE(dlp__cluster_stages) = {
    .frame = {.name = "cluster frames",
              .function = frame,
              .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_cluster_share),
                          DLP_ROW_VECTOR(DLP_FIELD_reference)},
              .writes = {DLP_FIELD_rotation, DLP_FIELD_cluster_offset}},
    .pull = {.name = "cluster pulls",
             .function = pull,
             .gathers = {{{DLP_PART(DLP_FIELD_position, 0), DLP_PART(DLP_FIELD_position, 1), DLP_PART(DLP_FIELD_position, 2),
                           DLP_PART(DLP_FIELD_cluster_offset, 0)}},
                         {{DLP_PART(DLP_FIELD_reference, 0), DLP_PART(DLP_FIELD_reference, 1), DLP_PART(DLP_FIELD_reference, 2),
                           DLP_PART(DLP_FIELD_cluster_offset, 1)}},
                         DLP_ROW_FOUR(DLP_FIELD_rotation, 0),
                         {{DLP_PART(DLP_FIELD_cluster_offset, 2), DLP_PART(DLP_FIELD_cluster_stiffness, 0), 0, 0}}},
             .reads = {DLP_FIELD_cluster_share},
             .writes = {DLP_FIELD_cluster_pull}},
};
/* clang-format on */
