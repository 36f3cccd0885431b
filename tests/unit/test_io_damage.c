/* Damaged files: one flipped bit or a truncation anywhere is detected and reported, and never crashes. */
#include "support/io_fixture.h"
#include "support/scale.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Both readers must reject the file with a message. */
static void assert_refused(const char *path, size_t offset)
{
    dlp_World *world = NULL;
    dlp_FileInfo info;
    dlp_Error error = {DLP_OK, ""};
    dlp_Result result = dlp_world_load(path, NULL, &world, &error);
    if (result != DLP_ERROR_FORMAT || world != NULL || error.text[0] == 0) {
        fail_msg("damage at byte %zu was not noticed on loading: %s", offset, error.text);
    }
    result = dlp_file_info(path, &info, &error);
    if (result != DLP_ERROR_FORMAT || strstr(error.text, path) == NULL) {
        fail_msg("damage at byte %zu was not noticed: %s", offset, error.text);
    }
}

static void put_byte(int descriptor, size_t offset, unsigned char value)
{
    assert_int_equal(pwrite(descriptor, &value, 1, (off_t)offset), 1);
}

static void flip_every_byte(const char *path)
{
    IoBytes bytes = io_read_file(path);
    int descriptor = open(path, O_WRONLY);
    assert_true(descriptor >= 0);
    size_t stride = small_scale() ? 37 : 1;
    unsigned random = 12345;
    for (size_t i = 0; i < bytes.size; i += stride) {
        random = random * 1664525u + 1013904223u;
        put_byte(descriptor, i, bytes.data[i] ^ (unsigned char)(1u << (random >> 29)));
        assert_refused(path, i);
        put_byte(descriptor, i, bytes.data[i]);
    }
    close(descriptor);
    free(bytes.data);
}

static void cut_everywhere(const char *path)
{
    IoBytes bytes = io_read_file(path);
    bytes.data[bytes.size] = 0; /* io_read_file allocates one more byte */
    io_write_file(path, bytes.data, bytes.size + 1);
    assert_refused(path, bytes.size);
    size_t stride = small_scale() ? 41 : 1;
    for (size_t cut = 1; cut <= bytes.size; cut += stride) {
        assert_int_equal(truncate(path, (off_t)(bytes.size - cut)), 0);
        assert_refused(path, bytes.size - cut);
    }
    free(bytes.data);
}

static void a_flipped_bit_in_a_checkpoint_is_detected(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    assert_int_equal(dlp_world_save(world, "flip.dollop"), DLP_OK);
    flip_every_byte("flip.dollop");
    dlp_world_destroy(world);
}

static void a_flipped_bit_in_a_frame_is_detected(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    assert_int_equal(dlp_world_write_frame(world, "flip.vtkhdf"), DLP_OK);
    flip_every_byte("flip.vtkhdf");
    dlp_world_destroy(world);
}

static void a_truncated_checkpoint_is_detected(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    assert_int_equal(dlp_world_save(world, "cut.dollop"), DLP_OK);
    cut_everywhere("cut.dollop");
    dlp_world_destroy(world);
}

static void a_truncated_frame_is_detected(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    assert_int_equal(dlp_world_write_frame(world, "cut.vtkhdf"), DLP_OK);
    cut_everywhere("cut.vtkhdf");
    dlp_world_destroy(world);
}

/* Every value of every byte of the header, because it is parsed as text. */
static void any_change_of_the_header_is_detected(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0);
    assert_int_equal(dlp_world_save(world, "seal.dollop"), DLP_OK);
    IoBytes bytes = io_read_file("seal.dollop");
    int descriptor = open("seal.dollop", O_WRONLY);
    assert_true(descriptor >= 0);
    for (size_t i = 0; i < 512; i += small_scale() ? 3 : 1) {
        for (int value = 0; value < 256; value += small_scale() ? 17 : 1) {
            if (value != bytes.data[i]) {
                put_byte(descriptor, i, (unsigned char)value);
                assert_refused("seal.dollop", i);
            }
        }
        put_byte(descriptor, i, bytes.data[i]);
    }
    close(descriptor);
    free(bytes.data);
    dlp_world_destroy(world);
}

static void a_newer_format_is_reported_as_such(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0), *loaded = NULL;
    dlp_Error error;
    assert_int_equal(dlp_world_save(world, "newer.dollop"), DLP_OK);
    IoBytes bytes = io_read_file("newer.dollop");
    char *format = strstr((char *)bytes.data, "format 1");
    assert_non_null(format);
    format[7] = '2';
    io_write_file("newer.dollop", bytes.data, bytes.size);
    assert_int_equal(dlp_world_load("newer.dollop", NULL, &loaded, &error), DLP_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "format 2"));
    free(bytes.data);
    dlp_world_destroy(world);
}

static void other_files_are_rejected(void **state)
{
    (void)state;
    io_write_file("other.dollop", "# just some text\n", 17);
    assert_refused("other.dollop", 0);
    io_write_file("other.dollop", "\x89HDF\r\n\x1a\n", 8);
    assert_refused("other.dollop", 0);
    io_write_file("other.dollop", "dollop checkpoint\n", 18);
    assert_refused("other.dollop", 0);
}

static void a_frame_is_not_loaded_as_a_checkpoint(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0), *loaded = NULL;
    dlp_Error error;
    assert_int_equal(dlp_world_write_frame(world, "frame.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_world_load("frame.vtkhdf", NULL, &loaded, &error), DLP_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "frame"));
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flipped_bit_in_a_checkpoint_is_detected),
        cmocka_unit_test(a_flipped_bit_in_a_frame_is_detected),
        cmocka_unit_test(a_truncated_checkpoint_is_detected),
        cmocka_unit_test(a_truncated_frame_is_detected),
        cmocka_unit_test(any_change_of_the_header_is_detected),
        cmocka_unit_test(a_newer_format_is_reported_as_such),
        cmocka_unit_test(other_files_are_rejected),
        cmocka_unit_test(a_frame_is_not_loaded_as_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
