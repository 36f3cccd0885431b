/* Loads and loops that the stages of method physical share; its equations are in physical_pairs.h. */
#ifndef DLP_METHODS_PHYSICAL_LOOPS_H
#define DLP_METHODS_PHYSICAL_LOOPS_H

#include "methods/physical/physical_fields.h"
#include "methods/physical/physical_pairs.h"
#include "methods/physical/physical_stages.h"

/* Material coefficients of particles i, i + 1, ... in this step (dlp__MaxwellFlow), and the time within the step at
 * which stress is evaluated: the new and the previous change of stress have the weights (1 - k/2)^2 and k^2/4, which is
 * the trapezoidal rule for an elastic solid (k = 1) and implicit Euler for a Newtonian fluid (k = 0). */
typedef struct Flow {
    dlp__Wide retention, viscosity, modulus, spread, spread_square, trace_limit, solvent;
    dlp__Wide end_weight; /* 1 - k: difference of the weights */
    dlp__Wide new_weight; /* (1 - k/2)^2                      */
} Flow;

DLP_INLINE Flow flow_at(const dlp__Particles *p, int64_t i)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    return (Flow){.retention = dlp__wide_load(f->retention[0] + i),
                  .viscosity = dlp__wide_load(f->viscosity[0] + i),
                  .modulus = dlp__wide_load(f->modulus[0] + i),
                  .spread = dlp__wide_load(f->spread[0] + i),
                  .spread_square = dlp__wide_load(f->spread_square[0] + i),
                  .trace_limit = dlp__wide_load(f->trace_limit[0] + i),
                  .solvent = dlp__wide_load(f->solvent[0] + i),
                  .end_weight = dlp__wide_load(f->end_weight[0] + i),
                  .new_weight = dlp__wide_load(f->new_weight[0] + i)};
}

/* Square of the number of spacings that an elastic wave travels in a step. */
DLP_INLINE dlp__Wide wave_travel_squared(const dlp__Particles *p, int64_t i, const dlp__PhysicalArguments *arguments,
                                         dlp__Wide modulus)
{
    const float per_step = arguments->dt * arguments->per_spacing;
    return dlp__wide(per_step * per_step) * modulus * dlp__wide_load(p->specific_volume[0] + i);
}

/* 1 where strain relaxes in less than a thousand steps, 0 for a solid. */
DLP_INLINE dlp__Wide fluidity(dlp__Wide retention)
{
    const dlp__Wide one = dlp__wide(1.0f);
    return dlp__wide_min(dlp__wide(1e3f) * (one - retention), one);
}

/* Sums for the gradients of the field in the first row. `relative_to_wall`: images have the velocity of their wall; otherwise
 * walls do not move with the field (it is a change of velocity). */
DLP_INLINE RateSums rates_at(const dlp__StageContext *c, int64_t i, bool relative_to_wall)
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
        for (int a = 0; a < 3 && relative_to_wall; a++) {
            dlp__Wide wall = dlp__image_part(parts, DLP_IMAGE_VELOCITY + a);
            here[a] -= wall;
            source[a] -= wall;
        }
        add_image_rate(&sums, &image, here, source);
    }
    return sums;
}

/* tr L in the divergence: images are reflected there, not dragged. */
DLP_INLINE dlp__Wide divergence_of(const RateSums *sums, const SymmetricMatrix *correction)
{
    dlp__Wide all[9];
    for (int n = 0; n < 9; n++) {
        all[n] = sums->viscous[n] + sums->other[n];
    }
    return trace_with(all, correction);
}

DLP_INLINE SymmetricMatrix weighted(const SymmetricMatrix *a, dlp__Wide x, const SymmetricMatrix *b, dlp__Wide y)
{
    SymmetricMatrix left = scaled(a, x), right = scaled(b, y);
    return sum_of(&left, &right);
}

DLP_INLINE void store_flux(dlp__Particles *p, int64_t i, const dlp__Wide flux[9], const SymmetricMatrix *pressure_flux)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int n = 0; n < 9; n++) {
        dlp__wide_store(f->flux[n] + i, flux[n]);
    }
    store_symmetric(f->pressure_flux, i, pressure_flux);
}

/* Terms of second order in dt L hold only while dt L is small: the factor that limits them beyond 1. */
DLP_INLINE dlp__Wide second_order_limit(const dlp__Wide gradient[9], dlp__Wide dt)
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

/* f of particles i, i + 1, ... from the fluxes and the field in the rows: 0 to 3, 4 to 7, 8 and the field; with walls also the
 * pressure flux, and the stabilization. */
DLP_INLINE void force_at(const dlp__StageContext *c, int64_t i, bool walls, bool relative_to_wall, dlp__Wide force[3])
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
        const SymmetricMatrix pressure_flux = {v.x, v.y, v.z, v.w, w.x, w.y};
        dlp__Wide here[3] = {d.y, d.z, d.w}, source[3] = {r.y, r.z, r.w};
        for (int n = 0; n < 3 && relative_to_wall; n++) {
            dlp__Wide wall = dlp__image_part(parts, DLP_IMAGE_VELOCITY + n);
            here[n] -= wall;
            source[n] -= wall;
        }
        add_image_force(force, &image, own, flux, &pressure_flux, own_z, w.z, here, source);
    }
}

/* Pa.s: sqrt(density surface_tension spacing), the viscosity at which inertia, tension and viscosity are alike over a spacing. */
DLP_INLINE dlp__Wide capillary_scale(const dlp__StageContext *c, int64_t i)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    return dlp__wide_sqrt(dlp__wide_load(f->tension[0] + i) /
                          (dlp__wide(arguments->per_spacing) * dlp__wide_load(p->specific_volume[0] + i)));
}

/* The cubic spline of two dimensions, without its factor. */
DLP_INLINE dlp__Wide flat_value(dlp__Wide q)
{
    const dlp__Wide one = dlp__wide(1.0f), half = dlp__wide(0.5f), zero = dlp__wide(0.0f);
    dlp__Wide rest = dlp__wide_max(one - q, zero), inner = dlp__wide_max(half - q, zero);
    return dlp__wide(2.0f) * (rest * rest * rest - dlp__wide(4.0f) * inner * inner * inner);
}

/* clang-format off */
#define FLUX_ROWS(field) DLP_ROW_FOUR(OWN_flux, 0), DLP_ROW_FOUR(OWN_flux, 4), \
                         {{DLP_PART(OWN_flux, 8), DLP_PART(field, 0), DLP_PART(field, 1), DLP_PART(field, 2)}}
#define PRESSURE_ROWS DLP_ROW_FOUR(OWN_pressure_flux, 0), \
                      {{DLP_PART(OWN_pressure_flux, 4), DLP_PART(OWN_pressure_flux, 5), DLP_PART(OWN_stabilization, 0), 0}}
#define FLOW_FIELDS OWN_retention, OWN_viscosity, OWN_modulus, OWN_spread, OWN_spread_square, OWN_trace_limit, OWN_solvent, \
                    OWN_end_weight, OWN_new_weight
/* clang-format on */

#endif
