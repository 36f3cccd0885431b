/* The loops of velocity smoothing; its pair equation is in smooth_pairs.h. */
#include "methods/smooth_stages.h"

#include "methods/smooth_pairs.h"

static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SmoothArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp__SmoothMaterial *own = dlp__material_params(arguments->step, p->material[0][i]);
        p->smoothing[0][i] = (float)own->smoothing;
    }
}

DLP_INLINE void smooth_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__SmoothArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), two = dlp__wide(2.0f), volume = dlp__wide(arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        SmoothSums sums = {zero, zero, zero};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
            dlp__Wide mass = two * at.w / (at.w + pair.w);
            add_smooth(&sums, &pair, &own, &other, mass, &arguments->kernel, kind);
        }
        float *const *velocity = c->particles->velocity;
        dlp__wide_store(velocity[0] + i, own.x + volume * sums.x);
        dlp__wide_store(velocity[1] + i, own.y + volume * sums.y);
        dlp__wide_store(velocity[2] + i, own.z + volume * sums.z);
    }
}

static void smooth(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SmoothArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, smooth_range, c, begin, end)
}

const dlp__SmoothStages DLP_WIDE(dlp__smooth_stages) = {
    .prepare = {.name = "smooth prepare",
                .function = prepare,
                .reads = {DLP_FIELD_material},
                .writes = {DLP_FIELD_smoothing}},
    .smooth = {.name = "smooth",
               .function = smooth,
               .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_specific_volume),
                           DLP_ROW_VECTOR_SCALAR(DLP_FIELD_velocity, DLP_FIELD_smoothing)},
               .writes = {DLP_FIELD_velocity}},
};
