/* Names of list items: settings find items by name, messages use names, and a list may be a map from names to items. */
#include <dollop/dollop.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char listed[] =
    "world: {spacing: 1 cm}\nmethod: pbf\nmaterials: {water: {}}\n"
    "solids:\n  - {shape: plane}\n"
    "  - {name: plate, shape: sphere, radius: 1 cm, position: [1, 1, 1]}\n"
    "  - {name: lid, shape: sphere, radius: 1 cm, position: [1, 1, 2], density: 100}\n"
    "joints:\n  - {name: axle, solid: lid}\n"
    "contacts:\n  - {name: oil, solid: plate, material: water}\n"
    "fluids:\n  - {name: drop, material: water, shape: sphere, radius: 3 cm}\n"
    "companions:\n  - {name: cube, material: water, size: [4 cm, 4 cm, 4 cm], position: [1, 0, 1]}\n"
    "emitters:\n  - {name: tap, material: water, speed: 1, position: [0, 0, 1]}\n"
    "sinks:\n  - {name: drain, shape: sphere, radius: 1 cm, position: [0, 0, -1]}\n"
    "cameras:\n  - {name: front}\n";

static const char by_name[] = "world: {spacing: 1 cm}\nmethod: pbf\nmaterials: {water: {}}\n"
                              "solids:\n  floor: {shape: plane}\n"
                              "  plate: {shape: sphere, radius: 1 cm, position: [1, 1, 1]}\n"
                              "  lid: {shape: sphere, radius: 1 cm, position: [1, 1, 2], density: 100}\n"
                              "joints:\n  axle: {solid: lid}\n"
                              "contacts:\n  oil: {solid: plate, material: water}\n"
                              "fluids:\n  drop: {material: water, shape: sphere, radius: 3 cm}\n"
                              "companions:\n  cube: {material: water, size: [4 cm, 4 cm, 4 cm], position: [1, 0, 1]}\n"
                              "emitters:\n  tap: {material: water, speed: 1, position: [0, 0, 1]}\n"
                              "sinks:\n  drain: {shape: sphere, radius: 1 cm, position: [0, 0, -1]}\n"
                              "cameras:\n  front: {}\n";

static dlp_Scene *parse(const char *text, const char *setting)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_parse("s.yaml", text, strlen(text), &setting, setting != NULL, &scene, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static uint64_t hash_of(const char *text, const char *setting)
{
    dlp_Scene *scene = parse(text, setting);
    const uint64_t hash = dlp_scene_hash(scene);
    dlp_scene_destroy(scene);
    return hash;
}

/* The scene with the setting is refused with a message that begins like this. */
static void expect_error(const char *text, const char *setting, const char *message)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_scene_parse("s.yaml", text, strlen(text), &setting, setting != NULL, &scene, &error),
                     DLP_ERROR_SCENE);
    assert_null(scene);
    if (strncmp(error.text, message, strlen(message)) != 0) {
        fail_msg("got:\n%s\nexpected:\n%s", error.text, message);
    }
}

static void a_setting_finds_items_of_every_list_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *by_name, *by_index;
    } settings[] = {
        {"solids.plate.friction=0.25", "solids.1.friction=0.25"},
        {"joints.axle.kind=ball", "joints.0.kind=ball"},
        {"contacts.oil.friction=0.25", "contacts.0.friction=0.25"},
        {"fluids.drop.radius=2cm", "fluids.0.radius=2cm"},
        {"companions.cube.velocity=[1, 0, 0]", "companions.0.velocity=[1, 0, 0]"},
        {"emitters.tap={material: water, rate: 5ml/s}", "emitters.0={material: water, rate: 5ml/s}"},
        {"sinks.drain.radius=2cm", "sinks.0.radius=2cm"},
        {"cameras.front.angle=20 deg", "cameras.0.angle=20 deg"},
    };
    const uint64_t unchanged = hash_of(listed, NULL);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const uint64_t changed = hash_of(listed, settings[i].by_name);
        assert_int_not_equal(changed, unchanged);
        assert_int_equal(changed, hash_of(listed, settings[i].by_index));
        assert_int_equal(changed, hash_of(by_name, settings[i].by_name));
    }
}

