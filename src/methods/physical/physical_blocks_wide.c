/* Block Jacobi preconditioner: the inverse of the 3x3 diagonal block of the operator for every particle. A particle at a free surface
 * has a large block: the sum s of its kernel gradients does not vanish, so its own stress changes with its own motion. With
 * q = K g, neighbours j and the particle itself, for which g is s,
 *
 *     B_i = density I + sum_j [mu_j (q_j^2 I + q_j q_j^T) + dt kappa_j q_j q_j^T + stabilization]
 *
 * Images in walls count in s only. */
#include "methods/physical/physical_blocks.h"
#include "methods/physical/physical_loops.h"

/* sum += shear (|q|^2 I + q q^T) + bulk q q^T */
DLP_INLINE void add_resistance(SymmetricMatrix *sum, const dlp__Wide q[3], dlp__Wide shear, dlp__Wide bulk)
{
    const dlp__Wide along = shear + bulk, all = shear * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    sum->xx += all + along * q[0] * q[0];
    sum->yy += all + along * q[1] * q[1];
    sum->zz += all + along * q[2] * q[2];
    sum->xy += along * q[0] * q[1];
    sum->xz += along * q[0] * q[2];
    sum->yz += along * q[1] * q[2];
}

/* The inverse of m, whose eigenvalues are at least `least`, where the mask is set, and 0 elsewhere. */
DLP_INLINE SymmetricMatrix inverse_of(const SymmetricMatrix *m, dlp__Wide least, dlp__WideMask mask)
{
    const SymmetricMatrix a = scaled(m, dlp__wide(1.0f) / least);
    const SymmetricMatrix cofactors = {a.yy * a.zz - a.yz * a.yz, a.xx * a.zz - a.xz * a.xz, a.xx * a.yy - a.xy * a.xy,
                                       a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy, a.xy * a.xz - a.xx * a.yz};
    const dlp__Wide det = a.xx * cofactors.xx + a.xy * cofactors.xy + a.xz * cofactors.xz;
    return scaled(&cofactors, dlp__wide_where(mask, dlp__wide(1.0f) / (det * least)));
}

static void invert_blocks(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), dt = dlp__wide(arguments->dt);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        const SymmetricMatrix own = load_symmetric(p->correction_matrix, i);
        SymmetricMatrix sum = {zero, zero, zero, zero, zero, zero};
        dlp__Wide s[3] = {zero, zero, zero}, q[3], weights_sum = zero, flux_sum = zero;
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        const dlp__WideRow at = dlp__own_rows(c->rows[2], i);
        const float *slopes = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
            const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
            const dlp__WideRow a = dlp__wide_rows(c->rows[0], index), b = dlp__wide_rows(c->rows[1], index),
                               there = dlp__wide_rows(c->rows[2], index);
            const SymmetricMatrix correction = {a.z, a.w, b.x, b.y, b.z, b.w};
            const dlp__Wide slope = dlp__wide_load(slopes);
            const dlp__Wide g[3] = {slope * (at.x - there.x), slope * (at.y - there.y), slope * (at.z - there.z)};
            symmetric_product(&correction, g, q);
            add_resistance(&sum, q, a.x, dt * a.y);
            weights_sum -= slope * (at.w + there.w);
            flux_sum += q[0] * g[0] + q[1] * g[1] + q[2] * g[2];
            for (int n = 0; n < 3; n++) {
                s[n] += g[n];
            }
        }
        lanes = dlp__lanes(&c->mirror->list, i);
        const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
        for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
            Image image = image_at(parts);
            for (int n = 0; n < 3; n++) {
                s[n] += image.g[n];
            }
        }
        symmetric_product(&own, s, q);
        add_resistance(&sum, q, dlp__wide_load(f->stiffness[0] + i), dt * dlp__wide_load(f->bulk[0] + i));
        flux_sum += q[0] * s[0] + q[1] * s[1] + q[2] * s[2];
        const dlp__Wide density = dlp__wide(arguments->inertia) / dlp__wide_load(p->specific_volume[0] + i);
        const dlp__Wide stabilized = weights_sum - dlp__wide_load(f->stabilization[0] + i) * flux_sum;
        const dlp__Wide diagonal = density + dlp__wide_max(stabilized, zero);
        sum.xx += diagonal;
        sum.yy += diagonal;
        sum.zz += diagonal;
        const dlp__Wide is_free = dlp__wide_load(p->mobility[0] + i); /* 0 where velocity is prescribed */
        const SymmetricMatrix inverse = inverse_of(&sum, diagonal, dlp__wide_less(zero, is_free));
        store_symmetric(p->velocity_gradient, i, &inverse);
    }
}

static void apply_blocks(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        const SymmetricMatrix block = load_symmetric(p->velocity_gradient, i);
        const dlp__Wide r[3] = {dlp__wide_load(p->residual[0] + i), dlp__wide_load(p->residual[1] + i),
                                dlp__wide_load(p->residual[2] + i)};
        dlp__Wide z[3];
        symmetric_product(&block, r, z);
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(p->product[a] + i, z[a]);
        }
    }
}

const dlp__PhysicalBlockStages DLP_WIDE(dlp__physical_block_stages) = {
    .invert = {.name = "physical blocks",
               .function = invert_blocks,
               .gathers = {{{DLP_PART(OWN_stiffness, 0), DLP_PART(OWN_bulk, 0),
                             DLP_PART(DLP_FIELD_correction_matrix, 0), DLP_PART(DLP_FIELD_correction_matrix, 1)}},
                           DLP_ROW_FOUR(DLP_FIELD_correction_matrix, 2),
                           DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_stabilization)},
               .reads = {DLP_FIELD_specific_volume, DLP_FIELD_mobility, DLP_FIELD_correction_matrix, OWN_stabilization,
                         OWN_stiffness, OWN_bulk},
               .writes = {DLP_FIELD_velocity_gradient},
               .pair_weights = DLP_PAIRS_READ},
    .apply = {.name = "physical precondition",
              .function = apply_blocks,
              .reads = {DLP_FIELD_residual, DLP_FIELD_velocity_gradient},
              .writes = {DLP_FIELD_product}},
};
