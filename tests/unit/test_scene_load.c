/* What a scene says arrives in the world: values, settings, includes, JSON, the hash, and building. */
#include "scene/scene_internal.h"

#include <dollop/scene.h>

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char tank[] =
    "world: {spacing: 5 cm, gravity: [0, 0, -9.81 m/s2], kernel: wendland_c2}\n"
    "method: {name: pbf, iterations: 7}\n"
    "run: {time_step: 4 ms, frame_rate: 24 fps, frames: 12, checkpoint_every: 3}\n"
    "materials:\n"
    "  water: {density: 1 g/cm3}\n"
    "  honey: {density: 1420, smoothing: 0.2}\n"
    "solids:\n"
    "  - {shape: container, position: [0, 0, 0.5], size: [1, 1, 1], friction: 0.25}\n"
    "  - {shape: box, size: [10 cm, 10 cm, 10 cm], rotation: [0, 0, 90 deg], spin: [0, 0, 60 rpm]}\n"
    "fluids:\n"
    "  - {material: water, shape: box, position: [0, 0, 0.25], size: [0.2, 0.2, 0.2]}\n"
    "  - {material: honey, points: [[0.3, 0, 0.5], [30 cm, 10 cm, 0.5]], velocity: [0, 1, 0]}\n"
    "emitters: [{material: honey, nozzle: rectangle, speed: 2, stop: 1.5}]\n"
    "sinks: [{shape: sphere, position: [9, 9, 9], radius: 1 cm}]\n";

static dlp_Scene *parse(const char *text, const char *const *settings, int count)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_parse("s.yaml", text, strlen(text), settings, count, &scene, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static uint64_t hash_of(const char *text, const char *const *settings, int count)
{
    dlp_Scene *scene = parse(text, settings, count);
    uint64_t hash = dlp_scene_hash(scene);
    dlp_scene_destroy(scene);
    return hash;
}

static void expect_setting_fails(const char *setting, const char *message)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_scene_parse("s.yaml", tank, strlen(tank), &setting, 1, &scene, &error), DLP_ERROR_SCENE);
    assert_string_equal(error.text, message);
}

static void what_the_file_says_stands_in_the_defs(void **state)
{
    (void)state;
    dlp_Scene *scene = parse(tank, NULL, 0);
    assert_true(scene->world.spacing == 0.05);
    assert_true(scene->world.gravity.z == -9.81);
    assert_int_equal(scene->world.kernel, DLP_KERNEL_WENDLAND_C2);
    assert_string_equal(scene->world.method, "pbf");
    assert_true(dlp_scene_run(scene)->time_step == 0.004);
    assert_true(dlp_scene_run(scene)->frame_rate == 24.0);
    assert_int_equal(dlp_scene_run(scene)->frames, 12);
    assert_int_equal(dlp_scene_run(scene)->checkpoint_every, 3);
    assert_int_equal(dlp_scene_run(scene)->size, sizeof(dlp_RunDef));

    const dlp_MaterialDef *materials = (const void *)scene->lists[DLP_SECTION_MATERIALS].items;
    assert_int_equal(scene->lists[DLP_SECTION_MATERIALS].count, 2);
    assert_string_equal(materials[0].name, "honey"); /* in the order of their names */
    assert_true(materials[0].smoothing == 0.2);
    assert_string_equal(materials[1].name, "water");
    assert_true(materials[1].density == 1000.0);

    const dlp_SolidDef *solids = (const void *)scene->lists[DLP_SECTION_SOLIDS].items;
    assert_int_equal(solids[0].shape.kind, DLP_SHAPE_CONTAINER);
    assert_true(solids[0].friction == 0.25);
    assert_true(fabs(solids[1].shape.rotation.z - 1.5707963267948966) < 1e-15);
    assert_true(fabs(solids[1].spin.z - 6.283185307179586) < 1e-15);

    const dlp_FluidDef *fluids = (const void *)scene->lists[DLP_SECTION_FLUIDS].items;
    assert_int_equal(fluids[0].material, 1);
    assert_int_equal(fluids[1].material, 0);
    assert_int_equal(scene->points[0].count, 0);
    assert_int_equal(scene->points[1].count, 2);
    assert_true(scene->points[1].xyz[3] == 0.3f && scene->points[1].xyz[4] == 0.1f);
    const dlp_EmitterDef *emitters = (const void *)scene->lists[DLP_SECTION_EMITTERS].items;
    assert_int_equal(emitters[0].nozzle, DLP_NOZZLE_RECTANGLE);
    dlp_scene_destroy(scene);
}

