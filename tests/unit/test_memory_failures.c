/* Memory that runs out at any allocation. An allocator fails at its k-th call, for every k, while a world is built, stepped, saved,
 * loaded and meshed. Two worlds in every method contain all features between them. A call that fails reports it, and repeating it has
 * the same result as if nothing had happened, except that a world whose step failed part-way refuses to be stepped and saved, but
 * can be destroyed. Nothing leaks, and the checkpoint stays as it was. Nightly runs try every k; others a
 * part of them, different ones in each method.
 * ctest: full */
#include "base/hash.h"
#include "support/features.h"
#include "support/io_fixture.h"
#include "support/scale.h"

#include <dollop/dollop.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHECKPOINT "memory_failures.h5"
#define FRAME      "memory_failures.vtkhdf"
#define SPACING    0.04 /* m; some 70 particles */

typedef struct Pool {
    int64_t calls, failing; /* the call that fails; 0: none */
    int64_t blocks;         /* not returned */
    bool failed;
} Pool;

static void *allocate(void *user, size_t size, size_t alignment)
{
    Pool *pool = user;
    void *block = NULL;
    if (++pool->calls == pool->failing) {
        pool->failed = true;
        return NULL;
    }
    if (posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) != 0) {
        return NULL;
    }
    memset(block, 0xa5, size < 4096 ? size : 4096); /* so that memory read before it is written shows */
    pool->blocks++;
    return block;
}

static void release(void *user, void *block, size_t size)
{
    Pool *pool = user;
    (void)size;
    pool->blocks -= block != NULL;
    free(block);
}

/* A world, whose allocator is `pool`. */
typedef struct Case {
    dlp_WorldDef def;
    int features;
    int start;        /* shifts the allocations that are tried, if not all are */
    bool in_sequence; /* of method springs: pairs one after the other */
    Pool pool;
    dlp_World *world;  /* between calls that do not change it */
    uint64_t expected; /* hash after two steps; 0: not known yet */
    uint64_t file;     /* hash of the checkpoint's bytes */
    int64_t failed_steps;
} Case;

static void init_case(Case *test, const char *method, int features, int subdomains)
{
    *test = (Case){.def = feature_def(method, features, SPACING), .features = features};
    test->def.subdomains = subdomains;
    test->def.hooks.allocator = (dlp_Allocator){.allocate = allocate, .release = release, .user = &test->pool};
}

static uint64_t hash_file(const char *path)
{
    IoBytes bytes = io_read_file(path);
    const uint64_t hash = dlp__hash_bytes(DLP_HASH_SEED, bytes.data, bytes.size);
    free(bytes.data);
    return hash;
}

