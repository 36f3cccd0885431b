/* The loops of the physical solver; its equations stand in physical_pairs.h. */
#include "methods/conformation/physical_stages.h"

#include "materials/maxwell.h"
#include "methods/conformation/conformation_pairs.h"
#include "methods/conformation/physical_pairs.h"

/* dlp__MaxwellFlow of particles i, i + 1, ..., and how far the stress in a step is that of its end: the weights of the new
 * and the last change of stress are (1 - k/2)^2 and k^2/4, which for an elastic solid (k = 1) is the trapezoidal rule, and
 * for a Newtonian fluid (k = 0) implicit Euler. */
typedef struct Flow {
    dlp__Wide retention, viscosity, modulus, spread, spread_square, limit, solvent;
    dlp__Wide late;  /* 1 - k: what the weights differ by */
    dlp__Wide fresh; /* (1 - k/2)^2                      */
} Flow;

DLP_INLINE Flow flow_at(const dlp__Particles *p, int64_t i)
{
    return (Flow){.retention = dlp__wide_load(p->maxwell[0] + i),
                  .viscosity = dlp__wide_load(p->maxwell[1] + i),
                  .modulus = dlp__wide_load(p->maxwell[2] + i),
                  .spread = dlp__wide_load(p->maxwell[3] + i),
                  .spread_square = dlp__wide_load(p->maxwell[4] + i),
                  .limit = dlp__wide_load(p->maxwell[5] + i),
                  .solvent = dlp__wide_load(p->maxwell[6] + i),
                  .late = dlp__wide_load(p->maxwell[DLP_MAXWELL_PARTS] + i),
                  .fresh = dlp__wide_load(p->maxwell[DLP_MAXWELL_PARTS + 1] + i)};
}

/* Square of the spacings that an elastic wave crosses in a step. */
DLP_INLINE dlp__Wide wave_of(const dlp__Particles *p, int64_t i, const dlp__PhysicalArguments *arguments,
                             dlp__Wide modulus)
{
    const float per_step = arguments->dt * arguments->per_spacing;
    return dlp__wide(per_step * per_step) * modulus * dlp__wide_load(p->specific_volume[0] + i);
}

/* The weights of a step in which the body is strained by `strain`. Waves that cross many spacings in a step cannot be
 * followed, nor can a body that is strained much in one: both are damped. Fresh stress counts a little more than k says, or
 * strain that changes its sign from step to step would grow. */
DLP_INLINE void weigh_stress(Flow *flow, const dlp__Particles *p, int64_t i, const dlp__PhysicalArguments *arguments,
                             dlp__Wide strain)
{
    const dlp__Wide one = dlp__wide(1.0f), two = dlp__wide(2.0f);
    dlp__Wide wave = wave_of(p, i, arguments, flow->modulus);
    dlp__Wide fast = dlp__wide_max(wave / (wave + dlp__wide(10.0f)), strain / (strain + one));
    dlp__Wide damping = dlp__wide_max(dlp__wide(arguments->damping), fast);
    dlp__Wide kept = flow->retention * (one - damping), half = one - dlp__wide(0.5f) * kept;
    flow->late = one - kept;
    dlp__Wide least = (one + two * flow->retention * flow->late) / (two * (one + flow->retention));
    flow->fresh = dlp__wide_max(half * half, least);
    dlp__wide_store(p->maxwell[DLP_MAXWELL_PARTS] + i, flow->late);
    dlp__wide_store(p->maxwell[DLP_MAXWELL_PARTS + 1] + i, flow->fresh);
}

/* Free surfaces: 1 inside the fluid, 0 where the neighbourhood is so one-sided that density says nothing of crowding. */
DLP_INLINE dlp__Wide depth_of(const SymmetricMatrix *k)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    dlp__Wide mean = mean_diagonal(k->xx, k->yy, k->zz);
    dlp__Wide depth = dlp__wide_min(dlp__wide_max((dlp__wide(1.1f) - mean) * dlp__wide(20.0f), zero), one);
    return dlp__wide_where(dlp__wide_less(zero, mean), depth);
}

/* Sums over neighbours that depend on places alone. */
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
            dlp__pair_leave(vectors, g[0], g[1], g[2]);
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
        /* Shift: evenly (Fick), and out of the crowd. */
        dlp__Wide filled = sums.value * dlp__wide(arguments->per_rest), depth = depth_of(&correction);
        dlp__Wide fluid = dlp__wide_min(dlp__wide(20.0f) * (one - dlp__wide_load(p->maxwell[0] + i)), one);
        dlp__Wide error = filled - one;
        error = dlp__wide_max(error, zero) + depth * fluid * dlp__wide_min(error, zero);
        dlp__Wide own = zero;
        for (int a = 0; a < 3; a++) {
            own += sums.gradient[a] * sums.gradient[a];
            dlp__wide_store(p->correction[a] + i, zero - dlp__wide(arguments->fick) * depth * sums.gradient[a]);
        }
        dlp__Wide stiff = own + sums.square + dlp__wide(arguments->softness);
        dlp__wide_store(p->crowding[0] + i, dlp__wide(arguments->crowd) * error / stiff);
        dlp__wide_store(p->density[0] + i, filled / dlp__wide_load(p->specific_volume[0] + i));
    }
}

