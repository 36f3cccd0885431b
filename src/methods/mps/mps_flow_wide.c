/* The loops over pairs for geometry, deviatoric stress and surface tension; their equations are in mps_pairs.h. */
#include "methods/mps/mps_fields.h"
#include "methods/mps/mps_stages.h"

#include "methods/mps/mps_pairs.h"

/* Sum of w e over n0 below which a particle is inside the fluid, and above which it is at a free surface. On a cubic lattice it is 0.32
 * at a flat surface, and 0.02 a layer below; inside a fluid in motion it is about 0.04. */
static const float INSIDE = 0.1f, AT_SURFACE = 0.2f;

/* Number density over n0 from which, and above which, a particle is surrounded: lone particles have no side either. */
static const float SPARSE_DENSITY = 0.6f, FULL_DENSITY = 0.8f;

/* 0 at `none`, 1 at `all`, linear between. */
DLP_INLINE dlp__Wide fraction_between(dlp__Wide value, float none, float all)
{
    dlp__Wide fraction = (value - dlp__wide(none)) * dlp__wide(1.0f / (all - none));
    return dlp__wide_min(dlp__wide_max(fraction, dlp__wide(0.0f)), dlp__wide(1.0f));
}

/* Determinant of the moment matrix below which stresses are reduced: 1 inside the fluid, 0.1 at a corner, 0 in a plane. Where neighbours
 * are fewer, K would turn small differences of velocity into large stresses. A reduced K would resist rigid rotation. */
static const float SPARSE = 0.1f;

DLP_INLINE dlp__Wide fullness_of(const SymmetricMatrix *moment)
{
    return fraction_between(determinant(moment), 0.0f, SPARSE);
}

/* K of the paper's scheme: gradients are not corrected. */
DLP_INLINE SymmetricMatrix identity(void)
{
    dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    return (SymmetricMatrix){one, one, one, zero, zero, zero};
}

DLP_INLINE void add_dyad(SymmetricMatrix *m, const dlp__Pair *pair, dlp__Wide factor)
{
    m->xx += factor * pair->x * pair->x;
    m->yy += factor * pair->y * pair->y;
    m->zz += factor * pair->z * pair->z;
    m->xy += factor * pair->x * pair->y;
    m->xz += factor * pair->x * pair->z;
    m->yz += factor * pair->y * pair->z;
}

static void shape(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide least = dlp__wide(plan->least), factor = dlp__wide(plan->moment_factor), zero = dlp__wide(0.0f),
                    per_rest = dlp__wide(1.0f / (float)plan->rest.number_density);
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide n = dlp__wide_load(f->wall_moment[6] + i), closeness = zero;
        dlp__Wide side[3] = {dlp__wide_load(f->wall_side[0] + i), dlp__wide_load(f->wall_side[1] + i),
                             dlp__wide_load(f->wall_side[2] + i)};
        SymmetricMatrix moment = load_symmetric(f->wall_moment, i);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide w = weight_at(&pair, plan->reach, least), square = w * per_square(&pair, least);
            dlp__Wide along = square * dlp__wide_max(pair.r, least);
            n += w;
            closeness += square;
            add_dyad(&moment, &pair, factor * square);
            side[0] -= along * pair.x;
            side[1] -= along * pair.y;
            side[2] -= along * pair.z;
        }
        SymmetricMatrix correction = plan->by_pressure ? invert(&moment) : identity();
        dlp__Wide length = dlp__wide_sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]) * per_rest;
        dlp__Wide inside = fraction_between(zero - length, -AT_SURFACE, -INSIDE),
                  surrounded = fraction_between(n * per_rest, SPARSE_DENSITY, FULL_DENSITY);
        store_symmetric(p->correction_matrix, i, &correction);
        dlp__wide_store(f->fullness[0] + i, plan->by_pressure ? fullness_of(&moment) : dlp__wide(1.0f));
        dlp__wide_store(f->closeness[0] + i, closeness);
        dlp__wide_store(f->interior[0] + i, inside * surrounded);
    }
}

/* L of the field in row 1. */
DLP_INLINE void rate_at(const dlp__StageContext *c, int64_t i, dlp__Wide gradient[9])
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide least = dlp__wide(plan->least), factor = dlp__wide(0.0f - plan->moment_factor);
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
    const SymmetricMatrix correction = load_symmetric(c->particles->correction_matrix, i);
    for (int n = 0; n < 9; n++) {
        gradient[n] = dlp__wide_load(f->wall_rate[n] + i);
    }
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
        const dlp__Wide change[3] = {other.x - own.x, other.y - own.y, other.z - own.z};
        dlp__Wide slope = factor * weight_at(&pair, plan->reach, least) * per_square(&pair, least);
        add_gradient(gradient, &pair, slope, change);
    }
    multiply_by_symmetric(gradient, &correction);
}

