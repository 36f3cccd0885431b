/* Emitters in checkpoints: a nozzle continues as if it had never stopped, with any parameters, threads and
 * subdomains. */
#include "support/io_fixture.h"
#include "support/scale.h"
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double DT = 0.003; /* s */

/* Cream through a star that rotates and moves, by mass, with a flow that closes and opens. */
static dlp_World *make_piping(int threads, int subdomains)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = 0.002;
    def.threads = threads;
    def.subdomains = subdomains;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef cream = dlp_default_material_def();
    cream.viscosity = 20.0;
    assert_int_equal(dlp_world_add_material(world, &cream, NULL), DLP_OK);
    assert_int_equal(add_star_mesh(world, 0.008), 0);
    dlp_SolidDef table = dlp_default_solid_def();
    table.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(world, &table, NULL), DLP_OK);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.nozzle = DLP_NOZZLE_MESH;
    nozzle.mesh = 0;
    nozzle.mass_rate = 0.012;
    assert_int_equal(dlp_world_add_emitter(world, &nozzle, NULL), DLP_OK);
    const dlp_PoseKey path[] = {{0.0, {0, 0, 0.02}, {0, 0, 0}}, {0.3, {0.03, 0, 0.022}, {0, 0.2, 1.5}}};
    const dlp_FlowKey flow[] = {{0.0, 0.3}, {0.05, 1.0}, {0.1, 0.0}, {0.13, 0.0}, {0.2, 1.4}};
    assert_int_equal(dlp_world_set_emitter_keys(world, 0, path, 2), DLP_OK);
    assert_int_equal(dlp_world_set_emitter_flow(world, 0, flow, 5), DLP_OK);
    return world;
}

/* Halfway the material changes, and with it the speed of the flow by mass. */
static void run(dlp_World *world, int from, int to)
{
    for (int step = from; step < to; step++) {
        if (step == 20) {
            dlp_MaterialDef cream;
            assert_int_equal(dlp_world_get_material(world, 0, &cream), DLP_OK);
            cream.density = 800.0;
            assert_int_equal(dlp_world_set_material(world, 0, &cream), DLP_OK);
        }
        step_or_fail(world, DT);
    }
}

static void a_nozzle_continues_bit_for_bit(void **state)
{
    (void)state;
    const int steps = small_scale() ? 30 : 80;
    dlp_World *world = make_piping(2, 1);
    run(world, 0, steps);
    const uint64_t wanted = dlp_world_hash(world);
    print_message("%d particles\n", (int)dlp_world_particle_count(world));
    assert_true(dlp_world_particle_count(world) > 50);
    dlp_world_destroy(world);
    const struct {
        int threads, subdomains, stop;
    } variants[] = {{1, 1, 13}, {2, 2, 27}, {2, 4, small_scale() ? 20 : 41}};
    for (int n = 0; n < 3; n++) {
        world = make_piping(variants[n].threads, variants[n].subdomains);
        run(world, 0, variants[n].stop);
        assert_int_equal(dlp_world_save(world, "piping.dollop"), DLP_OK);
        dlp_world_destroy(world);
        dlp_WorldDef host = dlp_default_world_def();
        host.threads = variants[n].threads;
        dlp_Error error = {DLP_OK, ""};
        if (dlp_world_load("piping.dollop", &host, &world, &error) != DLP_OK) {
            fail_msg("%s", error.text);
        }
        run(world, variants[n].stop, steps);
        assert_true(dlp_world_hash(world) == wanted);
        dlp_world_destroy(world);
    }
}

/* A file may contain values that no program could have set. */
static void expect_broken(const char *path, hid_t type, int numbers, const void *data, const char *words)
{
    dlp_World *world = make_piping(1, 1);
    assert_int_equal(dlp_world_save(world, "forged.dollop"), DLP_OK);
    dlp_world_destroy(world);
    hid_t file = H5Fopen("forged.dollop", H5F_ACC_RDWR, H5P_DEFAULT);
    if (numbers > 1) {
        hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
        assert_true(dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
        H5Dclose(dataset);
    } else {
        hid_t group = H5Gopen2(file, "/emitters/0", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
        assert_true(H5Adelete(group, path) >= 0);
        hid_t attribute = H5Acreate2(group, path, type, space, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(attribute >= 0 && H5Awrite(attribute, type, data) >= 0);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Gclose(group);
    }
    H5Fclose(file);
    io_write_header("forged.dollop", DLP_FILE_CHECKPOINT);
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_world_load("forged.dollop", NULL, &world, &error), DLP_ERROR_FORMAT);
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
    assert_null(world);
}

/* Checkpoints of earlier versions have no names. */
static void the_name_of_an_emitter_is_saved_and_may_be_missing(void **state)
{
    (void)state;
    for (int missing = 0; missing < 2; missing++) {
        dlp_World *world = make_piping(1, 1), *loaded = NULL;
        dlp_EmitterDef nozzle;
        assert_int_equal(dlp_world_get_emitter(world, 0, &nozzle), DLP_OK);
        snprintf(nozzle.name, sizeof nozzle.name, "bag");
        assert_int_equal(dlp_world_add_emitter(world, &nozzle, NULL), DLP_OK);
        assert_int_equal(dlp_world_save(world, "named.dollop"), DLP_OK);
        dlp_world_destroy(world);
        if (missing) {
            hid_t file = H5Fopen("named.dollop", H5F_ACC_RDWR, H5P_DEFAULT);
            hid_t group = H5Gopen2(file, "/emitters/1", H5P_DEFAULT);
            assert_true(H5Adelete(group, "name") >= 0);
            H5Gclose(group);
            H5Fclose(file);
            io_write_header("named.dollop", DLP_FILE_CHECKPOINT);
        }
        assert_int_equal(dlp_world_load("named.dollop", NULL, &loaded, NULL), DLP_OK);
        assert_int_equal(dlp_world_get_emitter(loaded, 1, &nozzle), DLP_OK);
        assert_string_equal(nozzle.name, missing ? "" : "bag");
        dlp_world_destroy(loaded);
    }
}

static void values_that_the_world_rejects_are_format_errors(void **state)
{
    (void)state;
    const double back[10] = {0.0, 1.0, 0.05, 1.0, 0.01, 1.0, 1.0, 1.0, 2.0, 1.0};
    const double negative[10] = {0.0, -1.0, 1.0, 1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 1.0}, lead = -1.0, rate = 1.0;
    const int32_t mesh = 3;
    expect_broken("/emitters/0/flow", H5T_NATIVE_DOUBLE, 10, back, "emitters/0: flow 2");
    expect_broken("/emitters/0/flow", H5T_NATIVE_DOUBLE, 10, negative, "emitters/0: flow 0");
    expect_broken("lead", H5T_NATIVE_DOUBLE, 1, &lead, "lead");
    expect_broken("rate", H5T_NATIVE_DOUBLE, 1, &rate, "both rate and mass_rate");
    expect_broken("mesh", H5T_NATIVE_INT32, 1, &mesh, "no mesh 3");
    float flat[39];
    for (int n = 0; n < 39; n++) {
        flat[n] = (float)(n * n % 7);
    }
    expect_broken("/meshes/0/vertices", H5T_NATIVE_FLOAT, 39, flat, "not an opening");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nozzle_continues_bit_for_bit),
        cmocka_unit_test(the_name_of_an_emitter_is_saved_and_may_be_missing),
        cmocka_unit_test(values_that_the_world_rejects_are_format_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
