/* A record of the cost of a run over its simulated time: steps, particles, solver iterations and seconds in equal bins. Traces of the
 * same scene at different spacings can be compared bin by bin. */
#ifndef DOLLOP_STEP_TRACE_H
#define DOLLOP_STEP_TRACE_H

#include "schedule.h"

enum { TRACE_BINS = 64 };

typedef struct TraceBin {
    double span;                /* s, simulated */
    double steps;               /* number of substeps */
    double real_steps;          /* number that the real spacing needs for the same span, estimated */
    double particles;           /* sum over substeps */
    double iterations, seconds; /* sums */
} TraceBin;

typedef struct StepTrace {
    Schedule schedule;
    double factor; /* spacing over that of the real run; 1: the real run */
    int threads;
    double end;                  /* s, simulated time of the whole scene */
    double time;                 /* s, simulated time that is recorded   */
    double expected[TRACE_BINS]; /* particles from fluids and emitters in the middle of each bin */
    TraceBin bins[TRACE_BINS];
    TraceBin pending; /* steps since the statistics were last sampled */
} StepTrace;

/* Begin at the present time of the world. */
void trace_begin(StepTrace *trace, const Schedule *schedule, const dlp_World *world, double factor);
/* Add the last step of the world, which took `seconds`. */
void trace_add_step(StepTrace *trace, const dlp_World *world, double seconds);

/* The bin that contains a simulated time (s). */
int trace_bin(const StepTrace *trace, double time);
/* s, simulated length of a bin. */
double trace_bin_span(const StepTrace *trace);
double trace_seconds(const StepTrace *trace); /* of all steps */

#endif
