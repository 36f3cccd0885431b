/* The loops of the doubly constrained Jacobi solver; the equations are in jacobi_pairs.h. */
#include "methods/conformation/jacobi_stages.h"
#include "methods/conformation/conformation_fields.h"

#include "materials/maxwell.h"
#include "methods/conformation/jacobi_pairs.h"

DLP_INLINE SymmetricMatrix identity(void)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    return (SymmetricMatrix){one, one, one, zero, zero, zero};
}

/* 2 dt^2 B, 1/Pa: the strain removed by a unit of a particle's own stress. */
DLP_INLINE dlp__Wide resistance(const dlp__JacobiArguments *arguments, const DiagonalSums *sums,
                                const SymmetricMatrix *correction)
{
    return dlp__wide(2.0f * arguments->dt * arguments->dt) * diagonal(sums, correction, arguments->kernel.support);
}

/* Extra under-relaxation of elastic material: a jittered lattice converges at 0.8 of the relaxation limit, an elastic
 * block after an impact only up to 0.6. */
static const float CAUTION = 0.45f;

/* A particle whose neighbours lie nearly in a plane or a line (the moment of its gradients has a smaller determinant
 * than this) takes shorter steps: a little stress of its own moves the others far, and ropes that bend on a floor
 * burst. */
static const float LEAST_DETERMINANT = 0.1f;

DLP_INLINE dlp__Wide response_to(const dlp__JacobiArguments *arguments, dlp__Wide resistance, dlp__Wide soft,
                                 dlp__Wide retention, dlp__WideInt neighbors, const SymmetricMatrix *moment)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    dlp__Wide round = determinant(moment) / (dlp__wide(LEAST_DETERMINANT) * isotropic_determinant(moment));
    round = dlp__wide_min(dlp__wide_max(round, zero), one);
    resistance = resistance * (dlp__wide(1.0f) + dlp__wide(CAUTION) * retention);
    dlp__Wide share = dlp__wide_max(dlp__wide_from_int(neighbors), dlp__wide(arguments->least_neighbors)) /
                      dlp__wide(arguments->beta);
    dlp__WideMask bound = dlp__wide_both(dlp__wide_less(dlp__wide(0.0f), resistance),
                                         dlp__wide_less(soft, dlp__wide(DLP_MAXWELL_INVISCID)));
    return dlp__wide_where(bound, round * round / (resistance * share + soft));
}

/* Minimum compliance of elastic material, as a fraction of that resistance. Three coordinates of a particle cannot undo
 * all six strains; without compliance the stress would grow from step to step without bound. */
static const float LEAST_SOFTNESS = 0.15f;

DLP_INLINE void diagonal_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    const dlp__Wide volume = dlp__wide(arguments->volume);
    dlp__Particles *p = c->particles;
    const dlp__ConformationFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        DiagonalSums sums = no_diagonal(at.w);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        float *slopes = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide slope = volume * dlp__pair_slope(&arguments->kernel, pair.r, kind);
            slope = dlp__wide_where(pair.there, slope);
            dlp__Wide x = slope * pair.x, y = slope * pair.y, z = slope * pair.z;
            add_diagonal(&sums, &pair, x, y, z, pair.w);
            dlp__wide_store(slopes, slope);
        }
        SymmetricMatrix correction = arguments->gradient_correction ? invert(&sums.moment) : identity();
        store_symmetric(p->correction_matrix, i, &correction);
        dlp__Wide resists = resistance(arguments, &sums, &correction);
        dlp__Wide retention = dlp__wide_load(f->retention[0] + i),
                  least = dlp__wide(LEAST_SOFTNESS) * retention * resists;
        dlp__Wide soft = dlp__wide_max(dlp__wide_load(f->compliance[0] + i), least);
        dlp__wide_store(f->compliance[0] + i, soft);
        dlp__wide_store(f->response[0] + i,
                        response_to(arguments, resists, soft, retention, lanes.count, &sums.moment));
    }
}

static void diagonals(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, diagonal_range, c, begin, end)
}

/* The stress of the previous step is a good guess while the neighbourhood is the same. In long steps it is not, and the
 * stress must not scatter particles: it is limited to the stress that by itself causes this strain. */
static const float GUESS_STRAIN = 10.0f;

/* A guess that lags behind an oscillating elastic stress amplifies the oscillation: this fraction of it is dropped in
 * elastic material. */
