/* The loops over pairs for the pressure equation and the displacements by pressure; see mps_pressure.h. */
#include "methods/mps/mps_fields.h"
#include "methods/mps/mps_stages.h"

#include "methods/mps/mps_pairs.h"

/* Loss of particles whose pressure is zero in the paper's scheme, in n0. */
static const float DRY_LOSS = 1e6f;

/* The same of dense particles at a surface: a clump that is alone has a pressure too. */
static const float EDGE_LOSS = 0.01f;

/* Number density below which a particle is at the free surface in the paper's scheme, over n0. */
static const float SURFACE_DENSITY = 0.97f;

/* Relative density error that is not corrected: sums over a lattice and over the same number of particles at random differ as much. */
static const float DENSITY_SLACK = 0.02f;

/* Diagonal of the operator, over about that at rest, below which a particle has no pressure: almost nothing touches it, and the pressure
 * that undoes a small displacement would be without limit. */
static const float ALONE = 1e-4f;

/* Density, and the pressure equation in the Laplacian model: couplings a_ij = 6 / (lambda n0) w (v_i + v_j) / 2, losses b_i to the free
 * surface, and source s_i. */
static void equation(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide least = dlp__wide(plan->least), zero = dlp__wide(0.0f), one = dlp__wide(1.0f),
                    rest = dlp__wide((float)plan->rest.number_density),
                    per_rest = dlp__wide((float)(1.0 / plan->rest.number_density)),
                    half = dlp__wide(0.5f * plan->laplacian_model), factor = dlp__wide(plan->moment_factor);
    const float d = plan->spacing, closeness = (float)plan->rest.closeness;
    const dlp__Wide alone = dlp__wide(ALONE * closeness / (d * d));
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), from = dlp__own_rows(c->rows[1], i);
        dlp__Wide compression = dlp__wide_load(f->wall_compression[0] + i),
                  n = dlp__wide_load(f->wall_compression[1] + i), squares = zero;
        dlp__Wide sum[3] = {dlp__wide_load(f->wall_push[0] + i), dlp__wide_load(f->wall_push[1] + i),
                            dlp__wide_load(f->wall_push[2] + i)};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        float *weights = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, weights += DLP_GROUP) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at), old = dlp__pair(&lanes, k, c->rows[1], &from);
            dlp__Wide w = weight_at(&pair, plan->reach, least), square = w * per_square(&pair, least);
            n += w;
            squares += w * square * (at.w + pair.w);
            sum[0] += square * pair.x;
            sum[1] += square * pair.y;
            sum[2] += square * pair.z;
            compression += square * ((old.x - pair.x) * pair.x + (old.y - pair.y) * pair.y + (old.z - pair.z) * pair.z);
            dlp__wide_store(weights, dlp__wide_where(pair.there, half * w * (at.w + pair.w)));
        }
        dlp__Wide interior = dlp__wide_load(f->interior[0] + i), missing = dlp__wide_max(rest - n, zero), source, loss;
        if (plan->by_pressure) {
            dlp__Wide slack = dlp__wide(DENSITY_SLACK) * rest, error = n - rest + (one - interior) * missing;
            dlp__Wide dense = dlp__wide_max(error - slack, zero), thin = dlp__wide_min(error + slack, zero);
            dlp__Wide regularized = dlp__wide_load(f->regularization[0] + i);
            dlp__Wide recovered = dlp__wide(plan->recovered), more = dlp__wide_max(regularized - recovered, zero);
            source = dlp__wide(plan->moment_factor) * compression + per_rest * recovered * dense;
            dlp__wide_store(f->density_source[0] + i, per_rest * (more * dense + regularized * thin));
            loss = (one - interior) * missing;
        } else {
            dlp__WideMask dry = dlp__wide_less(n, dlp__wide(SURFACE_DENSITY) * rest);
            source = dlp__wide_select(dry, zero, dlp__wide(plan->recovered) * (n * per_rest - one));
            loss = rest * dlp__wide_select(dry, dlp__wide(DRY_LOSS), dlp__wide(EDGE_LOSS) * (one - interior));
        }
        dlp__wide_store(p->poisson_loss[0] + i, dlp__wide(plan->laplacian_model) * at.w * loss);
        dlp__Wide diagonal = factor * factor * (squares + at.w * (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]));
        dlp__WideMask touched = dlp__wide_less(factor * factor * at.w * alone, diagonal);
        dlp__wide_store(f->push_mobility[0] + i,
                        dlp__wide_where(touched, one / dlp__wide_max(diagonal, dlp__wide(1e-30f))));
        dlp__wide_store(p->poisson_source[0] + i, source);
        dlp__wide_store(p->density[0] + i, n * per_rest / at.w);
    }
}

