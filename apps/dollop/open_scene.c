/* Loads a scene and applies the options of the command line. */
#include "open_scene.h"

#include "apps/shared/messages.h"
#include "apps/shared/suggest.h"

#include <stdio.h>
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
    if (options->method) {
        snprintf(world->method, sizeof world->method, "%s", options->method);
    }
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

ExitCode scene_open(const char *path, const SceneOptions *options, const dlp_Hooks *hooks, dlp_Scene **scene)
{
    dlp_Error error = {0};
    if (options->method && !dlp_method_params(options->method)) {
        return report_unknown_method(options->method);
    }
    const dlp_Result result = dlp_scene_load(path, options->settings.items, options->settings.count, scene, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(result);
    }
    print_notes(path, dlp_scene_notes(*scene));
    apply_options(options, hooks, dlp_scene_world(*scene));
    return EXIT_DONE;
}

void scene_short_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    const size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(name, size, "%.*s", (int)length, base);
}
