/* The reference contains all keys, the pages in docs/ are up to date, and the scenes in scenes/ are valid. With DOLLOP_UPDATE=1 the
 * pages are written before they are compared. */
#include <dollop/scene.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void source_path(char path[1024], const char *file)
{
    const char *root = getenv("DOLLOP_SOURCE");
    snprintf(path, 1024, "%s/%s", root != NULL ? root : ".", file);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

static void check_page(dlp_ReferenceForm form, const char *file)
{
    char path[1024];
    source_path(path, file);
    char *made = dlp_scene_reference(form, NULL);
    assert_non_null(made);
    const char *update = getenv("DOLLOP_UPDATE");
    if (update != NULL && update[0] == '1') {
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        fputs(made, out);
        assert_int_equal(fclose(out), 0);
    }
    char *kept = read_text(path);
    if (kept == NULL || strcmp(kept, made) != 0) {
        fail_msg("%s is out of date; run this test with DOLLOP_UPDATE=1 and commit the page", path);
    }
    free(kept);
    dlp_text_free(made);
}

static void the_reference_page_is_current(void **state)
{
    (void)state;
    check_page(DLP_REFERENCE_MARKDOWN, "docs/scene_reference.md");
}

static void the_schema_is_current(void **state)
{
    (void)state;
    check_page(DLP_REFERENCE_SCHEMA, "docs/scene.schema.json");
}

static void the_text_fits_a_terminal(void **state)
{
    (void)state;
    char *text = dlp_scene_reference(DLP_REFERENCE_TEXT, NULL);
    assert_non_null(text);
    for (const char *line = text; *line != 0;) {
        size_t length = strcspn(line, "\n");
        if (length > 80) {
            fail_msg("longer than 80 columns: %.*s", (int)length, line);
        }
        line += length + (line[length] == '\n');
    }
    dlp_text_free(text);
}

static void check_forms(const dlp_ParamTable *table, const char *section, const char *hidden, int first, int last)
{
    for (int form = first; form <= last; form++) {
        char *text = dlp_scene_reference((dlp_ReferenceForm)form, section);
        assert_non_null(text);
        for (int i = 0; i < table->count; i++) {
            const char *name = table->params[i].name;
            if (strcmp(name, hidden) != 0 && strstr(text, name) == NULL) {
                fail_msg("%s.%s is missing from form %d", section, name, form);
            }
        }
        dlp_text_free(text);
    }
}

static void check_contains_keys(const dlp_ParamTable *table, const char *section, const char *hidden)
{
    check_forms(table, section, hidden, DLP_REFERENCE_TEXT, DLP_REFERENCE_SCHEMA);
}

static void every_form_contains_every_key(void **state)
{
    (void)state;
    check_contains_keys(dlp_world_params(), "world", "method");
    check_contains_keys(dlp_run_params(), "run", "");
    check_contains_keys(dlp_material_params(), "materials", "name");
    check_contains_keys(dlp_solid_params(), "solids", "");
    check_contains_keys(dlp_joint_params(), "joints", "");
    check_contains_keys(dlp_fluid_params(), "fluids", "");
    check_contains_keys(dlp_emitter_params(), "emitters", "");
    check_contains_keys(dlp_sink_params(), "sinks", "");
    for (int i = 0; i < dlp_method_count(); i++) {
        check_contains_keys(dlp_method_params(dlp_method_name(i)), "method", "");
        const dlp_ParamTable *own = dlp_method_material_params(dlp_method_name(i));
        if (own != NULL) { /* people read them under the method, editors where they are written */
            check_forms(own, "method", "", DLP_REFERENCE_TEXT, DLP_REFERENCE_MARKDOWN);
            check_forms(own, "materials", "", DLP_REFERENCE_SCHEMA, DLP_REFERENCE_SCHEMA);
        }
    }
}

static void an_unknown_section_has_no_reference(void **state)
{
    (void)state;
    assert_null(dlp_scene_reference(DLP_REFERENCE_TEXT, "banana"));
    dlp_text_free(NULL);
}

static void every_shipped_scene_can_be_read(void **state)
{
    (void)state;
    char folder[1024];
    source_path(folder, "scenes");
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0) {
            continue;
        }
        char path[2048];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        dlp_Scene *scene = NULL;
        dlp_Error error = {.text = ""};
        if (dlp_scene_load(path, NULL, 0, &scene, &error) != DLP_OK) {
            fail_msg("%s", error.text);
        }
        dlp_scene_destroy(scene);
        count++;
    }
    closedir(directory);
    assert_true(count >= 6);
}

static void the_measuring_scene_has_a_hundred_thousand_particles(void **state)
{
    (void)state;
    char path[1024];
    source_path(path, "scenes/dam_break_100k.yaml");
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_scene_load(path, NULL, 0, &scene, &error), DLP_OK);
    if (dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_in_range(dlp_world_particle_count(world), 98000, 102000);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_page_is_current),
        cmocka_unit_test(the_schema_is_current),
        cmocka_unit_test(the_text_fits_a_terminal),
        cmocka_unit_test(every_form_contains_every_key),
        cmocka_unit_test(an_unknown_section_has_no_reference),
        cmocka_unit_test(every_shipped_scene_can_be_read),
        cmocka_unit_test(the_measuring_scene_has_a_hundred_thousand_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