static void shape(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, shape_range, c, begin, end)
}

/* The gradients of the field in the first row; `about` tells whether images have their wall's velocity, or 0 (the field is
 * then a change of velocity). */
DLP_INLINE RateSums rates_at(const dlp__StageContext *c, int64_t i, bool about)
{
    RateSums sums = no_rates();
    dlp__WideRow own = dlp__own_rows(c->rows[0], i);
    add_pair_gradients(c, i, sums.viscous);
    dlp__Lanes lanes = dlp__lanes(&c->mirror->list, i);
    const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        Image image = image_at(parts);
        dlp__WideRow other = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP);
        dlp__Wide here[3] = {own.x, own.y, own.z}, source[3] = {other.x, other.y, other.z};
        for (int a = 0; a < 3 && about; a++) {
            dlp__Wide wall = dlp__image_part(parts, DLP_IMAGE_VELOCITY + a);
            here[a] -= wall;
            source[a] -= wall;
        }
        add_image_rate(&sums, &image, here, source);
    }
    return sums;
}

/* tr L as the divergence sees it. */
DLP_INLINE dlp__Wide divergence_of(const RateSums *sums, const SymmetricMatrix *correction)
{
    dlp__Wide all[9];
    for (int n = 0; n < 9; n++) {
        all[n] = sums->viscous[n] + sums->other[n];
    }
    return trace_with(all, correction);
}

DLP_INLINE void multiply(const dlp__Wide a[9], const dlp__Wide b[9], dlp__Wide to[9])
{
    for (int n = 0; n < 9; n++) {
        const dlp__Wide *row = a + n / 3 * 3, *column = b + n % 3;
        to[n] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
    }
}

DLP_INLINE SymmetricMatrix weighted(const SymmetricMatrix *a, dlp__Wide x, const SymmetricMatrix *b, dlp__Wide y)
{
    SymmetricMatrix left = scaled(a, x), right = scaled(b, y);
    return sum_of(&left, &right);
}

DLP_INLINE void store_flux(dlp__Particles *p, int64_t i, const dlp__Wide flux[9], const SymmetricMatrix *squeeze)
{
    for (int n = 0; n < 9; n++) {
        dlp__wide_store(p->flux[n] + i, flux[n]);
    }
    store_symmetric(p->squeeze, i, squeeze);
}

/* Terms of second order in dt L are right only while dt L is small: beyond 1 they are held back. */
DLP_INLINE dlp__Wide held_back(const dlp__Wide gradient[9], dlp__Wide dt)
{
    dlp__Wide square = dlp__wide(0.0f);
    for (int n = 0; n < 9; n++) {
        square += gradient[n] * gradient[n];
    }
    return dlp__wide(1.0f) / dlp__wide_max(dt * dlp__wide_sqrt(square), dlp__wide(1.0f));
}

/* |L + L^T| */
DLP_INLINE dlp__Wide strain_rate(const dlp__Wide gradient[9])
{
    SymmetricMatrix d = twice_symmetric(gradient);
    dlp__Wide across = d.xy * d.xy + d.xz * d.xz + d.yz * d.yz;
    return dlp__wide_sqrt(d.xx * d.xx + d.yy * d.yy + d.zz * d.zz + across + across);
}

/* The stress of a step if the rate of strain L stays: with D of the step before (seen in its middle) and D of this one,
 *     s + late (change of s at that rate) + fresh (1 - e) 2 eta (D - D before),
 * and the solvent's 2 eta D. */
