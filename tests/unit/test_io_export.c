/* Exports: a reader gets exactly the numbers of the world. */
#include "support/io_fixture.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void csv_contains_every_number_exactly(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(9);
    assert_int_equal(dlp_world_write_csv(world, "out.csv"), DLP_OK);
    dlp_ParticleView view;
    dlp_world_view(world, 0, &view);
    FILE *file = fopen("out.csv", "r");
    char line[1024];
    assert_non_null(fgets(line, sizeof line, file));
    static const char header[] = "id,material,position_x [m],position_y [m],position_z [m],velocity_x [m/s],"
                                 "velocity_y [m/s],velocity_z [m/s],density [kg/m3],pressure [Pa]";
    assert_int_equal(strncmp(line, header, sizeof header - 1), 0); /* newer fields follow */
    int64_t row = 0;
    for (; fgets(line, sizeof line, file) != NULL; row++) {
        char *next = line;
        assert_true(strtoull(next, &next, 10) == view.id[row]);
        assert_true(strtoul(next + 1, &next, 10) == view.material[row]);
        for (int c = 0; c < 3; c++) {
            assert_true(strtof(next + 1, &next) == view.position[c][row]);
        }
        for (int c = 0; c < 3; c++) {
            assert_true(strtof(next + 1, &next) == view.velocity[c][row]);
        }
        assert_true(strtof(next + 1, &next) == view.density[row]);
        assert_true(strtof(next + 1, &next) == view.pressure[row]);
        assert_true(*next == '\n' || *next == ',');
    }
    assert_int_equal(row, view.count);
    fclose(file);
    dlp_world_destroy(world);
}

static void csv_ignores_the_hosts_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "de_DE"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && set == NULL; i++) {
        set = setlocale(LC_NUMERIC, names[i]);
    }
    if (set == NULL) {
        skip(); /* none of them is installed */
    }
    dlp_World *world = io_small_world(2);
    assert_int_equal(dlp_world_write_csv(world, "local.csv"), DLP_OK);
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(dlp_world_write_csv(world, "plain.csv"), DLP_OK);
    IoBytes local = io_read_file("local.csv"), plain = io_read_file("plain.csv");
    assert_int_equal(local.size, plain.size);
    assert_memory_equal(local.data, plain.data, plain.size);
    free(plain.data);
    free(local.data);
    dlp_world_destroy(world);
}

/* The properties that every reader of points expects come first; newer fields follow. */
static const char ply_properties[] = "property float x\nproperty float y\nproperty float z\nproperty double id\n"
                                     "property ushort material\nproperty float velocity_x\n"
                                     "property float velocity_y\nproperty float velocity_z\n"
                                     "property float density\nproperty float pressure\n";

/* Bytes of a row according to the header. */
static size_t ply_row_size(const char *properties)
{
    size_t size = 0;
    for (const char *line = properties; strncmp(line, "property ", 9) == 0; line = strchr(line, '\n') + 1) {
        size += strncmp(line + 9, "double", 6) == 0 ? 8 : strncmp(line + 9, "ushort", 6) == 0 ? 2 : 4;
    }
    return size;
}

static void ply_contains_every_number(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(9);
    assert_int_equal(dlp_world_write_ply(world, "out.ply"), DLP_OK);
    dlp_ParticleView view;
    dlp_world_view(world, 0, &view);
    IoBytes bytes = io_read_file("out.ply");
    bytes.data[bytes.size] = 0;
    char *text = (char *)bytes.data, count[64];
    assert_int_equal(strncmp(text, "ply\nformat binary_little_endian 1.0\n", 36), 0);
    snprintf(count, sizeof count, "element vertex %lld\n", (long long)view.count);
    assert_non_null(strstr(text, count));
    char *properties = strstr(text, ply_properties), *end = strstr(text, "end_header\n");
    if (properties == NULL || end == NULL) {
        fail_msg("the header is not as it should be");
        return;
    }
    const char *row = end + strlen("end_header\n");
    const size_t row_size = ply_row_size(properties);
    assert_int_equal((size_t)(row - text) + row_size * (size_t)view.count, bytes.size);
    for (int64_t i = 0; i < view.count; i++, row += row_size) {
        double id;
        memcpy(&id, row + 12, sizeof id);
        assert_memory_equal(row, &view.position[0][i], 4);
        assert_memory_equal(row + 8, &view.position[2][i], 4);
        assert_true(id == (double)view.id[i]);
        assert_memory_equal(row + 20, &view.material[i], 2);
        assert_memory_equal(row + 26, &view.velocity[1][i], 4);
        assert_memory_equal(row + 38, &view.pressure[i], 4);
    }
    free(bytes.data);
    dlp_world_destroy(world);
}

static void exports_contain_the_particles_of_all_subdomains(void **state)
{
    (void)state;
    dlp_World *world = io_block_world(8, 1), *parted = NULL;
    assert_int_equal(dlp_world_save(world, "parts.dollop"), DLP_OK);
    dlp_WorldDef host = dlp_default_world_def();
    host.subdomains = 4;
    assert_int_equal(dlp_world_load("parts.dollop", &host, &parted, NULL), DLP_OK);
    assert_int_equal(dlp_world_step(parted, 0.002), DLP_OK);
    assert_int_equal(dlp_world_write_csv(parted, "parts.csv"), DLP_OK);
    assert_int_equal(dlp_world_write_frame(parted, "parts.vtkhdf"), DLP_OK);
    IoBytes bytes = io_read_file("parts.csv");
    int64_t lines = 0;
    for (size_t i = 0; i < bytes.size; i++) {
        lines += bytes.data[i] == '\n';
    }
    assert_int_equal(lines, dlp_world_particle_count(parted) + 1);
    free(bytes.data);
    dlp_world_destroy(parted);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_contains_every_number_exactly),
        cmocka_unit_test(csv_ignores_the_hosts_locale),
        cmocka_unit_test(ply_contains_every_number),
        cmocka_unit_test(exports_contain_the_particles_of_all_subdomains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
