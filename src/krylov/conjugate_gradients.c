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

/* Vectors that are fields of particles. */
enum Vector { RESIDUAL, SEARCH, PRODUCT };

/* The scalar product of two vectors; `weighted`: by the mobility. */
typedef struct Dot {
    const dlp__Krylov *krylov;
    enum Vector a, b;
    bool weighted;
} Dot;

static float *const *vector_of(const dlp__Particles *p, enum Vector vector)
{
    float *const *const fields[] = {[RESIDUAL] = p->residual, [SEARCH] = p->search, [PRODUCT] = p->product};
    return fields[vector];
}

static void add_terms(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    static const dlp__ExactProductsFunction versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__exact_products);
    const Dot *dot = context;
    const dlp__Particles *p = dot->krylov->part[part];
    const dlp__ExactProducts terms = {vector_of(p, dot->a), vector_of(p, dot->b), dot->weighted ? p->mobility[0] : NULL,
                                      dot->krylov->components};
    versions[dlp__width_index(dot->krylov->width)](&terms, begin, end, sum);
}

static double particles_dot(const Dot *dot, double *scale)
{
    const dlp__Krylov *krylov = dot->krylov;
    int64_t counts[DLP_KRYLOV_PARTS];
    for (int n = 0; n < krylov->parts; n++) {
        counts[n] = krylov->part[n]->count;
    }
    const double started = dlp__clock();
    const double sum = dlp__exact_sum(krylov->parallel, krylov->parts, counts, add_terms, dot, scale);
    if (krylov->times != NULL) {
        krylov->times->sums += dlp__clock() - started;
        krylov->times->sum_calls++;
    }
    return sum;
}

static double extra_dot(const Dot *dot)
{
    const dlp__KrylovExtra *extra = &dot->krylov->extra;
    const double *const fields[] = {[RESIDUAL] = extra->residual, [SEARCH] = extra->search, [PRODUCT] = extra->product};
    const double *a = fields[dot->a], *b = fields[dot->b];
    double sum = 0.0;
    for (int n = 0; n < extra->count; n++) {
        sum += (dot->weighted ? extra->mobility[n] : 1.0) * a[n] * b[n];
    }
    return sum;
}

static double dot_of(const Dot *dot, double *scale)
{
    return particles_dot(dot, scale) + extra_dot(dot);
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

double dlp__krylov_norm(const dlp__Krylov *krylov, double *scale)
{
    return dot_of(&(Dot){krylov, RESIDUAL, RESIDUAL, true}, scale);
}

/* change and residual after a step along `search`, with product = A search */
static void follow_search(const dlp__Krylov *krylov, double step)
{
    run(krylov, advance, step);
    advance_extra(&krylov->extra, step);
}

/* product = B residual; returns residual B residual */
static double precondition(const dlp__Krylov *krylov, double norm, double *scale)
{
    if (krylov->precondition == NULL) {
        run(krylov, scale_residual, 0.0);
        return norm;
    }
    krylov->precondition(krylov->context, norm);
    return particles_dot(&(Dot){krylov, RESIDUAL, PRODUCT, false}, scale) +
           extra_dot(&(Dot){krylov, RESIDUAL, RESIDUAL, true});
}

/* A guessed direction is followed to where the error is least if that leaves at most this part of the residual. Less would not repay the
 * iteration, and a residual that falls at once leaves larger errors than one that falls evenly. */
static const double WORTH = 0.7;

/* Begin along the direction that `guess` gives, if it is worth it. */
static void follow_guess(const dlp__Krylov *krylov, double *residual_scale, dlp__KrylovReport *report)
{
    double scale = *residual_scale;
    krylov->guess(krylov->context);
    for (int n = 0; n < krylov->extra.count; n++) {
        krylov->extra.search[n] = 0.0;
    }
    const double descent = dot_of(&(Dot){krylov, SEARCH, RESIDUAL, false}, &scale);
    if (descent == 0.0) {
        return;
    }
    report->ok = krylov->apply(krylov->context);
    report->iterations++;
    if (!report->ok) {
        return;
    }
    const double part = descent / dot_of(&(Dot){krylov, SEARCH, PRODUCT, false}, &scale);
    const double less = 2.0 * part * dot_of(&(Dot){krylov, RESIDUAL, PRODUCT, true}, &scale) -
                        part * part * dot_of(&(Dot){krylov, PRODUCT, PRODUCT, true}, &scale);
    if (part > 0.0 && report->residual - less < WORTH * WORTH * report->residual) {
        follow_search(krylov, part);
        report->residual = dlp__krylov_norm(krylov, residual_scale);
    }
}

dlp__KrylovReport dlp__conjugate_gradients(const dlp__Krylov *krylov, double target)
{
    double residual_scale = 1.0, curvature_scale = 1.0, product_scale = 1.0, last_product = INFINITY;
    dlp__KrylovReport report = {.residual = dlp__krylov_norm(krylov, &residual_scale), .ok = true};
    if (krylov->guess != NULL && report.residual > target && report.iterations < krylov->max_iterations) {
        follow_guess(krylov, &residual_scale, &report);
    }
    while (report.ok && report.residual > target && report.iterations < krylov->max_iterations) {
        const double residual_product = precondition(krylov, report.residual, &product_scale);
        run(krylov, update_search, residual_product / last_product);
        update_extra_search(&krylov->extra, residual_product / last_product);
        report.ok = krylov->apply(krylov->context);
        if (!report.ok) {
            return report;
        }
        const double curvature = dot_of(&(Dot){krylov, SEARCH, PRODUCT, false}, &curvature_scale);
        if (!(curvature > 0.0)) { /* only rounding errors are left, or A is not positive definite */
            break;
        }
        follow_search(krylov, residual_product / curvature);
        report.residual = dlp__krylov_norm(krylov, &residual_scale);
        report.iterations++;
        last_product = residual_product;
    }
    report.converged = report.ok && report.residual <= target;
    return report;
}