static void what_the_file_leaves_out_has_its_default(void **state)
{
    (void)state;
    dlp_Scene *scene = parse("materials: {w: }\nsolids:\nworld:\nfluids: [{material: w}]", NULL, 0);
    dlp_WorldDef world = dlp_default_world_def();
    dlp_RunDef run = dlp_default_run_def();
    assert_memory_equal(&scene->world, &world, sizeof world);
    assert_memory_equal(&scene->run, &run, sizeof run);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    assert_memory_equal(scene->lists[DLP_SECTION_FLUIDS].items, &fluid, sizeof fluid);
    dlp_scene_destroy(scene);
}

static void whole_numbers_may_be_written_as_yaml_has_them(void **state)
{
    (void)state;
    static const char *const settings[] = {"run.frames=12", "run.frames=0x0C", "run.frames=0o14", "run.frames=1.2e1",
                                           "run.frames=+12"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        dlp_Scene *scene = parse(tank, &settings[i], 1);
        assert_int_equal(dlp_scene_run(scene)->frames, 12);
        dlp_scene_destroy(scene);
    }
}

static void json_is_a_scene_too(void **state)
{
    (void)state;
    uint64_t yaml = hash_of("world: {spacing: 2 mm}\nmaterials: {w: {density: 900}}\nfluids: [{material: w}]", NULL, 0);
    uint64_t json = hash_of("{\"world\": {\"spacing\": \"2 mm\"},\n\t\"materials\": {\"w\": {\"density\": 900.0}},\n"
                            "\"fluids\": [\n{\"material\": \"\\u0077\"}\n]\n}\n",
                            NULL, 0);
    assert_int_equal(yaml, json);
}

static void a_byte_order_mark_and_windows_line_ends_are_harmless(void **state)
{
    (void)state;
    uint64_t plain = hash_of("materials:\n  w: {}\nfluids:\n  - material: w\n", NULL, 0);
    uint64_t windows = hash_of("\xef\xbb\xbfmaterials:\r\n  w: {}\r\nfluids:\r\n  - material: w\r\n", NULL, 0);
    assert_int_equal(plain, windows);
}

static void an_alias_stands_for_what_its_anchor_marks(void **state)
{
    (void)state;
    uint64_t plain = hash_of(
        "materials: {w: {}}\nfluids: [{material: w, size: [1, 2, 3]}, {material: w, size: [1, 2, 3]}]", NULL, 0);
    uint64_t aliased = hash_of(
        "materials: {&n w: {}}\nfluids: [{material: *n , size: &s [1, 2, 3]}, {material: *n , size: *s }]", NULL, 0);
    assert_int_equal(plain, aliased);
}

static void quoted_names_lose_their_quotes(void **state)
{
    (void)state;
    uint64_t plain = hash_of("materials: {w'q: {}, x: {}}\nfluids: [{material: w'q}]", NULL, 0);
    assert_int_equal(plain, hash_of("materials: {'w''q': {}, \"x\": {}}\nfluids: [{material: 'w''q'}]", NULL, 0));
    assert_int_equal(plain,
                     hash_of("materials: {\"w\\x27q\": {}, 'x': {}}\nfluids: [{\"material\": \"w'q\"}]", NULL, 0));
    dlp_scene_destroy(parse("materials: {'''''''''''''': {}}\nfluids: [{material: ''''''''''''''}]", NULL, 0));
}

static void a_comma_locale_changes_nothing(void **state)
{
    (void)state;
    uint64_t before = hash_of(tank, NULL, 0);
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL) {
        skip();
    }
    assert_int_equal(hash_of(tank, NULL, 0), before);
    setlocale(LC_NUMERIC, "C");
}