/* Displacement by the pressure in row 0, over the time step squared: minus gradient over density. */
static void push(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide least = dlp__wide(plan->least);
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide sum[3];
        for (int n = 0; n < 3; n++) {
            sum[n] = at.w * dlp__wide_load(f->wall_push[n] + i);
        }
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide size = weight_at(&pair, plan->reach, least) * per_square(&pair, least) * (at.w + pair.w);
            sum[0] += size * pair.x;
            sum[1] += size * pair.y;
            sum[2] += size * pair.z;
        }
        dlp__Wide factor = dlp__wide(plan->moment_factor) * dlp__wide_load(p->specific_volume[0] + i);
        for (int n = 0; n < 3; n++) {
            dlp__wide_store(f->push[n] + i, factor * sum[n]);
        }
    }
}

/* Compressibility that is added to the operator, as a fraction of its diagonal: pressures that alternate between particles of a lattice
 * accelerate none of them, and rounding errors would excite them without limit. */
static const float SOFTNESS = 1e-6f;

/* Divergence of these displacements: the adjoint of `push`. */
static void divergence(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide least = dlp__wide(plan->least);
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        dlp__Wide sum = own.x * dlp__wide_load(f->wall_push[0] + i) + own.y * dlp__wide_load(f->wall_push[1] + i) +
                        own.z * dlp__wide_load(f->wall_push[2] + i);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
            dlp__Wide size = weight_at(&pair, plan->reach, least) * per_square(&pair, least);
            sum += size * ((own.x - other.x) * pair.x + (own.y - other.y) * pair.y + (own.z - other.z) * pair.z);
        }
        dlp__Wide mobility = dlp__wide_load(f->push_mobility[0] + i); /* 0: almost nothing touches the particle */
        dlp__Wide soft = dlp__wide_where(dlp__wide_less(dlp__wide(0.0f), mobility), dlp__wide(SOFTNESS) / mobility);
        dlp__wide_store(p->product[0] + i,
                        dlp__wide(plan->moment_factor) * sum + soft * dlp__wide_load(p->search[0] + i));
    }
}

/* Towards fewer neighbours (Fick's law), inside the fluid only. */
static void shift(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide least = dlp__wide(plan->least), half = dlp__wide(0.5f),
                    factor = dlp__wide(plan->moment_factor * plan->spacing * plan->spacing);
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide sum[3];
        for (int n = 0; n < 3; n++) {
            sum[n] = half * dlp__wide_load(f->wall_push[n] + i);
        }
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide square = weight_at(&pair, plan->reach, least) * per_square(&pair, least);
            sum[0] += square * pair.x;
            sum[1] += square * pair.y;
            sum[2] += square * pair.z;
        }
        dlp__Wide size = factor * dlp__wide_load(f->regularization[0] + i) * dlp__wide_load(f->interior[0] + i);
        for (int n = 0; n < 3; n++) {
            dlp__wide_store(f->shift[n] + i, dlp__wide_load(f->shift[n] + i) + size * sum[n]);
        }
    }
}

const dlp__MpsPressureStages DLP_WIDE(dlp__mps_pressure_stages) = {
    .equation = {.name = "mps pressure equation",
                 .function = equation,
                 .short_range = true,
                 .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_specific_volume),
                             DLP_ROW_VECTOR(DLP_FIELD_start)},
                 .reads = {OWN_interior, OWN_regularization, OWN_wall_compression, OWN_wall_push},
                 .writes = {OWN_push_mobility, OWN_density_source, DLP_FIELD_poisson_loss, DLP_FIELD_poisson_source,
                            DLP_FIELD_density},
                 .pair_weights = DLP_PAIRS_WRITTEN},
    .push = {.name = "mps pressure gradient",
             .function = push,
             .short_range = true,
             .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_search)},
             .reads = {DLP_FIELD_specific_volume, OWN_wall_push},
             .writes = {OWN_push}},
    .divergence = {.name = "mps pressure divergence",
                   .function = divergence,
                   .short_range = true,
                   .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position), DLP_ROW_VECTOR(OWN_push)},
                   .reads = {OWN_wall_push, OWN_push_mobility, DLP_FIELD_search},
                   .writes = {DLP_FIELD_product}},
    .shift = {.name = "mps shift",
              .function = shift,
              .short_range = true,
              .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
              .reads = {OWN_interior, OWN_regularization, OWN_wall_push},
              .writes = {OWN_shift}},
};
