/* Memory: blocks are aligned and counted, all of it comes from the host and goes back, and a world that runs out of it
 * at any moment says so and can still be destroyed. */
#include "base/memory.h"
#include "world/world_state.h"

#include <dollop/world.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUARD = 64 }; /* bytes before and behind each block, to see its size again and whether it was overrun */

/* A host's memory that counts, fills new blocks with rubbish, and has nothing left from call `fail_from` on, for
 * `fail_calls` calls. */
typedef struct Host {
    int64_t calls, blocks, bytes, peak;
    int64_t fail_from, fail_calls;
    int rubbish;
    bool damaged; /* a size or alignment was wrong, or a block was overrun */
} Host;

static void *host_allocate(void *user, size_t size, size_t alignment)
{
    Host *host = user;
    host->calls++;
    host->damaged = host->damaged || size == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0;
    if (host->fail_from > 0 && host->calls >= host->fail_from && host->calls - host->fail_from < host->fail_calls) {
        return NULL;
    }
    unsigned char *block = aligned_alloc(64, (size + 2 * GUARD + 63) / 64 * 64);
    assert_non_null(block);
    memcpy(block, &size, sizeof size);
    memset(block + GUARD, host->rubbish, size);
    memset(block + GUARD + size, 0x5a, GUARD);
    host->blocks++;
    host->bytes += (int64_t)size;
    host->peak = host->bytes > host->peak ? host->bytes : host->peak;
    return block + GUARD;
}

static void host_release(void *user, void *memory, size_t size)
{
    Host *host = user;
    unsigned char *block = (unsigned char *)memory - GUARD;
    size_t given = 0;
    memcpy(&given, block, sizeof given);
    host->damaged = host->damaged || given != size;
    for (size_t i = 0; i < GUARD && given == size; i++) {
        host->damaged = host->damaged || block[GUARD + size + i] != 0x5a;
    }
    host->blocks--;
    host->bytes -= (int64_t)given;
    free(block);
}

static dlp_Allocator allocator_of(Host *host)
{
    return (dlp_Allocator){host_allocate, host_release, host};
}

static void assert_balanced(const Host *host)
{
    assert_int_equal(host->blocks, 0);
    assert_int_equal(host->bytes, 0);
    assert_false(host->damaged);
}

static void blocks_are_aligned_to_a_cache_line(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    for (int64_t count = 1; count < 3000; count += 13) {
        void *block = dlp__memory_get(&memory, count, 3);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % DLP_ALIGNMENT, 0);
        memset(block, 1, (size_t)count * 3);
        dlp__memory_release(&memory, block, count, 3);
    }
    assert_int_equal(memory.bytes, 0);
}

static void bytes_and_their_peak_are_counted(void **state)
{
    (void)state;
    Host host = {0};
    dlp_Allocator allocator = allocator_of(&host);
    dlp__Memory memory;
    dlp__memory_init(&memory, &allocator);
    void *first = dlp__memory_get(&memory, 100, 8), *second = dlp__memory_get(&memory, 7, 1);
    assert_int_equal(memory.bytes, 807);
    dlp__memory_release(&memory, first, 100, 8);
    void *third = dlp__memory_get(&memory, 10, 4);
    assert_int_equal(memory.bytes, 47);
    assert_int_equal(memory.peak, 807);
    dlp__memory_release(&memory, second, 7, 1);
    dlp__memory_release(&memory, third, 10, 4);
    dlp__memory_release(&memory, NULL, 10, 4);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.peak, host.peak);
    assert_balanced(&host);
}

static void impossible_sizes_give_null_without_asking_the_host(void **state)
{
    (void)state;
    Host host = {0};
    dlp_Allocator allocator = allocator_of(&host);
    dlp__Memory memory;
    dlp__memory_init(&memory, &allocator);
    assert_null(dlp__memory_get(&memory, 0, 8));
    assert_null(dlp__memory_get(&memory, -1, 8));
    assert_null(dlp__memory_get(&memory, INT64_MIN, 1));
    assert_null(dlp__memory_get(&memory, INT64_MAX, 1));
    assert_null(dlp__memory_get(&memory, INT64_MAX, 16));
    assert_null(dlp__memory_get(&memory, (int64_t)1 << 61, 8)); /* 2^64 wraps to nothing */
    assert_int_equal(host.calls, 0);
    assert_int_equal(memory.bytes, 0);
}

