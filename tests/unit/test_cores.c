/* The number of cores: limits of control groups of versions 1 and 2, of the group itself and of those around it. */
#include "base/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Removes what an earlier run left. */
static int begin_anew(void **state)
{
    (void)state;
    static const char *const files[] = {"two/outer/inner/cpu.max", "two/outer/cpu.max",
                                        "one/cpu,cpuacct/cpu.cfs_quota_us", "one/cpu,cpuacct/cpu.cfs_period_us"};
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        remove(files[n]);
    }
    return 0;
}

static void there_is_at_least_one_core(void **state)
{
    (void)state;
    assert_true(dlp__cores() >= 1);
}

static void without_control_groups_there_is_no_limit(void **state)
{
    (void)state;
    assert_int_equal(dlp__cores_of_quota("no_folder", "no_file"), 0);
    write_text("groups", "0::/\nnonsense\n:\n");
    assert_int_equal(dlp__cores_of_quota("no_folder", "groups"), 0);
}

static void the_smallest_limit_of_the_group_and_those_around_it_counts(void **state)
{
    (void)state;
    mkdir("two", 0700);
    mkdir("two/outer", 0700);
    mkdir("two/outer/inner", 0700);
    write_text("groups", "0::/outer/inner\n");
    assert_int_equal(dlp__cores_of_quota("two", "groups"), 0);
    write_text("two/outer/inner/cpu.max", "max 100000\n");
    assert_int_equal(dlp__cores_of_quota("two", "groups"), 0);
    write_text("two/outer/cpu.max", "350000 100000\n");
    assert_int_equal(dlp__cores_of_quota("two", "groups"), 4); /* 3.5, rounded up */
    write_text("two/outer/inner/cpu.max", "50000 100000\n");
    assert_int_equal(dlp__cores_of_quota("two", "groups"), 1);
    write_text("two/outer/inner/cpu.max", "rubbish");
    assert_int_equal(dlp__cores_of_quota("two", "groups"), 4);
}

static void version_1_has_two_files_in_the_folder_of_its_controllers(void **state)
{
    (void)state;
    mkdir("one", 0700);
    mkdir("one/cpu,cpuacct", 0700);
    write_text("groups", "5:memory:/\n4:cpu,cpuacct:/docker/of/the/host\n");
    write_text("one/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    write_text("one/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    assert_int_equal(dlp__cores_of_quota("one", "groups"), 0);
    write_text("one/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
    assert_int_equal(dlp__cores_of_quota("one", "groups"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_at_least_one_core),
        cmocka_unit_test(without_control_groups_there_is_no_limit),
        cmocka_unit_test(the_smallest_limit_of_the_group_and_those_around_it_counts),
        cmocka_unit_test(version_1_has_two_files_in_the_folder_of_its_controllers),
    };
    return cmocka_run_group_tests(tests, begin_anew, NULL);
}