static void gradient(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide rate[9];
        rate_at(c, i, rate);
        for (int n = 0; n < 9; n++) {
            dlp__wide_store(c->particles->velocity_gradient[n] + i, rate[n]);
        }
    }
}

/* c (tau K - z eta L), with tau = 2 eta D' + an elastic stress. */
DLP_INLINE void store_flux(const dlp__StageContext *c, int64_t i, const dlp__Wide rate[9], bool with_elastic)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    const SymmetricMatrix correction = load_symmetric(c->particles->correction_matrix, i);
    const dlp__Wide eta = dlp__wide_load(f->viscosity[0] + i), factor = dlp__wide(plan->moment_factor);
    const dlp__Wide viscous = dlp__wide(plan->viscous_flux) * eta * factor,
                    stabilizing = dlp__wide(plan->pair_factor) * dlp__wide_load(f->stabilizing[0] + i);
    const dlp__Wide volume = dlp__wide(2.0f / 3.0f) * (rate[0] + rate[4] + rate[8]);
    dlp__Wide flux[9];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            flux[3 * row + column] = rate[3 * row + column] + rate[3 * column + row];
        }
        flux[4 * row] -= volume;
    }
    for (int n = 0; n < 9; n++) {
        static const int part[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
        flux[n] *= viscous;
        flux[n] += with_elastic ? factor * dlp__wide_load(f->elastic_stress[part[n]] + i) : dlp__wide(0.0f);
    }
    multiply_by_symmetric(flux, &correction);
    for (int n = 0; n < 9; n++) {
        dlp__wide_store(f->flux[n] + i, flux[n] - stabilizing * rate[n]);
    }
}

static void flux(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide rate[9];
        for (int n = 0; n < 9; n++) {
            rate[n] = dlp__wide_load(c->particles->velocity_gradient[n] + i);
        }
        store_flux(c, i, rate, true);
    }
}

static void search_flux(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide rate[9];
        rate_at(c, i, rate);
        store_flux(c, i, rate, false);
    }
}

/* f of particles i, i + 1, ...: row 0 holds position and stabilizing viscosity, rows 1 to 3 the flux and the velocity or search direction. */
DLP_INLINE void force_at(const dlp__StageContext *c, int64_t i, dlp__Wide force[3])
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide least = dlp__wide(plan->least), compact = dlp__wide(plan->pair_factor),
                    laplacian = dlp__wide(plan->laplacian_factor);
    dlp__WideRow at = dlp__own_rows(c->rows[0], i), a = dlp__own_rows(c->rows[1], i), b = dlp__own_rows(c->rows[2], i),
                 d = dlp__own_rows(c->rows[3], i);
    const dlp__Wide own_flux = dlp__wide(plan->own_flux);
    dlp__Wide own[9] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, d.x};
    for (int n = 0; n < 9; n++) {
        own[n] *= own_flux;
    }
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    force[0] = force[1] = force[2] = dlp__wide(0.0f);
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        dlp__WideRow s = dlp__wide_rows(c->rows[1], pair.index), t = dlp__wide_rows(c->rows[2], pair.index),
                     r = dlp__wide_rows(c->rows[3], pair.index);
        const dlp__Wide flux[9] = {own[0] + s.x, own[1] + s.y, own[2] + s.z, own[3] + s.w, own[4] + t.x,
                                   own[5] + t.y, own[6] + t.z, own[7] + t.w, own[8] + r.x};
        dlp__Wide w = weight_at(&pair, plan->reach, least), square = w * per_square(&pair, least);
        const dlp__Wide g[3] = {square * pair.x, square * pair.y, square * pair.z}; /* towards i */
        dlp__Wide weight = (at.w + pair.w) * (compact * square + laplacian * w);
        for (int n = 0; n < 9; n++) {
            force[n / 3] -= flux[n] * g[n % 3];
        }
        force[0] += weight * (r.y - d.y);
        force[1] += weight * (r.z - d.z);
        force[2] += weight * (r.w - d.w);
    }
}

