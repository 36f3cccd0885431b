/* Files that are written in the background. A slow disk is an allocator that makes the writer's thread wait in the middle of a file. */
/* ctest: threaded */
#include "support/io_fixture.h"

#include <dollop/writer.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define TIME_STEP 0.002 /* s */

/* Lets the threads other than the one of the test wait while it is closed. */
typedef struct Gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    pthread_t test;
    bool is_closed;
    int results[2], count; /* reported by the writer */
} Gate;

static void open_gate(Gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->is_closed = false;
    pthread_cond_broadcast(&gate->opened);
    pthread_mutex_unlock(&gate->lock);
}

static void *allocate(void *user, size_t size, size_t alignment)
{
    Gate *gate = user;
    pthread_mutex_lock(&gate->lock);
    while (gate->is_closed && !pthread_equal(pthread_self(), gate->test)) {
        pthread_cond_wait(&gate->opened, &gate->lock);
    }
    pthread_mutex_unlock(&gate->lock);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

static void note_result(void *user, dlp_Result result)
{
    Gate *gate = user;
    gate->results[gate->count++ % 2] = (int)result;
}

/* More particles than a file stores uncompressed, in two subdomains. */
static dlp_World *make_world(void)
{
    dlp_World *whole = io_block_world(18, 0), *world = NULL;
    assert_int_equal(dlp_world_save(whole, "whole.h5"), DLP_OK);
    dlp_world_destroy(whole);
    dlp_WorldDef host = dlp_default_world_def();
    host.subdomains = 2;
    host.threads = 2;
    assert_int_equal(dlp_world_load("whole.h5", &host, &world, NULL), DLP_OK);
    assert_int_equal(dlp_world_step(world, TIME_STEP), DLP_OK);
    return world;
}

static dlp_Writer *make_writer(Gate *gate)
{
    *gate = (Gate){.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER, .test = pthread_self()};
    const dlp_Hooks hooks = {.allocator = {allocate, release, gate}};
    dlp_Writer *writer = NULL;
    assert_int_equal(dlp_writer_create(&hooks, note_result, gate, &writer, NULL), DLP_OK);
    return writer;
}

static void start(dlp_Writer *writer, dlp_World *world, const dlp_OutputFile *files, int count)
{
    dlp_Error error = {DLP_OK, ""};
    if (dlp_writer_start(writer, world, files, count, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
}

static void assert_same_file(const char *one, const char *other)
{
    const IoBytes a = io_read_file(one), b = io_read_file(other);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    free(a.data);
    free(b.data);
}

static const dlp_OutputFile all_files[] = {{DLP_OUTPUT_FRAME, "back.vtkhdf"},
                                           {DLP_OUTPUT_PLY, "back.ply"},
                                           {DLP_OUTPUT_CSV, "back.csv"},
                                           {DLP_OUTPUT_CHECKPOINT, "back.h5"}};

static void steps_run_while_files_are_written(void **state)
{
    (void)state;
    Gate gate;
    dlp_World *world = make_world();
    dlp_Writer *writer = make_writer(&gate);
    assert_int_equal(dlp_world_write_frame(world, "now.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_world_write_ply(world, "now.ply"), DLP_OK);
    assert_int_equal(dlp_world_write_csv(world, "now.csv"), DLP_OK);
    assert_int_equal(dlp_world_save(world, "now.h5"), DLP_OK);
    gate.is_closed = true;
    start(writer, world, all_files, 4);
    for (int step = 0; step < 5; step++) {
        assert_int_equal(dlp_world_step(world, TIME_STEP), DLP_OK);
    }
    assert_true(dlp_writer_is_busy(writer));
    assert_false(io_exists("back.vtkhdf") || io_exists("back.h5"));
    open_gate(&gate);
    assert_int_equal(dlp_writer_finish(writer, NULL), DLP_OK);
    assert_false(dlp_writer_is_busy(writer));
    assert_int_equal(gate.count, 1);
    assert_int_equal(gate.results[0], DLP_OK);
    assert_same_file("back.vtkhdf", "now.vtkhdf");
    assert_same_file("back.csv", "now.csv");
    assert_same_file("back.ply", "now.ply");
    assert_same_file("back.h5", "now.h5");

    start(writer, world, all_files, 1); /* into the same memory, and waits for nobody */
    start(writer, world, all_files + 3, 1);
    dlp_world_destroy(world); /* the writer has its own copy */
    dlp_World *loaded = NULL;
    assert_int_equal(dlp_world_load("back.h5", NULL, &loaded, NULL), DLP_OK); /* waits for the writer */
    assert_int_equal(dlp_world_step_count(loaded), 6);
    dlp_world_destroy(loaded);
    dlp_writer_destroy(writer);
}

static void a_failure_is_returned_once_and_ends_the_files(void **state)
{
    (void)state;
    Gate gate;
    dlp_World *world = make_world();
    dlp_Writer *writer = make_writer(&gate);
    static const dlp_OutputFile files[] = {{DLP_OUTPUT_FRAME, "folder.vtkhdf"}, {DLP_OUTPUT_CHECKPOINT, "after.h5"}};
    gate.is_closed = true;
    start(writer, world, files, 2);
    assert_int_equal(mkdir("folder.vtkhdf", 0777), 0); /* so that the frame cannot be renamed to it */
    open_gate(&gate);
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_writer_finish(writer, &error), DLP_ERROR_FILE);
    assert_non_null(strstr(error.text, "cannot write 'folder.vtkhdf': Is a directory"));
    assert_int_equal(gate.results[0], DLP_ERROR_FILE);
    assert_false(io_exists("after.h5") || io_exists("after.h5.part") || io_exists("folder.vtkhdf.part"));
    assert_int_equal(dlp_writer_finish(writer, &error), DLP_OK);
    start(writer, world, files + 1, 1); /* the writer is still of use */
    dlp_writer_destroy(writer);
    assert_true(io_exists("after.h5"));
    dlp_world_destroy(world);
}

static void files_that_cannot_be_begun_are_reported_at_once(void **state)
{
    (void)state;
    Gate gate;
    dlp_World *world = make_world();
    dlp_Writer *writer = make_writer(&gate);
    static const dlp_OutputFile files[] = {{DLP_OUTPUT_FRAME, "first.vtkhdf"}, {DLP_OUTPUT_CSV, "missing/second.csv"}};
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_writer_start(writer, world, files, 2, &error), DLP_ERROR_FILE);
    assert_non_null(strstr(error.text, "missing/second.csv"));
    assert_int_equal(dlp_writer_start(writer, world, files, 9, &error), DLP_ERROR_ARGUMENT);
    assert_false(dlp_writer_is_busy(writer));
    assert_false(io_exists("first.vtkhdf") || io_exists("first.vtkhdf.part"));
    assert_int_equal(gate.count, 0);
    dlp_writer_destroy(writer);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_run_while_files_are_written),
        cmocka_unit_test(a_failure_is_returned_once_and_ends_the_files),
        cmocka_unit_test(files_that_cannot_be_begun_are_reported_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
