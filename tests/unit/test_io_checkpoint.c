/* Checkpoints: a saved world is loaded bit for bit and continues as if nothing had happened. */
#include "support/io_fixture.h"
#include "support/scale.h"

#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TIME_STEP 0.002 /* s */

static dlp_World *load(const char *path, const dlp_WorldDef *host)
{
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    dlp_Result result = dlp_world_load(path, host, &world, &error);
    if (result != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return world;
}

static void assert_same_future(dlp_World *one, dlp_World *other, int steps)
{
    assert_true(dlp_world_hash(one) == dlp_world_hash(other));
    for (int i = 0; i < steps; i++) {
        assert_int_equal(dlp_world_step(one, TIME_STEP), DLP_OK);
        assert_int_equal(dlp_world_step(other, TIME_STEP), DLP_OK);
        assert_true(dlp_world_hash(one) == dlp_world_hash(other));
    }
}

static void a_small_world_continues_bit_for_bit(void **state)
{
    (void)state;
    int64_t removed = 0;
    for (int steps = 0; steps < 30; steps += 7) {
        dlp_World *world = io_small_world(steps);
        assert_int_equal(dlp_world_save(world, "small.dollop"), DLP_OK);
        dlp_World *loaded = load("small.dollop", NULL);
        assert_int_equal(dlp_world_particle_count(loaded), dlp_world_particle_count(world));
        assert_true(dlp_world_time(loaded) == dlp_world_time(world));
        assert_same_future(world, loaded, 10);
        dlp_WorldStats stats;
        dlp_world_stats(loaded, &stats);
        removed += stats.removed;
        dlp_world_destroy(loaded);
        dlp_world_destroy(world);
    }
    assert_true(removed > 0); /* sinks were active, too */
}

static void a_chunked_world_continues_bit_for_bit(void **state)
{
    (void)state;
    dlp_World *world = io_block_world(small_scale() ? 18 : 42, 3); /* the larger world needs more than one chunk */
    assert_int_equal(dlp_world_save(world, "chunked.dollop"), DLP_OK);
    dlp_World *loaded = load("chunked.dollop", NULL);
    assert_same_future(world, loaded, small_scale() ? 2 : 10);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

static void the_number_of_subdomains_may_change_on_loading(void **state)
{
    (void)state;
    dlp_World *world = io_block_world(9, 4);
    assert_int_equal(dlp_world_save(world, "parts.dollop"), DLP_OK);
    for (int subdomains = 1; subdomains <= 8; subdomains *= 2) {
        dlp_WorldDef host = dlp_default_world_def();
        host.subdomains = subdomains;
        host.threads = 1;
        host.simd = 1;
        dlp_World *other = load("parts.dollop", &host);
        assert_int_equal(dlp_world_def(other).subdomains, subdomains);
        assert_int_equal(dlp_world_step(other, TIME_STEP), DLP_OK);
        assert_int_equal(dlp_world_save(other, "cut.dollop"), DLP_OK); /* now from several subdomains */
        dlp_World *again = load("cut.dollop", NULL);
        assert_same_future(other, again, 3);
        dlp_world_destroy(again);
        dlp_world_destroy(other);
    }
    dlp_world_destroy(world);
}

static void materials_solids_emitters_and_sinks_are_loaded_as_given(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(5);
    dlp_Vec3 gravity = {1.0, 2.0, -3.0};
    assert_int_equal(dlp_world_set_gravity(world, gravity), DLP_OK);
    assert_int_equal(dlp_world_save(world, "things.dollop"), DLP_OK);
    dlp_World *loaded = load("things.dollop", NULL);
    assert_true(dlp_world_def(loaded).gravity.z == -3.0);
    assert_int_equal(dlp_world_material_count(loaded), 2);
    dlp_MaterialDef material[2];
    assert_int_equal(dlp_world_get_material(world, 1, &material[0]), DLP_OK);
    assert_int_equal(dlp_world_get_material(loaded, 1, &material[1]), DLP_OK);
    assert_memory_equal(&material[0], &material[1], sizeof material[0]);
    dlp_SolidDef solid[2];
    assert_int_equal(dlp_world_get_solid(world, 0, &solid[0]), DLP_OK);
    assert_int_equal(dlp_world_get_solid(loaded, 0, &solid[1]), DLP_OK);
    assert_true(solid[0].frequency == solid[1].frequency && solid[0].amplitude.x == solid[1].amplitude.x);
    dlp_EmitterDef emitter[2];
    assert_int_equal(dlp_world_get_emitter(world, 0, &emitter[0]), DLP_OK);
    assert_int_equal(dlp_world_get_emitter(loaded, 0, &emitter[1]), DLP_OK);
    assert_true(emitter[0].start == emitter[1].start && emitter[0].speed == emitter[1].speed);
    assert_int_equal(dlp_world_sink_count(loaded), 1);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

static void rows_are_loaded_bit_for_bit(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0);
    dlp_MaterialDef given[2] = {dlp_default_material_def(), dlp_default_material_def()}, loaded_def;
    given[0].modes.count = DLP_MODES_MOST;
    for (int k = 0; k < DLP_MODES_MOST; k++) {
        given[0].modes.mode[k] = (dlp_RelaxationMode){1e-3 * pow(3.7, k), 1.0 / (k + 3)};
    }
    given[0].elastic_law = DLP_ELASTIC_PTT_EXPONENTIAL;
    given[0].ptt_epsilon = 0.1;
    given[1].flow_law = DLP_FLOW_TABLE;
    given[1].flow_curve = (dlp_FlowCurve){3, {{0.0, 20.0}, {0.1, 20.0 + 1.0 / 3.0}, {1.0 / 7.0, 30.0}}};
    given[1].wlf_c1 = 8.86;
    given[1].wlf_c2 = 101.6;
    for (int m = 0; m < 2; m++) {
        assert_int_equal(dlp_world_set_material(world, m, &given[m]), DLP_OK);
    }
    assert_int_equal(dlp_world_save(world, "rows.dollop"), DLP_OK);
    dlp_World *loaded = load("rows.dollop", NULL);
    for (int m = 0; m < 2; m++) {
        assert_int_equal(dlp_world_get_material(loaded, m, &loaded_def), DLP_OK);
        assert_memory_equal(&loaded_def, &given[m], sizeof given[m]);
    }
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

/* A world whose solid and nozzle move along keys, after `steps` steps. */
static dlp_World *keyed_world(int steps)
{
    dlp_World *world = io_small_world(3);
    const dlp_PoseKey solid[] = {{0.0, {0, 0, 0}, {0, 0, 0}},
                                 {0.02, {0, 0, 0.01}, {0.05, 0, 0}},
                                 {0.05, {0.01, 0, 0}, {0, 0.1, 0.3}},
                                 {0.1, {0, 0, 0}, {0, 0, 1}}};
    const dlp_PoseKey emitter[] = {{0.01, {0, 0, 0.1}, {0, 0, 0}}, {0.06, {0.03, 0.02, 0.12}, {0.2, 0, 0}}};
    assert_int_equal(dlp_world_set_solid_keys(world, 0, solid, 4), DLP_OK);
    assert_int_equal(dlp_world_set_emitter_keys(world, 0, emitter, 2), DLP_OK);
    for (int i = 0; i < steps; i++) {
        assert_int_equal(dlp_world_step(world, TIME_STEP), DLP_OK);
    }
    return world;
}

static void keys_are_loaded_and_motion_continues_bit_for_bit(void **state)
{
    (void)state;
    for (int steps = 0; steps < 40; steps += 9) {
        dlp_World *world = keyed_world(steps), *without = io_small_world(3 + steps);
        assert_int_equal(dlp_world_save(world, "keyed.dollop"), DLP_OK);
        dlp_World *loaded = load("keyed.dollop", NULL);
        const dlp_PoseKey *keys[2] = {NULL, NULL};
        int count[2] = {0, 0};
        assert_int_equal(dlp_world_get_solid_keys(world, 0, &keys[0], &count[0]), DLP_OK);
        assert_int_equal(dlp_world_get_solid_keys(loaded, 0, &keys[1], &count[1]), DLP_OK);
        assert_true(count[0] == 4 && count[1] == 4);
        assert_memory_equal(keys[0], keys[1], 4 * sizeof **keys);
        assert_int_equal(dlp_world_get_emitter_keys(world, 0, &keys[0], &count[0]), DLP_OK);
        assert_int_equal(dlp_world_get_emitter_keys(loaded, 0, &keys[1], &count[1]), DLP_OK);
        assert_true(count[0] == 2 && count[1] == 2);
        assert_memory_equal(keys[0], keys[1], 2 * sizeof **keys);
        assert_same_future(world, loaded, 40 - steps);
        assert_true(steps < 9 || dlp_world_hash(world) != dlp_world_hash(without)); /* the keys have an effect */
        dlp_world_destroy(loaded);
        dlp_world_destroy(without);
        dlp_world_destroy(world);
    }
}

static void a_hundred_thousand_keys_can_be_saved(void **state)
{
    (void)state;
    dlp_PoseKey *keys = malloc(DLP_KEYS_MOST * sizeof *keys);
    assert_non_null(keys);
    for (int k = 0; k < DLP_KEYS_MOST; k++) {
        keys[k] = (dlp_PoseKey){1e-3 * k, {sin(k), cos(k), 1e-5 * k}, {0, 0, 1e-4 * k}};
    }
    dlp_World *world = io_small_world(1);
    assert_int_equal(dlp_world_set_solid_keys(world, 0, keys, DLP_KEYS_MOST), DLP_OK);
    assert_int_equal(dlp_world_save(world, "many.dollop"), DLP_OK);
    dlp_World *loaded = load("many.dollop", NULL);
    const dlp_PoseKey *back = NULL;
    int count = 0;
    assert_int_equal(dlp_world_get_solid_keys(loaded, 0, &back, &count), DLP_OK);
    assert_int_equal(count, DLP_KEYS_MOST);
    assert_memory_equal(back, keys, DLP_KEYS_MOST * sizeof *keys);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
    free(keys);
}

/* A file may contain values that no program could have set. */
static void keys_that_the_world_rejects_are_format_errors(void **state)
{
    (void)state;
    dlp_World *world = keyed_world(0);
    assert_int_equal(dlp_world_save(world, "forged.dollop"), DLP_OK);
    hid_t file = H5Fopen("forged.dollop", H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "/solids/0/keys", H5P_DEFAULT);
    assert_true(file >= 0 && dataset >= 0);
    double rows[4][7] = {{0.0}};
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    rows[2][0] = rows[1][0];
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    io_write_header("forged.dollop", DLP_FILE_CHECKPOINT);
    dlp_World *loaded = NULL;
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_world_load("forged.dollop", NULL, &loaded, &error), DLP_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "solids/0: key 2 is at 0.02"));
    assert_null(loaded);
    dlp_world_destroy(world);
}

static const dlp_Param *last_real(const dlp_ParamTable *table)
{
    const dlp_Param *param = &table->params[0];
    for (int i = 0; i < table->count; i++) {
        param = table->params[i].type == DLP_PARAM_REAL ? &table->params[i] : param;
    }
    assert_int_equal(param->type, DLP_PARAM_REAL);
    return param;
}

static void the_parameters_of_the_method_are_loaded(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(1);
    const dlp_ParamTable *table = dlp_method_params(dlp_world_def(world).method);
    const dlp_Param *param = last_real(table);
    char *params = malloc(table->size);
    double value = 0.5 * (param->least + param->value[0]), loaded_value = 0.0;
    assert_int_equal(dlp_world_get_method(world, params, table->size), DLP_OK);
    memcpy(params + param->offset, &value, sizeof value);
    assert_int_equal(dlp_world_set_method(world, params, table->size), DLP_OK);
    assert_int_equal(dlp_world_save(world, "method.dollop"), DLP_OK);
    dlp_World *loaded = load("method.dollop", NULL);
    assert_int_equal(dlp_world_get_method(loaded, params, table->size), DLP_OK);
    memcpy(&loaded_value, params + param->offset, sizeof loaded_value);
    assert_true(value == loaded_value);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
    free(params);
}

static void particles_added_after_a_step_are_saved_too(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    float points[3000];
    for (int i = 0; i < 1000; i++) {
        points[3 * i] = 0.01f * (float)i;
        points[3 * i + 1] = points[3 * i + 2] = 0.2f;
    }
    assert_int_equal(dlp_world_add_points(world, 1, points, 1000, (dlp_Vec3){0, 0, 1}), DLP_OK);
    assert_int_equal(dlp_world_save(world, "added.dollop"), DLP_OK);
    dlp_World *loaded = load("added.dollop", NULL);
    assert_same_future(world, loaded, 3);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

static void an_empty_world_can_be_saved(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    assert_int_equal(dlp_world_save(world, "empty.dollop"), DLP_OK);
    dlp_World *loaded = load("empty.dollop", NULL);
    assert_int_equal(dlp_world_particle_count(loaded), 0);
    assert_true(dlp_world_hash(loaded) == dlp_world_hash(world));
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

static void equal_worlds_give_equal_bytes(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(6);
    assert_int_equal(dlp_world_save(world, "once.dollop"), DLP_OK);
    assert_int_equal(dlp_world_save(world, "twice.dollop"), DLP_OK);
    IoBytes once = io_read_file("once.dollop"), twice = io_read_file("twice.dollop");
    assert_int_equal(once.size, twice.size);
    assert_memory_equal(once.data, twice.data, once.size);
    assert_true(once.size < 20000); /* small worlds give small files */
    free(twice.data);
    free(once.data);
    dlp_world_destroy(world);
}

static void a_diverged_world_does_not_replace_its_last_checkpoint(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    assert_int_equal(dlp_world_save(world, "good.dollop"), DLP_OK);
    uint64_t good = dlp_world_hash(world);
    dlp_ParticleView view;
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    ((float *)(uintptr_t)view.velocity[1])[4] = NAN;
    assert_int_equal(dlp_world_save(world, "good.dollop"), DLP_ERROR_NOT_FINITE);
    assert_non_null(strstr(dlp_world_error(world), "velocity"));
    dlp_World *loaded = load("good.dollop", NULL);
    assert_true(dlp_world_hash(loaded) == good);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

static void a_checkpoint_has_a_summary(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(4);
    assert_int_equal(dlp_world_save(world, "info.dollop"), DLP_OK);
    dlp_FileInfo info;
    dlp_Error error;
    assert_int_equal(dlp_file_info("info.dollop", &info, &error), DLP_OK);
    dlp_WorldStats stats;
    dlp_world_stats(world, &stats);
    assert_int_equal(info.kind, DLP_FILE_CHECKPOINT);
    assert_int_equal(info.particles, stats.particles);
    assert_int_equal(info.step, 4);
    assert_true(info.time == stats.time && info.spacing == dlp_world_def(world).spacing);
    assert_true(info.lower.x == stats.lower.x && info.upper.z == stats.upper.z);
    assert_string_equal(info.method, dlp_world_def(world).method);
    assert_string_equal(info.version, dlp_version());
    assert_non_null(strstr(info.fields, "position"));
    IoBytes bytes = io_read_file("info.dollop");
    assert_int_equal(info.bytes, bytes.size);
    free(bytes.data);
    dlp_world_destroy(world);
}

static void missing_and_null_arguments_are_refused(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0), *loaded = NULL;
    dlp_Error error;
    dlp_FileInfo info;
    assert_int_equal(dlp_world_save(world, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_save(world, ""), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_load(NULL, NULL, &loaded, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_load("x", NULL, NULL, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_load("no-such-file", NULL, &loaded, &error), DLP_ERROR_FILE);
    assert_non_null(strstr(error.text, "no-such-file"));
    assert_int_equal(dlp_world_load(".", NULL, &loaded, &error), DLP_ERROR_FILE);
    assert_int_equal(dlp_file_info("no-such-file", &info, NULL), DLP_ERROR_FILE);
    assert_int_equal(dlp_file_info(NULL, NULL, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_save(world, "host.dollop"), DLP_OK);
    dlp_WorldDef host = {0};
    assert_int_equal(dlp_world_load("host.dollop", &host, &loaded, &error), DLP_ERROR_ARGUMENT);
    assert_null(loaded);
    dlp_world_destroy(world);
}

/* A host allocator with a limited number of blocks that counts the blocks in use. */
typedef struct LimitedMemory {
    int left;
    int out;
} LimitedMemory;

static void *ration_allocate(void *user, size_t size, size_t alignment)
{
    LimitedMemory *ration = user;
    if (ration->left == 0) {
        return NULL;
    }
    ration->left--;
    ration->out++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void ration_release(void *user, void *memory, size_t size)
{
    (void)size;
    ((LimitedMemory *)user)->out--;
    free(memory);
}

static void loading_without_memory_fails_cleanly_at_every_block(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    assert_int_equal(dlp_world_save(world, "memory.dollop"), DLP_OK);
    int64_t ids = io_open_ids();
    int tries = 0;
    for (dlp_Result result = DLP_ERROR_MEMORY; result != DLP_OK; tries++) {
        LimitedMemory ration = {tries, 0};
        dlp_WorldDef host = dlp_default_world_def();
        host.hooks.allocator = (dlp_Allocator){ration_allocate, ration_release, &ration};
        dlp_World *loaded = NULL;
        dlp_Error error;
        result = dlp_world_load("memory.dollop", &host, &loaded, &error);
        assert_true(result == DLP_OK || result == DLP_ERROR_MEMORY);
        dlp_world_destroy(loaded);
        assert_int_equal(ration.out, 0);
        assert_int_equal(io_open_ids(), ids);
    }
    assert_in_range(tries, 10, 200);
    dlp_world_destroy(world);
}

static void saving_and_loading_leave_nothing_in_the_heap(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(3);
    int64_t held = 0;
    int rounds = small_scale() ? 20 : 200;
    for (int i = 0; i < rounds; i++) {
        dlp_World *loaded = NULL;
        assert_int_equal(dlp_world_save(world, "heap.dollop"), DLP_OK);
        assert_int_equal(dlp_world_write_frame(world, "heap.vtkhdf"), DLP_OK);
        assert_int_equal(dlp_world_load("heap.dollop", NULL, &loaded, NULL), DLP_OK);
        assert_int_equal(dlp_world_load("heap.vtkhdf", NULL, &(dlp_World *){NULL}, NULL), DLP_ERROR_FORMAT);
        dlp_world_destroy(loaded);
        held = i == rounds / 4 ? io_heap_bytes() : held; /* HDF5 and malloc cache free blocks, which grow at first */
    }
    assert_true(io_heap_bytes() - held < 64 * rounds); /* the smallest leak of HDF5 would be 200 bytes */
    dlp_world_destroy(world);
}

static herr_t hosts_report(hid_t stack, void *data)
{
    (void)stack;
    (*(int *)data)++;
    return 0;
}

static void the_hosts_hdf5_error_handler_is_restored(void **state)
{
    (void)state;
    int reports = 0;
    H5E_auto2_t function = NULL;
    void *data = NULL;
    H5Eset_auto2(H5E_DEFAULT, hosts_report, &reports);
    dlp_World *world = io_small_world(1), *loaded = NULL;
    assert_int_equal(dlp_world_save(world, "report.dollop"), DLP_OK);
    assert_int_equal(dlp_world_load("report.dollop", NULL, &loaded, NULL), DLP_OK);
    H5Eget_auto2(H5E_DEFAULT, &function, &data);
    assert_true(function == hosts_report && data == &reports);
    assert_int_equal(reports, 0);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_world_continues_bit_for_bit),
        cmocka_unit_test(a_chunked_world_continues_bit_for_bit),
        cmocka_unit_test(the_number_of_subdomains_may_change_on_loading),
        cmocka_unit_test(materials_solids_emitters_and_sinks_are_loaded_as_given),
        cmocka_unit_test(rows_are_loaded_bit_for_bit),
        cmocka_unit_test(keys_are_loaded_and_motion_continues_bit_for_bit),
        cmocka_unit_test(a_hundred_thousand_keys_can_be_saved),
        cmocka_unit_test(keys_that_the_world_rejects_are_format_errors),
        cmocka_unit_test(the_parameters_of_the_method_are_loaded),
        cmocka_unit_test(particles_added_after_a_step_are_saved_too),
        cmocka_unit_test(an_empty_world_can_be_saved),
        cmocka_unit_test(equal_worlds_give_equal_bytes),
        cmocka_unit_test(a_diverged_world_does_not_replace_its_last_checkpoint),
        cmocka_unit_test(a_checkpoint_has_a_summary),
        cmocka_unit_test(missing_and_null_arguments_are_refused),
        cmocka_unit_test(loading_without_memory_fails_cleanly_at_every_block),
        cmocka_unit_test(saving_and_loading_leave_nothing_in_the_heap),
        cmocka_unit_test(the_hosts_hdf5_error_handler_is_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