/* One step, and once more if memory ran out in it; false if the world has become invalid, which it then says. */
static bool take_step(dlp_World *world)
{
    dlp_Result result = dlp_world_step(world, 0.004);
    if (result == DLP_ERROR_MEMORY) {
        assert_non_null(strstr(dlp_world_error(world), "memory"));
        result = dlp_world_step(world, 0.004);
    }
    if (result == DLP_ERROR_ARGUMENT && strstr(dlp_world_error(world), "an earlier step failed") != NULL) {
        assert_int_equal(dlp_world_save(world, CHECKPOINT), DLP_ERROR_ARGUMENT);
        return false;
    }
    if (result != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    return true;
}

static void build_and_step(Case *test)
{
    dlp_Error error;
    TRY(dlp_world_create(&test->def, &test->world, &error));
    if (test->in_sequence) {
        set_method(test->world, "form", 2);
    }
    add_features(test->world, test->features);
    if (take_step(test->world) && take_step(test->world)) {
        const uint64_t hash = dlp_world_hash(test->world);
        test->expected = test->expected == 0 ? hash : test->expected;
        assert_true(hash == test->expected);
    } else {
        test->failed_steps++;
    }
}

static void live(Case *test)
{
    build_and_step(test);
    dlp_world_destroy(test->world);
}

static void save(Case *test)
{
    TRY(dlp_world_save(test->world, CHECKPOINT));
    assert_true(dlp_world_hash(test->world) == test->expected);
}

/* Without a second try: the file was not changed. */
static void save_once(Case *test)
{
    const dlp_Result result = dlp_world_save(test->world, CHECKPOINT);
    assert_int_equal(result, test->pool.failed ? DLP_ERROR_MEMORY : DLP_OK);
    assert_true(hash_file(CHECKPOINT) == test->file);
}

static void load(Case *test)
{
    dlp_World *loaded = NULL;
    dlp_Error error;
    TRY(dlp_world_load(CHECKPOINT, &test->def, &loaded, &error));
    assert_true(dlp_world_hash(loaded) == test->expected);
    dlp_world_destroy(loaded);
}

static void make_surface(Case *test)
{
    dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_Frame *frame = NULL;
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh;
    dlp_Error error;
    def.spacing = SPACING;
    def.cell = 1.0;
    def.threads = 1;
    def.hooks = test->def.hooks;
    TRY(dlp_world_write_frame(test->world, FRAME));
    TRY(dlp_frame_read(FRAME, &def.hooks, &frame, &error));
    const dlp_Points points = dlp_frame_points(frame);
    TRY(dlp_surface_create(&def, &surface, &error));
    TRY(dlp_surface_build(surface, &points, &mesh, &error));
    assert_true(mesh.triangle_count > 0);
    dlp_surface_destroy(surface);
    dlp_frame_destroy(frame);
}

/* Act once with the k-th allocation failing, for every k in nightly runs, otherwise for every `stride`-th; returns their number. */
static int64_t fail_each_allocation(Case *test, void (*act)(Case *), const char *name, int64_t stride)
{
    Pool *pool = &test->pool;
    act(test); /* so that the world has what it keeps between calls */
    *pool = (Pool){.blocks = pool->blocks};
    act(test);
    const int64_t calls = pool->calls, blocks = pool->blocks;
    int64_t tried = 0;
    stride = full_scale() ? 1 : small_scale() ? 5 * stride : stride;
    for (int64_t k = 1 + test->start % stride; k <= calls; k += stride) {
        *pool = (Pool){.failing = k, .blocks = blocks};
        act(test);
        if (!pool->failed || pool->blocks != blocks) {
            fail_msg("%s, %s, allocation %" PRId64 " of %" PRId64 ": %s, %" PRId64 " blocks leaked", test->def.method,
                     name, k, calls, pool->failed ? "failed" : "not reached", pool->blocks - blocks);
        }
        tried++;
    }
    *pool = (Pool){.blocks = blocks};
    return tried;
}

/* Meshing does not depend on the method. */
static void fail_in_whole_life(Case *test, int64_t stride, bool meshes)
{
    const int64_t lives = fail_each_allocation(test, live, "build and step", stride);
    const int64_t in_steps = test->failed_steps;
    build_and_step(test);
    save(test);
    test->file = hash_file(CHECKPOINT);
    const int64_t saves = fail_each_allocation(test, save_once, "save", 1);
    const int64_t loads = fail_each_allocation(test, load, "load", stride);
    const int64_t surfaces = !meshes ? 0 : fail_each_allocation(test, make_surface, "surface", stride);
    assert_true(hash_file(CHECKPOINT) == test->file);
    dlp_world_destroy(test->world);
    assert_int_equal(test->pool.blocks, 0);
    print_message("%s: %" PRId64 " allocations failed while building and stepping (%" PRId64
                  " of them ended the world), %" PRId64 " while saving, %" PRId64 " while loading, %" PRId64
                  " while meshing\n",
                  test->def.method, lives, in_steps, saves, loads, surfaces);
}

static void every_allocation_may_fail(void **state)
{
    const int features = FEATURE_BODIES | FEATURE_COMPANION | FEATURE_HEAT | FEATURE_EMITTER | FEATURE_ELASTIC |
                         FEATURE_PROBES;
    (void)state;
    for (int m = 0; m < dlp_method_count(); m++) {
        Case test;
        init_case(&test, dlp_method_name(m), features, 1);
        test.start = m;
        fail_in_whole_life(&test, 11, m == 0);
    }
}

static void every_allocation_of_a_divided_world_may_fail(void **state)
{
    const int features = FEATURE_MESH | FEATURE_KEYS | FEATURE_DEFORMING | FEATURE_FRICTION | FEATURE_ELASTIC |
                         FEATURE_SINK | FEATURE_PERIODIC | FEATURE_PROBES | FEATURE_HEAT;
    (void)state;
    for (int m = 0; m < dlp_method_count(); m++) {
        Case test;
        init_case(&test, dlp_method_name(m), features, 2);
        test.start = m;
        fail_in_whole_life(&test, 37, false);
    }
}

static void every_allocation_of_springs_in_sequence_may_fail(void **state)
{
    Case test;
    (void)state;
    init_case(&test, "springs", FEATURE_ELASTIC | FEATURE_EMITTER | FEATURE_FRICTION, 1);
    test.in_sequence = true;
    fail_in_whole_life(&test, 11, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(every_allocation_of_a_divided_world_may_fail),
                                       cmocka_unit_test(every_allocation_of_springs_in_sequence_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