DLP_INLINE SymmetricMatrix stress_of(const Flow *flow, const SymmetricMatrix *q, const dlp__Wide gradient[9],
                                     const SymmetricMatrix *square, dlp__Wide convecting, dlp__Wide dt)
{
    const dlp__Wide one = dlp__wide(1.0f), half = dlp__wide(0.5f) * dt;
    SymmetricMatrix doubled = twice_symmetric(gradient);
    SymmetricMatrix before = weighted(&doubled, one, square, half);
    dlp__Wide carried[9];
    for (int n = 0; n < 9; n++) {
        carried[n] = gradient[n];
    }
    multiply_by_symmetric(carried, q); /* L (Q - I) */
    SymmetricMatrix convected = twice_symmetric(carried);
    SymmetricMatrix gain = weighted(&convected, flow->retention * flow->modulus * convecting, &before, flow->viscosity);
    SymmetricMatrix change = weighted(&gain, flow->late, square, dlp__wide(-1.0f) * dt * flow->fresh * flow->viscosity);
    dlp__Wide kept = flow->modulus * (one - flow->late * (one - flow->retention));
    SymmetricMatrix solvent = weighted(&doubled, flow->solvent, square, dlp__wide(-1.0f) * half * flow->solvent);
    change = sum_of(&change, &solvent);
    return weighted(q, kept, &change, one);
}

static void rates(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide dt = dlp__wide(arguments->dt), half = dlp__wide(0.5f);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(p->conformation, i);
        Flow flow = flow_at(p, i);
        RateSums sums = rates_at(c, i, true);
        dlp__Wide divergence = divergence_of(&sums, &correction), square[9], flux[9];
        multiply_by_symmetric(sums.viscous, &correction);
        weigh_stress(&flow, p, i, arguments, dt * strain_rate(sums.viscous));
        dlp__Wide tame = held_back(sums.viscous, dt);
        multiply(sums.viscous, sums.viscous, square);
        for (int n = 0; n < 9; n++) {
            square[n] = square[n] * tame;
        }
        SymmetricMatrix twice_square = twice_symmetric(square);
        SymmetricMatrix stress = stress_of(&flow, &q, sums.viscous, &twice_square, dt * tame, dt);
        /* Volume is kept by det(I + dt L) = 1. */
        dlp__Wide swelling = half * dt * (square[0] + square[4] + square[8]);
        dlp__Wide bulk = dlp__wide(arguments->bulk) * (flow.fresh * flow.viscosity + flow.solvent) +
                         dlp__wide(arguments->bulk_more) * (dlp__wide(0.2f) + dlp__wide(0.8f) * depth_of(&correction)) /
                             dlp__wide_load(p->specific_volume[0] + i);
        dlp__Wide pressure = dlp__wide_load(p->pressure[0] + i) - bulk * (divergence - swelling);
        SymmetricMatrix squeeze = scaled(&correction, dlp__wide(-1.0f) * dt * pressure);
        dlp__Wide uneven = evening(&correction) * dt * (flow.late * flow.viscosity + flow.solvent);
        stress = scaled(&stress, dt);
        times_matrix(&stress, &correction, flux);
        const dlp__Wide press[9] = {squeeze.xx, squeeze.xy, squeeze.xz, squeeze.xy, squeeze.yy,
                                    squeeze.yz, squeeze.xz, squeeze.yz, squeeze.zz};
        for (int n = 0; n < 9; n++) {
            flux[n] += press[n] - uneven * sums.viscous[n];
        }
        store_flux(p, i, flux, &squeeze);
        dlp__wide_store(p->unevenness[0] + i, uneven);
        dlp__wide_store(p->bulk[0] + i, bulk);
        dlp__wide_store(p->swelling[0] + i, swelling);
    }
}

DLP_INLINE void weigh_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide volume = dlp__wide(-1.0f * arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        float *weights = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, weights += DLP_GROUP) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide weight = volume * dlp__pair_slope(&arguments->kernel, pair.r, kind) * (at.w + pair.w);
            dlp__wide_store(weights, dlp__wide_where(pair.there, weight));
        }
    }
}

static void weigh(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, weigh_range, c, begin, end)
}

/* The diagonal of the operator, roughly: what of a particle's own motion its neighbours and itself resist. */
static void diagonal(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide one = dlp__wide(1.0f), zero = dlp__wide(0.0f), two = dlp__wide(2.0f);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow own = dlp__own_rows(c->rows[0], i);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        dlp__Wide sum = one / dlp__wide_load(p->specific_volume[0] + i);
        const float *vectors = dlp__pair_vectors(c, i), *weights = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, vectors += DLP_PAIR_STEP, weights += DLP_GROUP) {
            dlp__WideRow other = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP);
            dlp__Wide x = dlp__wide_load(vectors), y = dlp__wide_load(vectors + DLP_GROUP),
                      z = dlp__wide_load(vectors + 2 * DLP_GROUP);
            dlp__Wide stiff = dlp__wide(arguments->dt) * (own.y + other.y) + two * (own.x + other.x);
            sum += dlp__wide_load(weights) + stiff * (x * x + y * y + z * z);
        }
        dlp__Wide free = dlp__wide_load(p->mobility[0] + i); /* 0 where velocity is given */
        dlp__wide_store(p->mobility[0] + i, dlp__wide_where(dlp__wide_less(zero, free), one / sum));
    }
}