static void a_buffer_asks_only_when_it_must_grow(void **state)
{
    (void)state;
    Host host = {0};
    dlp_Allocator allocator = allocator_of(&host);
    dlp__Memory memory;
    dlp__memory_init(&memory, &allocator);
    dlp__Buffer buffer = {0};
    assert_true(dlp__buffer_reserve(&memory, &buffer, 0, 4));
    assert_null(buffer.data);
    assert_true(dlp__buffer_reserve(&memory, &buffer, 1000, 4));
    assert_true(buffer.capacity >= 4000);
    const void *data = buffer.data;
    assert_true(dlp__buffer_reserve(&memory, &buffer, 10, 4));
    assert_true(dlp__buffer_reserve(&memory, &buffer, 1000, 4));
    assert_ptr_equal(buffer.data, data);
    assert_int_equal(host.calls, 1);
    assert_int_equal(memory.bytes, buffer.capacity);
    dlp__buffer_release(&memory, &buffer);
    assert_null(buffer.data);
    assert_int_equal(memory.bytes, 0);
    assert_balanced(&host);
}

static void a_growing_buffer_keeps_its_contents_also_when_growing_fails(void **state)
{
    (void)state;
    Host host = {.rubbish = 0xff};
    dlp_Allocator allocator = allocator_of(&host);
    dlp__Memory memory;
    dlp__memory_init(&memory, &allocator);
    dlp__Buffer buffer = {0};
    int64_t count = 0;
    for (int64_t wanted = 1; wanted < 5000; wanted = wanted * 3 / 2 + 1) {
        assert_true(dlp__buffer_grow(&memory, &buffer, count * 4, wanted, 4));
        for (; count < wanted; count++) {
            ((int32_t *)buffer.data)[count] = (int32_t)count;
        }
        for (int64_t i = 0; i < count; i++) {
            assert_int_equal(((int32_t *)buffer.data)[i], i);
        }
    }
    host.fail_from = host.calls + 1;
    host.fail_calls = INT64_MAX;
    assert_false(dlp__buffer_grow(&memory, &buffer, count * 4, 1000000, 4));
    assert_false(dlp__buffer_grow(&memory, &buffer, count * 4, INT64_MAX, 4));
    assert_int_equal(((int32_t *)buffer.data)[count - 1], count - 1);
    assert_false(dlp__buffer_reserve(&memory, &buffer, 1000000, 4));
    assert_null(buffer.data);
    assert_int_equal(buffer.capacity, 0);
    assert_int_equal(memory.bytes, 0);
    assert_balanced(&host);
}

/* A world of about 500 particles in a container, with all that a world can hold. */

typedef struct Kind {
    const char *name;
    int subdomains;
    bool periodic;
} Kind;

static const Kind KINDS[] = {{"open", 1, false}, {"periodic", 1, true}, {"split", 4, false}, {"both", 4, true}};

static dlp_WorldDef world_def(const Kind *kind, Host *host)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.threads = 1;
    def.subdomains = kind->subdomains;
    def.spacing = 0.01;
    if (kind->periodic) {
        def.periodic_min = (dlp_Vec3){-0.06, -0.06, 0.0};
        def.periodic_size = (dlp_Vec3){0.12, 0.12, 0.0};
    }
    def.hooks.allocator = allocator_of(host);
    return def;
}

/* Materials, solids, an emitter, a sink and fluid; stops at the first call that fails. */
static dlp_Result fill_world(dlp_World *world)
{
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 0.0;
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.position = (dlp_Vec3){0.0, 0.0, 0.2};
    emitter.radius = 0.012;
    emitter.speed = 2.0;
    dlp_SinkDef sink = dlp_default_sink_def();
    sink.shape.position = (dlp_Vec3){0.04, 0.04, 0.01};
    sink.shape.size = (dlp_Vec3){0.03, 0.03, 0.03};
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position = (dlp_Vec3){0.0, 0.0, 0.04};
    fluid.shape.size = (dlp_Vec3){0.08, 0.08, 0.08};
    fluid.velocity = (dlp_Vec3){1.0, 0.5, 0.0};
    dlp_Result result = dlp_world_add_material(world, &material, NULL);
    result = result == DLP_OK ? dlp_world_add_solid(world, &floor, NULL) : result;
    result = result == DLP_OK ? dlp_world_add_emitter(world, &emitter, NULL) : result;
    result = result == DLP_OK ? dlp_world_add_sink(world, &sink, NULL) : result;
    return result == DLP_OK ? dlp_world_add_fluid(world, &fluid, NULL) : result;
}

