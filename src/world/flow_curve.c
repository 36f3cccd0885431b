/* Piecewise linear flow curve: evaluation, integral and inverse of the integral. */
#include "world/flow_curve.h"

#include <math.h>

static const double MIN_INTERVAL = 1e-9; /* s: the shortest step of a world */

static dlp_Result check_keys(const dlp_FlowKey *keys, int count, dlp_Error *error)
{
    if (count < 0 || count > DLP_KEYS_MOST || (count > 0 && keys == NULL)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "%d flow keys at %p: give 0 to %d keys", count, (const void *)keys,
                         DLP_KEYS_MOST);
    }
    for (int k = 0; k < count; k++) {
        if (dlp_params_check(dlp_flow_key_params(), &keys[k], error) != DLP_OK) {
            dlp__error_prefix(error, "flow %d: ", k);
            return DLP_ERROR_ARGUMENT;
        }
        if (k > 0 && !(keys[k].time - keys[k - 1].time >= MIN_INTERVAL)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "flow %d is at %.17g s, less than %g s after the previous key: times must increase", k,
                             keys[k].time, MIN_INTERVAL);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__flow_curve_set(dlp__FlowCurve *curve, dlp__Memory *memory, const dlp_FlowKey *keys, int count,
                               dlp_Error *error)
{
    dlp_Result result = check_keys(keys, count, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp__FlowCurve copy = {dlp__memory_get(memory, count, sizeof *copy.keys),
                           dlp__memory_get(memory, count, sizeof *copy.sum), count};
    if (count > 0 && (copy.keys == NULL || copy.sum == NULL)) {
        dlp__flow_curve_release(&copy, memory);
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for %d flow keys", count);
    }
    for (int k = 0; k < count; k++) {
        copy.keys[k] = keys[k];
        copy.sum[k] = k == 0 ? 0.0
                             : copy.sum[k - 1] +
                                   0.5 * (keys[k].factor + keys[k - 1].factor) * (keys[k].time - keys[k - 1].time);
    }
    dlp__flow_curve_release(curve, memory);
    *curve = copy;
    return DLP_OK;
}

void dlp__flow_curve_release(dlp__FlowCurve *curve, dlp__Memory *memory)
{
    dlp__memory_release(memory, curve->sum, curve->count, sizeof *curve->sum);
    dlp__memory_release(memory, curve->keys, curve->count, sizeof *curve->keys);
    *curve = (dlp__FlowCurve){NULL, NULL, 0};
}

/* One linear segment of the curve. The first and the last one are unbounded. */
typedef struct Segment {
    double time, factor; /* s, reference point */
    double slope;        /* 1/s */
    double sum;          /* s, the integral there */
} Segment;

/* The segment between key k and the next; k is -1 before the first key. */
static Segment segment_at(const dlp__FlowCurve *curve, int k)
{
    const dlp_FlowKey *key = &curve->keys[k < 0 ? 0 : k];
    const bool flat = k < 0 || k == curve->count - 1;
    return (Segment){key->time, key->factor, flat ? 0.0 : (key[1].factor - key->factor) / (key[1].time - key->time),
                     k < 0 ? 0.0 : curve->sum[k]};
}

/* The last key whose time, or with `by_sum` whose sum, is at most `value`; -1 before the first. */
static int key_before(const dlp__FlowCurve *curve, bool by_sum, double value)
{
    int low = -1, high = curve->count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const bool before = (by_sum ? curve->sum[middle] : curve->keys[middle].time) <= value;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

double dlp__flow_curve_at(const dlp__FlowCurve *curve, double time)
{
    if (curve->count == 0) {
        return 1.0;
    }
    const Segment segment = segment_at(curve, key_before(curve, false, time));
    return fmax(segment.factor + segment.slope * (time - segment.time), 0.0);
}

/* The integral since the first key. */
static double integral_to(const dlp__FlowCurve *curve, double time)
{
    const Segment segment = segment_at(curve, key_before(curve, false, time));
    const double past = time - segment.time;
    return segment.sum + past * (segment.factor + 0.5 * segment.slope * past);
}

double dlp__flow_curve_between(const dlp__FlowCurve *curve, double from, double to)
{
    return curve->count == 0 ? to - from : integral_to(curve, to) - integral_to(curve, from);
}

double dlp__flow_curve_when(const dlp__FlowCurve *curve, double from, double amount)
{
    if (curve->count == 0) {
        return from + amount;
    }
    const double wanted = integral_to(curve, from) + amount;
    const Segment segment = segment_at(curve, key_before(curve, true, wanted));
    /* The smaller root of factor * t + slope * t^2 / 2 = rest, in the form without cancellation. */
    const double rest = wanted - segment.sum;
    const double root = sqrt(fmax(segment.factor * segment.factor + 2.0 * segment.slope * rest, 0.0));
    return rest == 0.0 ? fmax(segment.time, from) : fmax(segment.time + 2.0 * rest / (segment.factor + root), from);
}
