/* Scenes and checkpoints from before method physical left method conformation go on loading, with a note; so do checkpoints that lack
 * a newer field. */
#include "support/io_forge.h"
#include "support/scene_fixture.h"
#include "support/world_fixture.h"

#include <dollop/files.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_method(const char *section, const char *method, const char *note)
{
    char text[256];
    snprintf(text, sizeof text, "method: %s\nmaterials: {honey: {viscosity: 10}}\nfluids: [{material: honey}]\n",
             section);
    dlp_Scene *scene = parse_scene(text, NULL, 0);
    assert_string_equal(dlp_scene_world(scene)->method, method);
    if (note == NULL) {
        assert_string_equal(dlp_scene_notes(scene), "");
    } else {
        assert_non_null(strstr(dlp_scene_notes(scene), note));
    }
    dlp_scene_destroy(scene);
}

static void a_scene_with_the_physical_solver_gets_method_physical_and_a_note(void **state)
{
    (void)state;
    assert_method("conformation", "physical", "method: physical");
    assert_method("{name: conformation, solver: physical}", "physical", "method: physical");
    assert_method("{name: conformation, tolerance: 0.1}", "physical", "method: physical");
    assert_method("{name: physical, evening: 0.1}", "physical", "physical.evening is now called fick_shift");
    assert_method("{name: conformation, solver: jacobi}", "conformation", NULL);
    assert_method("{name: conformation, velocity_iterations: 4}", "conformation", NULL);
    assert_method("physical", "physical", NULL);
}

static void the_former_key_is_unknown_elsewhere(void **state)
{
    (void)state;
    static const char *const sections[] = {"{name: physical, solver: jacobi}", "{name: pbf, solver: physical}",
                                           "{name: conformation, solver: newton}"};
    for (int n = 0; n < 3; n++) {
        char text[128];
        snprintf(text, sizeof text, "method: %s\n", sections[n]);
        dlp_Scene *scene = NULL;
        dlp_Error error = {.text = ""};
        assert_int_equal(dlp_scene_parse("s.yaml", text, strlen(text), NULL, 0, &scene, &error), DLP_ERROR_SCENE);
        assert_non_null(strstr(error.text, "unknown key 'solver'"));
    }
}

static void rename_field(hid_t file, const char *from, const char *to)
{
    assert_true(H5Lmove(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

/* Materials had no laws. */
static void drop_laws(hid_t file)
{
    const dlp_ParamTable *table = dlp_material_params();
    hid_t material = H5Gopen2(file, "materials/0", H5P_DEFAULT);
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        const bool is_new = (param->use & DLP_USE_LAWS) != 0 || strncmp(param->name, "wlf_", 4) == 0;
        if (is_new && H5Aexists(material, param->name) > 0) {
            assert_true(H5Adelete(material, param->name) >= 0);
        }
    }
    H5Gclose(material);
}

/* A checkpoint of method physical as it used to be written. */
static void make_former(hid_t file)
{
    const hsize_t shape[1] = {343};
    io_put_text(file, "world", "method", "conformation");
    io_put_text(file, "method", "solver", "physical");
    io_put_integer(file, "method", "velocity_iterations", 10);
    hid_t group = H5Gopen2(file, "method", H5P_DEFAULT);
    assert_true(H5Arename(group, "fick_shift", "evening") >= 0);
    H5Gclose(group);
    drop_laws(file);
    rename_field(file, "particles/detached", "particles/apart");
    rename_field(file, "particles/friction_ratio", "particles/grip");
    rename_field(file, "particles/hourglass_force", "particles/uneven_force");
    io_put_array(file, "particles/multiplier", H5T_IEEE_F32LE, 1, shape, H5P_DEFAULT);
}

static dlp_World *make_jelly(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = 0.01;
    def.threads = 1;
    dlp_World *world = make_world(&def);
    set_method(world, "fick_shift", 0.15);
    dlp_MaterialDef jelly = dlp_default_material_def();
    jelly.modulus = 1000.0;
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 0.0;
    assert_int_equal(dlp_world_add_material(world, &jelly, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){7, 7, 7}, (dlp_Vec3){0, 0, 0});
    for (int step = 0; step < 5; step++) {
        step_or_fail(world, 0.004);
    }
    return world;
}

static void a_former_checkpoint_of_the_physical_solver_continues_bit_for_bit(void **state)
{
    (void)state;
    dlp_World *world = make_jelly(), *loaded = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_world_save(world, "now.dollop"), DLP_OK);
    IoBytes bytes = io_read_file("now.dollop");
    io_forge("former.dollop", bytes, DLP_FILE_CHECKPOINT, make_former);
    free(bytes.data);
    if (dlp_world_load("former.dollop", NULL, &loaded, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_string_equal(dlp_world_def(loaded).method, "physical");
    for (int step = 0; step < 5; step++) {
        step_or_fail(world, 0.004);
        step_or_fail(loaded, 0.004);
    }
    assert_true(dlp_world_hash(loaded) == dlp_world_hash(world));
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

static void drop_acceleration(hid_t file)
{
    assert_true(H5Ldelete(file, "particles/acceleration", H5P_DEFAULT) >= 0);
}

static void drop_velocity(hid_t file)
{
    assert_true(H5Ldelete(file, "particles/velocity", H5P_DEFAULT) >= 0);
}

static void a_checkpoint_without_the_acceleration_of_the_last_step_loads(void **state)
{
    (void)state;
    dlp_World *world = make_jelly(), *loaded = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_world_save(world, "now.dollop"), DLP_OK);
    IoBytes bytes = io_read_file("now.dollop");
    io_forge("former.dollop", bytes, DLP_FILE_CHECKPOINT, drop_acceleration);
    if (dlp_world_load("former.dollop", NULL, &loaded, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    step_or_fail(loaded, 0.004);
    assert_int_equal(loaded->domains.part[0].particles.count, 343);
    dlp_world_destroy(loaded);
    io_forge("former.dollop", bytes, DLP_FILE_CHECKPOINT, drop_velocity);
    assert_int_equal(dlp_world_load("former.dollop", NULL, &loaded, &error), DLP_ERROR_FORMAT);
    free(bytes.data);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_with_the_physical_solver_gets_method_physical_and_a_note),
        cmocka_unit_test(the_former_key_is_unknown_elsewhere),
        cmocka_unit_test(a_former_checkpoint_of_the_physical_solver_continues_bit_for_bit),
        cmocka_unit_test(a_checkpoint_without_the_acceleration_of_the_last_step_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