static void settings_lie_over_the_file(void **state)
{
    (void)state;
    static const char *const settings[] = {"world.spacing=2 mm",
                                           "run.frames=99",
                                           "method.iterations=11",
                                           "materials.honey.density=1500",
                                           "materials.water={smoothing: 0.1}",
                                           "solids.1.size=[1, 2, 3 cm]",
                                           "fluids.0.material=honey",
                                           "sinks=[]",
                                           "run.frames=98"};
    dlp_Scene *scene = parse(tank, settings, 9);
    assert_true(scene->world.spacing == 0.002);
    assert_int_equal(scene->run.frames, 98);
    const dlp_MaterialDef *materials = (const void *)scene->lists[DLP_SECTION_MATERIALS].items;
    assert_true(materials[0].density == 1500.0 && materials[0].smoothing == 0.2);
    assert_true(materials[1].density == 1000.0 && materials[1].smoothing == 0.1);
    const dlp_SolidDef *solids = (const void *)scene->lists[DLP_SECTION_SOLIDS].items;
    assert_true(solids[1].shape.size.z == 0.03);
    const dlp_FluidDef *fluids = (const void *)scene->lists[DLP_SECTION_FLUIDS].items;
    assert_int_equal(fluids[0].material, 0);
    assert_int_equal(scene->lists[DLP_SECTION_SINKS].count, 0);
    dlp_scene_destroy(scene);
}

static void a_setting_may_reach_what_the_file_does_not_mention(void **state)
{
    (void)state;
    static const char *const settings[] = {"world.spacing=3 mm", "method.iterations=9", "run.frames=4"};
    const char *text = "method: pbf\nrun:\nmaterials: {w: {}}\nfluids: [{material: w}]";
    uint64_t set = hash_of(text, settings, 3);
    assert_int_equal(set, hash_of("method: {name: pbf, iterations: 9}\nworld: {spacing: 3 mm}\nrun: {frames: 4}\n"
                                  "materials: {w: {}}\nfluids: [{material: w}]",
                                  NULL, 0));
}

static void a_wrong_setting_is_named(void **state)
{
    (void)state;
    expect_setting_fails("run.frams=3", "setting 'run.frams=3': unknown key 'frams' in run; did you mean 'frames'?");
    expect_setting_fails("run.frames=x",
                         "setting 'run.frames=x': frames must be a whole number such as 90, but is 'x'");
    expect_setting_fails("wrold.x=1", "setting 'wrold.x=1': unknown section 'wrold'; did you mean 'world'?");
    expect_setting_fails("world.spacing=-1 mm",
                         "setting 'world.spacing=-1 mm': spacing must be between 1e-6 m and 1000 m, but is -0.001 m");
    expect_setting_fails("materials.hony.density=1",
                         "setting 'materials.hony.density=1': the scene has no material 'hony'; did you mean 'honey'?");
    expect_setting_fails("solids.2.friction=0",
                         "setting 'solids.2.friction=0': there is no item '2': items are counted from 0 to 1");
    expect_setting_fails("solids.x.friction=0",
                         "setting 'solids.x.friction=0': there is no item 'x': items are counted from 0 to 1");
    expect_setting_fails("run.frames.x=1", "setting 'run.frames.x=1': 'x' leads nowhere: what it should be part of is "
                                           "the value '12'");
    expect_setting_fails("run.frames", "setting 'run.frames': a setting is a key and a value, such as run.frames=10");
    expect_setting_fails("=3", "setting '=3': the key has an empty part");
    expect_setting_fails("run..frames=3", "setting 'run..frames=3': the key has an empty part");
    expect_setting_fails("a.b.c.d.e.f.g.h.i=3", "setting 'a.b.c.d.e.f.g.h.i=3': the key has too many parts");
    expect_setting_fails("include=x", "setting 'include=x': a setting cannot include files");
    expect_setting_fails("run.frames=", "setting 'run.frames=': there is no value behind the '='");
    expect_setting_fails("run.frames=[1",
                         "setting 'run.frames=[1': this is not YAML: flow sequence without a closing bracket");
    expect_setting_fails("run.frames=\xff",
                         "setting 'run.frames=?': the byte 0xff is not valid UTF-8; save the file as plain UTF-8 text");
}

