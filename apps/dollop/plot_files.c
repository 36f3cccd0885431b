/* Lists the CSV files of a plot and chooses its output. */
#include "plot_files.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SUFFIX_BYTES = 64 }; /* room for a temporary name */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static ExitCode add_path(PlotFiles *files, const char *folder, const char *name)
{
    FolderPath *paths = realloc(files->paths, ((size_t)files->count + 1) * sizeof *paths);
    if (!paths) {
        message_error("out of memory");
        return EXIT_MEMORY;
    }
    files->paths = paths;
    const int length = snprintf(paths[files->count].text, sizeof paths->text, "%s%s%s", folder, *folder ? "/" : "",
                                name);
    if (length < 0 || (size_t)length + SUFFIX_BYTES > sizeof paths->text) {
        message_error("the path of %s is too long", name);
        return EXIT_USAGE;
    }
    files->count++;
    return EXIT_DONE;
}

static int is_probe(const struct dirent *entry)
{
    return strncmp(entry->d_name, "probe_", 6) == 0 && ends_with(entry->d_name, ".csv");
}

static ExitCode add_folder(PlotFiles *files, const char *folder)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_probe, alphasort);
    ExitCode code = EXIT_DONE;
    if (count < 0) {
        message_error("cannot read %s: %s", folder, strerror(errno));
        return EXIT_FILE;
    }
    for (int n = 0; n < count; n++) {
        code = code == EXIT_DONE ? add_path(files, folder, entries[n]->d_name) : code;
        code = code == EXIT_DONE ? file_check(files->paths[files->count - 1].text) : code;
        free(entries[n]);
    }
    free((void *)entries);
    if (code == EXIT_DONE && count == 0) {
        message_error("%s contains no probe_*.csv: add a section 'probes' to the scene, or give a CSV file", folder);
        return EXIT_FILE;
    }
    return code;
}

ExitCode plot_list_files(PlotFiles *files, const char *const *operands, int count)
{
    ExitCode code = EXIT_DONE;
    *files = (PlotFiles){0};
    for (int n = 0; n < count && code == EXIT_DONE; n++) {
        struct stat status;
        const bool is_folder = stat(operands[n], &status) == 0 && S_ISDIR(status.st_mode);
        files->has_folder |= is_folder;
        code = is_folder ? add_folder(files, operands[n]) : add_path(files, "", operands[n]);
    }
    return code;
}

void plot_release_files(PlotFiles *files)
{
    free(files->paths);
    *files = (PlotFiles){0};
}

/* A file may be replaced if it is an SVG. */
static ExitCode check_replaceable(const char *path)
{
    char head[1024];
    FILE *file = file_open(path, FILE_READ);
    if (!file) {
        return errno == ENOENT ? EXIT_DONE : file_fail("replace", path, errno);
    }
    const size_t length = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[length] = 0;
    if (length > 0 && !strstr(head, "<svg")) {
        message_error("%s exists and is not an SVG file: choose another name with -o", path);
        return EXIT_REFUSED;
    }
    return EXIT_DONE;
}

ExitCode plot_output(FolderPath *output, const char *asked, const FolderPath *files, int count)
{
    if (asked && strlen(asked) + SUFFIX_BYTES > sizeof output->text) {
        message_error("the name of the output file is too long");
        return EXIT_USAGE;
    }
    if (asked) {
        snprintf(output->text, sizeof output->text, "%s", asked);
    } else if (count > 1) {
        const RunFolder folder = {.path = path_folder(&files[0]), .lock = -1};
        *output = folder_file(&folder, "plot.svg");
    } else {
        *output = files[0];
        const size_t length = strlen(output->text) - (ends_with(output->text, ".csv") ? 4 : 0);
        snprintf(output->text + length, sizeof output->text - length, ".svg");
    }
    if (!ends_with(output->text, ".svg")) {
        message_error("the plot is an SVG file, but '%s' does not end in .svg", output->text);
        return EXIT_USAGE;
    }
    return check_replaceable(output->text);
}