/* f of particles i, i + 1, ... by the fluxes and the field in the rows: 0 to 3, 4 to 7, 8 and the field; with walls also
 * the squeeze, and unevenness. */
DLP_INLINE void force_at(const dlp__StageContext *c, int64_t i, bool walls, bool about, dlp__Wide force[3])
{
    dlp__WideRow a = dlp__own_rows(c->rows[0], i), b = dlp__own_rows(c->rows[1], i), d = dlp__own_rows(c->rows[2], i);
    const dlp__Wide own[9] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, d.x};
    force[0] = force[1] = force[2] = dlp__wide(0.0f);
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    const float *vectors = dlp__pair_vectors(c, i), *weights = dlp__pair_weights(c, i);
    for (int32_t k = 0; k < lanes.longest; k++, vectors += DLP_PAIR_STEP, weights += DLP_GROUP) {
        const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
        dlp__WideRow s = dlp__wide_rows(c->rows[0], index), t = dlp__wide_rows(c->rows[1], index),
                     r = dlp__wide_rows(c->rows[2], index);
        const dlp__Wide flux[9] = {own[0] + s.x, own[1] + s.y, own[2] + s.z, own[3] + s.w, own[4] + t.x,
                                   own[5] + t.y, own[6] + t.z, own[7] + t.w, own[8] + r.x};
        const dlp__Wide g[3] = {dlp__wide_load(vectors), dlp__wide_load(vectors + DLP_GROUP),
                                dlp__wide_load(vectors + 2 * DLP_GROUP)};
        dlp__Wide weight = dlp__wide_load(weights);
        take_product(force, flux, g);
        force[0] += weight * (d.y - r.y);
        force[1] += weight * (d.z - r.z);
        force[2] += weight * (d.w - r.w);
    }
    lanes = dlp__lanes(&c->mirror->list, i);
    if (!walls || lanes.longest == 0) {
        return;
    }
    const float *parts = dlp__images(c, i);
    const dlp__Wide own_z = dlp__own_rows(c->rows[4], i).z;
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
        Image image = image_at(parts);
        dlp__WideRow s = dlp__wide_rows(c->rows[0], index), t = dlp__wide_rows(c->rows[1], index),
                     r = dlp__wide_rows(c->rows[2], index), v = dlp__wide_rows(c->rows[3], index),
                     w = dlp__wide_rows(c->rows[4], index);
        const dlp__Wide flux[9] = {s.x, s.y, s.z, s.w, t.x, t.y, t.z, t.w, r.x};
        const SymmetricMatrix squeeze = {v.x, v.y, v.z, v.w, w.x, w.y};
        dlp__Wide here[3] = {d.y, d.z, d.w}, source[3] = {r.y, r.z, r.w};
        for (int n = 0; n < 3 && about; n++) {
            dlp__Wide wall = dlp__image_part(parts, DLP_IMAGE_VELOCITY + n);
            here[n] -= wall;
            source[n] -= wall;
        }
        add_image_force(force, &image, own, flux, &squeeze, own_z, w.z, here, source);
    }
}

DLP_INLINE void balance_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool walls)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide one = dlp__wide(1.0f), dt = dlp__wide(arguments->dt);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        Flow flow = flow_at(p, i);
        dlp__Wide force[3], kept = dt * (one - flow.late * (one - flow.retention));
        force_at(c, i, walls, true, force);
        dlp__Wide density = one / dlp__wide_load(p->specific_volume[0] + i);
        for (int a = 0; a < 3; a++) {
            dlp__Wide remembered = kept * dlp__wide_load(p->uneven_force[a] + i);
            dlp__wide_store(p->residual[a] + i, density * dlp__wide(arguments->kick[a]) - force[a] - remembered);
        }
    }
}

static void balance(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    balance_range(c, begin, end, false);
}

static void balance_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    balance_range(c, begin, end, true);
}

/* Inertia against uneven motion, in pressure times dt squared: 1 is just enough. */
static const float PRESSED = 2.0f;

/* A stretched fluid is taut as well: the more it is stretched, the more a change of its motion is resisted. Pressure is that of
 * the step's beginning, and in long steps the layers that it presses on would swing against each other; so the higher it is,
 * the more inertia uneven motion gets, which takes no energy. */
static void stiffen(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(p->conformation, i);
        Flow flow = flow_at(p, i);
        dlp__Wide taut = dlp__wide(1.0f) + flow.retention * dlp__wide_max(q.xx + q.yy + q.zz, dlp__wide(0.0f));
        dlp__Wide viscous = dlp__wide(arguments->dt) * (flow.fresh * flow.viscosity * taut + flow.solvent);
        dlp__wide_store(p->stiffness[0] + i, viscous);
        dlp__Wide press = dlp__wide_max(dlp__wide_load(p->pressure[0] + i), dlp__wide(0.0f));
        dlp__Wide held = dlp__wide(PRESSED * arguments->dt * arguments->dt) * press;
        dlp__wide_store(p->unevenness[0] + i, evening(&correction) * (viscous + held));
    }
}

