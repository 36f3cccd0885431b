/* Material parameters of methods: defaults, setting and reading, checks, scene files, checkpoints, and checkpoints of older versions, in
 * which every material held the parameters of all methods. */
#include "support/io_fixture.h"
#include "support/world_fixture.h"

#include <dollop/scene.h>
#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dlp_World *world_of(const char *method)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.threads = 1;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = strcmp(method, "mps") == 0 ? 1.0 : material.viscosity; /* some stresses of mps need one */
    for (int m = 0; m < 3; m++) {
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    }
    return world;
}

static dlp_World *load(const char *path)
{
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    if (dlp_world_load(path, NULL, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return world;
}

/* A value within its range that is not its default. */
static double other_value(const dlp_Param *param)
{
    if (param->type == DLP_PARAM_CHOICE) {
        return 1.0;
    }
    return param->value[0] == 0.25 ? 0.125 : 0.25;
}

/* Each parameter of material 1 is set by itself. The materials on either side keep their defaults, also in a checkpoint. */
static void assert_kept(const dlp_World *world, const dlp_ParamTable *own)
{
    for (int i = 0; i < own->count; i++) {
        const dlp_Param *param = &own->params[i];
        assert_true(material_param(world, 0, param->name) == param->value[0]);
        assert_true(material_param(world, 1, param->name) == other_value(param));
        assert_true(material_param(world, 2, param->name) == param->value[0]);
    }
}

static void every_parameter_is_kept_by_the_world_and_by_a_checkpoint(void **state)
{
    (void)state;
    int methods = 0;
    for (int m = 0; m < dlp_method_count(); m++) {
        const dlp_ParamTable *own = dlp_method_material_params(dlp_method_name(m));
        if (own == NULL) {
            continue;
        }
        dlp_World *world = world_of(dlp_method_name(m));
        for (int i = 0; i < own->count; i++) {
            set_material_param(world, 1, own->params[i].name, other_value(&own->params[i]));
        }
        assert_kept(world, own);
        assert_int_equal(dlp_world_save(world, "kept.dollop"), DLP_OK);
        dlp_World *loaded = load("kept.dollop");
        assert_kept(loaded, own);
        dlp_world_destroy(loaded);
        dlp_world_destroy(world);
        methods++;
    }
    assert_true(methods >= 3);
}

static void no_parameter_has_two_meanings(void **state)
{
    (void)state;
    for (int m = 0; m < dlp_method_count(); m++) {
        const dlp_ParamTable *own = dlp_method_material_params(dlp_method_name(m));
        for (int i = 0; own != NULL && i < own->count; i++) {
            assert_null(dlp_params_find(dlp_material_params(), own->params[i].name));
        }
    }
    assert_null(dlp_method_material_params("alchemy"));
}

static void what_cannot_be_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    dlp_World *world = world_of("springs");
    const dlp_ParamTable *own = dlp_method_material_params("springs");
    char *params = calloc(1, own->size + 1);
    assert_non_null(params);
    assert_int_equal(dlp_world_get_material_params(world, 3, params, own->size), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "there is no material 3"));
    assert_int_equal(dlp_world_set_material_params(world, -1, params, own->size), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_get_material_params(world, 0, params, own->size + 1), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "dlp_method_material_params()"));
    assert_int_equal(dlp_world_get_material_params(world, 0, params, own->size), DLP_OK);
    *(double *)(void *)(params + dlp_params_find(own, "yield_ratio")->offset) = 0.95;
    assert_int_equal(dlp_world_set_material_params(world, 0, params, own->size), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "yield_ratio"));
    assert_true(material_param(world, 0, "yield_ratio") == 0.0);
    free(params);
    dlp_world_destroy(world);
}

static void put_real(hid_t file, const char *group, const char *name, double value)
{
    hid_t object = H5Gopen2(file, group, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    if (H5Aexists(object, name) > 0) {
        H5Adelete(object, name);
    }
    hid_t attribute = H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Gclose(object);
}

/* As versions before these parameters moved to the methods wrote a material: those of all methods, side by side. */
static void write_old_layout(const char *path, dlp_FileKind kind)
{
    static const struct {
        const char *name;
        double value;
    } members[] = {{"smoothing", 0.3},      {"compliance", -1.0},          {"sigma", 3.0},
                   {"plasticity", 20.0},    {"yield_ratio", 0.1},          {"compress_plasticity", 5.0},
                   {"extension_rate", 7.0}, {"compress_yield_ratio", 0.2}, {"link_stiffness", 0.5}};
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        put_real(file, "materials/1", members[i].name, members[i].value);
    }
    assert_true(H5Fclose(file) >= 0);
    io_write_header(path, kind);
}

static void a_checkpoint_with_the_parameters_of_all_methods_is_read(void **state)
{
    (void)state;
    dlp_World *world = world_of("springs");
    assert_int_equal(dlp_world_save(world, "old.dollop"), DLP_OK);
    dlp_world_destroy(world);
    write_old_layout("old.dollop", DLP_FILE_CHECKPOINT);
    world = load("old.dollop");
    assert_true(material_param(world, 1, "sigma") == 3.0 && material_param(world, 1, "plasticity") == 20.0);
    assert_true(material_param(world, 1, "compress_plasticity") == 5.0);
    assert_true(material_param(world, 1, "yield_ratio") == 0.1);
    assert_true(material_param(world, 1, "compress_yield_ratio") == 0.2);
    assert_true(material_param(world, 0, "plasticity") == -1.0);
    dlp_world_destroy(world);
    world = world_of("links");
    assert_int_equal(dlp_world_save(world, "old.dollop"), DLP_OK);
    dlp_world_destroy(world);
    write_old_layout("old.dollop", DLP_FILE_CHECKPOINT);
    world = load("old.dollop");
    assert_true(material_param(world, 1, "smoothing") == 0.3 && material_param(world, 1, "extension_rate") == 7.0);
    assert_true(material_param(world, 1, "link_stiffness") == 0.5);
    dlp_world_destroy(world);
}

