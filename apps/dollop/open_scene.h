/* Opening a scene in `run` and `check`: with --set, --method and performance options. */
#ifndef DOLLOP_OPEN_SCENE_H
#define DOLLOP_OPEN_SCENE_H

#include "apps/shared/options.h"
#include "draft.h"

#include <dollop/dollop.h>

typedef struct SceneOptions {
    const char *method, *draft; /* null: not given */
    OptionList settings, include_folders;
    int64_t threads, simd, subdomains; /* 0: from the scene */
    const char *fields;                /* "stress,shear_rate", replaces run.fields; null: from the scene */
} SceneOptions;

extern const char *const simd_choices[], *const subdomain_choices[];

/* Rows for the option table of a command whose struct holds SceneOptions as `scene`. */
#define SCENE_OPTIONS(type) \
    {.name = "set", \
     .argument = "KEY=VALUE", \
     .kind = OPTION_LIST, \
     .offset = offsetof(type, scene.settings), \
     .group = "Scene", \
     .help = \
         "override a value of the scene, such as world.spacing=5mm or solids.plate.friction=0.3; may be repeated"}, \
        {.name = "allow-include", \
         .argument = "DIR", \
         .kind = OPTION_LIST, \
         .offset = offsetof(type, scene.include_folders), \
         .group = "Scene", \
         .help = "let the scene include files of this folder, besides those of its own folder; may be repeated"}, \
        {.name = "draft", \
         .argument = "FACTOR", \
         .implied = DRAFT_AUTO, \
         .kind = OPTION_TEXT, \
         .offset = offsetof(type, scene.draft), \
         .group = "Scene", \
         .help = \
             "a quick look: multiply the spacing by FACTOR, by default so that about 2,000 particles remain at the end"}, \
        {.name = "method", \
         .argument = "NAME", \
         .kind = OPTION_TEXT, \
         .offset = offsetof(type, scene.method), \
         .group = "Scene", \
         .help = "simulation method; 'dollop methods' lists all methods", \
         .names = dlp_method_name}, \
        {.name = "threads", \
         .letter = 'j', \
         .argument = "N", \
         .kind = OPTION_INTEGER, \
         .offset = offsetof(type, scene.threads), \
         .least = 1, \
         .most = 1024, \
         .group = "Performance", \
         .help = "number of threads; does not affect the result"}, \
        {.name = "simd", \
         .argument = "W", \
         .kind = OPTION_INTEGER, \
         .offset = offsetof(type, scene.simd), \
         .choices = simd_choices, \
         .least = 1, \
         .most = 16, \
         .group = "Performance", \
         .help = \
             "number of SIMD lanes: 1, 4, 8 or 16 (default: the widest that the machine supports); does not affect the result"}, \
    { \
        .name = "subdomains", .argument = "N", .kind = OPTION_INTEGER, .offset = offsetof(type, scene.subdomains), \
        .choices = subdomain_choices, .least = 1, .most = 8, .group = "Performance", \
        .help = "number of subdomains: 1, 2, 4 or 8; does not affect the result" \
    }

/* Read the scene at `path`; errors are printed to standard error. */
ExitCode scene_open(const char *path, const SceneOptions *options, const dlp_Hooks *hooks, dlp_Scene **scene);

/* Build the world of the scene; errors are printed. */
ExitCode scene_build(dlp_Scene *scene, dlp_World **world);

/* The code of a step that failed: a value that only the step can refuse is an error of the scene. */
ExitCode scene_step_exit_code(dlp_Result result);

/* "honey" for "scenes/honey.yaml". */
void scene_short_name(const char *path, char *name, size_t size);

/* Print an error about an unknown method, with a suggestion. */
ExitCode report_unknown_method(const char *name);

#endif
