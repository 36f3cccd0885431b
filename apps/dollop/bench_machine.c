/* Memory bandwidth (STREAM triad) and arithmetic rate. Each figure is the best of several rounds, because other programs on the
 * machine can only reduce it. Each core is loaded by a separate process. */
#include "bench_machine.h"

#include "apps/shared/wall_clock.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5, CHAINS = 12, BATCH = 100000 };

typedef struct Load {
    double (*measure)(const struct Load *load); /* units per second of one process */
    bool quick;
    int lanes;
} Load;

/* The total rate of `processes` copies of the load that run in parallel. */
static double run_together(const Load *load, int processes)
{
    int channel[2];
    double sum = 0;
    if (pipe(channel) != 0) {
        return 0;
    }
    for (int i = 0; i < processes; i++) {
        if (fork() == 0) {
            const double rate = load->measure(load);
            _exit(write(channel[1], &rate, sizeof rate) != sizeof rate);
        }
    }
    close(channel[1]);
    for (double rate; read(channel[0], &rate, sizeof rate) == sizeof rate;) {
        sum += rate;
    }
    close(channel[0]);
    while (wait(NULL) > 0) {}
    return sum;
}

static double best_of_rounds(const Load *load, int processes)
{
    double best = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const double rate = run_together(load, processes);
        best = rate > best ? rate : best;
    }
    return best;
}

static double measure_triad(const Load *load)
{
    const size_t count = load->quick ? (size_t)1 << 20 : (size_t)1 << 23; /* 8 or 64 MiB per array */
    const double length = load->quick ? 0.05 : 0.3;                       /* s */
    double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b), *c = malloc(count * sizeof *c);
    double rate = 0;
    if (a && b && c) {
        for (size_t i = 0; i < count; i++) {
            a[i] = 0;
            b[i] = 1;
            c[i] = 2;
        }
        int passes = 0;
        const double start = clock_seconds();
        double now = start;
        while (now - start < length) {
            const double scale = 1e-3 * ++passes; /* varies, so that the compiler cannot skip a pass */
            for (size_t i = 0; i < count; i++) {
                a[i] = b[i] + scale * c[i];
            }
            now = clock_seconds();
        }
        volatile double sink = a[count / 2];
        (void)sink;
        rate = 3.0 * (double)(count * sizeof *a) * passes / (now - start);
    }
    free(a);
    free(b);
    free(c);
    return rate;
}

double machine_triad(int processes, bool quick)
{
    return best_of_rounds(&(Load){.measure = measure_triad, .quick = quick}, processes);
}

/* A function that keeps the multiply and add units of one vector width busy: independent chains in arrays that gcc keeps in
 * registers. clang spills them, so its builds give lower figures. */
#define DEFINE_BUSY(name, lanes, attributes) \
    attributes static float name(float factor) \
    { \
        float chains[CHAINS][lanes], sum = 0; \
        for (int k = 0; k < CHAINS; k++) { \
            for (int lane = 0; lane < (lanes); lane++) { \
                chains[k][lane] = (float)k; \
            } \
        } \
        for (int i = 0; i < BATCH; i++) { \
            for (int k = 0; k < CHAINS; k++) { \
                for (int lane = 0; lane < (lanes); lane++) { \
                    chains[k][lane] = chains[k][lane] * factor + 1e-3f; \
                } \
            } \
        } \
        for (int k = 0; k < CHAINS; k++) { \
            for (int lane = 0; lane < (lanes); lane++) { \
                sum += chains[k][lane]; \
            } \
        } \
        return sum; \
    }

DEFINE_BUSY(busy_4, 4, )
#if defined(__x86_64__)
DEFINE_BUSY(busy_8, 8, __attribute__((target("avx2,fma"))))
DEFINE_BUSY(busy_16, 16, __attribute__((target("avx512f"))))
#endif

static float (*busy_function(int lanes))(float)
{
    if (lanes == 4) {
        return busy_4;
    }
#if defined(__x86_64__)
    if (lanes == 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return busy_8;
    }
    if (lanes == 16 && __builtin_cpu_supports("avx512f")) {
        return busy_16;
    }
#endif
    return NULL;
}

static double measure_flops(const Load *load)
{
    float (*busy)(float) = busy_function(load->lanes);
    const double length = load->quick ? 0.02 : 0.2; /* s */
    volatile float factor = 0.999f, sink = 0;       /* volatile: the compiler cannot skip or reuse a batch */
    int batches = 0;
    const double start = clock_seconds();
    double now = start;
    while (now - start < length) {
        sink = sink + busy(factor);
        ++batches;
        now = clock_seconds();
    }
    return 2.0 * load->lanes * CHAINS * BATCH * batches / (now - start);
}

double machine_flops(int processes, int lanes, bool quick)
{
    if (!busy_function(lanes)) {
        return 0;
    }
    return best_of_rounds(&(Load){.measure = measure_flops, .quick = quick, .lanes = lanes}, processes);
}
