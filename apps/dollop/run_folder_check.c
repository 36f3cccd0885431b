/* Compares the run in an output folder with the run to be started. */
#include "run_folder_check.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool same_scene(const FolderCheck *check)
{
    char before[32], now[32];
    snprintf(now, sizeof now, "%016" PRIx64, dlp_scene_hash(check->run.scene));
    return check->record && record_value(check->record, "scene_hash", before, sizeof before) &&
           strcmp(before, now) == 0 && record_has_meshes(check->record, check->run.meshes);
}

static void print_differences(const FolderCheck *check)
{
    char *now = record_make(&check->run);
    char *scene_before = file_read_text(folder_file(check->folder, RECORD_SCENE_FILE).text, FILE_READ);
    if (now) {
        record_print_differences(check->record, now, scene_before, check->run.scene_path);
    }
    free(scene_before);
    free(now);
}

static bool same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 && status_a.st_dev == status_b.st_dev &&
           status_a.st_ino == status_b.st_ino;
}

static ExitCode report_other_run(const FolderCheck *check)
{
    char scene[1024] = "an unknown scene";
    if (!check->record) {
        message_error("%s contains a checkpoint but no %s, so its scene is unknown", check->folder->path.text,
                      RECORD_FILE);
    } else {
        record_value(check->record, "scene", scene, sizeof scene);
        const bool changed = same_file(scene, check->run.scene_path);
        message_error("%s contains a run of %s%s", check->folder->path.text, scene,
                      changed ? " with other settings, or an older version of the scene or of its meshes"
                              : ", which is another scene");
        if (changed || check->resume) {
            print_differences(check);
        }
    }
    message_note("choose another folder with -o, or add --overwrite to delete that run");
    return EXIT_REFUSED;
}

static ExitCode report_finished_run(const FolderCheck *check, int64_t reached)
{
    const char *folder = check->folder->path.text;
    const int64_t wanted = check->run.last_frame;
    if (wanted <= reached) {
        message_error("%s contains the finished run of this scene, up to frame %" PRId64, folder, reached);
        message_note(
            "use it as it is, add --overwrite to run the scene again, or extend it with --resume --frames ..N, "
            "where N is greater than %" PRId64,
            reached);
    } else if (folder_has_checkpoint(check->folder)) {
        message_error("%s contains a run of this scene that is finished up to frame %" PRId64, folder, reached);
        message_note("add --resume to extend it to frame %" PRId64 ", or --overwrite to run the scene again", wanted);
    } else {
        message_error("%s contains a run of this scene that is finished up to frame %" PRId64
                      " and has no checkpoint to extend it from",
                      folder, reached);
        message_note("add --overwrite to run the scene again, or choose another folder with -o");
    }
    return EXIT_REFUSED;
}

/* The last frame of a finished run of the same scene; -1: it is not finished. */
static int64_t finished_frame(const FolderCheck *check)
{
    char state[32] = "";
    record_value(check->record, "state", state, sizeof state);
    return strcmp(state, "finished") == 0 ? record_integer(check->record, "last_frame", 0) : -1;
}

ExitCode folder_check(const FolderCheck *check)
{
    const bool has_checkpoint = folder_has_checkpoint(check->folder), used = check->record || has_checkpoint;
    if (check->overwrite || !used) {
        return EXIT_DONE;
    }
    if (!same_scene(check)) {
        return report_other_run(check);
    }
    const int64_t reached = finished_frame(check);
    if (reached >= 0 && !(check->resume && has_checkpoint)) {
        return report_finished_run(check, reached);
    }
    if (!check->resume && has_checkpoint) {
        message_error("%s contains an unfinished run of this scene", check->folder->path.text);
        message_note("add --resume to continue it, or --overwrite to delete it and start from the beginning");
        return EXIT_REFUSED;
    }
    return EXIT_DONE;
}
