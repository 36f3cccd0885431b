/* The loops of heat over pairs. */
#include "heat/heat_stages.h"

#include "heat/heat.h"
#include "sph/kernel_pairs.h"
#include "stages/pair_loop.h"

/* z of particles with so few neighbours that they hardly conduct. */
static const float MOST_EVENING = 3.0f;

/* Sums over neighbours that depend on places alone. */
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
    const dlp__Wide zero = dlp__wide(0.0f), three = dlp__wide(3.0f), least = dlp__wide(3.0f / MOST_EVENING);
    float *const *conduction = c->particles->conduction;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        ShapeSums sums = shape_at(c, i, kind);
        dlp__Wide moment = sums.moment + dlp__wide_load(conduction[DLP_HEAT_EVENING] + i), square = zero;
        for (int a = 0; a < 3; a++) {
            dlp__Wide part = sums.gradient[a] + dlp__wide_load(conduction[DLP_HEAT_SURFACE + a] + i);
            square += part * part;
        }
        dlp__Wide beyond = dlp__wide_max(dlp__wide_sqrt(square) - dlp__wide(arguments->noise), zero);
        dlp__wide_store(conduction[DLP_HEAT_EVENING] + i, three / dlp__wide_max(moment, least));
        dlp__wide_store(conduction[DLP_HEAT_SURFACE] + i, dlp__wide(arguments->area) * beyond);
    }
}

static void shape(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__HeatArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, shape_range, c, begin, end)
}

/* The harmonic mean, or 0 where neither conducts. */
DLP_INLINE dlp__Wide conductivity_of(dlp__Wide a, dlp__Wide b)
{
    return dlp__wide(2.0f) * a * b / dlp__wide_max(a + b, dlp__wide(1e-30f));
}

static void weigh(const dlp__StageContext *c, int64_t begin, int64_t end)
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
        dlp__wide_store(conduction[DLP_HEAT_SUM] + i, sum);
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
              .gathers = {DLP_ROW_VECTOR(position)},
              .writes = DLP_FIELD_BIT(conduction),
              .pairs = DLP_PAIRS_LEFT},
    .weigh = {.name = "heat weigh",
              .function = weigh,
              .gathers = {{{DLP_PART(conduction, DLP_HEAT_CONDUCTIVITY), DLP_PART(conduction, DLP_HEAT_EVENING),
                            DLP_PART(conduction, DLP_HEAT_BEARABLE), 0}}},
              .writes = DLP_FIELD_BIT(conduction),
              .pairs = DLP_PAIRS_TAKEN},
    .conduct = {.name = "heat conduct",
                .function = conduct,
                .gathers = {{{DLP_PART(temperature, 0), 0, 0, 0}}},
                .writes = DLP_FIELD_BIT(product),
                .pairs = DLP_PAIRS_TAKEN},
    .search = {.name = "heat search",
               .function = conduct,
               .gathers = {{{DLP_PART(search, 0), 0, 0, 0}}},
               .writes = DLP_FIELD_BIT(product),
               .pairs = DLP_PAIRS_TAKEN},
};
