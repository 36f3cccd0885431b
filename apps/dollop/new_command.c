/* dollop new: writes a scene to start from. */
#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"
#include "open_scene.h"
#include "subcommands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct NewOptions {
    const char *template, *material;
    bool list, overwrite;
} NewOptions;

enum { PATH_BYTES = 4096 };

static void print_list(FILE *file)
{
    for (int i = 0; i < dlp_scene_template_count(); i++) {
        const dlp_SceneTemplate template = dlp_scene_template(i);
        fprintf(file, "  %-10s%s (%s)\n", template.name, template.summary, template.material);
    }
}

static ExitCode find_template(const char *name, dlp_SceneTemplate *found)
{
    if (!name) {
        message_error("choose a template with --from NAME:");
        print_list(stderr);
        return EXIT_USAGE;
    }
    for (int i = 0; i < dlp_scene_template_count(); i++) {
        *found = dlp_scene_template(i);
        if (strcmp(found->name, name) == 0) {
            return EXIT_DONE;
        }
    }
    message_error("this build has no template '%s'", name);
    return EXIT_UNSUPPORTED;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

/* The path of the scene: `name` with .yaml. */
static ExitCode make_path(const char *name, char path[PATH_BYTES])
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    const char *fault = NULL;
    if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0 || strcmp(base, ".yaml") == 0) {
        fault = "is not the name of a file";
    } else if (base[0] == '-') {
        fault = "begins with a dash, so commands would take it for an option";
    } else if (strlen(base) > 200 || strlen(name) + 8 > PATH_BYTES) {
        fault = "is too long";
    }
    for (const char *letter = name; *letter && !fault; letter++) {
        fault = (unsigned char)*letter < ' ' || *letter == 127 ? "contains a control character" : NULL;
    }
    if (fault) {
        message_error("'%.60s' %s; give a name such as honey or honey.yaml", fault[0] == 'c' ? "the name" : name,
                      fault);
        return EXIT_USAGE;
    }
    snprintf(path, PATH_BYTES, "%s%s", name, ends_with(name, ".yaml") || ends_with(name, ".yml") ? "" : ".yaml");
    return EXIT_DONE;
}