static void an_item_of_an_empty_list_cannot_be_set(void **state)
{
    (void)state;
    const char *setting = "sinks.0.radius=1";
    const char *text = "materials: {w: {}}\nfluids: [{material: w}]";
    dlp_Scene *scene = NULL;
    dlp_Error error;
    assert_int_equal(dlp_scene_parse("s", text, strlen(text), &setting, 1, &scene, &error), DLP_ERROR_SCENE);
    assert_string_equal(error.text, "setting 'sinks.0.radius=1': there is no item '0': the list is empty");
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void expect_load_fails(const char *path, dlp_Result result, const char *message)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_scene_load(path, NULL, 0, &scene, &error), result);
    if (strncmp(error.text, message, strlen(message)) != 0) {
        fail_msg("answered %s\nwanted %s", error.text, message);
    }
}

static void includes_bring_materials_and_the_scene_lies_on_top(void **state)
{
    (void)state;
    mkdir("sub", 0777);
    write_file("sub/base.yaml", "materials: {water: {density: 1, smoothing: 0.3}, oil: {density: 900}}\n");
    write_file("sub/kitchen.yaml", "include: base.yaml\nmaterials: {water: {density: 2}, honey: {density: 1400}}\n");
    write_file("empty.yaml", "# nothing\n");
    write_file("scene.yaml", "include: [empty.yaml, sub/kitchen.yaml]\nmaterials: {honey: {smoothing: 0.4}}\n"
                             "fluids: [{material: water}]\n");
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    const char *setting = "materials.oil.density=901";
    if (dlp_scene_load("scene.yaml", &setting, 1, &scene, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    const dlp_MaterialDef *materials = (const void *)scene->lists[DLP_SECTION_MATERIALS].items;
    assert_int_equal(scene->lists[DLP_SECTION_MATERIALS].count, 3);
    assert_true(materials[0].density == 1400.0 && materials[0].smoothing == 0.4); /* honey */
    assert_true(materials[1].density == 901.0);                                   /* oil   */
    assert_true(materials[2].density == 2.0 && materials[2].smoothing == 0.3);    /* water */
    dlp_scene_destroy(scene);
}

static void a_broken_include_is_reported_in_its_own_file(void **state)
{
    (void)state;
    mkdir("sub", 0777);
    write_file("sub/bad.yaml", "materials:\n  water: {densty: 1}\n");
    write_file("a.yaml", "include: sub/bad.yaml\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE,
                      "sub/bad.yaml:2:11: unknown key 'densty' in materials.water; did you mean 'density'?\n"
                      "    2 |   water: {densty: 1}\n"
                      "      |           ^~~~~~");
    write_file("sub/bad.yaml", "world: {}\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE,
                      "sub/bad.yaml:1:1: an included file may hold 'materials' and 'include' only, not 'world'");
    write_file("sub/bad.yaml", "[]");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "sub/bad.yaml:1:1: an included file must be a map with materials");
}

static void an_include_that_cannot_be_followed_is_refused_where_it_stands(void **state)
{
    (void)state;
    mkdir("sub", 0777);
    write_file("a.yaml", "include: missing.yaml\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: cannot include 'missing.yaml': No such file");
    write_file("a.yaml", "include: sub\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: cannot include 'sub': it is a folder");
    write_file("a.yaml", "include: /etc/hostname\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: an include is relative to the file that it stands in");
    write_file("a.yaml", "include: {a: b}\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE,
                      "a.yaml:1:10: include must be a path or a list of paths, but is a map");
    write_file("a.yaml", "include: [[b]]\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE,
                      "a.yaml:1:11: include must be a path or a list of paths, but is a list");
    unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0666), 0);
    write_file("a.yaml", "include: pipe\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: cannot include 'pipe': it is not a regular file");
    expect_load_fails("pipe", DLP_ERROR_FILE, "cannot read 'pipe': it is not a regular file");
    expect_load_fails("nowhere.yaml", DLP_ERROR_FILE, "cannot read 'nowhere.yaml': No such file");
    expect_load_fails("sub", DLP_ERROR_FILE, "cannot read 'sub': it is a folder");
}

