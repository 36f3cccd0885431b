/* Loads and loops that the stages of method physical share; its equations are in physical_pairs.h. */
#ifndef DLP_METHODS_PHYSICAL_LOOPS_H
#define DLP_METHODS_PHYSICAL_LOOPS_H

#include "methods/physical/physical_fields.h"
#include "methods/physical/physical_pairs.h"
#include "methods/physical/physical_stages.h"

/* Material coefficients of particles i, i + 1, ... in this step (dlp__MaxwellFlow), and the weights of the stress in it. */
typedef struct Flow {
    dlp__Wide retention, viscosity, modulus, spread, spread_square, trace_limit, solvent;
    dlp__Wide end_weight;                 /* of the end of the step, in forces of first order in time */
    dlp__Wide new_weight, solvent_weight; /* of the change of the rate in this step */
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
                  .new_weight = dlp__wide_load(f->new_weight[0] + i),
                  .solvent_weight = dlp__wide_load(f->solvent_weight[0] + i)};
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

/* 1 where the stabilization force is stored, 0 in a yield-stress fluid: where it flows that would be the force of an elastic solid, and where
 * it does not, its neighbours that flow would not store the opposite force. */
DLP_INLINE dlp__Wide remembering(const dlp__StageContext *c, int64_t i)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    return arguments->has_laws ? dlp__wide_load(f->law_memory[0] + i) : dlp__wide(1.0f);
}

DLP_INLINE dlp__WideMask is_plastic(const dlp__StageContext *c, int64_t i)
{
    return dlp__wide_less(remembering(c, i), dlp__wide(0.5f));
}

/* Rows of add_pair_rates() for a field u. */
#define RATE_ROWS(u) \
    { \
        DLP_ROW_VECTOR(u), DLP_ROW_VECTOR(DLP_FIELD_position) \
    }

/* Sums for the gradients of the field u of RATE_ROWS. `relative_to_wall`: images have the velocity of their wall; otherwise walls do not move
 * with the field (it is a change of velocity). */
DLP_INLINE RateSums rates_at(const dlp__StageContext *c, int64_t i, bool relative_to_wall)
{
    RateSums sums = no_rates();
    dlp__WideRow own, at, other, there;
    dlp__own_joined_rows(c->rows[0], i, &own, &at);
    add_pair_rates(c, i, &own, &at, sums.viscous);
    dlp__Lanes lanes = dlp__lanes(&c->mirror->list, i);
    const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        Image image = image_at(parts);
        dlp__wide_joined_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP, &other, &there);
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

/* A particle's long row holds what its neighbours need for the force: three times a row of the flux P and a component of the field u, then
 * the position and the coefficient of the stabilization. */
DLP_INLINE void store_flux(const dlp__StageContext *c, int64_t i, const dlp__Wide flux[9], const dlp__Wide u[3],
                           dlp__Wide stabilization)
{
    float *const *x = c->particles->position, *row = c->long_rows + DLP_LONG_ROW * i;
    for (int a = 0; a < 3; a++) {
        const dlp__WideRow part = {flux[3 * a], flux[3 * a + 1], flux[3 * a + 2], u[a]};
        dlp__wide_store_rows(row + 4 * a, DLP_LONG_ROW, part);
    }
    const dlp__WideRow last = {dlp__wide_load(x[0] + i), dlp__wide_load(x[1] + i), dlp__wide_load(x[2] + i),
                               stabilization};
    dlp__wide_store_rows(row + 12, DLP_LONG_ROW, last);
}

/* The four floats from 4 * quarter on of the long rows of particles index[0], index[1], ... */
DLP_INLINE dlp__WideRow long_row_quarter(const float *rows, const int32_t *index, int quarter)
{
    int32_t place[DLP_WIDTH];
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        place[lane] = DLP_LONG_ROW / 4 * index[lane] + quarter;
    }
    return dlp__wide_rows(rows, place);
}

/* P, u and the stabilization of long rows. */
typedef struct LongRow {
    dlp__Wide flux[9], u[3], stabilization;
} LongRow;

DLP_INLINE LongRow long_rows_at(const float *rows, const int32_t *index)
{
    LongRow of;
    for (int a = 0; a < 3; a++) {
        dlp__WideRow quarter = long_row_quarter(rows, index, a);
        of.flux[3 * a] = quarter.x;
        of.flux[3 * a + 1] = quarter.y;
        of.flux[3 * a + 2] = quarter.z;
        of.u[a] = quarter.w;
    }
    of.stabilization = long_row_quarter(rows, index, 3).w;
    return of;
}

