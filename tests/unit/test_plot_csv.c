/* Tables of CSV files: what is read, and what is refused with its line. */
#include "apps/plot/plot_csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool read_bytes(const char *text, size_t length, CsvTable *table, char error[256])
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    rewind(file);
    error[0] = 0;
    const bool ok = csv_read(file, table, error, 256);
    fclose(file);
    return ok;
}

static CsvTable read_good(const char *text)
{
    CsvTable table;
    char error[256];
    assert_true(read_bytes(text, strlen(text), &table, error));
    return table;
}

static void assert_refused(const char *text, size_t length, const char *reason)
{
    CsvTable table;
    char error[256];
    assert_false(read_bytes(text, length, &table, error));
    if (!strstr(error, reason)) {
        fail_msg("'%s' does not say '%s'", error, reason);
    }
    csv_release(&table);
}

static void names_units_and_values_are_read(void **state)
{
    (void)state;
    CsvTable table = read_good(
        "\xef\xbb\xbftime [s],\"height, mean (m)\", ratio \r\n0, 1.5,1e-3\r\n# remark\n\n0.1,,nan\n");
    assert_int_equal(table.column_count, 3);
    assert_int_equal(table.row_count, 2);
    assert_string_equal(table.columns[0].name, "time");
    assert_string_equal(table.columns[0].unit, "s");
    assert_string_equal(table.columns[1].name, "height, mean");
    assert_string_equal(table.columns[1].unit, "m");
    assert_string_equal(table.columns[2].name, "ratio");
    assert_string_equal(table.columns[2].unit, "");
    assert_true(table.columns[1].values[0] == 1.5 && table.columns[2].values[0] == 1e-3);
    assert_true(isnan(table.columns[1].values[1]) && isnan(table.columns[2].values[1]));
    assert_int_equal(csv_find(&table, "ratio"), 2);
    assert_int_equal(csv_find(&table, "time [s]"), 0);
    assert_int_equal(csv_find(&table, "time [ms]"), -1);
    csv_release(&table);
}

static void a_column_of_text_names_its_first_line(void **state)
{
    (void)state;
    CsvTable table = read_good("a,b\n1,2\n3,\"say \"\"x\"\"\"\n5,6\n");
    assert_int_equal(table.row_count, 3);
    assert_int_equal(table.columns[0].text_line, 0);
    assert_int_equal(table.columns[1].text_line, 3);
    csv_release(&table);
}

static void an_incomplete_last_line_is_left_out(void **state)
{
    (void)state;
    CsvTable table = read_good("a,b\n1,2\n3");
    assert_int_equal(table.row_count, 1);
    assert_true(table.is_cut_short);
    csv_release(&table);
    table = read_good("a,b\n1,2\n3,4"); /* complete, but for its newline */
    assert_int_equal(table.row_count, 2);
    assert_false(table.is_cut_short);
    csv_release(&table);
}

static void other_files_are_refused_with_the_line(void **state)
{
    (void)state;
#define REFUSED(text, reason) assert_refused(text, sizeof(text) - 1, reason)
    REFUSED("", "it is empty");
    REFUSED("\n\n", "it is empty");
    REFUSED("a,b\n", "no rows");
    REFUSED("a,b\n1,2\n1,2,3\n", "line 3 has 3 values, but the header names 2");
    REFUSED("a,b\n1\n1,2\n", "line 2 has 1 values");
    REFUSED("a,b\n1,2\n\x89HDF\0\n", "line 3 contains the byte 0x00");
    REFUSED("\0\0\0", "line 1 contains the byte 0x00");
    REFUSED("1,2\n3,4\n", "line 1 must name the columns");
    REFUSED("a,\"b\n1,2\n", "line 1 has a quote that is not closed");
    REFUSED("a,b\n1,\"2\n", "line 2 has a quote that is not closed");
#undef REFUSED
}

static void sizes_are_limited(void **state)
{
    (void)state;
    enum { BYTES = 3 << 20 };
    char *text = malloc(BYTES);
    assert_non_null(text);
    memset(text, 'a', BYTES);
    assert_refused(text, BYTES, "line 1 is longer than");
    memset(text, ',', BYTES);
    text[4000] = '\n';
    assert_refused(text, BYTES, "names more than 1000 columns");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_units_and_values_are_read),
        cmocka_unit_test(a_column_of_text_names_its_first_line),
        cmocka_unit_test(an_incomplete_last_line_is_left_out),
        cmocka_unit_test(other_files_are_refused_with_the_line),
        cmocka_unit_test(sizes_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