DLP_INLINE void strain_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool about)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide dt = dlp__wide(arguments->dt);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i);
        RateSums sums = rates_at(c, i, about);
        dlp__Wide press = dt * dlp__wide_load(p->bulk[0] + i) * divergence_of(&sums, &correction);
        dlp__Wide viscous = dlp__wide_load(p->stiffness[0] + i), uneven = dlp__wide_load(p->unevenness[0] + i);
        multiply_by_symmetric(sums.viscous, &correction);
        SymmetricMatrix doubled = twice_symmetric(sums.viscous), squeeze = scaled(&correction, press);
        SymmetricMatrix stress = scaled(&doubled, viscous);
        stress.xx += press; /* the squeeze is press K */
        stress.yy += press;
        stress.zz += press;
        dlp__Wide flux[9];
        times_matrix(&stress, &correction, flux);
        for (int n = 0; n < 9; n++) {
            flux[n] -= uneven * sums.viscous[n];
        }
        store_flux(p, i, flux, &squeeze);
    }
}

static void strain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    strain_range(c, begin, end, false);
}

static void strain_bodies(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    strain_range(c, begin, end, true);
}

DLP_INLINE void pull_range(const dlp__StageContext *c, int64_t begin, int64_t end, bool walls, bool about)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide force[3];
        force_at(c, i, walls, about, force);
        dlp__Wide density = dlp__wide(1.0f) / dlp__wide_load(p->specific_volume[0] + i);
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->product[a] + i, density * dlp__wide_load(p->search[a] + i) + force[a]);
        }
    }
}

static void pull(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    pull_range(c, begin, end, false, false);
}

static void pull_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    pull_range(c, begin, end, true, false);
}

static void pull_bodies(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    pull_range(c, begin, end, true, true);
}

/* Stretched this far, a hundredfold, the tensor grows no more: a torn fluid must not run out of single precision. */
static const float MOST_STRETCH = 1e4f;

/* One over f of dlp__maxwell_drawn(): Q relaxes towards this times I. */
DLP_INLINE dlp__Wide shape_at_rest(const Flow *flow, const SymmetricMatrix *q)
{
    const dlp__Wide one = dlp__wide(1.0f), three = dlp__wide(3.0f);
    dlp__Wide left = dlp__wide_max(flow->limit - three - (q->xx + q->yy + q->zz), dlp__wide(1e-3f) * flow->limit);
    return dlp__wide_select(dlp__wide_less(three, flow->limit), left / (flow->limit - three), one);
}

/* The part of Q - I that a particle can bear. */
DLP_INLINE dlp__Wide part_within(const Flow *flow, const SymmetricMatrix *q)
{
    const dlp__Wide zero = dlp__wide(0.0f), three = dlp__wide(3.0f), most = dlp__wide(MOST_STRETCH);
    dlp__Wide largest = dlp__wide_max(q->xx, dlp__wide_max(q->yy, q->zz)), part = most / dlp__wide_max(largest, most);
    dlp__Wide ok = dlp__wide(0.999f) * flow->limit - three, drawn = dlp__wide_max(q->xx + q->yy + q->zz, ok);
    part = dlp__wide_select(dlp__wide_less(three, flow->limit), dlp__wide_min(part, ok / drawn), part);
    return dlp__wide_where(dlp__wide_less(zero, flow->retention), part);
}

