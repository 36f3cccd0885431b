/* The loops of an explicit upper-convected Maxwell fluid (Barreiro et al. 2017, eqs. 1 to 4) on corrected SPH gradients:
 *     L_i  = sum_j V (u_j - u_i) (K_i gradW_ij)^T
 *     Q_i <- F Q F^T with F = I + dt L, then Q - I relaxes implicitly
 *     a_i  = (V / rho) sum_j (P_i + P_j) gradW_ij,   P = G (Q - I) K
 * The acceleration is the adjoint of the gradient, so momentum is conserved and the stress does work on exactly the
 * strain that produces it. A particle's own sums are corrected after the loop, so K, L, Q and P take one pass. */
#include "stress_stages.h"

#include "materials/conformation_tensor.h"
#include "methods/conformation/conformation_fields.h"

static void begin_step(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StressArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->start[a][i] = p->position[a][i] - arguments->dt * p->velocity[a][i];
        }
    }
}

/* The conformation of the particles i, i + 1, ... after the step, given their velocity gradient; and P. */
DLP_INLINE void strain(const dlp__StressArguments *arguments, dlp__Particles *p, int64_t i, const dlp__Wide gradient[9],
                       const SymmetricMatrix *correction)
{
    const dlp__ConformationFields *f = dlp__own_fields(p);
    const SymmetricMatrix before = load_symmetric(f->conformation, i);
    const SymmetricMatrix s = convect(&before, gradient, dlp__wide(arguments->dt));
    const dlp__Wide kept = dlp__wide(arguments->retention), modulus = dlp__wide(arguments->modulus);
    const SymmetricMatrix after = {kept * s.xx, kept * s.yy, kept * s.zz, kept * s.xy, kept * s.xz, kept * s.yz};
    store_symmetric(f->conformation, i, &after);
    dlp__Wide flux[9] = {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
    multiply_by_symmetric(flux, correction);
    for (int n = 0; n < 9; n++) {
        dlp__wide_store(f->flux[n] + i, modulus * flux[n]);
    }
}

DLP_INLINE void deform_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__StressArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        SymmetricMatrix moment = {zero, zero, zero, zero, zero, zero};
        dlp__Wide gradient[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
            dlp__Wide slope = dlp__wide_where(pair.there, volume * dlp__pair_slope(&arguments->kernel, pair.r, kind));
            const dlp__Wide change[3] = {other.x - own.x, other.y - own.y, other.z - own.z};
            add_moment(&moment, &pair, slope);
            add_gradient(gradient, &pair, slope, change);
        }
        const SymmetricMatrix correction = invert(&moment);
        multiply_by_symmetric(gradient, &correction);
        strain(arguments, c->particles, i, gradient, &correction);
    }
}

static void deform(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StressArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, deform_range, c, begin, end)
}

DLP_INLINE void accelerate_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__StressArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), dt = dlp__wide(arguments->dt);
    const dlp__Wide factor = dlp__wide(arguments->dt * arguments->volume * arguments->specific_volume);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__WideRow own1 = dlp__own_rows(c->rows[1], i), own2 = dlp__own_rows(c->rows[2], i);
        dlp__Wide sum[3] = {zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other1 = dlp__wide_rows(c->rows[1], pair.index);
            dlp__WideRow other2 = dlp__wide_rows(c->rows[2], pair.index);
            dlp__Wide slope = dlp__wide_where(pair.there, dlp__pair_slope(&arguments->kernel, pair.r, kind));
            dlp__Wide x = slope * pair.x, y = slope * pair.y, z = slope * pair.z;
            sum[0] += (at.w + pair.w) * x + (own1.x + other1.x) * y + (own1.y + other1.y) * z;
            sum[1] += (own1.z + other1.z) * x + (own1.w + other1.w) * y + (own2.x + other2.x) * z;
            sum[2] += (own2.y + other2.y) * x + (own2.z + other2.z) * y + (own2.w + other2.w) * z;
        }
        for (int axis = 0; axis < 3; axis++) {
            dlp__Wide velocity = dlp__wide_load(p->velocity[axis] + i) + factor * sum[axis];
            dlp__wide_store(p->velocity[axis] + i, velocity);
            dlp__wide_store(p->position[axis] + i, dlp__wide_load(p->start[axis] + i) + dt * velocity);
        }
    }
}

static void accelerate(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StressArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, accelerate_range, c, begin, end)
}

static void arrive(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StressArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->position[a][i] = p->start[a][i] + arguments->dt * p->velocity[a][i];
        }
    }
}

/* clang-format off */
#define DLP_ROW_FLUX(a, b, c, d) {{DLP_PART(OWN_flux, a), DLP_PART(OWN_flux, b), DLP_PART(OWN_flux, c), DLP_PART(OWN_flux, d)}}
/* clang-format on */

const dlp__StressStages DLP_WIDE(dlp__stress_stages) = {
    .begin = {.name = "stress begin",
              .function = begin_step,
              .reads = {DLP_FIELD_position, DLP_FIELD_velocity},
              .writes = {DLP_FIELD_start}},
    .deform = {.name = "stress deform",
               .function = deform,
               .gathers = {DLP_ROW_VECTOR(DLP_FIELD_start), DLP_ROW_VECTOR(DLP_FIELD_velocity)},
               .writes = {OWN_conformation, OWN_flux}},
    .accelerate = {.name = "stress accelerate",
                   .function = accelerate,
                   .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_start, OWN_flux), DLP_ROW_FLUX(1, 2, 3, 4),
                               DLP_ROW_FLUX(5, 6, 7, 8)},
                   .reads = {DLP_FIELD_start},
                   .writes = {DLP_FIELD_velocity, DLP_FIELD_position}},
    .arrive = {.name = "stress arrive",
               .function = arrive,
               .reads = {DLP_FIELD_start, DLP_FIELD_velocity},
               .writes = {DLP_FIELD_position}},
};
