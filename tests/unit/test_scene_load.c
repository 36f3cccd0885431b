/* Values of a scene arrive in the defs and in the world: syntax, JSON, settings, and building. */
#include "scene/scene_internal.h"
#include "support/scene_fixture.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_setting_fails(const char *setting, const char *message)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_scene_parse("s.yaml", tank_scene, strlen(tank_scene), &setting, 1, &scene, &error),
                     DLP_ERROR_SCENE);
    assert_string_equal(error.text, message);
}

static void the_time_step_is_automatic_unless_given(void **state)
{
    (void)state;
    assert_true(dlp_default_run_def().time_step == 0.0);
    dlp_Scene *scene = parse_scene(tank_scene, (const char *[]){"run.time_step=auto"}, 1);
    assert_true(dlp_scene_run(scene)->time_step == 0.0);
    const uint64_t hash = dlp_scene_hash(scene);
    dlp_scene_destroy(scene);
    scene = parse_scene(tank_scene, NULL, 0);
    assert_true(dlp_scene_hash(scene) != hash);
    dlp_scene_destroy(scene);
    const char *const wrong[] = {"run.time_step=0", "run.time_step=automatic", "run.time_step=-1 ms",
                                 "run.frame_rate=auto"};
    for (int i = 0; i < 4; i++) {
        dlp_Error error = {0};
        assert_int_equal(dlp_scene_parse("s.yaml", tank_scene, strlen(tank_scene), &wrong[i], 1, &scene, &error),
                         DLP_ERROR_SCENE);
    }
}

static void values_of_the_file_arrive_in_the_defs(void **state)
{
    (void)state;
    dlp_Scene *scene = parse_scene(tank_scene, NULL, 0);
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
    assert_string_equal(materials[0].name, "honey"); /* sorted by name */
    assert_true(smoothing_of(scene, 0) == 0.2);
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

static void missing_values_have_their_defaults(void **state)
{
    (void)state;
    dlp_Scene *scene = parse_scene("materials: {w: }\nsolids:\nworld:\nfluids: [{material: w}]", NULL, 0);
    dlp_WorldDef world = dlp_default_world_def();
    dlp_RunDef run = dlp_default_run_def();
    assert_memory_equal(&scene->world, &world, sizeof world);
    assert_memory_equal(&scene->run, &run, sizeof run);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    assert_memory_equal(scene->lists[DLP_SECTION_FLUIDS].items, &fluid, sizeof fluid);
    dlp_scene_destroy(scene);
}

static void integers_may_use_all_notations_of_yaml(void **state)
{
    (void)state;
    static const char *const settings[] = {"run.frames=12", "run.frames=0x0C", "run.frames=0o14", "run.frames=1.2e1",
                                           "run.frames=+12"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        dlp_Scene *scene = parse_scene(tank_scene, &settings[i], 1);
        assert_int_equal(dlp_scene_run(scene)->frames, 12);
        dlp_scene_destroy(scene);
    }
}

static void a_scene_may_be_json(void **state)
{
    (void)state;
    uint64_t yaml = hash_scene("world: {spacing: 2 mm}\nmaterials: {w: {density: 900}}\nfluids: [{material: w}]", NULL,
                               0);
    uint64_t json = hash_scene("{\"world\": {\"spacing\": \"2 mm\"},\n\t\"materials\": {\"w\": {\"density\": 900.0}},\n"
                               "\"fluids\": [\n{\"material\": \"\\u0077\"}\n]\n}\n",
                               NULL, 0);
    assert_int_equal(yaml, json);
}

static void a_byte_order_mark_and_windows_line_ends_are_accepted(void **state)
{
    (void)state;
    uint64_t plain = hash_scene("materials:\n  w: {}\nfluids:\n  - material: w\n", NULL, 0);
    uint64_t windows = hash_scene("\xef\xbb\xbfmaterials:\r\n  w: {}\r\nfluids:\r\n  - material: w\r\n", NULL, 0);
    assert_int_equal(plain, windows);
}

static void an_alias_repeats_the_value_of_its_anchor(void **state)
{
    (void)state;
    uint64_t plain = hash_scene(
        "materials: {w: {}}\nfluids: [{material: w, size: [1, 2, 3]}, {material: w, size: [1, 2, 3]}]", NULL, 0);
    uint64_t aliased = hash_scene(
        "materials: {&n w: {}}\nfluids: [{material: *n , size: &s [1, 2, 3]}, {material: *n , size: *s }]", NULL, 0);
    assert_int_equal(plain, aliased);
}

static void quotes_are_removed_from_names(void **state)
{
    (void)state;
    uint64_t plain = hash_scene("materials: {w'q: {}, x: {}}\nfluids: [{material: w'q}]", NULL, 0);
    assert_int_equal(plain, hash_scene("materials: {'w''q': {}, \"x\": {}}\nfluids: [{material: 'w''q'}]", NULL, 0));
    assert_int_equal(plain,
                     hash_scene("materials: {\"w\\x27q\": {}, 'x': {}}\nfluids: [{\"material\": \"w'q\"}]", NULL, 0));
    dlp_scene_destroy(parse_scene("materials: {'''''''''''''': {}}\nfluids: [{material: ''''''''''''''}]", NULL, 0));
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    uint64_t before = hash_scene(tank_scene, NULL, 0);
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL) {
        skip();
    }
    assert_int_equal(hash_scene(tank_scene, NULL, 0), before);
    setlocale(LC_NUMERIC, "C");
}

