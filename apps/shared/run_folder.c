/* The output folder: creation, lock, cleaning and rotation of checkpoints. */
#include "run_folder.h"

#include "folder_files.h"
#include "messages.h"
#include "signals.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_FILE "run.lock"
enum { NAME_BYTES = 64 }; /* maximum length of our file names, with slash and terminating zero */

const char *path_base(const FolderPath *path)
{
    const char *slash = strrchr(path->text, '/');
    return slash ? slash + 1 : path->text;
}

FolderPath path_folder(const FolderPath *path)
{
    FolderPath folder = *path;
    char *slash = strrchr(folder.text, '/');
    if (slash) {
        slash[slash == folder.text] = '\0'; /* the root keeps its slash */
    } else {
        snprintf(folder.text, sizeof folder.text, ".");
    }
    return folder;
}

FolderPath folder_file(const RunFolder *folder, const char *name)
{
    FolderPath file;
    const size_t length = strlen(folder->path.text);
    memcpy(file.text, folder->path.text, length);
    snprintf(file.text + length, sizeof file.text - length, "/%s", name);
    return file;
}

FolderPath folder_frame(const RunFolder *folder, int64_t frame, const char *extension)
{
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "frame_%06lld.%s", (long long)frame, extension);
    return folder_file(folder, name);
}

bool folder_has(const RunFolder *folder, const char *name)
{
    struct stat status;
    return lstat(folder_file(folder, name).text, &status) == 0;
}

bool folder_has_checkpoint(const RunFolder *folder)
{
    return folder_has(folder, CHECKPOINT_FILE) || folder_has(folder, CHECKPOINT_PREVIOUS_FILE);
}

/* mkdir -p */
static bool make_folders(const char *path)
{
    FolderPath part;
    snprintf(part.text, sizeof part.text, "%s", path);
    for (char *at = part.text + 1; *at; at++) {
        if (*at != '/') {
            continue;
        }
        *at = 0;
        if (mkdir(part.text, 0777) != 0 && errno != EEXIST) {
            return false;
        }
        *at = '/';
    }
    struct stat status;
    if (mkdir(part.text, 0777) == 0) {
        return true;
    }
    if (errno != EEXIST) {
        return false;
    }
    if (stat(part.text, &status) == 0 && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return false;
    }
    return true;
}

static void release_descriptor(RunFolder *folder)
{
    if (folder->lock >= 0) {
        close(folder->lock);
    }
    folder->lock = -1;
}

