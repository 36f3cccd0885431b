/* Atomic writing: whatever fails, the old file stays, no partial file appears, and the reason is reported. */
#include "io/atomic_file.h"
#include "support/io_fixture.h"
#include "support/scale.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static uint64_t loaded_hash(const char *path)
{
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_load(path, NULL, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void a_write_that_fails_anywhere_leaves_the_old_checkpoint(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN); /* so that a write past the limit fails like one on a full disk */
    dlp_World *world = io_small_world(2);
    assert_int_equal(dlp_world_save(world, "full.dollop"), DLP_OK);
    uint64_t old = dlp_world_hash(world);
    assert_int_equal(dlp_world_step(world, 0.002), DLP_OK);
    IoBytes bytes = io_read_file("full.dollop");
    assert_int_equal(dlp_world_write_csv(world, "full.csv"), DLP_OK);
    IoBytes table = io_read_file("full.csv");
    assert_int_equal(dlp_world_write_frame(world, "full.vtkhdf"), DLP_OK);
    IoBytes frame = io_read_file("full.vtkhdf");
    int64_t ids = io_open_ids();
    assert_int_equal(remove("full.vtkhdf"), 0);
    for (size_t limit = 0; limit < bytes.size; limit += small_scale() ? 1500 : 100) {
        limit_file_size(limit);
        dlp_Result saved = dlp_world_save(world, "full.dollop");
        dlp_Result framed = dlp_world_write_frame(world, "full.vtkhdf");
        dlp_Result listed = dlp_world_write_csv(world, "full.csv");
        limit_file_size(RLIM_INFINITY);
        assert_int_equal(saved, DLP_ERROR_RESOURCE);
        assert_true(framed == DLP_ERROR_RESOURCE || (framed == DLP_OK && limit >= frame.size));
        assert_int_equal(listed, limit < table.size ? DLP_ERROR_RESOURCE : DLP_OK);
        assert_true(listed == DLP_OK || strstr(dlp_world_error(world), "File too large") != NULL);
        assert_false(io_exists("full.dollop.part"));
        assert_false(io_exists("full.vtkhdf.part"));
        assert_true(io_exists("full.vtkhdf") == (framed == DLP_OK));
        remove("full.vtkhdf");
        assert_true(loaded_hash("full.dollop") == old);
        assert_int_equal(io_open_ids(), ids);
    }
    assert_int_equal(dlp_world_save(world, "full.dollop"), DLP_OK);
    assert_true(loaded_hash("full.dollop") == dlp_world_hash(world));
    free(frame.data);
    free(table.data);
    free(bytes.data);
    dlp_world_destroy(world);
}

static void the_temporary_file_of_a_killed_run_is_reused(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(2);
    char junk[50000];
    memset(junk, 'x', sizeof junk);
    io_write_file("stale.dollop.part", junk, sizeof junk);
    assert_int_equal(dlp_world_save(world, "stale.dollop"), DLP_OK);
    assert_false(io_exists("stale.dollop.part"));
    assert_true(loaded_hash("stale.dollop") == dlp_world_hash(world));
    dlp_world_destroy(world);
}

/* A run that is killed at any moment leaves a valid checkpoint: the old one or a new one. */
static void a_killed_run_leaves_a_valid_checkpoint(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0);
    assert_int_equal(dlp_world_save(world, "killed.dollop"), DLP_OK);
    for (int round = 0; round < (small_scale() ? 5 : 40); round++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            for (;;) {
                dlp_world_save(world, "killed.dollop");
            }
        }
        usleep((useconds_t)(1000 + 730 * round));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        assert_true(loaded_hash("killed.dollop") == dlp_world_hash(world));
    }
    assert_int_equal(dlp_world_save(world, "killed.dollop"), DLP_OK);
    assert_false(io_exists("killed.dollop.part"));
    dlp_world_destroy(world);
}

static void two_writers_of_one_file_exclude_each_other(void **state)
{
    (void)state;
    dlp__AtomicFile first, second;
    dlp_Error error;
    assert_int_equal(dlp__atomic_file_create(&first, "two.txt", &error), DLP_OK);
    assert_int_equal(dlp__atomic_file_create(&second, "two.txt", &error), DLP_ERROR_FILE);
    assert_non_null(strstr(error.text, "another process"));
    dlp__atomic_file_append(&first, "first", 5);
    assert_int_equal(dlp__atomic_file_commit(&first, &error), DLP_OK);
    assert_int_equal(dlp__atomic_file_create(&second, "two.txt", &error), DLP_OK);
    dlp__atomic_file_discard(&second);
    IoBytes bytes = io_read_file("two.txt");
    assert_memory_equal(bytes.data, "first", 5);
    assert_int_equal(bytes.size, 5);
    free(bytes.data);
}

static void long_files_are_written_completely(void **state)
{
    (void)state;
    dlp__AtomicFile file;
    dlp_Error error;
    assert_int_equal(dlp__atomic_file_create(&file, "long.txt", &error), DLP_OK);
    for (uint32_t i = 0; i < 20000; i++) {
        dlp__atomic_file_append(&file, &i, 1 + i % 4);
    }
    assert_int_equal(file.length, 50000);
    assert_int_equal(dlp__atomic_file_commit(&file, &error), DLP_OK);
    IoBytes bytes = io_read_file("long.txt");
    assert_int_equal(bytes.size, 50000);
    size_t at = 0;
    for (uint32_t i = 0; i < 20000; at += 1 + i % 4, i++) {
        assert_memory_equal(bytes.data + at, &i, 1 + i % 4);
    }
    free(bytes.data);
}

