/* The flow factor of a nozzle over time, a factor on its speed: piecewise linear between keys. Without keys it is 1. */
#ifndef DLP_WORLD_FLOW_CURVE_H
#define DLP_WORLD_FLOW_CURVE_H

#include "base/error.h"
#include "base/memory.h"

#include <dollop/world.h>

typedef struct dlp__FlowCurve {
    dlp_FlowKey *keys; /* sorted by time */
    double *sum;       /* s, integral from the first key to each key */
    int count;
} dlp__FlowCurve;

/* Check the keys and replace those of the curve by a copy of them. On failure the curve is unchanged. */
dlp_Result dlp__flow_curve_set(dlp__FlowCurve *curve, dlp__Memory *memory, const dlp_FlowKey *keys, int count,
                               dlp_Error *error);
void dlp__flow_curve_release(dlp__FlowCurve *curve, dlp__Memory *memory);

double dlp__flow_curve_at(const dlp__FlowCurve *curve, double time);

/* The integral from one time to another (s); negative if the second is the earlier one. */
double dlp__flow_curve_between(const dlp__FlowCurve *curve, double from, double to);

/* The time at which the integral since `from` reaches `amount` (s, not negative); infinite if it never does. */
double dlp__flow_curve_when(const dlp__FlowCurve *curve, double from, double amount);

#endif
