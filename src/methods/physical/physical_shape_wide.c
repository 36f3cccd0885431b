/* Sums over positions, and the particle shift (Fick's law and density correction). */
#include "methods/physical/physical_loops.h"

/* Sums over neighbours that depend on positions alone. */
typedef struct ShapeSums {
    SymmetricMatrix moment;
    dlp__Wide value, gradient[3], square;
} ShapeSums;

DLP_INLINE void add_shape(ShapeSums *sums, const dlp__Wide g[3], dlp__Wide w, dlp__Wide value)
{
    const dlp__Wide tiny = dlp__wide(1e-30f);
    dlp__Wide per_w = dlp__wide(1.0f) / dlp__wide_max(w, tiny);
    sums->moment.xx += g[0] * g[0] * per_w;
    sums->moment.yy += g[1] * g[1] * per_w;
    sums->moment.zz += g[2] * g[2] * per_w;
    sums->moment.xy += g[0] * g[1] * per_w;
    sums->moment.xz += g[0] * g[2] * per_w;
    sums->moment.yz += g[1] * g[2] * per_w;
    sums->value += value;
    for (int a = 0; a < 3; a++) {
        sums->gradient[a] += g[a];
    }
    sums->square += g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
}

DLP_INLINE void shape_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), volume = dlp__wide(arguments->volume);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        ShapeSums sums = {{zero, zero, zero, zero, zero, zero}, zero, {zero, zero, zero}, zero};
        sums.value = volume * dlp__pair_value(kernel, zero, kind);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        float *vectors = dlp__pair_vectors(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, vectors += DLP_PAIR_STEP) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide slope = dlp__wide_where(pair.there, volume * dlp__pair_slope(kernel, pair.r, kind));
            const dlp__Wide g[3] = {slope * pair.x, slope * pair.y, slope * pair.z};
            dlp__Wide value = dlp__wide_where(pair.there, volume * dlp__pair_value(kernel, pair.r, kind));
            add_shape(&sums, g, zero - slope, value);
            dlp__pair_store_vectors(vectors, g[0], g[1], g[2]);
        }
        lanes = dlp__lanes(&c->mirror->list, i);
        const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
        for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
            Image image = image_at(parts);
            dlp__Wide size = dlp__wide_sqrt(image.g[0] * image.g[0] + image.g[1] * image.g[1] +
                                            image.g[2] * image.g[2]);
            dlp__WideMask there = dlp__wide_less(zero, image.w);
            dlp__Wide r = size / dlp__wide_max(image.w, dlp__wide(1e-30f));
            add_shape(&sums, image.g, image.w, dlp__wide_where(there, volume * dlp__pair_value(kernel, r, kind)));
        }
        SymmetricMatrix correction = invert(&sums.moment);
        store_symmetric(p->correction_matrix, i, &correction);
        /* Shift: along the kernel-sum gradient (Fick), and to correct density. */
        dlp__Wide filled = sums.value * dlp__wide(arguments->per_rest), depth = depth_of(&correction);
        dlp__Wide fluid = dlp__wide_min(dlp__wide(20.0f) * (one - dlp__wide_load(f->retention[0] + i)), one);
        dlp__Wide error = filled - one;
        error = dlp__wide_max(error, zero) + depth * fluid * dlp__wide_min(error, zero);
        dlp__Wide own = zero;
        for (int a = 0; a < 3; a++) {
            own += sums.gradient[a] * sums.gradient[a];
            dlp__wide_store(p->correction[a] + i, zero - dlp__wide(arguments->fick) * depth * sums.gradient[a]);
        }
        dlp__Wide stiff = own + sums.square + dlp__wide(arguments->softness);
        dlp__wide_store(f->density_shift[0] + i, dlp__wide(arguments->density_rate) * error / stiff);
        dlp__wide_store(p->density[0] + i, filled / dlp__wide_load(p->specific_volume[0] + i));
    }
}

static void shape(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, shape_range, c, begin, end)
}

/* 1 where strain relaxes within about twenty steps or grows faster than that, 0 for a solid. */
DLP_INLINE dlp__Wide fluidity(const dlp__Wide gradient[9], dlp__Wide retention, dlp__Wide dt)
{
    const dlp__Wide one = dlp__wide(1.0f);
    dlp__Wide lost = one - retention, relaxes = dlp__wide_min(dlp__wide(1e3f) * lost, one);
    return dlp__wide_min(dlp__wide(20.0f) * (lost + relaxes * dt * strain_rate(gradient)), one);
}

static void shift(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide farthest = dlp__wide(0.05f * arguments->kernel.support);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide move[3], gradient[9], own = dlp__own_rows(c->rows[0], i).x;
        for (int n = 0; n < 9; n++) {
            gradient[n] = dlp__wide_load(p->velocity_gradient[n] + i);
        }
        dlp__Wide fluid_part = fluidity(gradient, dlp__wide_load(f->retention[0] + i), dlp__wide(arguments->dt));
        for (int a = 0; a < 3; a++) {
            move[a] = fluid_part * dlp__wide_load(p->correction[a] + i);
        }
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        const float *vectors = dlp__pair_vectors(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, vectors += DLP_PAIR_STEP) {
            dlp__Wide both = own + dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP).x;
            for (int a = 0; a < 3; a++) {
                move[a] -= both * dlp__wide_load(vectors + a * DLP_GROUP);
            }
        }
        lanes = dlp__lanes(&c->mirror->list, i);
        const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
        for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
            dlp__Wide both = own + dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP).x;
            for (int a = 0; a < 3; a++) {
                move[a] -= both * dlp__image_part(parts, DLP_IMAGE_GRADIENT + a);
            }
        }
        dlp__Wide size = dlp__wide_sqrt(move[0] * move[0] + move[1] * move[1] + move[2] * move[2]);
        dlp__Wide part = farthest / dlp__wide_max(size, farthest);
        for (int a = 0; a < 3; a++) {
            move[a] = move[a] * part;
            dlp__wide_store(p->correction[a] + i, move[a]);
        }
        dlp__Wide limited = second_order_limit(gradient, dlp__wide(arguments->dt));
        for (int a = 0; a < 3; a++) {
            dlp__Wide gain = gradient[3 * a] * move[0] + gradient[3 * a + 1] * move[1] + gradient[3 * a + 2] * move[2];
            dlp__wide_store(p->change[a] + i, limited * gain);
        }
    }
}

const dlp__PhysicalShapeStages DLP_WIDE(dlp__physical_shape_stages) = {
    .shape = {.name = "physical shape",
              .function = shape,
              .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
              .reads = {DLP_FIELD_specific_volume, OWN_retention},
              .writes = {DLP_FIELD_correction_matrix, DLP_FIELD_correction, OWN_density_shift, DLP_FIELD_density},
              .pair_vectors = DLP_PAIRS_WRITTEN},
    .shift = {.name = "physical shift",
              .function = shift,
              .gathers = {DLP_ROW_SCALAR(OWN_density_shift)},
              .reads = {DLP_FIELD_velocity_gradient, OWN_retention},
              .writes = {DLP_FIELD_correction, DLP_FIELD_change},
              .pair_vectors = DLP_PAIRS_READ},
};
