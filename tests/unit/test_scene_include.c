/* Scenes from files: included materials are overridden by the scene; unreadable, circular and deep includes are rejected. */
#include "support/scene_fixture.h"
#include "scene/scene_internal.h"

#include <dollop/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

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
        fail_msg("got %s\nexpected %s", error.text, message);
    }
}

static void the_scene_overrides_included_materials(void **state)
{
    (void)state;
    mkdir("sub", 0777);
    write_file("sub/base.yaml", "materials: {water: {density: 1, smoothing: 0.3}, oil: {density: 900}}\n");
    write_file("sub/kitchen.yaml", "include: base.yaml\nmaterials: {water: {density: 2}, honey: {density: 1400}}\n");
    write_file("empty.yaml", "# nothing\n");
    write_file("scene.yaml",
               "include: [empty.yaml, sub/kitchen.yaml]\nmethod: pbf\nmaterials: {honey: {smoothing: 0.4}}\n"
               "fluids: [{material: water}, {material: oil}]\n");
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    const char *setting = "materials.oil.density=901";
    if (dlp_scene_load("scene.yaml", &setting, 1, &scene, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    const dlp_MaterialDef *materials = (const void *)scene->lists[DLP_SECTION_MATERIALS].items;
    assert_int_equal(scene->lists[DLP_SECTION_MATERIALS].count, 3);
    assert_true(materials[0].density == 1400.0 && smoothing_of(scene, 0) == 0.4); /* honey */
    assert_true(materials[1].density == 2.0 && smoothing_of(scene, 1) == 0.3);    /* water */
    assert_true(materials[2].density == 901.0);                                   /* oil   */
    dlp_scene_destroy(scene);
}

static void an_error_in_an_include_is_reported_in_the_included_file(void **state)
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
                      "sub/bad.yaml:1:1: an included file may contain only 'materials' and 'include', not 'world'");
    write_file("sub/bad.yaml", "[]");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "sub/bad.yaml:1:1: an included file must be a map with materials");
}

static void an_unreadable_include_is_reported_where_it_is_included(void **state)
{
    (void)state;
    mkdir("sub", 0777);
    write_file("a.yaml", "include: missing.yaml\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: cannot include 'missing.yaml': No such file");
    write_file("a.yaml", "include: sub\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: cannot include 'sub': it is a folder");
    write_file("a.yaml", "include: /etc/hostname\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: include paths are relative to the including file");
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

static void circular_and_deep_includes_are_rejected(void **state)
{
    (void)state;
    write_file("a.yaml", "include: ./b.yaml\n");
    write_file("b.yaml", "include: a.yaml\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "./b.yaml:1:10: circular include of 'a.yaml'");
    write_file("a.yaml", "include: a.yaml\n");
    expect_load_fails("a.yaml", DLP_ERROR_SCENE, "a.yaml:1:10: circular include of 'a.yaml'");
    for (int i = 0; i < 12; i++) {
        char name[32];
        char text[64];
        snprintf(name, sizeof name, "deep%d.yaml", i);
        snprintf(text, sizeof text, "include: deep%d.yaml\n", i + 1);
        write_file(name, text);
    }
    expect_load_fails("deep0.yaml", DLP_ERROR_SCENE, "deep8.yaml:1:10: includes are nested more than 8 levels deep");
    /* each level twice: 2^8 files without a limit */
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

static void a_huge_file_is_rejected(void **state)
{
    (void)state;
    write_file("huge.yaml", "");
    assert_int_equal(truncate("huge.yaml", (64 << 20) + 1), 0);
    expect_load_fails("huge.yaml", DLP_ERROR_FILE, "cannot read 'huge.yaml': it is larger than 64 MiB");
    unlink("huge.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_overrides_included_materials),
        cmocka_unit_test(an_error_in_an_include_is_reported_in_the_included_file),
        cmocka_unit_test(an_unreadable_include_is_reported_where_it_is_included),
        cmocka_unit_test(circular_and_deep_includes_are_rejected),
        cmocka_unit_test(a_huge_file_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