static void settle(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide one = dlp__wide(1.0f);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(p->conformation, i);
        Flow flow = flow_at(p, i);
        RateSums sums = rates_at(c, i, true);
        dlp__Wide excess = divergence_of(&sums, &correction) - dlp__wide_load(p->swelling[0] + i);
        dlp__Wide pressure = dlp__wide_load(p->pressure[0] + i) - dlp__wide_load(p->bulk[0] + i) * excess;
        /* At a free surface nothing pulls but what is too viscous to be torn within a step. */
        dlp__Wide most_pull = dlp__wide(-1.0f / arguments->dt) * (flow.fresh * flow.viscosity + flow.solvent);
        dlp__WideMask deep = dlp__wide_less(dlp__wide(0.99f), depth_of(&correction));
        pressure = dlp__wide_select(deep, pressure, dlp__wide_max(pressure, most_pull));
        dlp__wide_store(p->pressure[0] + i, pressure);
        multiply_by_symmetric(sums.viscous, &correction);
        for (int n = 0; n < 9; n++) {
            dlp__wide_store(p->velocity_gradient[n] + i, sums.viscous[n]);
        }
        dlp__Wide tame = held_back(sums.viscous, dlp__wide(arguments->dt));
        SymmetricMatrix doubled = twice_symmetric(sums.viscous);
        for (int n = 0; n < 9; n++) {
            sums.viscous[n] = sums.viscous[n] * tame;
        }
        SymmetricMatrix stretched = stretched_square(sums.viscous);
        dlp__Wide rest = shape_at_rest(&flow, &q);
        q = convect(&q, sums.viscous, dlp__wide(arguments->dt));
        q = weighted(&q, flow.retention, &doubled, flow.spread * tame * rest);
        q = weighted(&q, one, &stretched, flow.spread_square * rest);
        dlp__Wide shrink = (one - flow.retention) * (one - rest);
        q.xx -= shrink;
        q.yy -= shrink;
        q.zz -= shrink;
        q = scaled(&q, part_within(&flow, &q));
        store_symmetric(p->conformation, i, &q);
        SymmetricMatrix stress = weighted(&q, flow.modulus, &doubled,
                                          flow.viscosity * (one - flow.retention) + flow.solvent);
        stress.xx -= pressure;
        stress.yy -= pressure;
        stress.zz -= pressure;
        store_symmetric(p->stress, i, &stress);
    }
}

static void recall(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i);
        Flow flow = flow_at(p, i);
        const dlp__Wide zero = dlp__wide(0.0f), uneven = evening(&correction) * flow.viscosity;
        dlp__Wide flux[9];
        for (int n = 0; n < 9; n++) {
            flux[n] = zero - uneven * dlp__wide_load(p->velocity_gradient[n] + i);
        }
        for (int n = 0; n < 9; n++) {
            dlp__wide_store(p->flux[n] + i, flux[n]);
        }
        dlp__wide_store(p->unevenness[0] + i, uneven);
    }
}

/* What a force that is remembered keeps in a step, or the edges of a jelly would crumble where it lands; less where waves cross
 * more spacings than the root of FADING_WAVE, for forces on bodies so stiff would turn them. */
static const float FADING = 0.999f, FADING_WAVE = 1e3f;

/* A force that turns with the body. */
DLP_INLINE void turn(dlp__Wide force[3], const dlp__Wide gradient[9], dlp__Wide dt)
{
    const dlp__Wide half = dlp__wide(0.5f) * dt, tiny = dlp__wide(1e-30f);
    dlp__Wide x = half * (gradient[7] - gradient[5]), y = half * (gradient[2] - gradient[6]),
              z = half * (gradient[3] - gradient[1]); /* the spin's axis times dt */
    dlp__Wide turned[3] = {force[0] + y * force[2] - z * force[1], force[1] + z * force[0] - x * force[2],
                           force[2] + x * force[1] - y * force[0]};
    dlp__Wide before = force[0] * force[0] + force[1] * force[1] + force[2] * force[2];
    dlp__Wide after = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2];
    dlp__Wide kept = dlp__wide_sqrt(before / dlp__wide_max(after, tiny));
    for (int a = 0; a < 3; a++) {
        force[a] = kept * turned[a];
    }
}

/* The force of a strain of a tenth over a spacing. */
DLP_INLINE dlp__Wide most_force(const dlp__PhysicalArguments *arguments, const Flow *flow)
{
    return dlp__wide(0.1f * arguments->per_spacing) * flow->modulus;
}

/* Of all the pairs of particles i, i + 1, ... */
DLP_INLINE dlp__Wide sum_of_weights(const dlp__StageContext *c, int64_t i)
{
    dlp__Wide sum = dlp__wide(0.0f);
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    const float *weights = dlp__pair_weights(c, i);
    for (int32_t k = 0; k < lanes.longest; k++, weights += DLP_GROUP) {
        sum += dlp__wide_load(weights);
    }
    return sum;
}

/* What is remembered fades as the body is strained, for it belongs to neighbours that are others then. A lone particle
 * remembers nothing, and no force is larger than that of a strain of a tenth over a spacing. What is cut off so is left in
 * `change`, and the part of it that a unit of weight gets in `swelling`. */