/* Whether the open file still has this name: the run that held the lock before removes the file. */
static bool still_named(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* The lock belongs to the process, so it is released if a run is killed; the next run uses the file that was left and removes it. */
static ExitCode lock_folder(RunFolder *folder)
{
    const FolderPath file = folder_file(folder, LOCK_FILE);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int failure = 0;
    do {
        release_descriptor(folder);
        folder->lock = file_descriptor(file.text, FILE_CONTINUE);
        if (folder->lock < 0) {
            return file_fail("write", file.text, errno);
        }
        failure = fcntl(folder->lock, F_SETLK, &lock) == 0 ? 0 : errno;
    } while (failure == 0 && !still_named(folder->lock, file.text));
    if (failure == 0) {
        signals_remove_file(file.text);
        return EXIT_DONE;
    }
    if (failure != EACCES && failure != EAGAIN) {
        message_warning("cannot lock %s (%s): do not start a second run in this folder", file.text, strerror(failure));
        return EXIT_DONE;
    }
    lock.l_type = F_WRLCK;
    const bool known = fcntl(folder->lock, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    message_error("another run (process %ld) is using %s; wait for it, stop it, or choose another folder with -o",
                  known ? (long)lock.l_pid : 0L, folder->path.text);
    release_descriptor(folder); /* the file belongs to the other run */
    return EXIT_REFUSED;
}

ExitCode folder_open(RunFolder *folder, const char *path)
{
    size_t length = strlen(path);
    folder->lock = -1;
    while (length > 1 && path[length - 1] == '/') {
        --length;
    }
    if (length == 0 || length + NAME_BYTES > sizeof folder->path.text) {
        message_error("the name of the output folder is %s", length ? "too long" : "empty");
        return EXIT_USAGE;
    }
    memcpy(folder->path.text, path, length);
    folder->path.text[length] = 0;
    if (folder->follows) {
        return EXIT_DONE;
    }
    if (!make_folders(folder->path.text)) {
        const int failure = errno;
        message_error("cannot create the folder %s: %s", folder->path.text, strerror(failure));
        return exit_code_of_errno(failure);
    }
    return lock_folder(folder);
}

void folder_close(RunFolder *folder)
{
    if (folder->lock >= 0) {
        signals_remove_file(NULL);
        unlink(folder_file(folder, LOCK_FILE).text); /* before the lock is released */
    }
    release_descriptor(folder);
}

bool folder_is_frame(const char *name, const char *extension)
{
    if (strncmp(name, "frame_", 6) != 0) {
        return false;
    }
    const char *end = name + 6;
    while (isdigit((unsigned char)*end)) {
        ++end;
    }
    return end - name >= 12 && *end == '.' && strcmp(end + 1, extension) == 0;
}

ExitCode folder_clean_run(const RunFolder *folder)
{
    static const char *const patterns[] = {"frame_[0-9]*.vtkhdf", "frame_[0-9]*.ply", "frame_[0-9]*.csv",
                                           "probe_*.csv",         "checkpoint*.h5",   "run.json",
                                           "run_scene.yaml",      "run.log",          NULL};
    return folder_clean(folder->path.text, patterns);
}

static bool is_any_frame(const char *name)
{
    return folder_is_frame(name, "vtkhdf") || folder_is_frame(name, "ply") || folder_is_frame(name, "csv");
}

/* probe_NAME.csv */
static bool is_probe(const char *name)
{
    const size_t length = strlen(name);
    return length > 10 && strncmp(name, "probe_", 6) == 0 && strcmp(name + length - 4, ".csv") == 0;
}

void folder_clear(const RunFolder *folder, bool frames)
{
    unlink(folder_file(folder, CHECKPOINT_FILE).text);
    unlink(folder_file(folder, CHECKPOINT_PREVIOUS_FILE).text);
    unlink(folder_file(folder, CHECKPOINT_DAMAGED_FILE).text);
    DIR *directory = frames ? opendir(folder->path.text) : NULL;
    if (!directory) {
        return;
    }
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (is_any_frame(entry->d_name) || is_probe(entry->d_name)) {
            unlink(folder_file(folder, entry->d_name).text);
        }
    }
    closedir(directory);
}

FolderPath folder_rotate(const RunFolder *folder)
{
    const FolderPath latest = folder_file(folder, CHECKPOINT_FILE);
    const FolderPath previous = folder_file(folder, CHECKPOINT_PREVIOUS_FILE);
    const FolderPath second_link = folder_file(folder, "checkpoint_previous.h5.new");
    /* Give the latest checkpoint a second hard link that atomically replaces the previous one. It keeps its first name until the
     * library renames the new file over it. Without hard links it is renamed instead. */
    if (folder->follows) {
        return latest;
    }
    unlink(second_link.text);
    if (link(latest.text, second_link.text) == 0) {
        rename(second_link.text, previous.text);
        unlink(second_link
                   .text); /* renaming does nothing if both names are the same file, as after a kill at this point */
    } else if (errno != ENOENT) {
        rename(latest.text, previous.text);
    }
    return latest;
}

/* Put the previous checkpoint in the place of the damaged one, or the next save would make the damaged one the previous. Nothing is
 * deleted: the damaged file may be of use elsewhere, such as to another version. */
static ExitCode replace_damaged(const RunFolder *folder, const FolderPath *latest, const FolderPath *previous)
{
    const FolderPath aside = folder_file(folder, CHECKPOINT_DAMAGED_FILE);
    if (folder->follows) {
        return EXIT_DONE;
    }
    if (rename(latest->text, aside.text) != 0 && errno != ENOENT) {
        return file_fail("rename", latest->text, errno);
    }
    return rename(previous->text, latest->text) == 0 ? EXIT_DONE : file_fail("rename", previous->text, errno);
}

ExitCode folder_load(const RunFolder *folder, const dlp_WorldDef *host, dlp_World **world)
{
    const FolderPath latest = folder_file(folder, CHECKPOINT_FILE);
    const FolderPath previous = folder_file(folder, CHECKPOINT_PREVIOUS_FILE);
    dlp_Error error = {0};
    *world = NULL;
    if (!folder_has_checkpoint(folder)) {
        return EXIT_DONE;
    }
    if (folder_has(folder, CHECKPOINT_FILE)) {
        const dlp_Result result = dlp_world_load(latest.text, host, world, &error);
        if (result == DLP_OK) {
            return EXIT_DONE;
        }
        if (result != DLP_ERROR_FORMAT || !folder_has(folder, CHECKPOINT_PREVIOUS_FILE)) {
            message_error("%s", error.text);
            return exit_code_of(result);
        }
        message_warning("%s", error.text);
    } else {
        message_warning("%s is missing", latest.text);
    }
    const dlp_Result result = dlp_world_load(previous.text, host, world, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(result);
    }
    message_warning("resuming from the previous checkpoint, %s", previous.text);
    return replace_damaged(folder, &latest, &previous);
}
