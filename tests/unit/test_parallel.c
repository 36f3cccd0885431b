/* Work over threads: every item once, cut at multiples of the grain; the host's threads when it lends some; sums with
 * the same bits for any number of threads.
 * ctest: threaded */
#include "base/parallel.h"

#include <dollop/world.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int THREADS[] = {1, 2, 3, 8, 32};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0], MOST_ITEMS = 20000 };

/* A work function that only marks what it was given. */
typedef struct Marks {
    atomic_int visits[MOST_ITEMS];
    int64_t count, grain;
    atomic_int bad_ranges; /* empty, outside, or not cut at multiples of the grain */
    atomic_int elsewhere;  /* ranges that ran on another thread than `caller`      */
    pthread_t caller;
} Marks;

static void mark(void *context, int64_t begin, int64_t end)
{
    Marks *marks = context;
    bool bad = begin < 0 || begin >= end || end > marks->count || begin % marks->grain != 0 ||
               (end % marks->grain != 0 && end != marks->count);
    atomic_fetch_add(&marks->bad_ranges, bad);
    atomic_fetch_add(&marks->elsewhere, !pthread_equal(pthread_self(), marks->caller));
    for (int64_t i = begin; i < end && !bad; i++) {
        atomic_fetch_add(&marks->visits[i], 1);
    }
}

static Marks *run_marks(const dlp__Parallel *parallel, int64_t count, int64_t grain)
{
    static Marks marks;
    memset(&marks, 0, sizeof marks);
    marks.count = count;
    marks.grain = grain;
    marks.caller = pthread_self();
    dlp__parallel_for(parallel, count, grain, mark, &marks);
    assert_int_equal(marks.bad_ranges, 0);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(marks.visits[i], 1);
    }
    return &marks;
}

static const int64_t COUNTS[] = {0, 1, 2, 15, 16, 17, 511, 512, 513, 4095, 4096, 4097, 8192, 10007, MOST_ITEMS};
static const int64_t GRAINS[] = {1, 2, 7, 16, 64, 512, 4096, 100000};
enum { COUNT_COUNT = sizeof COUNTS / sizeof COUNTS[0], GRAIN_COUNT = sizeof GRAINS / sizeof GRAINS[0] };

static void every_index_is_visited_once_in_ranges_cut_at_the_grain(void **state)
{
    (void)state;
    for (int t = 0; t < THREAD_COUNTS; t++) {
        dlp__Parallel parallel;
        dlp__parallel_init(&parallel, THREADS[t], NULL);
        assert_int_equal(parallel.threads, THREADS[t]);
        for (int c = 0; c < COUNT_COUNT; c++) {
            for (int g = 0; g < GRAIN_COUNT; g++) {
                if (COUNTS[c] / GRAINS[g] < 5000) {
                    run_marks(&parallel, COUNTS[c], GRAINS[g]);
                }
            }
        }
    }
}

static void nothing_runs_for_no_items(void **state)
{
    (void)state;
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, 2, NULL);
    Marks *marks = run_marks(&parallel, 0, 16);
    assert_int_equal(marks->elsewhere, 0);
    marks->count = 0;
    dlp__parallel_for(&parallel, -5, 16, mark, marks);
    assert_int_equal(marks->bad_ranges, 0);
}

static void one_thread_means_the_callers_own(void **state)
{
    (void)state;
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, 1, NULL);
    assert_int_equal(run_marks(&parallel, 10000, 16)->elsewhere, 0);
}

static void zero_threads_means_all_of_the_machine(void **state)
{
    (void)state;
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, 0, NULL);
    assert_true(parallel.threads >= 1);
}

/* Loops inside loops, and loops of several threads at a time: all worlds share the workers. */

static void run_inner_loops(void *context, int64_t begin, int64_t end)
{
    const dlp__Parallel *parallel = context;
    for (int64_t i = begin; i < end; i++) {
        Marks *marks = calloc(1, sizeof *marks);
        assert_non_null(marks);
        marks->count = 1000;
        marks->grain = 7;
        marks->caller = pthread_self();
        dlp__parallel_for(parallel, marks->count, marks->grain, mark, marks);
        for (int64_t k = 0; k < marks->count; k++) {
            assert_int_equal(marks->visits[k], 1);
        }
        free(marks);
    }
}

static void loops_may_be_nested(void **state)
{
    (void)state;
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, 4, NULL);
    dlp__parallel_for(&parallel, 200, 3, run_inner_loops, &parallel);
}

static void *run_many_loops(void *parallel)
{
    run_inner_loops(parallel, 0, 300);
    return NULL;
}

static void several_threads_may_run_loops_at_the_same_time(void **state)
{
    (void)state;
    enum { CALLERS = 5 };
    pthread_t caller[CALLERS];
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, 3, NULL);
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_create(&caller[i], NULL, run_many_loops, &parallel), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(caller[i], NULL);
    }
}

/* Two hosts that lend their threads: one goes backwards, one has real threads. */

typedef struct HostRun {
    atomic_int calls;
    int64_t count, grain;
    dlp_RangeFunction work;
    void *context;
    atomic_llong next;
} HostRun;

static void backwards_for(void *user, int64_t count, int64_t grain, dlp_RangeFunction work, void *context)
{
    atomic_fetch_add(&((HostRun *)user)->calls, 1);
    for (int64_t piece = (count - 1) / grain; piece >= 0; piece--) {
        int64_t end = (piece + 1) * grain < count ? (piece + 1) * grain : count;
        work(context, piece * grain, end);
    }
}

static void *take_pieces(void *argument)
{
    HostRun *run = argument;
    for (;;) {
        int64_t begin = atomic_fetch_add(&run->next, run->grain);
        if (begin >= run->count) {
            return NULL;
        }
        run->work(run->context, begin, begin + run->grain < run->count ? begin + run->grain : run->count);
    }
}