static void remember(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), tiny = dlp__wide(1e-30f);
    const dlp__Wide dt = dlp__wide(arguments->dt), slow = dlp__wide(FADING_WAVE);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide force[3], last[3], gradient[9];
        Flow flow = flow_at(p, i);
        dlp__WideMask remembers = dlp__wide_both(dlp__wide_less(zero, flow.retention),
                                                 dlp__wide_less(zero, dlp__wide_load(p->correction_matrix[0] + i)));
        force_at(c, i, false, true, force);
        for (int a = 0; a < 3; a++) {
            last[a] = dlp__wide_load(p->uneven_force[a] + i);
        }
        for (int n = 0; n < 9; n++) {
            gradient[n] = dlp__wide_load(p->velocity_gradient[n] + i);
        }
        turn(last, gradient, dt);
        dlp__Wide kept = flow.retention * dlp__wide(FADING) * slow / (slow + wave_of(p, i, arguments, flow.modulus));
        dlp__Wide size = zero;
        kept /= one + dt * strain_rate(gradient);
        for (int a = 0; a < 3; a++) {
            force[a] += kept * last[a];
            size += force[a] * force[a];
        }
        dlp__Wide most = most_force(arguments, &flow);
        dlp__Wide part = most / dlp__wide_max(dlp__wide_sqrt(size), dlp__wide_max(most, tiny));
        dlp__Wide weights = sum_of_weights(c, i), share = one / dlp__wide_max(weights, tiny);
        share = dlp__wide_where(dlp__wide_both(remembers, dlp__wide_less(zero, weights)), share);
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->uneven_force[a] + i, dlp__wide_where(remembers, part * force[a]));
            dlp__wide_store(p->change[a] + i, (one - part) * force[a]);
        }
        dlp__wide_store(p->swelling[0] + i, share);
    }
}

/* What was cut off from neighbours: forces that held each other in balance must go on doing so, or a body would push itself
 * along. Where too much is cut off at once, even so, the rest is lost. (What fades is not handed on: the edges that lose it
 * as a jelly bounces would hand it to and fro until they break off.) */
static void inherit(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide tiny = dlp__wide(1e-30f);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide force[3];
        for (int a = 0; a < 3; a++) {
            force[a] = dlp__wide_load(p->uneven_force[a] + i);
        }
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        const float *weights = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, weights += DLP_GROUP) {
            dlp__WideRow left = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP);
            dlp__Wide weight = dlp__wide_load(weights) * left.w;
            force[0] += weight * left.x;
            force[1] += weight * left.y;
            force[2] += weight * left.z;
        }
        Flow flow = flow_at(p, i);
        dlp__Wide most = dlp__wide(2.0f) * most_force(arguments, &flow);
        dlp__Wide size = dlp__wide_sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
        dlp__Wide part = most / dlp__wide_max(size, dlp__wide_max(most, tiny));
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->uneven_force[a] + i, part * force[a]);
        }
    }
}

/* How much of a fluid it is: 1 where strain is forgotten within some twenty steps or grows faster than that, 0 for a solid. */
DLP_INLINE dlp__Wide flowing(const dlp__Wide gradient[9], dlp__Wide retention, dlp__Wide dt)
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
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide move[3], gradient[9], own = dlp__own_rows(c->rows[0], i).x;
        for (int n = 0; n < 9; n++) {
            gradient[n] = dlp__wide_load(p->velocity_gradient[n] + i);
        }
        dlp__Wide evened = flowing(gradient, dlp__wide_load(p->maxwell[0] + i), dlp__wide(arguments->dt));
        for (int a = 0; a < 3; a++) {
            move[a] = evened * dlp__wide_load(p->correction[a] + i);
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
        dlp__Wide tame = held_back(gradient, dlp__wide(arguments->dt));
        for (int a = 0; a < 3; a++) {
            dlp__Wide gain = gradient[3 * a] * move[0] + gradient[3 * a + 1] * move[1] + gradient[3 * a + 2] * move[2];
            dlp__wide_store(p->change[a] + i, tame * gain);
        }
    }
}

/* clang-format off */
#define FLUX_ROW(first) {{DLP_PART(flux, first), DLP_PART(flux, (first) + 1), DLP_PART(flux, (first) + 2), \
                          DLP_PART(flux, (first) + 3)}}
#define FLUX_ROWS(field) FLUX_ROW(0), FLUX_ROW(4), \
                         {{DLP_PART(flux, 8), DLP_PART(field, 0), DLP_PART(field, 1), DLP_PART(field, 2)}}
#define SQUEEZE_ROWS {{DLP_PART(squeeze, 0), DLP_PART(squeeze, 1), DLP_PART(squeeze, 2), DLP_PART(squeeze, 3)}}, \
                     {{DLP_PART(squeeze, 4), DLP_PART(squeeze, 5), DLP_PART(unevenness, 0), 0}}
/* clang-format on */
#define FLUX_FIELDS (DLP_FIELD_BIT(flux) | DLP_FIELD_BIT(squeeze))