static const double DT = 0.004; /* s: nearly a spacing a step, so that neighbours change */

static dlp_World *full_world(const Kind *kind, Host *host)
{
    dlp_WorldDef def = world_def(kind, host);
    dlp_World *world = NULL;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    assert_int_equal(fill_world(world), DLP_OK);
    return world;
}

static void a_world_returns_every_byte_to_the_host(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        Host host = {.rubbish = 0xff};
        dlp_World *world = full_world(&KINDS[k], &host);
        assert_true(dlp_world_particle_count(world) >= 500);
        for (int step = 0; step < 20; step++) {
            assert_int_equal(dlp_world_step(world, DT), DLP_OK);
        }
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        assert_int_equal(stats.memory, host.bytes);
        assert_int_equal(stats.memory_peak, host.peak);
        assert_true(host.blocks > 20);
        dlp_world_destroy(world);
        assert_balanced(&host);
    }
}

static void results_do_not_depend_on_what_fresh_memory_holds(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        static const int rubbish[] = {0x00, 0xff, 0x41}; /* zeros, NaNs, numbers */
        uint64_t hash[3];
        for (int r = 0; r < 3; r++) {
            Host host = {.rubbish = rubbish[r]};
            dlp_World *world = full_world(&KINDS[k], &host);
            for (int step = 0; step < 20; step++) {
                assert_int_equal(dlp_world_step(world, DT), DLP_OK);
            }
            hash[r] = dlp_world_hash(world);
            dlp_world_destroy(world);
            assert_balanced(&host);
        }
        assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    }
}

/* Steps so short that nobody changes places, which could ask for more room in a part. */
static void a_warmed_up_step_allocates_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        Host host = {0};
        dlp_WorldDef def = world_def(&KINDS[k], &host);
        dlp_World *world = NULL;
        assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
        dlp_MaterialDef material = dlp_default_material_def();
        dlp_SolidDef floor = dlp_default_solid_def();
        floor.friction = 0.0;
        dlp_FluidDef fluid = dlp_default_fluid_def();
        fluid.shape.position = (dlp_Vec3){0.0, 0.0, 0.04};
        fluid.shape.size = (dlp_Vec3){0.11, 0.11, 0.08};
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
        for (int step = 0; step < 5; step++) {
            assert_int_equal(dlp_world_step(world, 1e-6), DLP_OK);
        }
        bool ghosts = world->domains.part[0].particles.ghosts > 0;
        assert_true(ghosts == (KINDS[k].periodic || KINDS[k].subdomains > 1));
        int64_t calls = host.calls;
        for (int step = 0; step < 20; step++) {
            assert_int_equal(dlp_world_step(world, 1e-6), DLP_OK);
        }
        assert_int_equal(host.calls, calls);
        dlp_world_destroy(world);
        assert_balanced(&host);
    }
}

/* What a run with a failing host came to. */
typedef struct Outcome {
    bool failed; /* some call said that memory is out */
    bool in_step;
} Outcome;

enum { STEPS = 3 };

/* Create, fill and step a world; every call is fine or says DLP_ERROR_MEMORY in words. */
static Outcome run_failing(const Kind *kind, Host *host, bool again)
{
    Outcome outcome = {false, false};
    dlp_WorldDef def = world_def(kind, host);
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    dlp_Result result = dlp_world_create(&def, &world, &error);
    if (result != DLP_OK) {
        assert_int_equal(result, DLP_ERROR_MEMORY);
        assert_int_equal(error.code, DLP_ERROR_MEMORY);
        assert_true(strlen(error.text) > 0);
        assert_null(world);
        outcome.failed = true;
        return outcome;
    }
    result = fill_world(world);
    if (result != DLP_OK) {
        assert_int_equal(dlp_world_particle_count(world), 0);
    }
    for (int step = 0; step < STEPS && result == DLP_OK; step++) {
        result = dlp_world_step(world, DT);
        outcome.in_step = result != DLP_OK;
    }
    if (result != DLP_OK) {
        assert_int_equal(result, DLP_ERROR_MEMORY);
        assert_non_null(strstr(dlp_world_error(world), "no memory"));
        outcome.failed = true;
        dlp_WorldStats stats;
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        dlp_world_hash(world);
        if (again) { /* memory is available again, but a step that failed part-way has left the world in an invalid state */
            result = dlp_world_step(world, DT);
            assert_true(outcome.in_step ? result == DLP_ERROR_ARGUMENT || result == DLP_OK : result == DLP_OK);
        }
    }
    dlp_world_destroy(world);
    return outcome;
}

