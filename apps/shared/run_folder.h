/* The output folder of a run: its lock, its files and its checkpoints. Nothing is written outside it. Its files are opened as described
 * in folder_files.h.
 *
 *   frame_000000.vtkhdf ...  frames (with --export also .ply or .csv)
 *   probe_NAME.csv           samples of probes, see probe_files.h
 *   checkpoint.h5            the latest complete state
 *   checkpoint_previous.h5   the checkpoint before it
 *   checkpoint_damaged.h5    a checkpoint that could not be loaded, after a resume from the previous one
 *   run.json                 the scene and settings of the run, see run_record.h
 *   run_scene.yaml           a copy of the scene file at the start of the run
 *   run.log                  one line per frame, and all warnings
 *   run.lock                 only while a process uses the folder, which holds a lock on it */
#ifndef DOLLOP_RUN_FOLDER_H
#define DOLLOP_RUN_FOLDER_H

#include "exit_codes.h"

#include <dollop/files.h>

#define CHECKPOINT_FILE          "checkpoint.h5"
#define CHECKPOINT_PREVIOUS_FILE "checkpoint_previous.h5"
#define CHECKPOINT_DAMAGED_FILE  "checkpoint_damaged.h5"

typedef struct FolderPath {
    char text[4096];
} FolderPath;

typedef struct RunFolder {
    FolderPath path;
    int lock;     /* descriptor of run.lock, -1 when closed */
    bool follows; /* another process of the same run holds the lock, and renames and removes files */
} RunFolder;

/* The file name of a path, and its folder: "." if it has none. */
const char *path_base(const FolderPath *path);
FolderPath path_folder(const FolderPath *path);

/* Create the folder if necessary and lock it against a second run. Errors are printed to standard error. */
ExitCode folder_open(RunFolder *folder, const char *path);
void folder_close(RunFolder *folder);

FolderPath folder_file(const RunFolder *folder, const char *name);
FolderPath folder_frame(const RunFolder *folder, int64_t frame, const char *extension);
/* Whether a name is that of a frame, with six or more digits. */
bool folder_is_frame(const char *name, const char *extension);
bool folder_has(const RunFolder *folder, const char *name);
bool folder_has_checkpoint(const RunFolder *folder); /* intact or damaged */

/* Delete the checkpoints of an earlier run, and also its frames and samples of probes if `frames` is set. Other files are kept. */
void folder_clear(const RunFolder *folder, bool frames);

/* Prepare the folder for the files of a run, see folder_clean(). */
ExitCode folder_clean_run(const RunFolder *folder);

/* Keep the latest checkpoint as the previous one before a new one is written, and return the path of the new one. There is a complete
 * checkpoint at any time. */
FolderPath folder_rotate(const RunFolder *folder);
/* Load the latest intact checkpoint. `world` is null if there is no checkpoint. The previous one is used only if the latest is damaged
 * or missing, not if it could not be read or memory ran out. */
ExitCode folder_load(const RunFolder *folder, const dlp_WorldDef *host, dlp_World **world);

#endif
