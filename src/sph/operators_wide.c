/* The loops of operators.h; the equations are in operator_pairs.h. */
#include "sph/operators.h"

#include "sph/operator_pairs.h"

DLP_INLINE void density_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        dlp__Wide sum = volume * dlp__pair_value(kernel, zero, kind);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            sum += dlp__wide_where(pair.there, volume * dlp__pair_value(kernel, pair.r, kind));
        }
        dlp__Wide specific_volume = dlp__wide_load(c->particles->specific_volume[0] + i);
        dlp__wide_store(c->particles->density[0] + i, sum / specific_volume);
    }
}

static void density(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, density_range, c, begin, end)
}

DLP_INLINE void matrix_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    float *const *matrix = c->particles->correction_matrix;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        SymmetricMatrix moment = {zero, zero, zero, zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            add_moment(&moment, &pair, volume * dlp__pair_slope(&arguments->kernel, pair.r, kind));
        }
        SymmetricMatrix inverse = invert(&moment);
        store_symmetric(matrix, i, &inverse);
    }
}

static void correction_matrix(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, matrix_range, c, begin, end)
}

DLP_INLINE void gradient_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    const dlp__Wide volume = dlp__wide(arguments->volume);
    float *const *matrix = c->particles->correction_matrix, *const *gradient = c->particles->velocity_gradient;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        const SymmetricMatrix correction = load_symmetric(matrix, i);
        dlp__Wide part[9];
        gradient_at(c, i, &arguments->kernel, volume, kind, &correction, part);
        for (int n = 0; n < 9; n++) {
            dlp__wide_store(gradient[n] + i, part[n]);
        }
    }
}

static void velocity_gradient(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, gradient_range, c, begin, end)
}

DLP_INLINE void laplacian_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        dlp__Wide z = mean_diagonal(own.x, own.y, own.z), sum = zero;
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
            dlp__Wide weight = volume * (z + mean_diagonal(other.x, other.y, other.z));
            dlp__Wide slope = dlp__pair_slope(&arguments->kernel, pair.r, kind);
            sum += dlp__wide_where(pair.there, weight * slope * (at.w - pair.w));
        }
        dlp__wide_store(c->particles->laplacian[0] + i, sum);
    }
}

static void laplacian(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__OperatorArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, laplacian_range, c, begin, end)
}

const dlp__Operators DLP_WIDE(dlp__operators) = {
    .density = {.name = "sph density",
                .function = density,
                .reads = {DLP_FIELD_specific_volume},
                .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
                .writes = {DLP_FIELD_density}},
    .correction_matrix = {.name = "correction matrix",
                          .function = correction_matrix,
                          .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
                          .writes = {DLP_FIELD_correction_matrix}},
    .velocity_gradient = {.name = "velocity gradient",
                          .function = velocity_gradient,
                          .reads = {DLP_FIELD_correction_matrix},
                          .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position), DLP_ROW_VECTOR(DLP_FIELD_velocity)},
                          .writes = {DLP_FIELD_velocity_gradient}},
    .laplacian = {.name = "laplacian",
                  .function = laplacian,
                  .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_scalar),
                              DLP_ROW_VECTOR(DLP_FIELD_correction_matrix)},
                  .writes = {DLP_FIELD_laplacian}},
};
