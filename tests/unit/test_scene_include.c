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

/* Neither of the messages may show the content of a file elsewhere, here the word SECRET. */
static void expect_refused(const char *include)
{
    char text[256];
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    snprintf(text, sizeof text, "include: %s\n", include);
    write_file("inside/scene.yaml", text);
    assert_int_equal(dlp_scene_load("inside/scene.yaml", NULL, 0, &scene, &error), DLP_ERROR_SCENE);
    assert_true(strncmp(error.text, "inside/scene.yaml:1:10: '", 25) == 0);
    assert_non_null(strstr(error.text, "is outside the folder of the scene: copy it there, or allow the folder"));
    assert_null(strstr(error.text, "SECRET"));
}

static void an_include_outside_the_folder_of_the_scene_is_refused(void **state)
{
    (void)state;
    char folder[2048], path[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    mkdir("inside", 0777);
    mkdir("inside/deeper", 0777);
    mkdir("outside", 0777);
    write_file("outside/secret.yaml", "SECRET: [SECRET\nmaterials: {SECRET: {}}\n");
    snprintf(path, sizeof path, "%s/outside/secret.yaml", folder);
    unlink("inside/link.yaml");
    unlink("inside/folder");
    assert_int_equal(symlink("../outside/secret.yaml", "inside/link.yaml"), 0);
    assert_int_equal(symlink("../outside", "inside/folder"), 0);
    expect_refused("../outside/secret.yaml");
    expect_refused(path);
    expect_refused("/etc/passwd");
    expect_refused("link.yaml");
    expect_refused("folder/secret.yaml");
    expect_refused("deeper/../../outside/secret.yaml");
    /* through a file that may be included */
    write_file("inside/first.yaml", "include: ../outside/secret.yaml\n");
    write_file("inside/scene.yaml", "include: first.yaml\n");
    expect_load_fails("inside/scene.yaml", DLP_ERROR_SCENE,
                      "inside/first.yaml:1:10: '../outside/secret.yaml' is outside the folder of the scene");
    /* a folder whose name begins with that of the scene's folder */
    mkdir("inside2", 0777);
    write_file("inside2/secret.yaml", "SECRET");
    expect_refused("../inside2/secret.yaml");
}

static void folders_can_be_allowed_for_includes(void **state)
{
    (void)state;
    mkdir("inside", 0777);
    mkdir("inside/deeper", 0777);
    mkdir("shared", 0777);
    write_file("shared/kitchen.yaml", "include: base.yaml\nmaterials: {cream: {density: 1000}}\n");
    write_file("shared/base.yaml", "materials: {sauce: {density: 1100}}\n");
    write_file("inside/deeper/scene.yaml", "include: ../../shared/kitchen.yaml\nfluids: [{material: sauce}]\n");
    static const char *const folders[] = {"nowhere", "inside", "shared"};
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    dlp_SceneOptions options = dlp_default_scene_options();
    options.include_folders = folders;
    options.include_folder_count = 2;
    assert_int_equal(dlp_scene_load_with("inside/deeper/scene.yaml", &options, &scene, &error), DLP_ERROR_SCENE);
    options.include_folder_count = 3;
    if (dlp_scene_load_with("inside/deeper/scene.yaml", &options, &scene, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    dlp_scene_destroy(scene);
}

/* A mesh may be anywhere, but a message quotes only files in the folder of the scene. */
static void a_mesh_file_elsewhere_is_not_quoted(void **state)
{
    (void)state;
    static const char *const files[] = {"a.obj", "a.ply", "a.stl", "b.ply", "b.stl"};
    static const char *const texts[] = {"v 0 0 SECRET\n", "ply\nformat ascii 1.0\nelement SECRET SECRET\n",
                                        "solid x\nSECRET\n", "ply\nformat SECRET 1.0\n",
                                        "solid x\nfacet normal 0 0 0\nvertex SECRET 0 0\n"};
    mkdir("inside", 0777);
    mkdir("outside", 0777);
    for (int i = 0; i < 5; i++) {
        char path[64], text[256];
        snprintf(path, sizeof path, "outside/%s", files[i]);
        write_file(path, texts[i]);
        snprintf(path, sizeof path, "inside/%s", files[i]);
        write_file(path, texts[i]);
        for (int inside = 0; inside < 2; inside++) {
            snprintf(text, sizeof text, "meshes: {m: {file: %s%s}}\nfluids: [{material: water}]\n",
                     inside ? "" : "../outside/", files[i]);
            write_file("inside/scene.yaml", text);
            dlp_Scene *scene = NULL;
            dlp_World *world = NULL;
            dlp_Error error = {.text = ""};
            assert_int_equal(dlp_scene_load("inside/scene.yaml", NULL, 0, &scene, &error), DLP_OK);
            assert_int_equal(dlp_scene_build(scene, &world, &error), DLP_ERROR_SCENE);
            assert_non_null(strstr(error.text, "meshes.m"));
            assert_int_equal(strstr(error.text, "SECRET") != NULL, inside);
            dlp_scene_destroy(scene);
        }
    }
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
        cmocka_unit_test(an_include_outside_the_folder_of_the_scene_is_refused),
        cmocka_unit_test(folders_can_be_allowed_for_includes),
        cmocka_unit_test(a_mesh_file_elsewhere_is_not_quoted),
        cmocka_unit_test(circular_and_deep_includes_are_rejected),
        cmocka_unit_test(a_huge_file_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
