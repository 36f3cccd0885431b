/* The loops of the gather form; its pair equations are in springs_pairs.h. */
#include "methods/springs/springs_stages.h"
#include "methods/springs/springs_fields.h"

#include "methods/springs/springs_pairs.h"

/* Largest fraction of the approach speed that one neighbour removes in a step: the impulses of all neighbours add up
 * and must not reverse the motion. */
static const float APPROACH_MOST = 0.5f;

static void viscosity(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), dt = dlp__wide(plan->dt), half_dt = dlp__wide(0.5f * plan->dt);
    const dlp__Wide beta_dt = dlp__wide(plan->beta * plan->dt), most = dlp__wide(APPROACH_MOST);
    const dlp__Wide least = dlp__wide(DLP_COINCIDENT * plan->support);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        VectorSums gain = {zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
            dlp__Wide per_r = per_distance(&pair, least);
            dlp__Wide separation = (own.x - other.x) * pair.x + (own.y - other.y) * pair.y + (own.z - other.z) * pair.z;
            dlp__Wide taken = impulse(closeness(&pair, plan->per_h), zero - separation * per_r,
                                      half_dt * (own.w + other.w), beta_dt, most);
            add_along(&gain, &pair, per_r, share_of(at.w, pair.w) * taken);
        }
        const dlp__Wide sum[3] = {gain.x, gain.y, gain.z};
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->velocity[a] + i, dlp__wide_load(p->velocity[a] + i) + sum[a]);
            dlp__wide_store(p->position[a] + i, dlp__wide_load(p->position[a] + i) + dt * sum[a]);
        }
    }
}

static void densities(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f);
    dlp__Particles *p = c->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        DensitySums sums = {dlp__wide_load(f->wall_density[0] + i), dlp__wide_load(f->wall_density[1] + i)};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            add_densities(&sums, closeness(&pair, plan->per_h));
        }
        dlp__Wide near = dlp__wide(plan->near) * sums.near;                          /* eq. 5 */
        dlp__Wide far = dlp__wide(plan->far) * (sums.far - dlp__wide(plan->target)); /* eq. 2 */
        dlp__Wide net = far + dlp__wide(plan->balance) * near;
        dlp__Wide pressed = dlp__wide_max(net, zero), pulled = dlp__wide_max(zero - net, zero);
        far += dlp__wide(plan->stiffening) * pressed + dlp__wide(plan->slack) * pulled;
        near += dlp__wide(plan->near_stiffening) * pressed;
        dlp__Wide filled = sums.far * dlp__wide(plan->per_density);
        dlp__Wide density = filled / dlp__wide_load(p->specific_volume[0] + i);
        dlp__wide_store(f->far_push[0] + i, far);
        dlp__wide_store(f->near_push[0] + i, near);
        dlp__wide_store(p->density[0] + i, density);
        dlp__wide_store(p->pressure[0] + i,
                        density * (dlp__wide(plan->far_pressure) * far + dlp__wide(plan->near_pressure) * near));
    }
}

DLP_INLINE void relax_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool same_density)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), least = dlp__wide(DLP_COINCIDENT * plan->support);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), from = dlp__own_rows(c->rows[1], i);
        dlp__Wide own = dlp__wide_load(p->specific_volume[0] + i);
        VectorSums move = {zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at), before = dlp__pair(&lanes, k, c->rows[1], &from);
            separate_coincident(&before, p, i, DLP_COINCIDENT * plan->support);
            dlp__Wide size = relaxation_move(closeness(&pair, plan->per_h), at.w + pair.w, from.w + before.w);
            dlp__Wide share = same_density ? dlp__wide(0.5f) : share_of(own, dlp__wide_rows(c->rows[2], pair.index).x);
            add_along(&move, &before, per_distance(&before, least), share * size);
        }
        const dlp__Wide place[3] = {at.x, at.y, at.z}, sum[3] = {move.x, move.y, move.z};
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->position[a] + i, place[a] + sum[a]);
            dlp__wide_store(p->correction[a] + i, dlp__wide_load(p->correction[a] + i) + sum[a]);
        }
    }
}

static void relax_same_density(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    relax_range(c, begin, end, true);
}

static void relax_mixed(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    relax_range(c, begin, end, false);
}

const dlp__SpringsStages DLP_WIDE(dlp__springs_stages) = {
    .viscosity = {.name = "springs viscosity",
                  .function = viscosity,
                  .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, DLP_FIELD_specific_volume),
                              DLP_ROW_VECTOR_SCALAR(DLP_FIELD_velocity, OWN_sigma)},
                  .writes = {DLP_FIELD_velocity, DLP_FIELD_position}},
    .densities = {.name = "springs density",
                  .function = densities,
                  .reads = {DLP_FIELD_specific_volume, OWN_wall_density},
                  .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
                  .writes = {OWN_far_push, OWN_near_push, DLP_FIELD_density, DLP_FIELD_pressure}},
    .relax = {.name = "springs relax",
              .function = relax_same_density,
              .reads = {DLP_FIELD_specific_volume},
              .peeks = {DLP_FIELD_id},
              .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_far_push),
                          DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, OWN_near_push)},
              .writes = {DLP_FIELD_position, DLP_FIELD_correction}},
    .relax_mixed = {.name = "springs relax",
                    .function = relax_mixed,
                    .reads = {DLP_FIELD_specific_volume},
                    .peeks = {DLP_FIELD_id},
                    .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_far_push),
                                DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, OWN_near_push),
                                {{DLP_PART(DLP_FIELD_specific_volume, 0), 0, 0, 0}}},
                    .writes = {DLP_FIELD_position, DLP_FIELD_correction}},
};