static const float GUESS_LOSS = 0.2f;

static void guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__ConformationFields *f = dlp__own_fields(p);
    const dlp__Wide zero = dlp__wide(0.0f), tiny = dlp__wide(1e-30f), most = dlp__wide(GUESS_STRAIN);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix t = load_symmetric(p->stress, i), correction = load_symmetric(p->correction_matrix, i);
        dlp__Wide response = dlp__wide_load(f->response[0] + i), soft = dlp__wide_load(f->compliance[0] + i);
        dlp__Wide stiff = dlp__wide_max(dlp__wide(1.0f) / dlp__wide_max(response, tiny) - soft, zero);
        dlp__Wide size = t.xx * t.xx + t.yy * t.yy + t.zz * t.zz + t.xy * t.xy + t.xz * t.xz + t.yz * t.yz;
        dlp__Wide strain = stiff * dlp__wide_sqrt(size), kept = dlp__wide(arguments->keep);
        kept = kept * (dlp__wide(1.0f) - dlp__wide(GUESS_LOSS) * dlp__wide_load(f->retention[0] + i));
        kept = kept * most / dlp__wide_max(strain, most);
        kept = dlp__wide_where(dlp__wide_less(zero, response), kept);
        t = scaled(&t, kept);
        store_symmetric(p->stress, i, &t);
        store_flux(p, i, &t, &correction);
    }
}

/* L of particles i, i + 1, ... from velocities and positions in joined rows and the stored slopes of their pairs. */
DLP_INLINE void gradient_taken(const dlp__StageContext *c, int64_t i, const SymmetricMatrix *correction,
                               dlp__Wide gradient[9])
{
    dlp__WideRow own, at;
    dlp__own_joined_rows(c->rows[0], i, &own, &at);
    for (int n = 0; n < 9; n++) {
        gradient[n] = dlp__wide(0.0f);
    }
    add_pair_rates(c, i, &own, &at, gradient);
    multiply_by_symmetric(gradient, correction);
}

static void add_rotation_strain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__ConformationFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(f->conformation, i);
        dlp__Wide gradient[9];
        gradient_taken(c, i, &correction, gradient);
        SymmetricMatrix rotation = rotation_strain(gradient, dlp__wide(arguments->corotation ? arguments->dt : 0.0f));
        q = sum_of(&q, &rotation);
        store_symmetric(f->strain, i, &q);
    }
}

static void strain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__ConformationFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i);
        dlp__Wide gradient[9];
        gradient_taken(c, i, &correction, gradient);
        SymmetricMatrix strain = doubled(gradient, dlp__wide(arguments->dt));
        relax_stress(p, i, f->strain, &strain, &correction);
    }
}

/* The force on particles i, i + 1, ... by the fluxes in the rows: 0 to 3, 4 to 7, and 8 behind the position. */
DLP_INLINE ForceSums force_at(const dlp__StageContext *c, int64_t i)
{
    const dlp__Wide zero = dlp__wide(0.0f);
    dlp__WideRow a = dlp__own_rows(c->rows[0], i), b = dlp__own_rows(c->rows[1], i), d = dlp__own_rows(c->rows[2], i);
    ForceSums sums = {zero, zero, zero};
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    const float *slopes = dlp__pair_weights(c, i);
    for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
        const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
        dlp__WideRow s = dlp__wide_rows(c->rows[0], index), t = dlp__wide_rows(c->rows[1], index),
                     r = dlp__wide_rows(c->rows[2], index);
        const dlp__Wide flux[9] = {a.x + s.x, a.y + s.y, a.z + s.z, a.w + s.w, b.x + t.x,
                                   b.y + t.y, b.z + t.z, b.w + t.w, d.w + r.w};
        const dlp__Wide slope = dlp__wide_load(slopes);
        add_force(&sums, slope * (d.x - r.x), slope * (d.y - r.y), slope * (d.z - r.z), flux);
    }
    return sums;
}

/* Of the support: the displacement by one iteration for which gradients are still valid. */
static const float FARTHEST = 0.1f;

/* The factor, or less if the force would otherwise cause a change of more than `most`. */
DLP_INLINE dlp__Wide limited(const ForceSums *force, dlp__Wide factor, dlp__Wide most)
{
    dlp__Wide size = dlp__wide_sqrt(force->x * force->x + force->y * force->y + force->z * force->z);
    return dlp__wide_min(factor, most / dlp__wide_max(size, dlp__wide(1e-30f)));
}