/* Fail each of the first 200 calls in turn, then every 13th until the run needs no more. */
static void sweep(const Kind *kind, int64_t fail_calls)
{
    bool failed = true, in_step = false;
    for (int64_t n = 1; failed; n += n < 200 ? 1 : 13) {
        Host host = {.rubbish = 0xff, .fail_from = n, .fail_calls = fail_calls};
        Outcome outcome = run_failing(kind, &host, fail_calls == 1);
        failed = outcome.failed;
        in_step = in_step || outcome.in_step;
        assert_balanced(&host);
        assert_true(failed == (host.calls >= n));
    }
    assert_true(in_step);
}

static void a_world_out_of_memory_for_good_says_so_and_leaks_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        sweep(&KINDS[k], INT64_MAX);
    }
}

static void a_world_out_of_memory_once_says_so_and_leaks_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        sweep(&KINDS[k], 1);
    }
}

static void fluid_that_does_not_fit_leaves_the_world_as_it_was(void **state)
{
    (void)state;
    Host host = {.rubbish = 0xff};
    dlp_World *world = full_world(&KINDS[0], &host);
    assert_int_equal(dlp_world_step(world, DT), DLP_OK);
    uint64_t hash = dlp_world_hash(world);
    int64_t count = dlp_world_particle_count(world), bytes = host.bytes;
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position = (dlp_Vec3){0.0, 0.0, 1.0};
    fluid.shape.size = (dlp_Vec3){0.1, 0.1, 0.1};
    int64_t failed = 0;
    for (;; failed++) { /* one allocation after the other, until all succeed */
        host.fail_from = host.calls + failed + 1;
        host.fail_calls = INT64_MAX;
        if (dlp_world_add_fluid(world, &fluid, NULL) == DLP_OK) {
            break;
        }
        assert_non_null(strstr(dlp_world_error(world), "no memory for 1000 more particles"));
        assert_int_equal(dlp_world_particle_count(world), count);
        assert_int_equal(host.bytes, bytes);
        assert_true(dlp_world_hash(world) == hash);
    }
    assert_true(failed > 0);
    assert_int_equal(dlp_world_particle_count(world), count + 1000);
    hash = dlp_world_hash(world);
    fluid.shape.size = (dlp_Vec3){1e4, 1e4, 1e4}; /* 1e18 particles: more than indices can count */
    host.fail_from = 0;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_ERROR_RESOURCE);
    assert_true(dlp_world_hash(world) == hash);
    assert_int_equal(dlp_world_step(world, DT), DLP_OK);
    dlp_world_destroy(world);
    assert_balanced(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_to_a_cache_line),
        cmocka_unit_test(bytes_and_their_peak_are_counted),
        cmocka_unit_test(impossible_sizes_give_null_without_asking_the_host),
        cmocka_unit_test(a_buffer_asks_only_when_it_must_grow),
        cmocka_unit_test(a_growing_buffer_keeps_its_contents_also_when_growing_fails),
        cmocka_unit_test(a_world_returns_every_byte_to_the_host),
        cmocka_unit_test(results_do_not_depend_on_what_fresh_memory_holds),
        cmocka_unit_test(a_warmed_up_step_allocates_nothing),
        cmocka_unit_test(a_world_out_of_memory_for_good_says_so_and_leaks_nothing),
        cmocka_unit_test(a_world_out_of_memory_once_says_so_and_leaks_nothing),
        cmocka_unit_test(fluid_that_does_not_fit_leaves_the_world_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
