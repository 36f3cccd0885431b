/* The state of `dollop run`, for the files run_*.c. */
#ifndef DOLLOP_RUN_STATE_H
#define DOLLOP_RUN_STATE_H

#include "apps/shared/run_folder.h"
#include "open_scene.h"
#include "probe_files.h"
#include "progress.h"

#include <stdio.h>

typedef struct RunOptions {
    SceneOptions scene;
    const char *output, *frames;
    OptionList exports;
    int64_t checkpoint_seconds; /* 0: the default */
    int64_t ranks;              /* 0: those that mpirun started, or one */
    bool resume, overwrite, json, quiet, hash;
} RunOptions;

typedef struct Checkpoint {
    int64_t step;  /* -1: there is none */
    int64_t frame; /* last frame completed before it */
} Checkpoint;

/* What is printed if a signal ends the process. */
typedef struct SignalReport {
    char note[16384 + 64], line[4096];
} SignalReport;

/* The files of a moment, which are written while the next steps run. */
typedef struct RunFiles {
    bool in_work; /* or complete, but not yet reported */
    bool has_frame, has_checkpoint;
    FrameOutput output;
    FolderPath file; /* of the frame */
    Checkpoint checkpoint;
    SignalReport report; /* when the checkpoint is complete */
} RunFiles;

typedef struct Run {
    const RunOptions *options;
    dlp_Ranks *ranks; /* null: one process */
    bool leads;       /* this rank writes all files but frames and checkpoints, which all ranks write together */
    const char *scene_path;
    dlp_Scene *scene;
    Draft draft;
    Schedule schedule;
    RunFolder folder;
    char *folder_record; /* run.json of an earlier run, or null */
    char *meshes;        /* lines of the record, see record_meshes() */
    dlp_World *world;
    ProbeFiles probes;
    FILE *log;
    Progress progress;
    bool resumed;
    Checkpoint checkpoint;   /* the latest good one */
    double checkpoint_clock; /* s, when it was begun or loaded */
    dlp_Writer *writer;
    RunFiles files;
    dlp_Error error; /* of writing files */
} Run;

#endif
