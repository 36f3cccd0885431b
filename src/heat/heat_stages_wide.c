/* The pair loops of heat. */
#include "heat/heat_stages.h"

#include "heat/heat.h"
#include "sph/kernel_pairs.h"
#include "stages/pair_loop.h"

/* upper limit of z, for particles with so few neighbours that they hardly conduct */
static const float MAX_NORMALIZATION = 3.0f;

/* Sums over neighbours that depend on positions only. */
typedef struct ShapeSums {
    dlp__Wide moment, gradient[3];
} ShapeSums;

DLP_INLINE ShapeSums shape_at(const dlp__StageContext *c, int64_t i, dlp_KernelKind kind)
{
    const dlp__HeatArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    dlp__WideRow at = dlp__own_rows(c->rows[0], i);
    ShapeSums sums = {zero, {zero, zero, zero}};
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    float *weights = dlp__pair_weights(c, i);
    for (int32_t k = 0; k < lanes.longest; k++, weights += DLP_GROUP) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        dlp__Wide slope = dlp__wide_where(pair.there, volume * dlp__pair_slope(&arguments->kernel, pair.r, kind));
        sums.moment -= slope * pair.r * pair.r;
        sums.gradient[0] += slope * pair.x;
        sums.gradient[1] += slope * pair.y;
        sums.gradient[2] += slope * pair.z;
        dlp__wide_store(weights, zero - slope);
    }
    return sums;
}

DLP_INLINE void shape_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__HeatArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), three = dlp__wide(3.0f), least = dlp__wide(3.0f / MAX_NORMALIZATION);
    float *const *conduction = c->particles->conduction;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        ShapeSums sums = shape_at(c, i, kind);
        dlp__Wide moment = sums.moment + dlp__wide_load(conduction[DLP_HEAT_NORMALIZATION] + i), square = zero;
        for (int a = 0; a < 3; a++) {
            dlp__Wide part = sums.gradient[a] + dlp__wide_load(conduction[DLP_HEAT_SURFACE + a] + i);
            square += part * part;
        }
        dlp__Wide beyond = dlp__wide_max(dlp__wide_sqrt(square) - dlp__wide(arguments->noise), zero);
        dlp__wide_store(conduction[DLP_HEAT_NORMALIZATION] + i, three / dlp__wide_max(moment, least));
        dlp__wide_store(conduction[DLP_HEAT_SURFACE] + i, dlp__wide(arguments->area) * beyond);
    }
}

static void shape(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__HeatArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, shape_range, c, begin, end)
}

/* The harmonic mean, or 0 if neither conducts. */
DLP_INLINE dlp__Wide conductivity_of(dlp__Wide a, dlp__Wide b)
{
    return dlp__wide(2.0f) * a * b / dlp__wide_max(a + b, dlp__wide(1e-30f));
}

static void compute_conductances(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    float *const *conduction = c->particles->conduction;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow own = dlp__own_rows(c->rows[0], i);
        dlp__Wide sum = dlp__wide(0.0f);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        float *weights = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, weights += DLP_GROUP) {
            dlp__WideRow other = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP);
            dlp__Wide weight = dlp__wide_load(weights) * (own.y + other.y) * conductivity_of(own.x, other.x);
            weight = dlp__wide_min(weight, dlp__wide_min(own.z, other.z));
            dlp__wide_store(weights, weight);
            sum += weight;
        }
        dlp__wide_store(conduction[DLP_HEAT_NEIGHBOR_CONDUCTANCE] + i, sum);
    }
}

static void conduct(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide own = dlp__own_rows(c->rows[0], i).x, sum = dlp__wide(0.0f);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        const float *weights = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, weights += DLP_GROUP) {
            dlp__Wide other = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP).x;
            sum += dlp__wide_load(weights) * (own - other);
        }
        dlp__wide_store(c->particles->product[0] + i, sum);
    }
}

const dlp__HeatStages DLP_WIDE(dlp__heat_stages) = {
    .shape = {.name = "heat shape",
              .function = shape,
              .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
              .writes = {DLP_FIELD_conduction},
              .pair_weights = DLP_PAIRS_WRITTEN},
    .compute_conductances = {.name = "heat conductances",
                             .function = compute_conductances,
                             .gathers = {{{DLP_PART(DLP_FIELD_conduction, DLP_HEAT_CONDUCTIVITY),
                                           DLP_PART(DLP_FIELD_conduction, DLP_HEAT_NORMALIZATION),
                                           DLP_PART(DLP_FIELD_conduction, DLP_HEAT_PAIR_LIMIT), 0}}},
                             .writes = {DLP_FIELD_conduction},
                             .pair_weights = DLP_PAIRS_WRITTEN},
    .conduct = {.name = "heat conduct",
                .function = conduct,
                .gathers = {{{DLP_PART(DLP_FIELD_temperature, 0), 0, 0, 0}}},
                .writes = {DLP_FIELD_product},
                .pair_weights = DLP_PAIRS_READ},
    .search = {.name = "heat search",
               .function = conduct,
               .gathers = {{{DLP_PART(DLP_FIELD_search, 0), 0, 0, 0}}},
               .writes = {DLP_FIELD_product},
               .pair_weights = DLP_PAIRS_READ},
};