static void includes_that_go_round_or_too_deep_are_refused(void **state)
{
    (void)state;
    write_file("a.yaml", "include: ./b.yaml\n");
    write_file("b.yaml", "include: a.yaml\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "./b.yaml:1:10: the include 'a.yaml' leads back to itself");
    write_file("a.yaml", "include: a.yaml\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: the include 'a.yaml' leads back to itself");
    for (int i = 0; i < 12; i++) {
        char name[32];
        char text[64];
        snprintf(name, sizeof name, "deep%d.yaml", i);
        snprintf(text, sizeof text, "include: deep%d.yaml\n", i + 1);
        write_file(name, text);
    }
    expect_load_fails("deep0.yaml", DLP_ERROR_SCENE, "deep8.yaml:1:10: includes are nested more than 8 deep");
    /* each level twice: 2^8 files if nobody counted */
    for (int i = 0; i < 8; i++) {
        char name[32];
        char text[64];
        snprintf(name, sizeof name, "deep%d.yaml", i);
        snprintf(text, sizeof text, "include: [deep%d.yaml, deep%d.yaml]\n", i + 1, i + 1);
        write_file(name, text);
    }
    write_file("deep8.yaml", "materials: {w: {}}\n");
    expect_load_fails("deep0.yaml", DLP_ERROR_SCENE, "deep");
}

static void a_huge_file_is_refused(void **state)
{
    (void)state;
    write_file("huge.yaml", "");
    assert_int_equal(truncate("huge.yaml", (64 << 20) + 1), 0);
    expect_load_fails("huge.yaml", DLP_ERROR_FILE, "cannot read 'huge.yaml': it is larger than 64 MiB");
    unlink("huge.yaml");
}

static void the_hash_does_not_see_the_order_of_keys(void **state)
{
    (void)state;
    assert_int_equal(hash_of("world: {spacing: 1, support: 2}\nmaterials: {a: {}, b: {density: 2}}\n"
                             "fluids: [{material: b, size: [1, 1, 1]}]",
                             NULL, 0),
                     hash_of("fluids: [{size: [1.0, 1e0, 100 cm], material: b}]\n"
                             "materials: {b: {density: 2}, a: {}}\nworld: {support: 2, spacing: 1}",
                             NULL, 0));
}

static void the_hash_does_not_see_how_a_run_is_carried_out(void **state)
{
    (void)state;
    static const char *const settings[] = {"world.threads=3", "world.simd=1", "world.subdomains=4", "run.frames=500",
                                           "run.checkpoint_every=1"};
    assert_int_equal(hash_of(tank, NULL, 0), hash_of(tank, settings, 5));
}

/* A value other than the scene's for one parameter, as text. */
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

static const char plain[] =
    "materials: {a: {}, b: {}}\nfluids: [{material: a}]\nemitters: [{material: a}]\n"
    "meshes: {c: {form: cup}, d: {form: bowl}}\nsolids: [{}, {name: e}, {name: f, density: 1}]\n"
    "joints: [{solid: f}]\ncontacts: [{solid: f, material: a}]\nsinks: [{}]\n";

static int check_every_value(const char *prefix, const char *hidden, const dlp_ParamTable *table)
{
    static const char *const unseen[] = {"world.threads", "world.simd", "world.subdomains", "run.frames",
                                         "run.checkpoint_every"};
    uint64_t before = hash_of(plain, NULL, 0);
    int checked = 0;
    for (int i = 0; i < table->count; i++) {
        char path[128];
        char value[128];
        snprintf(path, sizeof path, "%s.%s", prefix, table->params[i].name);
        bool skipped = strcmp(table->params[i].name, hidden) == 0;
        for (size_t j = 0; j < sizeof unseen / sizeof unseen[0]; j++) {
            skipped = skipped || strcmp(path, unseen[j]) == 0;
        }
        if (!skipped) {
            char setting[300];
            other_value(&table->params[i], value, sizeof value);
            snprintf(setting, sizeof setting, "%s=%s", path, value);
            const char *settings = setting;
            if (hash_of(plain, &settings, 1) == before) {
                fail_msg("%s leaves the hash as it was", setting);
            }
            checked++;
        }
    }
    return checked;
}

static void the_hash_sees_every_value_that_shapes_the_result(void **state)
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
        hashes[i] = hash_of(plain, &points[i], 1);
    }
    assert_true(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2]);
    assert_true(hash_of("materials: {a: {}}\nfluids: [{material: a}]", NULL, 0) !=
                hash_of("materials: {b: {}}\nfluids: [{material: b}]", NULL, 0));
}