/* At a wall in contact, friction reduces the tangential change of velocity, and the normal change first has to cancel
 * the velocity into the wall (`clearance`). */
static void push(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    const dlp__Wide fastest = dlp__wide(FARTHEST * arguments->kernel.support / arguments->dt);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        ForceSums force = force_at(c, i);
        dlp__Wide factor = limited(&force, dlp__wide(arguments->dt) * dlp__wide_load(p->specific_volume[0] + i),
                                   fastest);
        dlp__Wide push[3] = {factor * force.x, factor * force.y, factor * force.z}, normal[3];
        for (int a = 0; a < 3; a++) {
            normal[a] = dlp__wide_load(p->contact[a] + i);
        }
        dlp__Wide slip = one - dlp__wide_load(p->contact[3] + i);
        dlp__Wide before = dlp__wide_load(p->clearance[0] + i);
        dlp__Wide away = normal[0] * push[0] + normal[1] * push[1] + normal[2] * push[2], after = before + away;
        dlp__Wide freed = dlp__wide_max(after, zero) - dlp__wide_max(before, zero);
        dlp__wide_store(p->clearance[0] + i, after);
        for (int a = 0; a < 3; a++) {
            dlp__Wide change = slip * (push[a] - normal[a] * away) + normal[a] * freed;
            dlp__wide_store(p->velocity[a] + i, dlp__wide_load(p->velocity[a] + i) + change);
        }
    }
}

static void move_particles(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->position[a][i] = p->start[a][i] + arguments->dt * p->velocity[a][i];
        }
    }
}

DLP_INLINE void pose_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__ConformationFields *f = dlp__own_fields(c->particles);
    const dlp__JacobiArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), start = dlp__own_rows(c->rows[1], i);
        DiagonalSums sums = no_diagonal(at.w);
        dlp__Wide before[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        float *slopes = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
            dlp__Wide slope = volume * dlp__pair_slope(&arguments->kernel, pair.r, kind);
            slope = dlp__wide_where(pair.there, slope);
            const dlp__Wide step[3] = {slope * pair.x, slope * pair.y, slope * pair.z};
            const dlp__Wide change[3] = {other.x - start.x, other.y - start.y, other.z - start.z};
            add_diagonal(&sums, &pair, step[0], step[1], step[2], pair.w);
            for (int n = 0; n < 9; n++) {
                before[n] += change[n / 3] * step[n % 3];
            }
            dlp__wide_store(slopes, slope);
        }
        SymmetricMatrix moment = sums.moment;
        SymmetricMatrix correction = arguments->gradient_correction ? invert(&moment) : identity();
        dlp__Wide resists = resistance(arguments, &sums, &correction);
        dlp__Wide soft = dlp__wide_load(f->compliance[0] + i);
        dlp__Wide retention = dlp__wide_load(f->retention[0] + i);
        dlp__wide_store(f->response[0] + i,
                        response_to(arguments, resists, soft, retention, lanes.count, &sums.moment));
        dlp__Wide strained[9] = {moment.xx, moment.xy, moment.xz, moment.xy, moment.yy,
                                 moment.yz, moment.xz, moment.yz, moment.zz};
        multiply_by_symmetric(before, &correction);
        multiply_by_symmetric(strained, &correction);
        if (arguments->corotation) {
            remove_rotation(before);
        }
        for (int n = 0; n < 9; n++) {
            strained[n] -= before[n]; /* sum V (x_ji - R x0_ji) gradW^T of eq. 16; Q of the start is not rotated by R */
        }
        SymmetricMatrix strain = doubled(strained, dlp__wide(1.0f));
        relax_stress(c->particles, i, f->conformation, &strain, &correction);
    }
}

static void position_strain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, pose_range, c, begin, end)
}

/* Whether a particle's velocity is prescribed in all directions (in a nozzle): friction 1 and no normal. */
DLP_INLINE dlp__WideMask is_held(const dlp__Particles *p, int64_t i)
{
    dlp__Wide x = dlp__wide_load(p->contact[0] + i), y = dlp__wide_load(p->contact[1] + i),
              z = dlp__wide_load(p->contact[2] + i), friction = dlp__wide_load(p->contact[3] + i);
    return dlp__wide_both(dlp__wide_less(x * x + y * y + z * z, dlp__wide(0.5f)),
                          dlp__wide_less(dlp__wide(0.5f), friction));
}