static void assert_not_written(dlp_World *world, const char *path, const char *words)
{
    assert_int_equal(dlp_world_save(world, path), DLP_ERROR_FILE);
    assert_non_null(strstr(dlp_world_error(world), words));
    assert_int_equal(dlp_world_write_frame(world, path), DLP_ERROR_FILE);
    assert_int_equal(dlp_world_write_ply(world, path), DLP_ERROR_FILE);
    assert_int_equal(dlp_world_write_csv(world, path), DLP_ERROR_FILE);
    assert_non_null(strstr(dlp_world_error(world), words));
}

static void unwritable_paths_are_reported_with_the_reason(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0);
    assert_not_written(world, "no/such/folder/x.dollop", "No such file");
    io_write_file("plain", "x", 1);
    assert_not_written(world, "plain/x.dollop", "Not a directory");
    assert_not_written(world, "/dev/null", "not a regular file");
    assert_not_written(world, ".", "folder");
    char name[5000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    assert_not_written(world, name, "too long");
    name[300] = 0;
    assert_not_written(world, name, "too long");

    mkdir("locked", 0755);
    chmod("locked", 0555);
    bool root = geteuid() == 0; /* root may write anywhere, so it changes its user id */
    assert_int_equal(root ? seteuid(65534) : 0, 0);
    dlp_Result result = dlp_world_save(world, "locked/x.dollop");
    assert_int_equal(root ? seteuid(0) : 0, 0);
    assert_int_equal(result, DLP_ERROR_FILE);
    assert_non_null(strstr(dlp_world_error(world), "Permission denied"));
    chmod("locked", 0755);
    dlp_world_destroy(world);
}

static void a_link_with_the_name_of_the_temporary_file_is_not_followed(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0);
    io_write_file("victim", "precious", 8);
    assert_int_equal(symlink("victim", "linked.dollop.part"), 0);
    assert_int_equal(dlp_world_save(world, "linked.dollop"), DLP_ERROR_FILE);
    IoBytes bytes = io_read_file("victim");
    assert_int_equal(bytes.size, 8);
    free(bytes.data);
    unlink("linked.dollop.part");
    dlp_world_destroy(world);
}

static void assert_obstacle(const char *words)
{
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_file_write("new.txt", "text", 4, &error), DLP_ERROR_FILE);
    assert_non_null(strstr(error.text, "'new.txt.part'"));
    assert_non_null(strstr(error.text, words));
    assert_false(io_exists("new.txt"));
}

static void only_a_regular_file_with_one_name_is_used_as_temporary_file(void **state)
{
    (void)state;
    dlp_Error error = {DLP_OK, ""};
    io_write_file("original", "precious", 8);
    assert_int_equal(link("original", "new.txt.part"), 0);
    assert_obstacle("second name");
    IoBytes bytes = io_read_file("original");
    assert_int_equal(bytes.size, 8);
    free(bytes.data);
    unlink("new.txt.part");
    assert_int_equal(mkfifo("new.txt.part", 0644), 0);
    assert_obstacle("not a regular file");
    unlink("new.txt.part");
    mkdir("new.txt.part", 0755);
    assert_obstacle("folder");
    rmdir("new.txt.part");
    assert_int_equal(symlink("original", "new.txt"), 0); /* the link is replaced, its target is not */
    assert_int_equal(dlp_file_write("new.txt", "text", 4, &error), DLP_OK);
    bytes = io_read_file("original");
    assert_int_equal(bytes.size, 8);
    free(bytes.data);
    bytes = io_read_file("new.txt");
    assert_memory_equal(bytes.data, "text", 4);
    free(bytes.data);
}

static void a_pipe_is_neither_read_nor_waited_for(void **state)
{
    (void)state;
    dlp_World *world = NULL;
    dlp_Error error;
    assert_int_equal(mkfifo("pipe.dollop", 0644), 0);
    assert_int_equal(dlp_world_load("pipe.dollop", NULL, &world, &error), DLP_ERROR_FILE);
    assert_non_null(strstr(error.text, "not a regular file"));
    unlink("pipe.dollop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_that_fails_anywhere_leaves_the_old_checkpoint),
        cmocka_unit_test(the_temporary_file_of_a_killed_run_is_reused),
        cmocka_unit_test(a_killed_run_leaves_a_valid_checkpoint),
        cmocka_unit_test(two_writers_of_one_file_exclude_each_other),
        cmocka_unit_test(long_files_are_written_completely),
        cmocka_unit_test(unwritable_paths_are_reported_with_the_reason),
        cmocka_unit_test(a_link_with_the_name_of_the_temporary_file_is_not_followed),
        cmocka_unit_test(only_a_regular_file_with_one_name_is_used_as_temporary_file),
        cmocka_unit_test(a_pipe_is_neither_read_nor_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