/* The temperatures of the template are those of its own material. */
static ExitCode check_melting(const dlp_SceneTemplate *template, const char *material)
{
    if (strcmp(template->name, "melt") == 0 && strcmp(material, template->material) != 0) {
        message_error("the template melt has the temperatures of %s; write it without --material, then change the "
                      "material and both temperatures in the file",
                      template->material);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* A name that stands in YAML without quotes. */
static ExitCode check_material(const dlp_SceneTemplate *template, const char *material)
{
    for (const char *letter = material; *letter; letter++) {
        if ((unsigned char)*letter < ' ' || strchr(" #:,.={}[]&*!|>'\"%@`", *letter)) {
            message_error("--material '%.60s' is not the name of a material; 'dollop materials' lists them", material);
            return EXIT_USAGE;
        }
    }
    if (!*material) {
        message_error("--material is empty; 'dollop materials' lists the materials");
        return EXIT_USAGE;
    }
    return check_melting(template, material);
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The text with another material: its name is replaced everywhere but in comments. To be freed; null if out of memory. */
static char *make_text(const dlp_SceneTemplate *template, const char *material)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    const size_t name_length = strlen(template->material);
    bool in_comment = false, in_word = false;
    for (const char *at = template->text; *at;) {
        in_comment = *at == '#' || (in_comment && *at != '\n');
        if (!in_comment && !in_word && strncmp(at, template->material, name_length) == 0 && !is_word(at[name_length])) {
            fputs(material, file);
            at += name_length;
            continue;
        }
        in_word = is_word(*at);
        fputc(*at++, file);
    }
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Whether the scene with this material can be built; unknown materials are reported like in any scene. */
static ExitCode check_text(const char *path, const char *text)
{
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    dlp_Error error = {0};
    dlp_Result result = dlp_scene_parse(path, text, strlen(text), NULL, 0, &scene, &error);
    if (result == DLP_OK) {
        result = dlp_scene_build(scene, &world, &error);
    }
    if (result != DLP_OK) {
        message_error("%s", error.text);
    }
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
    return exit_code_of(result);
}

/* Without `overwrite` an empty file reserves the name; nothing else may have it, not even a dangling link. */
static ExitCode write_scene(const char *path, const char *text, bool overwrite)
{
    const int reserved = overwrite ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (reserved >= 0) {
        close(reserved);
    } else if (!overwrite && errno == EEXIST) {
        message_error("%s exists; choose another name, or add --overwrite to replace it", path);
        return EXIT_REFUSED;
    } else if (!overwrite) {
        return file_fail("write", path, errno);
    }
    const ExitCode code = file_check(path) == EXIT_DONE ? file_write_text(path, text) : EXIT_REFUSED;
    if (code != EXIT_DONE && reserved >= 0) {
        unlink(path);
    }
    return code;
}

static ExitCode write_new_scene(const char *name, const NewOptions *options)
{
    dlp_SceneTemplate template;
    char path[PATH_BYTES], short_name[256];
    ExitCode code = find_template(options->template, &template);
    const char *material = options->material ? options->material : code == EXIT_DONE ? template.material : "";
    if (code == EXIT_DONE) {
        code = check_material(&template, material);
    }
    if (code == EXIT_DONE) {
        code = make_path(name, path);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    char *text = make_text(&template, material);
    code = text ? check_text(path, text) : EXIT_MEMORY;
    if (code == EXIT_DONE) {
        code = write_scene(path, text, options->overwrite);
    }
    free(text);
    if (code == EXIT_DONE) {
        scene_short_name(path, short_name, sizeof short_name);
        printf("wrote %s: %s (%s)\n\nNext:\n  dollop run %s --draft\n  dollop render out/%s_draft\n",
               printable(path).text, template.summary, printable(material).text, printable(path).text,
               printable(short_name).text);
    }
    return code;
}

static ExitCode make_new(const char *const *operands, int count, const void *given)
{
    const NewOptions *options = given;
    if (options->list) {
        print_list(stdout);
        return EXIT_DONE;
    }
    if (count == 0) {
        message_error("dollop new: NAME is missing, such as: dollop new honey --from pour");
        return EXIT_USAGE;
    }
    return write_new_scene(operands[0], options);
}

static const char *const template_choices[] = {"pour", "drop", "squeeze", "stretch", "stir",
                                               "melt", "fill", "dam",     NULL};

static const Option new_options[] = {
    {.name = "from",
     .argument = "TEMPLATE",
     .kind = OPTION_TEXT,
     .offset = offsetof(NewOptions, template),
     .choices = template_choices,
     .group = "Scene",
     .help = "pour, drop, squeeze, stretch, stir, melt, fill or dam; --list describes them"},
    {.name = "material",
     .argument = "NAME",
     .kind = OPTION_TEXT,
     .offset = offsetof(NewOptions, material),
     .names = library_material_name,
     .group = "Scene",
     .help = "material instead of that of the template; 'dollop materials' lists them"},
    {.name = "list",
     .kind = OPTION_FLAG,
     .offset = offsetof(NewOptions, list),
     .group = "Scene",
     .help = "list the templates, with their materials"},
    {.name = "overwrite",
     .kind = OPTION_FLAG,
     .offset = offsetof(NewOptions, overwrite),
     .group = "Output",
     .help = "replace a file of that name"},
};

static const Example new_examples[] = {
    {"dollop new honey --from pour", "write honey.yaml, in which honey coils on a plate"},
    {"dollop new sauce --from pour --material ketchup", "the same with another material"},
    {"dollop new --list", "list the templates"},
    {NULL, NULL},
};

const Command new_command = {
    .name = "new",
    .operands = "NAME",
    .summary = "write a scene to start from",
    .description =
        "Writes NAME.yaml, a complete scene with comments that runs as it is. An existing file is kept unless "
        "--overwrite is given.",
    .examples = new_examples,
    .options = new_options,
    .option_count = OPTION_COUNT(new_options),
    .least_operands = 0,
    .most_operands = 1,
    .options_size = sizeof(NewOptions),
    .run = make_new,
};