static void settings_override_the_file(void **state)
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
    dlp_Scene *scene = parse_scene(tank_scene, settings, 9);
    assert_true(scene->world.spacing == 0.002);
    assert_int_equal(scene->run.frames, 98);
    const dlp_MaterialDef *materials = (const void *)scene->lists[DLP_SECTION_MATERIALS].items;
    assert_true(materials[0].density == 1500.0 && smoothing_of(scene, 0) == 0.2);
    assert_true(materials[1].density == 1000.0 && smoothing_of(scene, 1) == 0.1);
    const dlp_SolidDef *solids = (const void *)scene->lists[DLP_SECTION_SOLIDS].items;
    assert_true(solids[1].shape.size.z == 0.03);
    const dlp_FluidDef *fluids = (const void *)scene->lists[DLP_SECTION_FLUIDS].items;
    assert_int_equal(fluids[0].material, 0);
    assert_int_equal(scene->lists[DLP_SECTION_SINKS].count, 0);
    dlp_scene_destroy(scene);
}

static void a_setting_may_add_keys_that_the_file_does_not_have(void **state)
{
    (void)state;
    static const char *const settings[] = {"world.spacing=3 mm", "method.iterations=9", "run.frames=4"};
    const char *text = "method: pbf\nrun:\nmaterials: {w: {}}\nfluids: [{material: w}]";
    uint64_t set = hash_scene(text, settings, 3);
    assert_int_equal(set, hash_scene("method: {name: pbf, iterations: 9}\nworld: {spacing: 3 mm}\nrun: {frames: 4}\n"
                                     "materials: {w: {}}\nfluids: [{material: w}]",
                                     NULL, 0));
}

