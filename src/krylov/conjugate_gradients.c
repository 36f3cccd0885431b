#include "krylov/conjugate_gradients.h"

enum { GRAIN = 4096 };

/* One of the loops below over all particles of one part, with its factor. */
typedef struct Loop {
    dlp__Particles *p;
    float factor;
} Loop;

static void run(const dlp__Krylov *krylov, dlp_RangeFunction function, double factor)
{
    for (int n = 0; n < krylov->parts; n++) {
        Loop loop = {krylov->part[n], (float)factor};
        dlp__parallel_for(krylov->parallel, loop.p->count, GRAIN, function, &loop);
    }
}

/* change = 0, search = mobility residual */
static void begin_search(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const float *mobility = loop->p->mobility[0];
    for (int a = 0; a < 3; a++) {
        float *change = loop->p->change[a], *search = loop->p->search[a];
        const float *residual = loop->p->residual[a];
        for (int64_t i = begin; i < end; i++) {
            change[i] = 0.0f;
            search[i] = mobility[i] * residual[i];
        }
    }
}

/* change += alpha search, residual -= alpha product */
static void advance(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    for (int a = 0; a < 3; a++) {
        float *change = loop->p->change[a], *residual = loop->p->residual[a];
        const float *search = loop->p->search[a], *product = loop->p->product[a];
        for (int64_t i = begin; i < end; i++) {
            change[i] += loop->factor * search[i];
            residual[i] -= loop->factor * product[i];
        }
    }
}

/* search = mobility residual + beta search */
static void turn_search(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const float *mobility = loop->p->mobility[0];
    for (int a = 0; a < 3; a++) {
        float *search = loop->p->search[a];
        const float *residual = loop->p->residual[a];
        for (int64_t i = begin; i < end; i++) {
            search[i] = mobility[i] * residual[i] + loop->factor * search[i];
        }
    }
}

static void add_residuals(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Krylov *krylov = context;
    const dlp__Particles *p = krylov->part[part];
    for (int64_t i = begin; i < end; i++) {
        double x = (double)p->residual[0][i], y = (double)p->residual[1][i], z = (double)p->residual[2][i];
        dlp__exact_add(sum, (double)p->mobility[0][i] * (x * x + y * y + z * z));
    }
}

static void add_curvatures(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Krylov *krylov = context;
    const dlp__Particles *p = krylov->part[part];
    for (int64_t i = begin; i < end; i++) {
        double term = 0.0;
        for (int a = 0; a < 3; a++) {
            term += (double)p->search[a][i] * (double)p->product[a][i];
        }
        dlp__exact_add(sum, term);
    }
}

static double sum_over(const dlp__Krylov *krylov, dlp__TermsFunction terms, double *scale)
{
    int64_t counts[DLP_KRYLOV_PARTS];
    for (int n = 0; n < krylov->parts; n++) {
        counts[n] = krylov->part[n]->count;
    }
    return dlp__exact_sum(krylov->parallel, krylov->parts, counts, terms, krylov, scale);
}

double dlp__krylov_norm(const dlp__Krylov *krylov, double *scale)
{
    return sum_over(krylov, add_residuals, scale);
}

dlp__KrylovReport dlp__conjugate_gradients(const dlp__Krylov *krylov, double target)
{
    double residual_scale = 1.0, curvature_scale = 1.0;
    dlp__KrylovReport report = {.residual = dlp__krylov_norm(krylov, &residual_scale), .room = true};
    run(krylov, begin_search, 0.0);
    while (report.residual > target && report.iterations < krylov->most) {
        if (!krylov->apply(krylov->context)) {
            report.room = false;
            return report;
        }
        double curvature = sum_over(krylov, add_curvatures, &curvature_scale);
        if (!(curvature > 0.0)) { /* rounding is all that is left, or the operator is not positive */
            break;
        }
        run(krylov, advance, report.residual / curvature);
        double last = report.residual;
        report.residual = dlp__krylov_norm(krylov, &residual_scale);
        run(krylov, turn_search, report.residual / last);
        report.iterations++;
    }
    report.finished = report.residual <= target;
    return report;
}
