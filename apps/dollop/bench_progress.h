/* The progress of the benchmark on a terminal: the case in work, a bar, and the remaining time. */
#ifndef DOLLOP_BENCH_PROGRESS_H
#define DOLLOP_BENCH_PROGRESS_H

#include <stdbool.h>

typedef struct BenchProgress {
    bool shown, colors;
    const char *name;  /* of the case in work */
    double expected;   /* s, of the case in work, on the machine that the figures of the cases come from */
    double done, rest; /* s, expected, of the cases before and after it                            */
    double begin;      /* s, clock at the begin of the first case                                  */
    double case_begin; /* s, clock at the begin of the case in work                                */
    double drawn;      /* s, clock when the line was last drawn                                    */
} BenchProgress;

/* `expected`: seconds of all cases together. */
BenchProgress bench_progress_begin(double expected, bool shown);
/* The next case. */
void bench_progress_case(BenchProgress *progress, const char *name, double expected);
/* Draw the line if it is time to; call it outside of measured times. Null draws nothing. */
void bench_progress_draw(BenchProgress *progress);
/* Erase the line before other output. */
void bench_progress_clear(BenchProgress *progress);

#endif