static void building_makes_the_world_that_is_described(void **state)
{
    (void)state;
    dlp_Scene *scene = parse(tank, NULL, 0);
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(dlp_world_material_count(world), 2);
    assert_int_equal(dlp_world_solid_count(world), 2);
    assert_int_equal(dlp_world_emitter_count(world), 1);
    assert_int_equal(dlp_world_sink_count(world), 1);
    assert_int_equal(dlp_world_particle_count(world), 4 * 4 * 4 + 2);
    dlp_MaterialDef honey;
    assert_int_equal(dlp_world_get_material(world, 0, &honey), DLP_OK);
    assert_string_equal(honey.name, "honey");
    const dlp_ParamTable *table = dlp_method_params("pbf");
    char *params = calloc(1, table->size);
    assert_int_equal(dlp_world_get_method(world, params, table->size), DLP_OK);
    assert_int_equal(*(int64_t *)(void *)(params + dlp_params_find(table, "iterations")->offset), 7);
    free(params);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

static const char icing[] =
    "materials: {cream: {}}\n"
    "solids:\n"
    "- shape: box\n"
    "  position: [0, 0, 5 cm]\n"
    "  rotation: [0, 0, 1]\n"
    "  path: linear\n"
    "  keys: [{time: 0}, {time: 1 s, position: [10 cm, 0, 0]}, {time: 1.5, rotation: [0, 0, 90 deg]}]\n"
    "- {shape: sphere}\n"
    "emitters:\n"
    "- material: cream\n"
    "  position: [1, 2, 3]\n"
    "  rate: 250 ml/s\n"
    "  flow: [[0, 0], [500 ms, 100 %], [1, 0.5]]\n"
    "  keys:\n"
    "  - time: 100 ms\n"
    "  - {time: 0.2, position: [0, 0, 1 mm], rotation: [0, 180 deg, 0]}\n";

static void keys_stand_in_the_world_and_take_over_what_they_leave_out(void **state)
{
    (void)state;
    dlp_Scene *scene = parse(icing, NULL, 0);
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    const dlp_PoseKey *keys = NULL;
    int count = 0;
    dlp_SolidDef solid;
    assert_int_equal(dlp_world_get_solid(world, 0, &solid), DLP_OK);
    assert_int_equal(solid.path, DLP_PATH_LINEAR);
    assert_int_equal(dlp_world_get_solid_keys(world, 0, &keys, &count), DLP_OK);
    assert_int_equal(count, 3);
    assert_true(keys[0].time == 0.0 && keys[1].time == 1.0 && keys[2].time == 1.5);
    assert_true(keys[0].position.z == 0.05 && keys[0].rotation.z == 1.0); /* the solid's own pose */
    assert_true(keys[1].position.x == 0.1 && keys[1].position.z == 0.0 && keys[1].rotation.z == 1.0);
    assert_true(keys[2].position.x == 0.1 && fabs(keys[2].rotation.z - 1.5707963267948966) < 1e-15);
    assert_int_equal(dlp_world_get_solid_keys(world, 1, &keys, &count), DLP_OK);
    assert_int_equal(count, 0);
    assert_int_equal(dlp_world_get_emitter_keys(world, 0, &keys, &count), DLP_OK);
    assert_int_equal(count, 2);
    assert_true(keys[0].time == 0.1 && keys[0].position.y == 2.0 && keys[0].rotation.y == 0.0);
    assert_true(keys[1].position.z == 0.001 && fabs(keys[1].rotation.y - 3.1415926535897931) < 1e-15);
    const dlp_FlowKey *flow = NULL;
    double volume = 0.0;
    assert_int_equal(dlp_world_get_emitter_flow(world, 0, &flow, &count), DLP_OK);
    assert_int_equal(count, 3);
    assert_true(flow[0].time == 0.0 && flow[1].time == 0.5 && flow[2].time == 1.0);
    assert_true(flow[0].factor == 0.0 && flow[1].factor == 1.0 && flow[2].factor == 0.5);
    assert_int_equal(dlp_world_emitter_volume(world, 0, 0.0, 1.0, &volume), DLP_OK);
    assert_true(fabs(volume - 250e-6 * (0.25 + 0.375)) < 1e-12);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

static void viscosity_over_temperature_is_read_into_the_world(void **state)
{
    (void)state;
    static const char honey[] = "materials:\n"
                                "  honey: {viscosity: 19, heat_capacity: 2.4 kJ/kg/K,\n"
                                "          viscosity_at: [[20 degC, 19], [30 degC, 6500 mPa.s], [313.15 K, 2]]}\n"
                                "  water: {viscosity: 0.001}\n"
                                "fluids: [{material: honey, shape: box}]\n";
    static const double temperature[] = {293.15, 303.15, 313.15}, viscosity[] = {19.0, 6.5, 2.0};
    static const char *const thinner = "materials.honey.viscosity_at=[[20 degC, 19], [30 degC, 6], [40 degC, 2]]";
    dlp_Scene *scene = parse(honey, NULL, 0);
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    const dlp_ViscosityKey *keys = NULL;
    int count = 0;
    assert_int_equal(dlp_world_get_material_viscosities(world, 0, &keys, &count), DLP_OK);
    assert_int_equal(count, 3);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(keys[k].temperature - temperature[k]) < 1e-9);
        assert_true(fabs(keys[k].viscosity - viscosity[k]) < 1e-12);
    }
    assert_int_equal(dlp_world_get_material_viscosities(world, 1, &keys, &count), DLP_OK);
    assert_int_equal(count, 0);
    assert_true(hash_of(honey, &thinner, 1) != dlp_scene_hash(scene));
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

static void the_hash_sees_every_value_of_a_key(void **state)
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
        hashes[i] = hash_of(icing, i < COUNT ? &settings[i] : NULL, i < COUNT);
        for (int j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
}

static void what_the_world_refuses_is_told_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"materials: {w: {}}\nfluids:\n  - material: w\n    shape: plane\n", "s.yaml:3:5: in fluids[0]: "},
        {"materials: {w: {}}\nfluids: [{material: w}]\nworld: {simd: 3}\n", "s.yaml:3:1: in world: "},
        {"materials: {w: {}}\nemitters:\n- {material: w, direction: [0, 0, 0]}\n", "s.yaml:3:3: in emitters[0]: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dlp_Scene *scene = parse(cases[i].text, NULL, 0);
        dlp_World *world = NULL;
        dlp_Error error = {.text = ""};
        assert_int_not_equal(dlp_scene_build(scene, &world, &error), DLP_OK);
        assert_null(world);
        assert_int_not_equal(error.code, DLP_OK);
        if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("answered %s\nwanted %s", error.text, cases[i].message);
        }
        dlp_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_file_says_stands_in_the_defs),
        cmocka_unit_test(what_the_file_leaves_out_has_its_default),
        cmocka_unit_test(whole_numbers_may_be_written_as_yaml_has_them),
        cmocka_unit_test(json_is_a_scene_too),
        cmocka_unit_test(a_byte_order_mark_and_windows_line_ends_are_harmless),
        cmocka_unit_test(an_alias_stands_for_what_its_anchor_marks),
        cmocka_unit_test(quoted_names_lose_their_quotes),
        cmocka_unit_test(a_comma_locale_changes_nothing),
        cmocka_unit_test(settings_lie_over_the_file),
        cmocka_unit_test(a_setting_may_reach_what_the_file_does_not_mention),
        cmocka_unit_test(a_wrong_setting_is_named),
        cmocka_unit_test(an_item_of_an_empty_list_cannot_be_set),
        cmocka_unit_test(includes_bring_materials_and_the_scene_lies_on_top),
        cmocka_unit_test(a_broken_include_is_reported_in_its_own_file),
        cmocka_unit_test(an_include_that_cannot_be_followed_is_refused_where_it_stands),
        cmocka_unit_test(includes_that_go_round_or_too_deep_are_refused),
        cmocka_unit_test(a_huge_file_is_refused),
        cmocka_unit_test(the_hash_does_not_see_the_order_of_keys),
        cmocka_unit_test(the_hash_does_not_see_how_a_run_is_carried_out),
        cmocka_unit_test(the_hash_sees_every_value_that_shapes_the_result),
        cmocka_unit_test(building_makes_the_world_that_is_described),
        cmocka_unit_test(keys_stand_in_the_world_and_take_over_what_they_leave_out),
        cmocka_unit_test(viscosity_over_temperature_is_read_into_the_world),
        cmocka_unit_test(the_hash_sees_every_value_of_a_key),
        cmocka_unit_test(what_the_world_refuses_is_told_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
