/* The manual page, made from the same tables as --help. docs/dollop.1 holds its output; a test compares the two. */
#include "help_pages.h"

#include "subcommands.h"

#include <string.h>

/* Text in which troff would see commands or escapes, made plain. */
static void print_plain(FILE *file, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\'')) {
            fputs("\\&", file);
        }
        if (*text == '\\') {
            fputs("\\e", file);
        } else if (*text == '-') {
            fputs("\\-", file);
        } else if (*text == '\'') {
            fputs("\\(aq", file);
        } else if (*text == '^') {
            fputs("\\(ha", file);
        } else {
            fputc(*text, file);
        }
        line_start = *text == '\n';
    }
}

static void print_options(FILE *file, const Command *command)
{
    for (int i = 0; i < command->option_count; i++) {
        const Option *option = &command->options[i];
        fputs(".TP\n", file);
        if (option->letter) {
            fprintf(file, "\\fB\\-%c\\fR, ", option->letter);
        }
        fputs("\\fB\\-\\-", file);
        print_plain(file, option->name);
        fputs("\\fR", file);
        if (option->argument) {
            fputs(" \\fI", file);
            print_plain(file, option->argument);
            fputs("\\fR", file);
        }
        fputc('\n', file);
        print_plain(file, option->help);
        fputc('\n', file);
    }
}

static void print_command(FILE *file, const Command *command)
{
    fprintf(file, ".SS dollop %s \\fI%s\\fR\n", command->name, command->operands);
    print_plain(file, command->summary);
    fputs(".\n.PP\n", file);
    print_plain(file, command->description);
    fputc('\n', file);
    print_options(file, command);
}

/* Runs of indented lines are shown as they stand, the rest as paragraphs. */
static void print_topic(FILE *file, const char *text)
{
    bool shown = false;
    while (*text) {
        char line[1024];
        const int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", length, text);
        if (length > 0 && (line[0] == ' ') != shown) {
            shown = line[0] == ' ';
            fputs(shown ? ".PP\n.nf\n" : ".fi\n.PP\n", file);
        } else if (length == 0 && !shown && text[1] != ' ') {
            fputs(".PP\n", file);
        }
        if (length > 0) {
            print_plain(file, line);
            fputc('\n', file);
        }
        text += length + (text[length] == '\n');
    }
    if (shown) {
        fputs(".fi\n", file);
    }
}

static void print_topics(FILE *file)
{
    for (int i = 0; topics[i].name; i++) {
        if (!topics[i].text) {
            continue;
        }
        fputs(".SH ", file);
        for (const char *letter = topics[i].name; *letter; letter++) {
            fputc(*letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter, file);
        }
        fputc('\n', file);
        print_topic(file, topics[i].text);
    }
}

void help_print_manual(FILE *file)
{
    fputs(".\\\" Made by 'dollop help manual'; change the tables in apps, not this file.\n"
          ".TH DOLLOP 1 \"\" \"dollop\" \"User Commands\"\n"
          ".SH NAME\ndollop \\- simulate viscoelastic fluids made of particles\n"
          ".SH SYNOPSIS\n",
          file);
    for (int i = 0; commands[i]; i++) {
        fprintf(file, "%s.B dollop %s\n.I %s\n%s", i ? ".br\n" : "", commands[i]->name, commands[i]->operands,
                commands[i]->option_count ? "[options]\n" : "");
    }
    fputs(".SH DESCRIPTION\n"
          "A scene file in YAML says what there is: fluids, solids, emitters, materials and how long to simulate.\n"
          ".B dollop\nreads it, simulates it and writes frames that ParaView and other programs open.\n"
          "What a scene may say is listed by\n.BR \"dollop help scene\" .\n"
          ".SH COMMANDS\n",
          file);
    for (int i = 0; commands[i]; i++) {
        print_command(file, commands[i]);
    }
    print_topics(file);
    fputs(".SH EXIT STATUS\n", file);
    for (int i = 0; i < exit_meaning_count; i++) {
        fprintf(file, ".TP\n.B %d\n%s\n", (int)exit_meanings[i].code, exit_meanings[i].meaning);
    }
    fputs(".TP\n.B " EXIT_SIGNAL_CODES "\n" EXIT_SIGNAL_MEANING "\n.SH EXAMPLES\n", file);
    for (int i = 0; commands[i]; i++) {
        for (const Example *example = commands[i]->examples; example->line; example++) {
            fputs(".TP\n.B ", file);
            print_plain(file, example->line);
            fputc('\n', file);
            print_plain(file, example->meaning);
            fputc('\n', file);
        }
    }
}