const dlp__PhysicalStages DLP_WIDE(dlp__physical_stages) = {
    .shape = {.name = "physical shape",
              .function = shape,
              .gathers = {DLP_ROW_VECTOR(position)},
              .writes = DLP_FIELD_BIT(correction_matrix) | DLP_FIELD_BIT(correction) | DLP_FIELD_BIT(crowding) |
                        DLP_FIELD_BIT(density),
              .pairs = DLP_PAIRS_LEFT},
    .rates = {.name = "physical rates",
              .function = rates,
              .gathers = {DLP_ROW_VECTOR(velocity)},
              .writes = FLUX_FIELDS | DLP_FIELD_BIT(maxwell) | DLP_FIELD_BIT(unevenness) | DLP_FIELD_BIT(bulk) |
                        DLP_FIELD_BIT(swelling),
              .pairs = DLP_PAIRS_TAKEN},
    .weigh = {.name = "physical weigh",
              .function = weigh,
              .gathers = {DLP_ROW_VECTOR_SCALAR(position, unevenness)},
              .pairs = DLP_PAIRS_TAKEN},
    .balance = {.name = "physical balance",
                .function = balance,
                .gathers = {FLUX_ROWS(velocity)},
                .writes = DLP_FIELD_BIT(residual),
                .pairs = DLP_PAIRS_TAKEN},
    .balance_walls = {.name = "physical balance",
                      .function = balance_walls,
                      .gathers = {FLUX_ROWS(velocity), SQUEEZE_ROWS},
                      .writes = DLP_FIELD_BIT(residual),
                      .pairs = DLP_PAIRS_TAKEN},
    .stiffen = {.name = "physical stiffen",
                .function = stiffen,
                .writes = DLP_FIELD_BIT(unevenness) | DLP_FIELD_BIT(stiffness)},
    .diagonal = {.name = "physical diagonal",
                 .function = diagonal,
                 .gathers = {{{DLP_PART(stiffness, 0), DLP_PART(bulk, 0), 0, 0}}},
                 .writes = DLP_FIELD_BIT(mobility),
                 .pairs = DLP_PAIRS_TAKEN},
    .strain = {.name = "physical strain",
               .function = strain,
               .gathers = {DLP_ROW_VECTOR(search)},
               .writes = FLUX_FIELDS,
               .pairs = DLP_PAIRS_TAKEN},
    .pull = {.name = "physical pull",
             .function = pull,
             .gathers = {FLUX_ROWS(search)},
             .writes = DLP_FIELD_BIT(product),
             .pairs = DLP_PAIRS_TAKEN},
    .pull_walls = {.name = "physical pull",
                   .function = pull_walls,
                   .gathers = {FLUX_ROWS(search), SQUEEZE_ROWS},
                   .writes = DLP_FIELD_BIT(product),
                   .pairs = DLP_PAIRS_TAKEN},
    .strain_bodies = {.name = "physical strain",
                      .function = strain_bodies,
                      .gathers = {DLP_ROW_VECTOR(search)},
                      .writes = FLUX_FIELDS,
                      .pairs = DLP_PAIRS_TAKEN},
    .pull_bodies = {.name = "physical pull",
                    .function = pull_bodies,
                    .gathers = {FLUX_ROWS(search), SQUEEZE_ROWS},
                    .writes = DLP_FIELD_BIT(product),
                    .pairs = DLP_PAIRS_TAKEN},
    .settle = {.name = "physical settle",
               .function = settle,
               .gathers = {DLP_ROW_VECTOR(velocity)},
               .writes = DLP_FIELD_BIT(pressure) | DLP_FIELD_BIT(conformation) | DLP_FIELD_BIT(velocity_gradient) |
                         DLP_FIELD_BIT(stress),
               .pairs = DLP_PAIRS_TAKEN},
    .recall = {.name = "physical recall", .function = recall, .writes = FLUX_FIELDS | DLP_FIELD_BIT(unevenness)},
    .remember = {.name = "physical remember",
                 .function = remember,
                 .gathers = {FLUX_ROWS(velocity)},
                 .writes = DLP_FIELD_BIT(uneven_force) | DLP_FIELD_BIT(change) | DLP_FIELD_BIT(swelling),
                 .pairs = DLP_PAIRS_TAKEN},
    .inherit = {.name = "physical inherit",
                .function = inherit,
                .gathers = {DLP_ROW_VECTOR_SCALAR(change, swelling)},
                .writes = DLP_FIELD_BIT(uneven_force),
                .pairs = DLP_PAIRS_TAKEN},
    .shift = {.name = "physical shift",
              .function = shift,
              .gathers = {{{DLP_PART(crowding, 0), 0, 0, 0}}},
              .writes = DLP_FIELD_BIT(correction) | DLP_FIELD_BIT(change),
              .pairs = DLP_PAIRS_TAKEN},
};
