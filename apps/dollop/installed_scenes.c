/* Finds and lists the scenes that are installed with dollop, relative to the executable. */
#include "installed_scenes.h"

#include "apps/shared/command_help.h"
#include "apps/shared/messages.h"
#include "program_folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder with data, absolute or relative to the folder of the command; set by CMakeLists.txt. */
#ifndef DLP_DATA_DIR
#define DLP_DATA_DIR "../share/dollop"
#endif

static bool data_folder(ProgramPath *data)
{
    ProgramPath program, path;
    return program_folder(&program) && program_path(&program, DLP_DATA_DIR, &path) && realpath(path.text, data->text);
}

const char *installed_scene_find(const char *path)
{
    static ProgramPath installed;
    ProgramPath data;
    if (strncmp(path, "scenes/", strlen("scenes/")) != 0 || access(path, F_OK) == 0 || !data_folder(&data) ||
        !program_path(&data, path, &installed) || access(installed.text, R_OK) != 0) {
        return path;
    }
    message_note("there is no %s here, so the scene of dollop is used: %s", path, installed.text);
    return installed.text;
}

/* Cut the text after its first sentence, without the full stop. */
static void cut_sentence(char *text)
{
    for (; *text; text++) {
        if (strchr(".:;", *text) && (text[1] == ' ' || !text[1])) {
            *text = 0;
            return;
        }
    }
}

/* The first sentence of the comment at the head of a scene, after a line that instructs editors. */
static void read_summary(const ProgramPath *scene, char *summary, size_t size)
{
    char line[256];
    FILE *file = fopen(scene->text, "r");
    summary[0] = 0;
    while (file && fgets(line, sizeof line, file) && line[0] == '#') {
        const char *text = line + strspn(line, "# ");
        const size_t used = strlen(summary);
        line[strcspn(line, "\n")] = 0;
        if (*text && !strstr(line, "yaml-language-server")) {
            snprintf(summary + used, size - used, "%s%s", used > 0 ? " " : "", text);
        }
    }
    if (file) {
        fclose(file);
    }
    cut_sentence(summary);
}

static int is_scene(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

void installed_scenes_print(FILE *file)
{
    enum { SCENE_COLUMN = 30, SUMMARY_BYTES = 1024 };
    ProgramPath data, scenes;
    struct dirent **entries = NULL;
    fputs("scenes: scenes that come with dollop\n\n", file);
    const int count = data_folder(&data) && program_path(&data, "scenes", &scenes)
                          ? scandir(scenes.text, &entries, is_scene, alphasort)
                          : -1;
    if (count < 0) {
        fputs("They are not installed with this dollop. In its source tree they are in the folder scenes.\n", file);
        return;
    }
    fprintf(file, "They are in %s.\nCopy one to change it. 'dollop run scenes/NAME.yaml' finds them in any folder.\n\n",
            printable(scenes.text).text);
    for (int i = 0; i < count; i++) {
        ProgramPath scene;
        char name[sizeof entries[i]->d_name + 8], summary[SUMMARY_BYTES] = "";
        snprintf(name, sizeof name, "scenes/%s", entries[i]->d_name);
        if (program_path(&data, name, &scene)) {
            read_summary(&scene, summary, sizeof summary);
        }
        help_print_entry(file, printable(name).text, printable(summary).text, SCENE_COLUMN);
        free(entries[i]);
    }
    free(entries);
}