static void pthread_for(void *user, int64_t count, int64_t grain, dlp_RangeFunction work, void *context)
{
    HostRun *run = user;
    enum { HELPERS = 3 };
    pthread_t helper[HELPERS];
    int started = 0;
    atomic_fetch_add(&run->calls, 1);
    run->count = count;
    run->grain = grain;
    run->work = work;
    run->context = context;
    atomic_store(&run->next, 0);
    for (; started < HELPERS && started * grain < count; started++) {
        if (pthread_create(&helper[started], NULL, take_pieces, run) != 0) {
            break;
        }
    }
    take_pieces(run);
    for (int i = 0; i < started; i++) {
        pthread_join(helper[i], NULL);
    }
}

static void the_hosts_threads_are_used_when_it_lends_them(void **state)
{
    (void)state;
    static const dlp_ParallelFor hosts[] = {backwards_for, pthread_for};
    for (int h = 0; h < 2; h++) {
        HostRun run = {0};
        dlp_Hooks hooks = {.parallel_for = hosts[h], .parallel_user = &run};
        dlp__Parallel parallel;
        dlp__parallel_init(&parallel, 4, &hooks);
        int calls = 0;
        for (int c = 0; c < COUNT_COUNT; c++) {
            for (int g = 3; g < GRAIN_COUNT; g++) {
                run_marks(&parallel, COUNTS[c], GRAINS[g]);
                calls += COUNTS[c] > 0;
            }
        }
        assert_int_equal(run.calls, calls);
    }
}

/* Sums. */

static double mixed_value(int64_t i)
{
    uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u;
    x ^= x >> 31;
    double scale = (double)((uint64_t)1 << (x & 31)); /* magnitudes mixed, so that every order gives other bits */
    return ((double)(x >> 11) / 9007199254740992.0 - 0.5) * scale;
}

static double sum_mixed(void *context, int64_t begin, int64_t end)
{
    double sum = 0.0;
    (void)context;
    for (int64_t i = begin; i < end; i++) {
        sum += mixed_value(i);
    }
    return sum;
}

/* What the header promises: blocks on their own, then in order. */
static double sum_by_blocks(int64_t count)
{
    double total = 0.0;
    for (int64_t begin = 0; begin < count; begin += DLP_SUM_BLOCK) {
        total += sum_mixed(NULL, begin, begin + DLP_SUM_BLOCK < count ? begin + DLP_SUM_BLOCK : count);
    }
    return total;
}

static uint64_t bits_of(double x)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void a_sum_has_the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 4095, 4096, 4097, 64 * 4096, 64 * 4096 + 1, 700001};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        uint64_t expected = bits_of(sum_by_blocks(counts[c]));
        for (int t = 0; t < THREAD_COUNTS; t++) {
            dlp__Parallel parallel;
            dlp__parallel_init(&parallel, THREADS[t], NULL);
            assert_true(bits_of(dlp__parallel_sum(&parallel, counts[c], sum_mixed, NULL)) == expected);
        }
        for (int h = 0; h < 2; h++) {
            HostRun run = {0};
            dlp_Hooks hooks = {.parallel_for = h == 0 ? backwards_for : pthread_for, .parallel_user = &run};
            dlp__Parallel parallel;
            dlp__parallel_init(&parallel, 4, &hooks);
            assert_true(bits_of(dlp__parallel_sum(&parallel, counts[c], sum_mixed, NULL)) == expected);
        }
    }
    assert_true(bits_of(sum_by_blocks(700001)) != bits_of(sum_mixed(NULL, 0, 700001))); /* the order does matter */
}

/* A world over the host's threads. */

static uint64_t world_hash_after(int steps, const dlp_Hooks *hooks, int threads)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.threads = threads;
    def.spacing = 0.01;
    def.hooks = *hooks;
    dlp_World *world = NULL;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.friction = 0.0;
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.position = (dlp_Vec3){0.2, 0.1, 0.2};
    tank.shape.size = (dlp_Vec3){0.4, 0.2, 0.4};
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position = (dlp_Vec3){0.1, 0.1, 0.125};
    fluid.shape.size = (dlp_Vec3){0.2, 0.18, 0.25};
    int64_t added = 0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
    assert_true(added > 2 * DLP_SUM_BLOCK); /* so that every loop is cut in pieces */
    for (int step = 0; step < steps; step++) {
        assert_int_equal(dlp_world_step(world, 0.002), DLP_OK);
    }
    uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void a_world_comes_out_the_same_on_the_hosts_threads(void **state)
{
    (void)state;
    const dlp_Hooks none = {.parallel_for = NULL};
    uint64_t expected = world_hash_after(20, &none, 1);
    assert_true(world_hash_after(20, &none, 2) == expected);
    static const dlp_ParallelFor hosts[] = {backwards_for, pthread_for};
    for (int h = 0; h < 2; h++) {
        HostRun run = {0};
        dlp_Hooks hooks = {.parallel_for = hosts[h], .parallel_user = &run};
        assert_true(world_hash_after(20, &hooks, 4) == expected);
        assert_true(run.calls > 20 * 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_visited_once_in_ranges_cut_at_the_grain),
        cmocka_unit_test(nothing_runs_for_no_items),
        cmocka_unit_test(one_thread_means_the_callers_own),
        cmocka_unit_test(zero_threads_means_all_of_the_machine),
        cmocka_unit_test(loops_may_be_nested),
        cmocka_unit_test(several_threads_may_run_loops_at_the_same_time),
        cmocka_unit_test(the_hosts_threads_are_used_when_it_lends_them),
        cmocka_unit_test(a_sum_has_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(a_world_comes_out_the_same_on_the_hosts_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