static void a_frame_with_the_parameters_of_all_methods_is_read(void **state)
{
    (void)state;
    dlp_World *world = world_of("links");
    assert_int_equal(dlp_world_write_frame(world, "old.vtkhdf"), DLP_OK);
    dlp_world_destroy(world);
    write_old_layout("old.vtkhdf", DLP_FILE_FRAME);
    dlp_Frame *frame = NULL;
    dlp_Error error = {DLP_OK, ""};
    if (dlp_frame_read("old.vtkhdf", NULL, &frame, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(dlp_frame_scene(frame).material_count, 3);
    dlp_frame_destroy(frame);
}

/* A world of a scene with one material, 'gloop'; null with `error` filled if it is refused. */
static dlp_World *scene_world(const char *method, const char *keys, const char *setting, dlp_Error *error)
{
    char text[512];
    snprintf(text, sizeof text,
             "world: {spacing: 5 cm}\nmethod: %s\nmaterials: {gloop: {%s}}\n"
             "fluids: [{material: gloop, size: [0.2, 0.2, 0.2]}]\n",
             method, keys);
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    if (dlp_scene_parse("s.yaml", text, strlen(text), &setting, setting != NULL, &scene, error) == DLP_OK) {
        dlp_scene_build(scene, &world, error);
    }
    dlp_scene_destroy(scene);
    return world;
}

static void a_scene_gives_the_keys_of_its_method(void **state)
{
    (void)state;
    dlp_Error error = {DLP_OK, ""};
    dlp_World *world = scene_world("springs", "modulus: 1 kPa, plasticity: 20 1/s", "materials.gloop.sigma=4", &error);
    if (world == NULL) {
        fail_msg("%s", error.text);
    }
    assert_true(world->materials[0].modulus == 1000.0);
    assert_true(material_param(world, 0, "plasticity") == 20.0 && material_param(world, 0, "sigma") == 4.0);
    dlp_world_destroy(world);
}

static void assert_scene_refused(const char *method, const char *keys, const char *setting, const char *words)
{
    dlp_Error error = {DLP_OK, ""};
    assert_null(scene_world(method, keys, setting, &error));
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
}

static void a_key_of_another_method_is_refused_by_its_name(void **state)
{
    (void)state;
    assert_scene_refused("pbf", "density: 1000, plasticity: 3", NULL,
                         "s.yaml:3:36: materials.gloop.plasticity has no effect in method pbf; remove it, or use "
                         "method: springs\n");
    assert_scene_refused("springs", "smoothing: 0.1", NULL,
                         "materials.gloop.smoothing has no effect in method springs; remove it, or use method: pbf or "
                         "links");
    assert_scene_refused("links", "", "materials.gloop.compliance=0",
                         "materials.gloop.compliance has no effect in method links; remove it, or use method: "
                         "conformation");
    assert_scene_refused("springs", "plastisity: 3", NULL, "did you mean 'plasticity'?");
    assert_scene_refused("{name: conformation, solver: jacobi}", "viscosity: 1, compliance: 0", NULL,
                         "replaces viscosity and modulus");
    assert_scene_refused("{name: conformation, solver: jacobi}", "relaxation_time: 1", NULL, "nothing that relaxes");
}

/* A host may choose another method after the scene was read. */
static void another_method_takes_the_keys_that_it_shares(void **state)
{
    (void)state;
    static const char text[] = "world: {spacing: 5 cm}\nmethod: pbf\nmaterials: {gloop: {smoothing: 0.3}}\n"
                               "fluids: [{material: gloop, size: [0.2, 0.2, 0.2]}]\n";
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    assert_int_equal(dlp_scene_parse("s.yaml", text, sizeof text - 1, NULL, 0, &scene, NULL), DLP_OK);
    snprintf(dlp_scene_world(scene)->method, DLP_NAME_SIZE, "links");
    assert_int_equal(dlp_scene_build(scene, &world, NULL), DLP_OK);
    assert_true(material_param(world, 0, "smoothing") == 0.3);
    assert_true(material_param(world, 0, "extension_rate") == -1.0);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

/* A library serves several methods. */
static void an_included_file_may_hold_keys_of_other_methods(void **state)
{
    (void)state;
    static const char library[] = "materials: {gloop: {smoothing: 0.3, plasticity: 5, extension_rate: 2}}\n";
    static const char text[] = "include: library.yaml\nmethod: springs\nworld: {spacing: 5 cm}\n"
                               "fluids: [{material: gloop, size: [0.2, 0.2, 0.2]}]\n";
    io_write_file("library.yaml", library, sizeof library - 1);
    io_write_file("scene.yaml", text, sizeof text - 1);
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    if (dlp_scene_load("scene.yaml", NULL, 0, &scene, &error) != DLP_OK ||
        dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(material_param(world, 0, "plasticity") == 5.0);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_is_kept_by_the_world_and_by_a_checkpoint),
        cmocka_unit_test(no_parameter_has_two_meanings),
        cmocka_unit_test(what_cannot_be_is_refused_and_changes_nothing),
        cmocka_unit_test(a_checkpoint_with_the_parameters_of_all_methods_is_read),
        cmocka_unit_test(a_frame_with_the_parameters_of_all_methods_is_read),
        cmocka_unit_test(a_scene_gives_the_keys_of_its_method),
        cmocka_unit_test(a_key_of_another_method_is_refused_by_its_name),
        cmocka_unit_test(another_method_takes_the_keys_that_it_shares),
        cmocka_unit_test(an_included_file_may_hold_keys_of_other_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
