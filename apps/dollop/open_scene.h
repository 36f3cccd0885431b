/* Opening a scene the way `run` and `check` do: with --set, --method and the options that say how fast to compute. */
#ifndef DOLLOP_OPEN_SCENE_H
#define DOLLOP_OPEN_SCENE_H

#include "apps/shared/options.h"

#include <dollop/dollop.h>

typedef struct SceneOptions {
    const char *method;
    OptionList settings;
    int64_t threads, simd, subdomains; /* 0: as the scene says */
} SceneOptions;

extern const char *const simd_choices[], *const subdomain_choices[];

/* Rows for the option table of a command whose struct holds SceneOptions as `scene`. */
#define SCENE_OPTIONS(type) \
    {.name = "set", \
     .argument = "KEY=VALUE", \
     .kind = OPTION_LIST, \
     .offset = offsetof(type, scene.settings), \
     .group = "Scene", \
     .help = "change what the scene says, such as world.spacing=5mm; may be given many times"}, \
        {.name = "method", \
         .argument = "NAME", \
         .kind = OPTION_TEXT, \
         .offset = offsetof(type, scene.method), \
         .group = "Scene", \
         .help = "simulate with this method; 'dollop methods' lists them"}, \
        {.name = "threads", \
         .letter = 'j', \
         .argument = "N", \
         .kind = OPTION_INTEGER, \
         .offset = offsetof(type, scene.threads), \
         .least = 1, \
         .most = 1024, \
         .group = "Speed", \
         .help = "compute on N threads; the result does not depend on it"}, \
        {.name = "simd", \
         .argument = "W", \
         .kind = OPTION_INTEGER, \
         .offset = offsetof(type, scene.simd), \
         .choices = simd_choices, \
         .least = 1, \
         .most = 16, \
         .group = "Speed", \
         .help = \
             "compute with 1, 4, 8 or 16 vector lanes (unless said: the most that the machine has); the result does not depend on it"}, \
    { \
        .name = "subdomains", .argument = "N", .kind = OPTION_INTEGER, .offset = offsetof(type, scene.subdomains), \
        .choices = subdomain_choices, .least = 1, .most = 8, .group = "Speed", \
        .help = "cut the world into 1, 2, 4 or 8 parts; the result does not depend on it" \
    }

/* Read the scene at `path`; mistakes are told on standard error. */
ExitCode scene_open(const char *path, const SceneOptions *options, const dlp_Hooks *hooks, dlp_Scene **scene);

/* "honey" of "scenes/honey.yaml". */
void scene_short_name(const char *path, char *name, size_t size);

/* Complain about an unknown method, with the nearest name. */
ExitCode method_unknown(const char *name);

#endif
