/* The output folder of a run: its lock, its files and its checkpoints. Nothing is written outside it.
 *
 *   frame_000000.vtkhdf ...  frames (and .ply or .csv beside them when asked for)
 *   checkpoint.h5            the newest whole state
 *   checkpoint_previous.h5   the one before
 *   run.json                 which scene this is the run of, see run_record.h
 *   run_scene.yaml           the scene file as it was when the run began
 *   run.log                  what was said while it ran
 *   run.lock                 locked while a process works here */
#ifndef DOLLOP_RUN_FOLDER_H
#define DOLLOP_RUN_FOLDER_H

#include "exit_codes.h"

#include <dollop/files.h>

#define CHECKPOINT_FILE          "checkpoint.h5"
#define CHECKPOINT_PREVIOUS_FILE "checkpoint_previous.h5"

typedef struct FolderPath {
    char text[4096];
} FolderPath;

typedef struct RunFolder {
    FolderPath path;
    int lock; /* descriptor of run.lock, -1 when closed */
} RunFolder;

/* The last part of a path, and what is before it: "." where there is nothing. */
const char *path_base(const FolderPath *path);
FolderPath path_folder(const FolderPath *path);

/* Make the folder if need be and lock it against a second run. Mistakes are told on standard error. */
ExitCode folder_open(RunFolder *folder, const char *path);
void folder_close(RunFolder *folder);

FolderPath folder_file(const RunFolder *folder, const char *name);
FolderPath folder_frame(const RunFolder *folder, int64_t frame, const char *extension);
/* Whether a name is one of those: with any number of digits from six on. */
bool folder_is_frame(const char *name, const char *extension);
bool folder_has(const RunFolder *folder, const char *name);
bool folder_has_checkpoint(const RunFolder *folder); /* whole or broken */

/* Forget an earlier run: its checkpoints, and its frames too if asked. Other files are left alone. */
void folder_clear(const RunFolder *folder, bool frames);

/* Put `text` into the file `name`, whole or not at all; false with errno set. */
bool folder_write_text(const RunFolder *folder, const char *name, const char *text);
/* The file's text, to be freed; null if it cannot be read. */
char *folder_read_text(const char *path);

/* Save a checkpoint and keep the one before it. At every instant one complete checkpoint is there. */
dlp_Result folder_save(const RunFolder *folder, dlp_World *world);
/* Load the newest whole checkpoint. `world` stays null if there is none at all. */
ExitCode folder_load(const RunFolder *folder, const dlp_WorldDef *host, dlp_World **world);

#endif