/* Right side of the implicit system, and the force of an explicit step: dt f, in kg/m2/s2 times s. */
static void force(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide sum[3];
        force_at(c, i, sum);
        for (int n = 0; n < 3; n++) {
            dlp__wide_store(c->particles->residual[n] + i, dlp__wide(plan->dt) * sum[n]);
        }
    }
}

/* rho u - dt f(u) */
static void search_force(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide sum[3], volume = dlp__wide_load(p->specific_volume[0] + i);
        force_at(c, i, sum);
        for (int n = 0; n < 3; n++) {
            dlp__wide_store(p->product[n] + i,
                            dlp__wide_load(p->search[n] + i) / volume - dlp__wide(plan->dt) * sum[n]);
        }
    }
}

/* The pair force of eq. 14, attractive beyond a spacing: its sign is printed the other way round. */
static void surface_tension(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), half = dlp__wide(0.5f), least = dlp__wide(plan->least),
                    spacing = dlp__wide(plan->spacing), reach = dlp__wide(plan->far_reach), dt = dlp__wide(plan->dt);
    const float d = plan->spacing, per_volume = 1.0f / (d * d * d);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide pull[3] = {zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide r = dlp__wide_max(pair.r, least);
            dlp__Wide size = half * (at.w + pair.w) * (r - spacing) * dlp__wide_max(reach - r, zero) / r;
            size = dlp__wide_where(pair.there, size);
            pull[0] -= size * pair.x;
            pull[1] -= size * pair.y;
            pull[2] -= size * pair.z;
        }
        dlp__Wide per_mass = dlp__wide_load(p->specific_volume[0] + i) * dlp__wide(per_volume) * dt;
        for (int n = 0; n < 3; n++) {
            dlp__wide_store(p->velocity[n] + i, dlp__wide_load(p->velocity[n] + i) + per_mass * pull[n]);
            dlp__wide_store(p->position[n] + i, dlp__wide_load(p->position[n] + i) + dt * per_mass * pull[n]);
        }
    }
}

/* clang-format off */
#define FLUX_ROWS(field) DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_stabilizing), DLP_ROW_FOUR(OWN_flux, 0), DLP_ROW_FOUR(OWN_flux, 4), \
                         {{DLP_PART(OWN_flux, 8), DLP_PART(field, 0), DLP_PART(field, 1), DLP_PART(field, 2)}}
/* clang-format on */

const dlp__MpsFlowStages DLP_WIDE(dlp__mps_flow_stages) = {
    .shape = {.name = "mps shape",
              .function = shape,
              .short_range = true,
              .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
              .reads = {OWN_wall_moment, OWN_wall_side},
              .writes = {DLP_FIELD_correction_matrix, OWN_closeness, OWN_interior, OWN_fullness}},
    .gradient = {.name = "mps gradient",
                 .function = gradient,
                 .short_range = true,
                 .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position), DLP_ROW_VECTOR(DLP_FIELD_velocity)},
                 .reads = {DLP_FIELD_correction_matrix, OWN_wall_rate},
                 .writes = {DLP_FIELD_velocity_gradient}},
    .flux = {.name = "mps stress",
             .function = flux,
             .reads = {DLP_FIELD_velocity_gradient, DLP_FIELD_correction_matrix, OWN_viscosity, OWN_stabilizing,
                       OWN_elastic_stress},
             .writes = {OWN_flux}},
    .force = {.name = "mps force",
              .function = force,
              .short_range = true,
              .gathers = {FLUX_ROWS(DLP_FIELD_velocity)},
              .writes = {DLP_FIELD_residual}},
    .search_flux = {.name = "mps operator stress",
                    .function = search_flux,
                    .short_range = true,
                    .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position), DLP_ROW_VECTOR(DLP_FIELD_search)},
                    .reads = {DLP_FIELD_correction_matrix, OWN_viscosity, OWN_stabilizing, OWN_wall_rate},
                    .writes = {OWN_flux}},
    .search_force = {.name = "mps operator force",
                     .function = search_force,
                     .short_range = true,
                     .gathers = {FLUX_ROWS(DLP_FIELD_search)},
                     .reads = {DLP_FIELD_search, DLP_FIELD_specific_volume},
                     .writes = {DLP_FIELD_product}},
    .surface_tension = {.name = "mps surface tension",
                        .function = surface_tension,
                        .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_attraction)},
                        .reads = {DLP_FIELD_specific_volume},
                        .writes = {DLP_FIELD_velocity, DLP_FIELD_position}},
};
