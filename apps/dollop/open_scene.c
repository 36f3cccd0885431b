/* Loads a scene and applies the options of the command line. */
#include "open_scene.h"

#include "apps/shared/messages.h"
#include "apps/shared/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const simd_choices[] = {"1", "4", "8", "16", NULL};
const char *const subdomain_choices[] = {"1", "2", "4", "8", NULL};

ExitCode report_unknown_method(const char *name)
{
    Suggestion suggestion = suggest_begin(name);
    for (int i = 0; i < dlp_method_count(); i++) {
        suggest_consider(&suggestion, dlp_method_name(i));
    }
    const char *best = suggest_end(&suggestion);
    if (best) {
        message_error("there is no method '%s'; did you mean '%s'?", name, best);
    } else {
        message_error("there is no method '%s'; 'dollop methods' lists all methods", name);
    }
    return EXIT_USAGE;
}

static void apply_options(const SceneOptions *options, const dlp_Hooks *hooks, dlp_WorldDef *world)
{
    if (options->threads) {
        world->threads = options->threads;
    }
    if (options->simd) {
        world->simd = options->simd;
    }
    if (options->subdomains) {
        world->subdomains = options->subdomains;
    }
    world->hooks = *hooks;
}

static void print_notes(const char *path, const char *notes)
{
    while (*notes != '\0') {
        const size_t length = strcspn(notes, "\n");
        message_note("%s: %.*s", path, (int)length, notes);
        notes += length + (notes[length] == '\n');
    }
}

/* Load the scene with the settings of the options. --method and --fields are settings too: the method comes first, so that the scene
 * is read for it. */
static dlp_Result load_scene(const char *path, const SceneOptions *options, dlp_Scene **scene, dlp_Error *error)
{
    const char *method = options->method ? options->method : "", *fields = options->fields ? options->fields : "";
    const size_t size = strlen(method) + strlen(fields) + sizeof "run.fields=[]";
    const char **items = malloc(((size_t)options->settings.count + 2) * sizeof *items);
    char *texts = malloc(2 * size);
    dlp_Result result = DLP_ERROR_MEMORY;
    snprintf(error->text, sizeof error->text, "out of memory");
    if (items && texts) {
        int count = 0;
        if (options->method) {
            snprintf(texts, size, "method=%s", method);
            items[count++] = texts;
        }
        for (int i = 0; i < options->settings.count; i++) {
            items[count++] = options->settings.items[i];
        }
        if (options->fields) {
            snprintf(texts + size, size, "run.fields=[%s]", fields);
            items[count++] = texts + size;
        }
        dlp_SceneOptions load = dlp_default_scene_options();
        load.settings = items;
        load.setting_count = count;
        load.include_folders = options->include_folders.items;
        load.include_folder_count = options->include_folders.count;
        result = dlp_scene_load_with(path, &load, scene, error);
    }
    free(texts);
    free((void *)items);
    return result;
}

ExitCode scene_open(const char *path, const SceneOptions *options, const dlp_Hooks *hooks, dlp_Scene **scene)
{
    dlp_Error error = {0};
    if (options->method && !dlp_method_params(options->method)) {
        return report_unknown_method(options->method);
    }
    const dlp_Result result = load_scene(path, options, scene, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(result);
    }
    print_notes(path, dlp_scene_notes(*scene));
    apply_options(options, hooks, dlp_scene_world(*scene));
    return EXIT_DONE;
}

ExitCode scene_build(dlp_Scene *scene, dlp_World **world)
{
    dlp_Error error = {0};
    const dlp_Result result = dlp_scene_build(scene, world, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
    }
    return exit_code_of(result);
}

ExitCode scene_step_exit_code(dlp_Result result)
{
    return result == DLP_ERROR_ARGUMENT ? EXIT_SCENE : exit_code_of(result);
}

void scene_short_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    const size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(name, size, "%.*s", (int)length, base);
}
