/* Lists frames from files and folders. */
#include "frame_list.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FRAME_START     "frame_"
#define FRAME_EXTENSION "vtkhdf"

static ExitCode add_frame(FrameList *list, const char *folder, const char *name)
{
    FolderPath path;
    const int length = snprintf(path.text, sizeof path.text, "%s%s%s", folder, folder[0] ? "/" : "", name);
    if (length < 0 || (size_t)length >= sizeof path.text) {
        message_error("the path of %s is too long", name);
        return EXIT_FILE;
    }
    FolderPath *frames = realloc(list->frames, (size_t)(list->count + 1) * sizeof *frames);
    if (!frames) {
        message_error("out of memory");
        return EXIT_MEMORY;
    }
    list->frames = frames;
    list->frames[list->count++] = path;
    return EXIT_DONE;
}

/* Frame numbers with more than six digits come after those with six. */
static int compare_paths(const void *a, const void *b)
{
    const FolderPath *x = a, *y = b;
    const size_t length_x = strlen(x->text), length_y = strlen(y->text);
    return length_x != length_y ? (length_x > length_y) - (length_x < length_y) : strcmp(x->text, y->text);
}

static ExitCode add_folder(FrameList *list, const char *folder)
{
    const int64_t before = list->count;
    DIR *stream = opendir(folder);
    if (!stream) {
        message_error("cannot read the folder %s: %s", folder, strerror(errno));
        return EXIT_FILE;
    }
    ExitCode code = EXIT_DONE;
    for (const struct dirent *entry; code == EXIT_DONE && (entry = readdir(stream));) {
        if (folder_is_frame(entry->d_name, FRAME_EXTENSION)) {
            code = add_frame(list, folder, entry->d_name);
            code = code == EXIT_DONE ? file_check(list->frames[list->count - 1].text) : code;
        }
    }
    closedir(stream);
    if (code == EXIT_DONE && list->count == before) {
        message_error("there are no frames in %s; create them with 'dollop run scene.yaml -o %s'", folder, folder);
        return EXIT_FILE;
    }
    if (code == EXIT_DONE) {
        qsort(list->frames + before, (size_t)(list->count - before), sizeof *list->frames, compare_paths);
    }
    return code;
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Files derived from frames contain only the frame number, so it must be unique within one output folder. */
static ExitCode check_unique_names(const FrameList *list, const char *output)
{
    ExitCode code = EXIT_DONE;
    const char **names = malloc((size_t)(list->count + 1) * sizeof *names);
    if (!names) {
        message_error("out of memory");
        return EXIT_MEMORY;
    }
    for (int64_t i = 0; i < list->count; i++) {
        names[i] = path_base(&list->frames[i]);
    }
    qsort(names, (size_t)list->count, sizeof *names, compare_texts);
    for (int64_t i = 1; i < list->count && code == EXIT_DONE; i++) {
        if (strcmp(names[i], names[i - 1]) == 0) {
            message_error(
                "there are two frames named %s, and their output would overwrite each other in %s; process one "
                "folder at a time",
                names[i], output);
            code = EXIT_USAGE;
        }
    }
    free(names);
    return code;
}

ExitCode frames_list(FrameList *list, const char *const *operands, int count, const char *output)
{
    ExitCode code = EXIT_DONE;
    *list = (FrameList){0};
    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        struct stat status;
        const bool folder = stat(operands[i], &status) == 0 && S_ISDIR(status.st_mode);
        code = folder ? add_folder(list, operands[i]) : add_frame(list, "", operands[i]);
    }
    return code == EXIT_DONE && output ? check_unique_names(list, output) : code;
}

ExitCode frame_open(const FolderPath *path, dlp_Frame **frame)
{
    dlp_Error error = {0};
    const dlp_Result result = dlp_frame_read(path->text, NULL, frame, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
    }
    return exit_code_of(result);
}

void frames_release(FrameList *list)
{
    free(list->frames);
    *list = (FrameList){0};
}

ExitCode frames_clean_products(const FrameList *list, const char *output, const char *const *patterns)
{
    FolderPath before = {""};
    ExitCode code = output ? folder_clean(output, patterns) : EXIT_DONE;
    for (int64_t i = 0; !output && code == EXIT_DONE && i < list->count; i++) {
        const FolderPath folder = path_folder(&list->frames[i]);
        code = strcmp(folder.text, before.text) != 0 ? folder_clean(folder.text, patterns) : EXIT_DONE;
        before = folder;
    }
    return code;
}

FolderPath frame_product(const FolderPath *frame, const char *folder, const char *name, const char *extension)
{
    FolderPath path;
    const char *base = path_base(frame);
    const char *number = folder_is_frame(base, FRAME_EXTENSION) ? base + sizeof FRAME_START - 1 : base;
    const char *dot = strrchr(number, '.');
    const int digits = (int)(dot ? (size_t)(dot - number) : strlen(number));
    const int beside = folder ? 0 : (int)(base - frame->text);
    snprintf(path.text, sizeof path.text, "%.*s%s%s%s_%.*s.%s", beside, frame->text, folder ? folder : "",
             folder ? "/" : "", name, digits, number, extension);
    return path;
}
