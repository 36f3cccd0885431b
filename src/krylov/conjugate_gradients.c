/* The conjugate gradient iteration; vectors are particle fields plus a few extra unknowns. */
#include "krylov/conjugate_gradients.h"

#include "base/simd.h"

#include <math.h>

enum { GRAIN = 4096 };

/* Context of the loops below, which run over all particles of one part. */
typedef struct Loop {
    dlp__Particles *p;
    float factor;
    int components;
} Loop;

static void run(const dlp__Krylov *krylov, dlp_RangeFunction function, double factor)
{
    const double started = dlp__clock();
    for (int n = 0; n < krylov->parts; n++) {
        Loop loop = {krylov->part[n], (float)factor, krylov->components};
        dlp__parallel_for(krylov->parallel, loop.p->count, GRAIN, function, &loop);
    }
    if (krylov->times != NULL) {
        krylov->times->vectors += dlp__clock() - started;
        krylov->times->vector_calls++;
    }
}

/* product = mobility residual: diagonal preconditioner */
static void scale_residual(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const float *mobility = loop->p->mobility[0];
    for (int a = 0; a < loop->components; a++) {
        float *product = loop->p->product[a];
        const float *residual = loop->p->residual[a];
        for (int64_t i = begin; i < end; i++) {
            product[i] = mobility[i] * residual[i];
        }
    }
}

/* change += alpha search, residual -= alpha product */
static void advance(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    for (int a = 0; a < loop->components; a++) {
        float *change = loop->p->change[a], *residual = loop->p->residual[a];
        const float *search = loop->p->search[a], *product = loop->p->product[a];
        for (int64_t i = begin; i < end; i++) {
            change[i] += loop->factor * search[i];
            residual[i] -= loop->factor * product[i];
        }
    }
}

/* search = product + beta search; with beta = 0 the old values are not read */
static void update_search(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    for (int a = 0; a < loop->components; a++) {
        float *search = loop->p->search[a];
        const float *product = loop->p->product[a];
        for (int64_t i = begin; i < end; i++) {
            search[i] = product[i] + (loop->factor != 0.0f ? loop->factor * search[i] : 0.0f);
        }
    }
}

static void add_products(const dlp__Krylov *krylov, const dlp__ExactProducts *terms, int64_t begin, int64_t end,
                         dlp__ExactSum *sum)
{
    static const dlp__ExactProductsFunction versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__exact_products);
    versions[dlp__width_index(krylov->width)](terms, begin, end, sum);
}

static void add_residuals(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Krylov *krylov = context;
    const dlp__Particles *p = krylov->part[part];
    add_products(krylov, &(dlp__ExactProducts){p->residual, p->residual, p->mobility[0], krylov->components}, begin,
                 end, sum);
}

/* search A search, with product = A search */
static void add_curvatures(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Krylov *krylov = context;
    const dlp__Particles *p = krylov->part[part];
    add_products(krylov, &(dlp__ExactProducts){p->search, p->product, NULL, krylov->components}, begin, end, sum);
}

/* residual B residual, with product = B residual */
static void add_preconditioned(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Krylov *krylov = context;
    const dlp__Particles *p = krylov->part[part];
    add_products(krylov, &(dlp__ExactProducts){p->residual, p->product, NULL, krylov->components}, begin, end, sum);
}

static double extra_norm(const dlp__KrylovExtra *extra)
{
    double sum = 0.0;
    for (int n = 0; n < extra->count; n++) {
        sum += extra->mobility[n] * extra->residual[n] * extra->residual[n];
    }
    return sum;
}

static double extra_curvature(const dlp__KrylovExtra *extra)
{
    double sum = 0.0;
    for (int n = 0; n < extra->count; n++) {
        sum += extra->search[n] * extra->product[n];
    }
    return sum;
}

static void update_extra_search(const dlp__KrylovExtra *extra, double factor)
{
    for (int n = 0; n < extra->count; n++) {
        extra->search[n] = extra->mobility[n] * extra->residual[n] + (factor != 0.0 ? factor * extra->search[n] : 0.0);
    }
}

static void advance_extra(const dlp__KrylovExtra *extra, double factor)
{
    for (int n = 0; n < extra->count; n++) {
        extra->change[n] += factor * extra->search[n];
        extra->residual[n] -= factor * extra->product[n];
    }
}

static double sum_over(const dlp__Krylov *krylov, dlp__TermsFunction terms, double *scale)
{
    int64_t counts[DLP_KRYLOV_PARTS];
    for (int n = 0; n < krylov->parts; n++) {
        counts[n] = krylov->part[n]->count;
    }
    const double started = dlp__clock();
    const double sum = dlp__exact_sum(krylov->parallel, krylov->parts, counts, terms, krylov, scale);
    if (krylov->times != NULL) {
        krylov->times->sums += dlp__clock() - started;
        krylov->times->sum_calls++;
    }
    return sum;
}

double dlp__krylov_norm(const dlp__Krylov *krylov, double *scale)
{
    return sum_over(krylov, add_residuals, scale) + extra_norm(&krylov->extra);
}

/* product = B residual; returns residual B residual */
static double precondition(const dlp__Krylov *krylov, double norm, double *scale)
{
    if (krylov->precondition == NULL) {
        run(krylov, scale_residual, 0.0);
        return norm;
    }
    krylov->precondition(krylov->context, norm);
    return sum_over(krylov, add_preconditioned, scale) + extra_norm(&krylov->extra);
}

dlp__KrylovReport dlp__conjugate_gradients(const dlp__Krylov *krylov, double target)
{
    double residual_scale = 1.0, curvature_scale = 1.0, product_scale = 1.0, last_product = INFINITY;
    dlp__KrylovReport report = {.residual = dlp__krylov_norm(krylov, &residual_scale), .ok = true};
    while (report.residual > target && report.iterations < krylov->max_iterations) {
        double residual_product = precondition(krylov, report.residual, &product_scale);
        run(krylov, update_search, residual_product / last_product);
        update_extra_search(&krylov->extra, residual_product / last_product);
        if (!krylov->apply(krylov->context)) {
            report.ok = false;
            return report;
        }
        double curvature = sum_over(krylov, add_curvatures, &curvature_scale) + extra_curvature(&krylov->extra);
        if (!(curvature > 0.0)) { /* only rounding errors are left, or A is not positive definite */
            break;
        }
        run(krylov, advance, residual_product / curvature);
        advance_extra(&krylov->extra, residual_product / curvature);
        report.residual = dlp__krylov_norm(krylov, &residual_scale);
        report.iterations++;
        last_product = residual_product;
    }
    report.converged = report.residual <= target;
    return report;
}
