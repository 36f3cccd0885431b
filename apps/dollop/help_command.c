/* dollop help: help on commands and topics, and the reference of scene files as text, Markdown or JSON Schema. */
#include "apps/shared/command_help.h"
#include "apps/shared/messages.h"
#include "apps/shared/suggest.h"
#include "help_pages.h"
#include "installed_scenes.h"
#include "subcommands.h"

#include <dollop/scene.h>
#include <stdio.h>
#include <string.h>

typedef struct HelpOptions {
    bool markdown, schema;
} HelpOptions;

static ExitCode show_scene(const char *section, const HelpOptions *options)
{
    const dlp_ReferenceForm form = options->schema     ? DLP_REFERENCE_SCHEMA
                                   : options->markdown ? DLP_REFERENCE_MARKDOWN
                                                       : DLP_REFERENCE_TEXT;
    char *text = dlp_scene_reference(form, section);
    if (!text || !*text) {
        dlp_text_free(text);
        if (section) {
            message_error("a scene has no section '%s'; 'dollop help scene' lists all sections", section);
        } else {
            message_error("out of memory");
        }
        return section ? EXIT_USAGE : EXIT_MEMORY;
    }
    fputs(text, stdout);
    if (text[strlen(text) - 1] != '\n') {
        fputc('\n', stdout);
    }
    dlp_text_free(text);
    return EXIT_DONE;
}

static ExitCode report_unknown_topic(const char *name)
{
    Suggestion suggestion = suggest_begin(name);
    for (int i = 0; commands[i]; i++) {
        suggest_consider(&suggestion, commands[i]->name);
    }
    for (int i = 0; topics[i].name; i++) {
        suggest_consider(&suggestion, topics[i].name);
    }
    const char *best = suggest_end(&suggestion);
    message_error("there is no help on '%s'%s%s%s", name, best ? "; did you mean '" : "", best ? best : "",
                  best ? "'?" : "");
    message_note("'dollop help' lists all commands and topics");
    return EXIT_USAGE;
}

static ExitCode show_page(const char *name)
{
    if (command_find(name)) {
        help_print_command(stdout, command_find(name));
        return EXIT_DONE;
    }
    if (strcmp(name, "exit-codes") == 0) {
        help_print_exit_codes(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "scenes") == 0) {
        installed_scenes_print(stdout);
        return EXIT_DONE;
    }
    if (strcmp(name, "manual") == 0) {
        help_print_manual(stdout);
        return EXIT_DONE;
    }
    for (int i = 0; topics[i].name; i++) {
        if (strcmp(topics[i].name, name) == 0 && topics[i].text) {
            help_print_topic(stdout, &topics[i]);
            return EXIT_DONE;
        }
    }
    return report_unknown_topic(name);
}

static ExitCode show_help(const char *const *operands, int count, const void *given)
{
    const HelpOptions *options = given;
    if (count > 0 && strcmp(operands[0], "scene") == 0) {
        return show_scene(count > 1 ? operands[1] : NULL, options);
    }
    if (options->markdown || options->schema || count > 1) {
        message_error("only 'dollop help scene' accepts a section, --markdown and --schema");
        return EXIT_USAGE;
    }
    if (count > 0) {
        return show_page(operands[0]);
    }
    help_print_overview(stdout);
    return EXIT_DONE;
}

/* Commands, then topics. */
static const char *help_name(int index)
{
    int count = 0;
    while (commands[count]) {
        if (count == index) {
            return commands[count]->name;
        }
        ++count;
    }
    return topics[index - count].name; /* null after the last */
}

static const Option help_options[] = {
    {.name = "markdown",
     .kind = OPTION_FLAG,
     .offset = offsetof(HelpOptions, markdown),
     .group = "With 'scene'",
     .help = "print the reference as Markdown"},
    {.name = "schema",
     .kind = OPTION_FLAG,
     .offset = offsetof(HelpOptions, schema),
     .group = "With 'scene'",
     .help = "print the reference as a JSON Schema, which editors use to validate and complete scene files"},
};

static const Example help_examples[] = {
    {"dollop help run", "same as dollop run --help"},
    {"dollop help scene emitters", "all keys of an emitter"},
    {"dollop help scene --schema > dollop.schema.json", "a schema for validation of scenes in an editor"},
    {NULL, NULL},
};

const Command help_command = {
    .name = "help",
    .operands = "[COMMAND | TOPIC | scene [SECTION]]",
    .summary = "show help on a command, a topic or scene files",
    .description = "Without arguments, lists all commands and topics.",
    .examples = help_examples,
    .options = help_options,
    .option_count = OPTION_COUNT(help_options),
    .least_operands = 0,
    .most_operands = 2,
    .options_size = sizeof(HelpOptions),
    .run = show_help,
    .names = help_name,
};
