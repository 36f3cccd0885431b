/* Files of a world over several ranks: what one number of ranks has saved, any other continues, bit for bit, and exports contain the same
 * particles as those of one process. DOLLOP_CASE=N tries only one case.
 * ctest: full, timeout 900 */
#include "base/rank_agreement.h"
#include "support/features.h"
#include "support/io_fixture.h"
#include "support/rank_fixture.h"
#include "support/scale.h"

#include <dollop/files.h>
#include <dollop/writer.h>
#include <hdf5.h>
#include <inttypes.h>
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#define SHARED "over_ranks.h5"
#define ALONE  "one_process.h5"
#define STEPS  10

static dlp_WorldDef def_of(const FeatureCase *test, dlp_Ranks *over)
{
    dlp_WorldDef def = feature_def(test->method, test->features, 0.025);
    def.hooks.ranks = over;
    return def;
}

static dlp_World *start(const FeatureCase *test, dlp_Ranks *over)
{
    const dlp_WorldDef def = def_of(test, over);
    return start_feature_case(test, &def);
}

static void save(dlp_World *world, const char *path)
{
    if (dlp_world_save(world, path) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

static dlp_World *load(const FeatureCase *test, const char *path, dlp_Ranks *over)
{
    const dlp_WorldDef def = def_of(test, over);
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_load(path, &def, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return world;
}

static int failures;

static void expect_hash(const FeatureCase *test, const char *what, dlp_World *world, uint64_t expected)
{
    const uint64_t hash = dlp_world_hash(world);
    if (hash != expected) {
        failures++;
        print_message("%s, %s, %s: %016" PRIx64 " instead of %016" PRIx64 "\n", test->method, test->name, what, hash,
                      expected);
    }
}

/* The hashes half-way and at the end. */
typedef struct Expected {
    uint64_t half, end;
} Expected;

static void resume(const FeatureCase *test, const char *what, const char *path, dlp_Ranks *over,
                   const Expected *expected)
{
    dlp_World *world = load(test, path, over);
    expect_hash(test, what, world, expected->half);
    step_feature_case(world, test, STEPS / 2);
    expect_hash(test, what, world, expected->end);
    dlp_world_destroy(world);
}

/* All but the last of three or more ranks. */
static void resume_with_fewer(const FeatureCase *test, const char *path, const Expected *expected)
{
    if (dlp_ranks_count(ranks) < 3) {
        return;
    }
    const bool takes_part = dlp_ranks_number(ranks) + 1 < dlp_ranks_count(ranks);
    dlp_Ranks *fewer = NULL;
    dlp_Error error;
    MPI_Comm communicator;
    MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, 0, &communicator);
    if (takes_part) {
        assert_int_equal(dlp_ranks_from_communicator((int)MPI_Comm_c2f(communicator), &fewer, &error), DLP_OK);
        resume(test, "with fewer ranks", path, fewer, expected);
        dlp_ranks_end(fewer);
        MPI_Comm_free(&communicator);
    }
    wait_for_all_ranks();
}

static void compare(const FeatureCase *test)
{
    Expected expected;
    dlp_World *alone = start(test, NULL), *shared = start(test, ranks);
    step_feature_case(alone, test, STEPS / 2);
    step_feature_case(shared, test, STEPS / 2);
    expected.half = dlp_world_hash(alone);
    if (is_first_rank()) {
        save(alone, ALONE);
    }
    save(shared, SHARED);
    step_feature_case(alone, test, STEPS / 2);
    expected.end = dlp_world_hash(alone);
    dlp_world_destroy(shared);
    dlp_world_destroy(alone);
    resume(test, "from ranks to ranks", SHARED, ranks, &expected);
    resume(test, "from ranks to one process", SHARED, NULL, &expected);
    resume(test, "from one process to ranks", ALONE, ranks, &expected);
    resume_with_fewer(test, SHARED, &expected);
    wait_for_all_ranks();
}

static void any_number_of_ranks_continues_a_checkpoint(void **state)
{
    const int cases = feature_case_count();
    const char *only = getenv("DOLLOP_CASE");
    int tried = 0;
    (void)state;
    for (int number = only != NULL ? atoi(only) : 0; number < cases; number += full_scale() ? 1 : 4) {
        const FeatureCase test = feature_case(number);
        compare(&test);
        tried++;
        if (only != NULL) {
            print_message("case %d: %s, %s\n", number, test.method, test.name);
            break;
        }
    }
    print_message("%d of %d cases over %d ranks\n", tried, cases, dlp_ranks_count(ranks));
    assert_int_equal(failures, 0);
}

/* A world with so many particles that one process compresses its files. */
static const FeatureCase tank = {.method = "pbf", .features = FEATURE_EMITTER, .name = "tank"};

static dlp_World *start_tank(dlp_Ranks *over)
{
    dlp_WorldDef def = feature_def(tank.method, tank.features, 0.007);
    def.hooks.ranks = over;
    dlp_World *world = make_world(&def);
    add_features(world, tank.features);
    for (int step = 0; step < 2; step++) {
        step_or_fail(world, 0.001);
    }
    return world;
}

typedef struct Text {
    char *data;
    size_t size;
} Text;

static Text read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    Text text = {NULL, 0};
    if (file == NULL) {
        fail_msg("cannot read %s", path);
    }
    fseek(file, 0, SEEK_END);
    text.size = (size_t)ftell(file);
    rewind(file);
    text.data = malloc(text.size + 1);
    assert_int_equal(fread(text.data, 1, text.size, file), text.size);
    text.data[text.size] = 0;
    fclose(file);
    return text;
}

static size_t row_size;

static int compare_rows(const void *a, const void *b)
{
    return memcmp(a, b, row_size);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines after the first, sorted. */
static char **sort_lines(Text text, size_t *count)
{
    char **lines = malloc(text.size * sizeof *lines);
    *count = 0;
    for (char *line = strtok(text.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        lines[(*count)++] = line;
    }
    qsort(lines + 1, *count - 1, sizeof *lines, compare_lines);
    return lines;
}

static void compare_csv(const char *left, const char *right)
{
    Text texts[2] = {read_whole(left), read_whole(right)};
    size_t counts[2];
    char **lines[2] = {sort_lines(texts[0], &counts[0]), sort_lines(texts[1], &counts[1])};
    assert_int_equal(counts[0], counts[1]);
    for (size_t n = 0; n < counts[0]; n++) {
        assert_string_equal(lines[0][n], lines[1][n]);
    }
    for (int n = 0; n < 2; n++) {
        free(lines[n]);
        free(texts[n].data);
    }
}

static void compare_ply(const char *left, const char *right, int64_t particles)
{
    Text texts[2] = {read_whole(left), read_whole(right)};
    const size_t header = (size_t)(strstr(texts[0].data, "end_header\n") + 11 - texts[0].data);
    assert_int_equal(texts[0].size, texts[1].size);
    row_size = (texts[0].size - header) / (size_t)particles;
    for (int n = 0; n < 2; n++) {
        qsort(texts[n].data + header, (size_t)particles, row_size, compare_rows);
    }
    assert_memory_equal(texts[0].data, texts[1].data, texts[0].size);
    free(texts[0].data);
    free(texts[1].data);
}

/* Ids of a frame with HDF5's own driver, like any other program, and the row of each id. */
static int64_t *rows_by_id(const char *path, int64_t particles, int64_t ids)
{
    int64_t *id = malloc((size_t)particles * sizeof *id), *row = malloc((size_t)ids * sizeof *row);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "VTKHDF/PointData/id", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, id) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    memset(row, 0xff, (size_t)ids * sizeof *row);
    for (int64_t n = 0; n < particles; n++) {
        assert_true(id[n] >= 0 && id[n] < ids && row[id[n]] < 0);
        row[id[n]] = n;
    }
    free(id);
    return row;
}

static void compare_frames(const char *left, const char *right, int64_t particles)
{
    dlp_Frame *frames[2] = {NULL, NULL};
    dlp_Error error;
    const int64_t ids = 4 * particles;
    int64_t *rows[2] = {rows_by_id(left, particles, ids), rows_by_id(right, particles, ids)};
    for (int n = 0; n < 2; n++) {
        if (dlp_frame_read(n == 0 ? left : right, NULL, &frames[n], &error) != DLP_OK) {
            fail_msg("%s", error.text);
        }
    }
    const dlp_Points a = dlp_frame_points(frames[0]), b = dlp_frame_points(frames[1]);
    assert_int_equal(a.count, particles);
    assert_int_equal(b.count, particles);
    assert_int_equal(a.field_count, b.field_count);
    assert_string_equal(dlp_frame_info(frames[0]).fields, dlp_frame_info(frames[1]).fields);
    for (int64_t id = 0; id < ids; id++) {
        const int64_t i = rows[0][id], j = rows[1][id];
        assert_int_equal(i < 0, j < 0);
        if (i < 0) {
            continue;
        }
        assert_int_equal(a.material[i], b.material[j]);
        for (int c = 0; c < 3; c++) {
            assert_true(a.position[c][i] == b.position[c][j]);
        }
        for (int f = 0; f < a.field_count; f++) {
            for (int c = 0; c < a.fields[f].components; c++) {
                assert_true(a.fields[f].component[c][i] == b.fields[f].component[c][j]);
            }
        }
    }
    for (int n = 0; n < 2; n++) {
        dlp_frame_destroy(frames[n]);
        free(rows[n]);
    }
}

/* One name has a colon, which MPI takes for the end of the name of a file system. */
static void exports_contain_the_same_particles(void **state)
{
    dlp_World *shared = start_tank(ranks), *alone = start_tank(NULL);
    const int64_t particles = dlp_world_particle_count(alone);
    (void)state;
    assert_int_equal(dlp_world_particle_count(shared), particles);
    assert_int_equal(dlp_world_write_frame(shared, "shared:1.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_world_write_csv(shared, "shared.csv"), DLP_OK);
    assert_int_equal(dlp_world_write_ply(shared, "shared.ply"), DLP_OK);
    if (is_first_rank()) {
        assert_int_equal(dlp_world_write_frame(alone, "alone.vtkhdf"), DLP_OK);
        assert_int_equal(dlp_world_write_csv(alone, "alone.csv"), DLP_OK);
        assert_int_equal(dlp_world_write_ply(alone, "alone.ply"), DLP_OK);
        compare_frames("shared:1.vtkhdf", "alone.vtkhdf", particles);
        compare_csv("shared.csv", "alone.csv");
        compare_ply("shared.ply", "alone.ply", particles);
    }
    dlp_world_destroy(alone);
    dlp_world_destroy(shared);
    wait_for_all_ranks();
}

static void count_written(void *user, dlp_Result result)
{
    assert_int_equal(result, DLP_OK);
    (*(int *)user)++;
}

static void all_ranks_report_written_files(void **state)
{
    const dlp_OutputFile files[] = {{DLP_OUTPUT_FRAME, "written.vtkhdf"}, {DLP_OUTPUT_CHECKPOINT, "written.h5"}};
    const dlp_OutputFile lost[] = {{DLP_OUTPUT_FRAME, "no_folder/written.vtkhdf"}};
    dlp_World *world = start_tank(ranks);
    dlp_Writer *writer = NULL;
    dlp_Error error;
    int reports = 0;
    (void)state;
    assert_int_equal(dlp_writer_create(NULL, count_written, &reports, &writer, &error), DLP_OK);
    assert_int_equal(dlp_writer_start(writer, world, files, 2, &error), DLP_OK);
    assert_int_equal(reports, 1);
    assert_false(dlp_writer_is_busy(writer));
    assert_int_equal(access("written.h5", F_OK), 0);
    dlp_writer_destroy(writer);
    assert_int_equal(dlp_writer_create(NULL, NULL, NULL, &writer, &error), DLP_OK);
    assert_int_equal(dlp_writer_start(writer, world, lost, 1, &error), DLP_ERROR_FILE);
    assert_non_null(strstr(error.text, "check the name, and that its folder exists"));
    dlp_writer_destroy(writer);
    dlp_world_destroy(world);
    wait_for_all_ranks();
}

/* Writing a file must fail on all ranks with this text. */
static void expect_failure(dlp_World *world, dlp_Result (*write)(dlp_World *world, const char *path), const char *path,
                           dlp_Result code, const char *text)
{
    assert_int_equal(write(world, path), code);
    if (strstr(dlp_world_error(world), text) == NULL) {
        fail_msg("'%s' does not contain '%s'", dlp_world_error(world), text);
    }
}

static void a_folder_that_does_not_exist_is_reported_on_all_ranks(void **state)
{
    dlp_World *world = start_tank(ranks), *none = NULL;
    dlp_WorldDef def = def_of(&tank, ranks);
    dlp_Error error;
    (void)state;
    expect_failure(world, dlp_world_save, "no_folder/a.h5", DLP_ERROR_FILE, "No such file");
    expect_failure(world, dlp_world_write_frame, "no_folder/a.vtkhdf", DLP_ERROR_FILE, "No such file");
    expect_failure(world, dlp_world_write_csv, "no_folder/a.csv", DLP_ERROR_FILE, "No such file");
    assert_int_equal(dlp_world_load("no_folder/a.h5", &def, &none, &error), DLP_ERROR_FILE);
    assert_null(none);
    save(world, "found.h5");
    dlp_world_destroy(world);
    wait_for_all_ranks();
}

/* Two ids that are equal, which are read by different ranks. */
static void equal_ids_on_different_ranks_are_found(void **state)
{
    dlp_WorldDef def = def_of(&tank, ranks);
    dlp_World *world = start_tank(ranks);
    dlp_Error error;
    (void)state;
    save(world, "equal.h5");
    dlp_world_destroy(world);
    if (is_first_rank()) {
        hid_t file = H5Fopen("equal.h5", H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t dataset = H5Dopen2(file, "particles/id", H5P_DEFAULT);
        hid_t space = H5Dget_space(dataset);
        hsize_t count = 0;
        H5Sget_simple_extent_dims(space, &count, NULL);
        uint64_t *ids = malloc(count * sizeof *ids);
        assert_true(H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids) >= 0);
        ids[count - 1] = ids[0];
        assert_true(H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids) >= 0);
        free(ids);
        H5Sclose(space);
        H5Dclose(dataset);
        H5Fclose(file);
        io_write_header("equal.h5", DLP_FILE_CHECKPOINT);
    }
    wait_for_all_ranks();
    assert_int_equal(dlp_world_load("equal.h5", &def, &world, &error), DLP_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "two particles have the id"));
    wait_for_all_ranks();
}

/* A byte in the share of each rank in turn. */
static void damage_in_any_share_is_found(void **state)
{
    dlp_WorldDef def = def_of(&tank, ranks);
    dlp_World *world = start_tank(ranks);
    dlp_Error error;
    (void)state;
    save(world, "damaged.h5");
    dlp_world_destroy(world);
    for (int part = 0; part < 4; part++) {
        if (is_first_rank()) {
            FILE *file = fopen("damaged.h5", "r+b");
            fseek(file, 0, SEEK_END);
            fseek(file, ftell(file) * (2 * part + 1) / 8, SEEK_SET);
            const int byte = fgetc(file);
            fseek(file, -1, SEEK_CUR);
            fputc(byte ^ 1, file);
            fclose(file);
        }
        wait_for_all_ranks();
        assert_int_equal(dlp_world_load("damaged.h5", &def, &world, &error), DLP_ERROR_FORMAT);
        assert_non_null(strstr(error.text, "its checksum does not match"));
        wait_for_all_ranks();
    }
}

/* Limit the size of files on one rank, which stands for a disk that is full. */
static void set_limit(int rank, rlim_t bytes)
{
    struct rlimit limit;
    if (dlp_ranks_number(ranks) == rank) {
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
}

static bool has_particles(const dlp_World *world, int rank)
{
    dlp_ParticleView view;
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    return dlp__ranks_any(ranks, dlp_ranks_number(ranks) == rank && view.count > 0);
}

static void a_rank_that_cannot_write_fails_all_and_keeps_the_file_before(void **state)
{
    dlp_World *world = start_tank(ranks), *loaded = NULL;
    dlp_WorldDef def = def_of(&tank, ranks);
    dlp_Error error;
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    save(world, "kept.h5");
    assert_int_equal(dlp_world_write_csv(world, "kept.csv"), DLP_OK);
    const uint64_t hash = dlp_world_hash(world);
    step_or_fail(world, 0.001);
    for (int rank = 0; rank < dlp_ranks_count(ranks); rank++) {
        set_limit(rank, 4096);
        expect_failure(world, dlp_world_save, "kept.h5", DLP_ERROR_RESOURCE, "File too large; raise the limit");
        expect_failure(world, dlp_world_write_frame, "kept.vtkhdf", DLP_ERROR_RESOURCE, "File too large");
        if (has_particles(world, rank)) { /* others write no lines */
            expect_failure(world, dlp_world_write_csv, "kept.csv", DLP_ERROR_RESOURCE, "File too large");
        }
        set_limit(rank, RLIM_INFINITY);
        assert_int_not_equal(access("kept.vtkhdf", F_OK), 0);
        assert_int_not_equal(access("kept.h5.part", F_OK), 0);
    }
    if (dlp_world_load("kept.h5", &def, &loaded, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(dlp_world_hash(loaded), hash);
    dlp_world_destroy(loaded);
    save(world, "kept.h5");
    dlp_world_destroy(world);
    wait_for_all_ranks();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_number_of_ranks_continues_a_checkpoint),
                                       cmocka_unit_test(exports_contain_the_same_particles),
                                       cmocka_unit_test(all_ranks_report_written_files),
                                       cmocka_unit_test(a_folder_that_does_not_exist_is_reported_on_all_ranks),
                                       cmocka_unit_test(equal_ids_on_different_ranks_are_found),
                                       cmocka_unit_test(damage_in_any_share_is_found),
                                       cmocka_unit_test(a_rank_that_cannot_write_fails_all_and_keeps_the_file_before)};
    return cmocka_run_group_tests(tests, start_ranks, end_ranks);
}
