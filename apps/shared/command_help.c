/* The help page of one command: usage, description, examples and options. */
#include "command_help.h"

#include "human.h"

#include <string.h>

enum { OPTION_COLUMN = 26, WIDTH_MAX = 100 };

int help_page_width(FILE *file)
{
    const int columns = human_columns(fileno(file));
    return columns < WIDTH_MAX ? columns : WIDTH_MAX;
}

void help_print_entry(FILE *file, const char *name, const char *text, int column)
{
    const int used = fprintf(file, "  %s", name);
    if (used + 1 >= column) {
        fprintf(file, "\n%*s", column, "");
    } else {
        fprintf(file, "%*s", column - used, "");
    }
    human_wrap(file, text, column, column, help_page_width(file));
}

static void print_option(FILE *file, const Option *option)
{
    char name[64];
    const char letter[] = {'-', option->letter, ',', ' ', 0};
    snprintf(name, sizeof name, "%s--%s%s%s%s", option->letter ? letter : "    ", option->name,
             option->implied    ? "[="
             : option->argument ? " "
                                : "",
             option->argument ? option->argument : "", option->implied ? "]" : "");
    help_print_entry(file, name, option->help, OPTION_COLUMN);
}

void help_print_command(FILE *file, const Command *command)
{
    fprintf(file, "dollop %s: %s\n\nUsage: dollop %s %s%s\n\n", command->name, command->summary, command->name,
            command->operands, command->option_count ? " [options]" : "");
    human_wrap(file, command->description, 0, 0, help_page_width(file));
    fputs("\nExamples:\n", file);
    for (const Example *example = command->examples; example->line; example++) {
        fprintf(file, "  %s\n      ", example->line);
        human_wrap(file, example->meaning, 6, 6, help_page_width(file));
    }
    const char *group = "";
    for (int i = 0; i < command->option_count; i++) {
        if (strcmp(group, command->options[i].group) != 0) {
            fprintf(file, "\n%s:\n", command->options[i].group);
        }
        group = command->options[i].group;
        print_option(file, &command->options[i]);
    }
}