static void shift(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__JacobiArguments *arguments = c->arguments;
    const dlp__Wide dt_squared = dlp__wide(arguments->dt * arguments->dt);
    const dlp__Wide farthest = dlp__wide(FARTHEST * arguments->kernel.support);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        ForceSums force = force_at(c, i);
        dlp__Wide factor = limited(&force, dt_squared * dlp__wide_load(p->specific_volume[0] + i), farthest);
        factor = dlp__wide_where(dlp__wide_not(is_held(p, i)), factor);
        const dlp__Wide move[3] = {factor * force.x, factor * force.y, factor * force.z};
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->position[a] + i, dlp__wide_load(p->position[a] + i) + move[a]);
            dlp__wide_store(p->correction[a] + i, dlp__wide_load(p->correction[a] + i) + move[a]);
        }
    }
}

/* clang-format off */
#define FLUX_ROW(first) {{DLP_PART(OWN_flux, first), DLP_PART(OWN_flux, (first) + 1), DLP_PART(OWN_flux, (first) + 2), \
                          DLP_PART(OWN_flux, (first) + 3)}}
#define FLUX_ROWS(position) {FLUX_ROW(0), FLUX_ROW(4), {{DLP_PART(position, 0), DLP_PART(position, 1), DLP_PART(position, 2), \
                                                        DLP_PART(OWN_flux, 8)}}}
/* clang-format on */

const dlp__JacobiStages DLP_WIDE(dlp__jacobi_stages) = {
    .diagonal = {.name = "velocity diagonal",
                 .function = diagonals,
                 .reads = {OWN_retention},
                 .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, DLP_FIELD_specific_volume)},
                 .writes = {DLP_FIELD_correction_matrix, OWN_compliance, OWN_response},
                 .pair_weights = DLP_PAIRS_WRITTEN},
    .rotation = {.name = "velocity rotation",
                 .function = add_rotation_strain,
                 .reads = {DLP_FIELD_correction_matrix, OWN_conformation},
                 .gathers = {DLP_ROW_VECTOR(DLP_FIELD_velocity), DLP_ROW_VECTOR(DLP_FIELD_start)},
                 .joins_rows = true,
                 .writes = {OWN_strain},
                 .pair_weights = DLP_PAIRS_READ},
    .guess = {.name = "velocity guess",
              .function = guess,
              .reads = {DLP_FIELD_correction_matrix, OWN_compliance, OWN_response, OWN_retention},
              .writes = {DLP_FIELD_stress, OWN_flux}},
    .strain = {.name = "velocity strain",
               .function = strain,
               .reads = {DLP_FIELD_correction_matrix, OWN_strain, OWN_compliance, OWN_response},
               .gathers = {DLP_ROW_VECTOR(DLP_FIELD_velocity), DLP_ROW_VECTOR(DLP_FIELD_start)},
               .joins_rows = true,
               .writes = {DLP_FIELD_stress, OWN_flux},
               .pair_weights = DLP_PAIRS_READ},
    .push = {.name = "velocity push",
             .function = push,
             .reads = {DLP_FIELD_contact, DLP_FIELD_specific_volume},
             .gathers = FLUX_ROWS(DLP_FIELD_start),
             .writes = {DLP_FIELD_velocity, DLP_FIELD_clearance},
             .pair_weights = DLP_PAIRS_READ},
    .move = {.name = "velocity move",
             .function = move_particles,
             .reads = {DLP_FIELD_start, DLP_FIELD_velocity},
             .writes = {DLP_FIELD_position}},
    .position_strain = {.name = "position strain",
                        .function = position_strain,
                        .reads = {OWN_compliance, OWN_conformation, OWN_retention},
                        .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_specific_volume),
                                    DLP_ROW_VECTOR(DLP_FIELD_start)},
                        .writes = {DLP_FIELD_stress, OWN_flux, OWN_response},
                        .pair_weights = DLP_PAIRS_WRITTEN},
    .shift = {.name = "position shift",
              .function = shift,
              .reads = {DLP_FIELD_contact, DLP_FIELD_specific_volume},
              .gathers = FLUX_ROWS(DLP_FIELD_position),
              .writes = {DLP_FIELD_position, DLP_FIELD_correction},
              .pair_weights = DLP_PAIRS_READ},
};
