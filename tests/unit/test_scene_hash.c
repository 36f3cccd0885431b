/* The hash of a scene covers every value that affects the result, and nothing else. */
#include "support/scene_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void the_hash_ignores_the_order_of_keys(void **state)
{
    (void)state;
    assert_int_equal(hash_scene("world: {spacing: 1, support: 2}\nmaterials: {a: {}, b: {density: 2}}\n"
                                "fluids: [{material: b, size: [1, 1, 1]}]",
                                NULL, 0),
                     hash_scene("fluids: [{size: [1.0, 1e0, 100 cm], material: b}]\n"
                                "materials: {b: {density: 2}, a: {}}\nworld: {support: 2, spacing: 1}",
                                NULL, 0));
}

static void the_hash_ignores_threads_lanes_subdomains_and_the_number_of_frames(void **state)
{
    (void)state;
    static const char *const settings[] = {"world.threads=3", "world.simd=1", "world.subdomains=4", "run.frames=500",
                                           "run.checkpoint_every=1"};
    assert_int_equal(hash_scene(tank_scene, NULL, 0), hash_scene(tank_scene, settings, 5));
}

/* As text, a value of the parameter that differs from the one in the scene. */
static void other_value(const dlp_Param *param, char *text, size_t size)
{
    double value = param->least + 0.6180339887 * (param->most - param->least);
    switch (param->type) {
    case DLP_PARAM_REAL: snprintf(text, size, "%.17g", value); break;
    case DLP_PARAM_INT: snprintf(text, size, "%lld", (long long)value); break;
    case DLP_PARAM_VEC3: snprintf(text, size, "[%.17g, %.17g, %.17g]", param->value[0], param->value[1], value); break;
    case DLP_PARAM_BOOL: snprintf(text, size, "%s", param->value[0] != 0.0 ? "false" : "true"); break;
    case DLP_PARAM_CHOICE: snprintf(text, size, "%s", param->choices[param->value[0] == 0.0 ? 1 : 0]); break;
    case DLP_PARAM_MATERIAL: snprintf(text, size, "b"); break;
    case DLP_PARAM_MESH: snprintf(text, size, "d"); break;
    case DLP_PARAM_SOLID: snprintf(text, size, "e"); break;
    case DLP_PARAM_NAME: snprintf(text, size, "other"); break;
    }
}

static const char hashed_scene[] =
    "materials: {a: {}, b: {}}\nfluids: [{material: a}]\nemitters: [{material: a}]\n"
    "meshes: {c: {form: cup}, d: {form: bowl}}\nsolids: [{}, {name: e}, {name: f, density: 1}]\n"
    "joints: [{solid: f}]\ncontacts: [{solid: f, material: a}]\nsinks: [{}]\n";

static int check_every_value(const char *prefix, const char *hidden, const dlp_ParamTable *table)
{
    static const char *const ignored[] = {"world.threads", "world.simd", "world.subdomains", "run.frames",
                                          "run.checkpoint_every"};
    uint64_t before = hash_scene(hashed_scene, NULL, 0);
    int checked = 0;
    for (int i = 0; i < table->count; i++) {
        char path[128];
        char value[128];
        snprintf(path, sizeof path, "%s.%s", prefix, table->params[i].name);
        bool skipped = strcmp(table->params[i].name, hidden) == 0;
        for (size_t j = 0; j < sizeof ignored / sizeof ignored[0]; j++) {
            skipped = skipped || strcmp(path, ignored[j]) == 0;
        }
        if (!skipped) {
            char setting[300];
            other_value(&table->params[i], value, sizeof value);
            snprintf(setting, sizeof setting, "%s=%s", path, value);
            const char *settings = setting;
            if (hash_scene(hashed_scene, &settings, 1) == before) {
                fail_msg("%s does not change the hash", setting);
            }
            checked++;
        }
    }
    return checked;
}

static void the_hash_covers_every_value_that_affects_the_result(void **state)
{
    (void)state;
    int checked = 0;
    checked += check_every_value("world", "method", dlp_world_params());
    checked += check_every_value("method", "", dlp_method_params(dlp_default_world_def().method));
    checked += check_every_value("run", "", dlp_run_params());
    checked += check_every_value("materials.a", "name", dlp_material_params());
    checked += check_every_value("meshes.c", "name", dlp_mesh_params());
    checked += check_every_value("solids.0", "", dlp_solid_params());
    checked += check_every_value("joints.0", "", dlp_joint_params());
    checked += check_every_value("contacts.0", "", dlp_contact_params());
    checked += check_every_value("fluids.0", "", dlp_fluid_params());
    checked += check_every_value("emitters.0", "", dlp_emitter_params());
    checked += check_every_value("sinks.0", "", dlp_sink_params());
    assert_true(checked > 40);
    static const char *const points[] = {"fluids.0={material: a, points: [[0, 0, 0]]}",
                                         "fluids.0={material: a, points: [[0, 0, 1 mm]]}",
                                         "fluids.0={material: a, points: [[0, 0, 0], [1, 0, 0]]}"};
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        hashes[i] = hash_scene(hashed_scene, &points[i], 1);
    }
    assert_true(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2]);
    assert_true(hash_scene("materials: {a: {}}\nfluids: [{material: a}]", NULL, 0) !=
                hash_scene("materials: {b: {}}\nfluids: [{material: b}]", NULL, 0));
}

static void the_hash_covers_every_value_of_a_key(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "solids.0.keys.1.time=1.25",
        "solids.0.keys.1.position=[0, 1, 0]",
        "solids.0.keys.2.rotation=[0, 1, 0]",
        "solids.0.keys=[{time: 0}]",
        "emitters.0.keys.1.time=0.3",
        "emitters.0.keys.0.position=[0, 1, 0]",
        "emitters.0.keys.1.rotation=[0, 1, 0]",
        "emitters.0.flow.1=[0.6, 1]",
        "emitters.0.flow.2=[1, 0.6]",
        "emitters.0.flow=[[0, 0]]",
        "solids.1.keys=[{time: 0}]",
        "solids.0.path=smooth",
    };
    enum { COUNT = sizeof settings / sizeof settings[0] };
    uint64_t hashes[COUNT + 1];
    for (int i = 0; i <= COUNT; i++) {
        hashes[i] = hash_scene(icing_scene, i < COUNT ? &settings[i] : NULL, i < COUNT);
        for (int j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_ignores_the_order_of_keys),
        cmocka_unit_test(the_hash_ignores_threads_lanes_subdomains_and_the_number_of_frames),
        cmocka_unit_test(the_hash_covers_every_value_that_affects_the_result),
        cmocka_unit_test(the_hash_covers_every_value_of_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
