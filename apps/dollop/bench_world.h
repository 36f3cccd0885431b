/* Worlds to measure, and measuring them step by step. */
#ifndef DOLLOP_BENCH_WORLD_H
#define DOLLOP_BENCH_WORLD_H

#include <dollop/dollop.h>

/* A member of a material or of a method's parameters, by its name. */
typedef struct BenchValue {
    const char *name;
    double value;
} BenchValue;

typedef struct BenchSetup {
    int64_t particles;
    int64_t threads, simd;
    const char *method; /* null: the default */
    bool falls;         /* in a container under gravity, as a dam break does; otherwise it rests in empty space */
    const BenchValue *material, *solver; /* closed by a null name; null: the defaults */
} BenchSetup;

/* A cube of fluid on a slightly disordered lattice; null with `error` filled if it cannot be made. */
dlp_World *bench_world_make(const BenchSetup *setup, dlp_Error *error);

enum { BENCH_STAGES = 48 };

typedef struct BenchStage {
    const char *name;
    double seconds; /* of one call, the least over all steps */
} BenchStage;

typedef struct BenchTimes {
    double step_seconds; /* least over all steps                                  */
    double rate;         /* particles times solver iterations per second, the most */
    int stage_count;
    BenchStage stages[BENCH_STAGES];
} BenchTimes;

/* Warm up, then take `steps` steps and keep the least time of each stage. */
dlp_Result bench_world_time(dlp_World *world, int warm_up, int steps, BenchTimes *times);

typedef struct BenchFrames {
    double least, median; /* s */
} BenchFrames;

enum { BENCH_WARM_UP_FRAMES = 3 };

/* Warm up, then time `frames` frames of `steps` steps of dt (s). */
dlp_Result bench_world_frames(dlp_World *world, int steps, double dt, int frames, BenchFrames *times);

#endif