/* The part of a change of the rate, `doubled`, along the stress of a material with a law, times its softening. */
DLP_INLINE SymmetricMatrix softening_of(const dlp__PhysicalFields *f, int64_t i, const SymmetricMatrix *doubled)
{
    SymmetricMatrix direction = load_symmetric(f->law_direction, i);
    dlp__Wide across = direction.xy * doubled->xy + direction.xz * doubled->xz + direction.yz * doubled->yz;
    dlp__Wide along = direction.xx * doubled->xx + direction.yy * doubled->yy + direction.zz * doubled->zz + across +
                      across;
    return scaled(&direction, dlp__wide_load(f->law_softening[0] + i) * along);
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

enum {
    ROW_PARTS = DLP_LONG_ROW / DLP_WIDTH, /* vectors of a long row                                        */
    AT_ONCE = DLP_WIDTH >= 8 ? DLP_WIDTH / 4
                             : 1, /* particles summed at once, so that sums need not wait for each other */
};

/* The sums of (row of j + own row) times (g, w) over the neighbours of AT_ONCE particles, with the components of long rows in the lanes:
 * stores (P_i + P_j) g in parts and (u_j - u_i) w for each axis. */
DLP_INLINE void sum_row_products(const dlp__StageContext *c, int64_t i, float *sums)
{
    static const float opposite[4] = {1.0f, 1.0f, 1.0f, -1.0f};
    const dlp__NeighborList *list = c->fluid;
    const float *slopes = dlp__pair_weights(c, i);
    const int32_t *entry = list->entry + list->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP;
    dlp__Wide own[AT_ONCE][ROW_PARTS], at[AT_ONCE][ROW_PARTS], sum[AT_ONCE][ROW_PARTS];
    int32_t longest = 0;
    for (int n = 0; n < AT_ONCE; n++) {
        const float *row = c->long_rows + DLP_LONG_ROW * (i + n);
        longest = list->count[i + n] > longest ? list->count[i + n] : longest;
        for (int part = 0; part < ROW_PARTS; part++) {
            const dlp__Wide sign = dlp__wide_repeat(opposite, part);
            own[n][part] = sign * dlp__wide_load(row + part * DLP_WIDTH);
            at[n][part] = sign * dlp__wide_repeat(row + 12, part);
            sum[n][part] = dlp__wide(0.0f);
        }
    }
    for (int32_t k = 0; k < longest; k++, entry += DLP_GROUP, slopes += DLP_GROUP) {
        for (int n = 0; n < AT_ONCE; n++) {
            const float *row = c->long_rows + DLP_LONG_ROW * (int64_t)entry[n];
            for (int part = 0; part < ROW_PARTS; part++) {
                dlp__Wide factor = dlp__wide(slopes[n]) * (at[n][part] - dlp__wide_repeat(row + 12, part));
                sum[n][part] += (dlp__wide_load(row + part * DLP_WIDTH) + own[n][part]) * factor;
            }
        }
    }
    for (int n = 0; n < AT_ONCE; n++) {
        for (int part = 0; part < ROW_PARTS; part++) {
            dlp__wide_store(sums + DLP_LONG_ROW * n + part * DLP_WIDTH, sum[n][part]);
        }
    }
}

/* The force of neighbours in the fluid. */
DLP_INLINE void pair_force_at(const dlp__StageContext *c, int64_t i, dlp__Wide force[3])
{
    float sums[DLP_LONG_ROW * DLP_WIDTH] __attribute__((aligned(64)));
    for (int n = 0; n < DLP_WIDTH; n += AT_ONCE) {
        sum_row_products(c, i + n, sums + DLP_LONG_ROW * n);
    }
    for (int a = 0; a < 3; a++) {
        dlp__WideRow sum = long_row_quarter(sums, DLP_LANES, a);
        force[a] = dlp__wide(0.0f) - (sum.x + sum.y + sum.z + sum.w);
    }
}

/* f of particles i, i + 1, ... from long rows; with walls also from pressure fluxes, the rows of PRESSURE_ROWS. */
DLP_INLINE void force_at(const dlp__StageContext *c, int64_t i, bool walls, bool relative_to_wall, dlp__Wide force[3])
{
    pair_force_at(c, i, force);
    dlp__Lanes lanes = dlp__lanes(&c->mirror->list, i);
    if (!walls || lanes.longest == 0) {
        return;
    }
    const LongRow own = long_rows_at(c->long_rows + DLP_LONG_ROW * i, DLP_LANES);
    const float *parts = dlp__images(c, i);
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
        Image image = image_at(parts);
        const LongRow other = long_rows_at(c->long_rows, index);
        dlp__WideRow v = dlp__wide_rows(c->rows[0], index), w = dlp__wide_rows(c->rows[1], index);
        const SymmetricMatrix pressure_flux = {v.x, v.y, v.z, v.w, w.x, w.y};
        dlp__Wide here[3] = {own.u[0], own.u[1], own.u[2]}, source[3] = {other.u[0], other.u[1], other.u[2]};
        for (int n = 0; n < 3 && relative_to_wall; n++) {
            dlp__Wide wall = dlp__image_part(parts, DLP_IMAGE_VELOCITY + n);
            here[n] -= wall;
            source[n] -= wall;
        }
        add_image_force(force, &image, own.flux, other.flux, &pressure_flux, own.stabilization, other.stabilization,
                        here, source);
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
#define PRESSURE_ROWS DLP_ROW_FOUR(OWN_pressure_flux, 0), \
                      {{DLP_PART(OWN_pressure_flux, 4), DLP_PART(OWN_pressure_flux, 5), 0, 0}}
#define FLOW_FIELDS OWN_retention, OWN_viscosity, OWN_modulus, OWN_spread, OWN_spread_square, OWN_trace_limit, OWN_solvent, \
                    OWN_end_weight, OWN_new_weight, OWN_solvent_weight
/* clang-format on */

#endif
