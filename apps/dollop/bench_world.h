/* Worlds for benchmarks and measurement of their steps. */
#ifndef DOLLOP_BENCH_WORLD_H
#define DOLLOP_BENCH_WORLD_H

#include "bench_progress.h"

#include <dollop/dollop.h>

/* A parameter of a material or method, by name. */
typedef struct BenchValue {
    const char *name;
    double value;
} BenchValue;

typedef struct BenchSetup {
    int64_t particles;
    int64_t threads, simd;
    const char *method; /* null: the default method */
    bool with_gravity;  /* with gravity in a container, like a dam break; otherwise at rest in empty space */
    const BenchValue *material, *solver; /* ends with a null name; null: the defaults */
} BenchSetup;

/* A cube of fluid on a slightly perturbed lattice; on failure returns null and sets `error`. */
dlp_World *bench_world_make(const BenchSetup *setup, dlp_Error *error);

#define BENCH_TIME_STEP 0.001 /* s, safe for a fall through the height of the block */

/* Sorts the values and returns their median. */
double bench_median(double *values, int count);

enum { BENCH_STAGES = 48 };

typedef struct BenchStage {
    const char *name;
    double seconds; /* per call, minimum over all steps                     */
    double calls;   /* per step, of the last step                           */
    double bytes;   /* per call, of the last step in which it was called; see dlp_StageTime */
} BenchStage;

typedef struct BenchTimes {
    double step_seconds; /* minimum over all steps                                    */
    double rate;         /* particles times solver iterations per second, maximum */
    int stage_count;
    BenchStage stages[BENCH_STAGES];
} BenchTimes;

/* Warm up, then take `steps` steps and measure the minimum time of each stage. */
dlp_Result bench_world_time(dlp_World *world, int warm_up, int steps, BenchProgress *progress, BenchTimes *times);

typedef struct BenchFrames {
    double minimum, median; /* s */
} BenchFrames;

enum { BENCH_WARM_UP_FRAMES = 3 };

/* Warm up, then time `frames` frames of `steps` steps of dt (s). */
dlp_Result bench_world_frames(dlp_World *world, int steps, double dt, int frames, BenchProgress *progress,
                              BenchFrames *times);

#endif