static void an_invalid_setting_is_named_in_the_message(void **state)
{
    (void)state;
    expect_setting_fails("run.frams=3", "setting 'run.frams=3': unknown key 'frams' in run; did you mean 'frames'?");
    expect_setting_fails("run.frames=x", "setting 'run.frames=x': frames must be an integer such as 90, but is 'x'");
    expect_setting_fails("wrold.x=1", "setting 'wrold.x=1': unknown section 'wrold'; did you mean 'world'?");
    expect_setting_fails("world.spacing=-1 mm",
                         "setting 'world.spacing=-1 mm': spacing must be between 1e-6 m and 1000 m, but is -0.001 m");
    expect_setting_fails("materials.hony.density=1",
                         "setting 'materials.hony.density=1': the scene has no material 'hony'; did you mean 'honey'?");
    expect_setting_fails("solids.2.friction=0",
                         "setting 'solids.2.friction=0': there is no item '2': items are numbered from 0 to 1");
    expect_setting_fails("solids.x.friction=0",
                         "setting 'solids.x.friction=0': there is no item 'x': items are numbered from 0 to 1");
    expect_setting_fails("run.frames.x=1", "setting 'run.frames.x=1': there is no key 'x': its parent is the value "
                                           "'12', not a map");
    expect_setting_fails("run.frames", "setting 'run.frames': a setting has the form KEY=VALUE, such as run.frames=10");
    expect_setting_fails("=3", "setting '=3': the key has an empty part");
    expect_setting_fails("run..frames=3", "setting 'run..frames=3': the key has an empty part");
    expect_setting_fails("a.b.c.d.e.f.g.h.i=3", "setting 'a.b.c.d.e.f.g.h.i=3': the key has too many parts");
    expect_setting_fails("include=x", "setting 'include=x': a setting cannot include files");
    expect_setting_fails("run.frames=", "setting 'run.frames=': there is no value after '='");
    expect_setting_fails("run.frames=[1",
                         "setting 'run.frames=[1': invalid YAML: flow sequence without a closing bracket");
    expect_setting_fails("run.frames=\xff",
                         "setting 'run.frames=?': the byte 0xff is invalid UTF-8; save the file as UTF-8 text");
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

static void building_creates_the_described_world(void **state)
{
    (void)state;
    dlp_Scene *scene = parse_scene(tank_scene, NULL, 0);
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

static void missing_values_of_a_key_come_from_the_previous_key(void **state)
{
    (void)state;
    dlp_Scene *scene = parse_scene(icing_scene, NULL, 0);
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
    assert_true(keys[0].position.z == 0.05 && keys[0].rotation.z == 1.0); /* the pose of the solid */
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
    dlp_Scene *scene = parse_scene(honey, NULL, 0);
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
    assert_true(hash_scene(honey, &thinner, 1) != dlp_scene_hash(scene));
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

static void rows_are_read_with_their_units_and_overridden_as_a_whole(void **state)
{
    (void)state;
    static const char text[] =
        "method: physical\n"
        "materials:\n"
        "  goo: {modes: [[0.1 s, 500 Pa], [1, 50], [2 min, 4 kPa]]}\n"
        "  paste: {flow_law: table, flow_curve: [[0, 20 Pa], [100 1/s, 0.03 kPa], [1e3, 60]]}\n"
        "fluids: [{material: goo, size: [0.1, 0.1, 0.1]}, {material: paste, size: [0.1, 0.1, 0.1]}]\n";
    static const char *const shorter = "materials.goo.modes=[[1 ms, 7]]";
    const dlp_Param *param = dlp_params_find(dlp_material_params(), "modes");
    int64_t count = 0;
    for (int set = 0; set < 2; set++) {
        dlp_Scene *scene = parse_scene(text, &shorter, set);
        dlp_World *world = NULL;
        dlp_MaterialDef goo, paste;
        assert_int_equal(dlp_scene_build(scene, &world, NULL), DLP_OK);
        assert_int_equal(dlp_world_get_material(world, 0, &goo), DLP_OK);
        assert_int_equal(dlp_world_get_material(world, 1, &paste), DLP_OK);
        assert_int_equal(goo.modes.count, set == 0 ? 3 : 1);
        assert_true(goo.modes.mode[0].relaxation_time == (set == 0 ? 0.1 : 1e-3));
        assert_true(goo.modes.mode[0].modulus == (set == 0 ? 500.0 : 7.0));
        assert_true(set == 1 || (goo.modes.mode[2].relaxation_time == 120.0 && goo.modes.mode[2].modulus == 4000.0));
        assert_int_equal(paste.flow_curve.count, 3);
        assert_true(paste.flow_curve.point[0].rate == 0.0 && paste.flow_curve.point[1].stress == 30.0);
        const double *numbers = dlp_params_rows(param, &goo, &count);
        assert_true(numbers == &goo.modes.mode[0].relaxation_time && count == goo.modes.count);
        dlp_world_destroy(world);
        dlp_scene_destroy(scene);
    }
    dlp_MaterialDef usual = dlp_default_material_def();
    assert_null(dlp_params_rows(dlp_params_find(dlp_material_params(), "density"), &usual, &count));
    assert_int_equal(count, 0);
}

#define TRIED "include: laws.yaml\nworld: {spacing: 0.5}\nfluids: [{material: ketchup}, {material: melt}]\nmethod: "

/* The defs of both materials: ketchup, melt. */
static void read_laws(const char *method, const char *setting, dlp_MaterialDef def[2], char notes[1024])
{
    FILE *library = fopen("laws.yaml", "w"), *file = fopen("tried.yaml", "w");
    assert_true(library != NULL && file != NULL);
    fputs("materials:\n"
          "  ketchup: {flow_law: herschel_bulkley, yield_stress: 15, consistency: 5, flow_index: 0.4, modulus: 200}\n"
          "  melt: {modes: [[0.1, 500], [1, 50]], elastic_law: giesekus}\n",
          library);
    fprintf(file, TRIED "%s\n", method);
    fclose(library);
    fclose(file);
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_load("tried.yaml", &setting, setting != NULL, &scene, &error) != DLP_OK ||
        dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    snprintf(notes, 1024, "%s", dlp_scene_notes(scene));
    for (int m = 0; m < 2; m++) {
        assert_int_equal(dlp_world_get_material(world, m, &def[m]), DLP_OK);
    }
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

static void an_included_law_becomes_its_equivalent_where_the_method_has_none(void **state)
{
    (void)state;
    dlp_MaterialDef def[2];
    char notes[1024];
    read_laws("physical", NULL, def, notes);
    assert_true(def[0].flow_law == DLP_FLOW_HERSCHEL_BULKLEY && def[1].modes.count == 2 && notes[0] == 0);
    read_laws("mps", NULL, def, notes);
    assert_true(def[0].flow_law == DLP_FLOW_NEWTONIAN && def[0].viscosity == 20.0 && def[0].modulus == 200.0);
    assert_true(def[1].modes.count == 0 && def[1].viscosity == 100.0 && def[1].modulus == 550.0);
    assert_non_null(strstr(notes, "material ketchup: method mps has no flow laws"));
    assert_non_null(strstr(notes, "material melt: "));
}

static void a_later_definition_of_a_law_replaces_what_it_contradicts(void **state)
{
    (void)state;
    dlp_MaterialDef def[2];
    char notes[1024];
    read_laws("physical", "materials.ketchup.viscosity=5", def, notes);
    assert_true(def[0].flow_law == DLP_FLOW_NEWTONIAN && def[0].viscosity == 5.0 && def[0].modulus == 0.0);
    read_laws("physical", "materials.melt.viscosity=5", def, notes);
    assert_true(def[1].modes.count == 0 && def[1].viscosity == 5.0 && def[1].elastic_law == DLP_ELASTIC_MAXWELL);
    read_laws("physical", "materials.ketchup.modes=[[1, 2]]", def, notes);
    assert_true(def[0].flow_law == DLP_FLOW_NEWTONIAN && def[0].modes.count == 1 && def[0].modulus == 0.0);
    read_laws("physical", "materials.ketchup.yield_stress=7", def, notes);
    assert_true(def[0].flow_law == DLP_FLOW_HERSCHEL_BULKLEY && def[0].yield_stress == 7.0 && def[0].modulus == 200.0);
}

static void errors_of_the_world_have_a_location_in_the_scene(void **state)
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
        dlp_Scene *scene = parse_scene(cases[i].text, NULL, 0);
        dlp_World *world = NULL;
        dlp_Error error = {.text = ""};
        assert_int_not_equal(dlp_scene_build(scene, &world, &error), DLP_OK);
        assert_null(world);
        assert_int_not_equal(error.code, DLP_OK);
        if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("got %s\nexpected %s", error.text, cases[i].message);
        }
        dlp_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_the_file_arrive_in_the_defs),
        cmocka_unit_test(the_time_step_is_automatic_unless_given),
        cmocka_unit_test(missing_values_have_their_defaults),
        cmocka_unit_test(integers_may_use_all_notations_of_yaml),
        cmocka_unit_test(a_scene_may_be_json),
        cmocka_unit_test(a_byte_order_mark_and_windows_line_ends_are_accepted),
        cmocka_unit_test(an_alias_repeats_the_value_of_its_anchor),
        cmocka_unit_test(quotes_are_removed_from_names),
        cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
        cmocka_unit_test(settings_override_the_file),
        cmocka_unit_test(a_setting_may_add_keys_that_the_file_does_not_have),
        cmocka_unit_test(an_invalid_setting_is_named_in_the_message),
        cmocka_unit_test(an_item_of_an_empty_list_cannot_be_set),
        cmocka_unit_test(building_creates_the_described_world),
        cmocka_unit_test(missing_values_of_a_key_come_from_the_previous_key),
        cmocka_unit_test(viscosity_over_temperature_is_read_into_the_world),
        cmocka_unit_test(rows_are_read_with_their_units_and_overridden_as_a_whole),
        cmocka_unit_test(an_included_law_becomes_its_equivalent_where_the_method_has_none),
        cmocka_unit_test(a_later_definition_of_a_law_replaces_what_it_contradicts),
        cmocka_unit_test(errors_of_the_world_have_a_location_in_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
