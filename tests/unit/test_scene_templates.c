/* Templates of scenes: each is a valid scene whose material can be replaced and whose items have names. */
#include <dollop/dollop.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dlp_Scene *parse(const char *text, const char *setting)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_parse("s.yaml", text, strlen(text), &setting, setting != NULL, &scene, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static void every_template_builds_without_a_note_and_resolves_its_items(void **state)
{
    (void)state;
    assert_true(dlp_scene_template_count() >= 8);
    for (int i = 0; i < dlp_scene_template_count(); i++) {
        const dlp_SceneTemplate template = dlp_scene_template(i);
        dlp_Scene *scene = parse(template.text, NULL);
        dlp_World *world = NULL;
        dlp_Error error = {.text = ""};
        assert_string_equal(dlp_scene_notes(scene), "");
        if (dlp_scene_build(scene, &world, &error) != DLP_OK) {
            fail_msg("%s: %s", template.name, error.text);
        }
        /* A draft must be able to coarsen it, with three particles across the thinnest item. */
        const dlp_SceneFeature thinnest = dlp_scene_thinnest(scene);
        if (thinnest.extent < 1.2 * 3.0 * dlp_scene_world(scene)->spacing || strchr(thinnest.name, '[') != NULL) {
            fail_msg("%s: %s has an extent of %g m", template.name, thinnest.name, thinnest.extent);
        }
        dlp_world_destroy(world);
        dlp_scene_destroy(scene);
    }
    assert_null(dlp_scene_template(-1).name);
    assert_null(dlp_scene_template(dlp_scene_template_count()).name);
}

/* The comments at the top of a template show settings: "#   --set KEY=VALUE   meaning". */
static void the_settings_in_the_comments_of_a_template_work(void **state)
{
    (void)state;
    for (int i = 0; i < dlp_scene_template_count(); i++) {
        const dlp_SceneTemplate template = dlp_scene_template(i);
        int count = 0;
        for (const char *at = strstr(template.text, "--set "); at != NULL; at = strstr(at, "--set ")) {
            char setting[128];
            size_t length = 0;
            bool quoted = false;
            for (at += strlen("--set "); *at != '\n' && (quoted || *at != ' '); at++) {
                quoted ^= *at == '"';
                if (*at != '"' && length + 1 < sizeof setting) {
                    setting[length++] = *at;
                }
            }
            setting[length] = 0;
            dlp_Scene *changed = parse(template.text, setting), *unchanged = parse(template.text, NULL);
            assert_int_not_equal(dlp_scene_hash(changed), dlp_scene_hash(unchanged));
            dlp_scene_destroy(unchanged);
            dlp_scene_destroy(changed);
            count++;
        }
        assert_true(count >= 2);
    }
}

static void the_thinnest_item_is_found_in_every_kind_of_item(void **state)
{
    (void)state;
    static const struct {
        const char *items, *name;
        double extent;
    } cases[] = {
        {"fluids: [{material: water, size: [3, 1, 2]}]", "fluids[0]", 1.0},
        {"fluids: [{material: water, shape: sphere, radius: 2}]", "fluids[0]", 4.0},
        {"fluids: {a: {material: water, shape: cylinder, radius: 2, length: 1}}", "fluids.a", 1.0},
        {"fluids: {a: {material: water}, b: {material: water, size: [1, 0.5, 1]}}", "fluids.b", 0.5},
        {"companions: {c: {material: water, size: [1, 1, 0.25]}}", "companions.c", 0.25},
        {"emitters: {d: {material: water, radius: 0.5, speed: 1}}", "emitters.d", 1.0},
        {"emitters: {e: {material: water, nozzle: rectangle, width: 1, height: 0.25, speed: 1}}", "emitters.e", 0.25},
        {"meshes: {m: {form: cup, radius: 1, height: 0.5}}\nfluids: {f: {material: water, shape: mesh, mesh: m}}",
         "fluids.f", 0.5},
        {"meshes: {m: {form: star, radius: 1, hole: 0.5, count: 6}}\n"
         "emitters: {g: {material: water, nozzle: mesh, mesh: m, speed: 1}}",
         "emitters.g", 2.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dlp_Scene *scene = parse(cases[i].items, NULL);
        const dlp_SceneFeature thinnest = dlp_scene_thinnest(scene);
        assert_string_equal(thinnest.name, cases[i].name);
        if (fabs(thinnest.extent - cases[i].extent) > 0.15 * cases[i].extent) { /* a star need not touch its box */
            fail_msg("%s is %g m, not %g m", thinnest.name, thinnest.extent, cases[i].extent);
        }
        assert_string_equal(dlp_scene_first_points(scene).name, "");
        dlp_scene_destroy(scene);
    }
    dlp_Scene *scene = parse("fluids: [{material: water}, {name: p, material: water, points: [[0, 0, 0]]}]", NULL);
    assert_string_equal(dlp_scene_first_points(scene).name, "fluids.p");
    dlp_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_template_builds_without_a_note_and_resolves_its_items),
        cmocka_unit_test(the_settings_in_the_comments_of_a_template_work),
        cmocka_unit_test(the_thinnest_item_is_found_in_every_kind_of_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