static void a_list_may_be_a_map_from_names_to_items(void **state)
{
    (void)state;
    dlp_Scene *scene = parse(by_name, NULL);
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    dlp_SolidDef solid;
    dlp_EmitterDef emitter;
    assert_int_equal(dlp_scene_build(scene, &world, &error), DLP_OK);
    assert_int_equal(dlp_world_get_solid(world, 2, &solid), DLP_OK);
    assert_string_equal(solid.name, "lid"); /* in the order of the file */
    assert_int_equal(dlp_world_get_emitter(world, 0, &emitter), DLP_OK);
    assert_string_equal(emitter.name, "tap");
    assert_int_equal(dlp_scene_hash(scene), hash_of(listed, NULL));
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

static void an_unknown_name_lists_the_names_that_exist(void **state)
{
    (void)state;
    expect_error(listed, "solids.plat.friction=1",
                 "setting 'solids.plat.friction=1': there is no item 'plat'; did you mean 'plate'? Items are numbered "
                 "from 0 to 2; those with a name: plate, lid");
    expect_error(listed, "solids.zebra.friction=1",
                 "setting 'solids.zebra.friction=1': there is no item 'zebra': items are numbered from 0 to 2; those "
                 "with a name: plate, lid");
    expect_error(listed, "solids.3.friction=1", "setting 'solids.3.friction=1': there is no item '3': items");
    expect_error(listed, "solids.-1.friction=1", "setting 'solids.-1.friction=1': there is no item '-1': items");
}

#define START "materials: {water: {}}\n"

static void names_are_unique_and_no_numbers(void **state)
{
    (void)state;
    static const char *const sections[] = {"solids", "fluids", "companions", "emitters", "sinks", "cameras"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        const bool needs_material = i >= 1 && i <= 3;
        char text[256], message[128];
        snprintf(text, sizeof text, START "%s: [{name: a%s}, {}, {name: b}, {name: a}]", sections[i],
                 needs_material ? ", material: water" : "");
        snprintf(message, sizeof message, "s.yaml:2:%d: two %s are named 'a': give them different names",
                 (int)(strlen(text) - strlen(START) - 2), sections[i]);
        expect_error(text, NULL, message);
    }
    expect_error(START "solids: [{name: '7'}]", NULL, "s.yaml:2:17: '7' is not a valid name of a solid: settings");
    expect_error(START "solids: [{name: a.b}]", NULL, "s.yaml:2:17: 'a.b' is not a valid name of a solid: use 1 to 63");
    expect_error(START "solids: {a: {}, '': {}}", NULL, "s.yaml:2:17: '' is not a valid name of a solid");
    expect_error(START "solids: {a: {}, b: {name: c}}", NULL, "s.yaml:2:21: solids.b has its name already; remove");
    expect_error(START "solids: {shape: plane}", NULL, "s.yaml:2:9: solids must be a list, but is a map; put '- '");
    expect_error(START "solids: [{name: ''}, {name: ''}]\nfluids: [{name: a}]", NULL,
                 "s.yaml:3:10: fluids.a has no material");
}

static void messages_use_the_name_of_an_item(void **state)
{
    (void)state;
    expect_error(START "solids: {plate: {frction: 1}}", NULL,
                 "s.yaml:2:18: unknown key 'frction' in solids.plate; did you mean 'friction'?");
    expect_error(START "solids: [{name: plate, keys: [{}]}]", NULL, "s.yaml:2:31: solids.plate.keys[0] has no time");
    dlp_Scene *scene = parse(listed, "emitters.tap.rate=1"); /* speed and rate */
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    assert_int_not_equal(dlp_scene_build(scene, &world, &error), DLP_OK);
    assert_non_null(strstr(error.text, "in emitters.tap: "));
    dlp_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_setting_finds_items_of_every_list_by_name),
        cmocka_unit_test(a_list_may_be_a_map_from_names_to_items),
        cmocka_unit_test(an_unknown_name_lists_the_names_that_exist),
        cmocka_unit_test(names_are_unique_and_no_numbers),
        cmocka_unit_test(messages_use_the_name_of_an_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
