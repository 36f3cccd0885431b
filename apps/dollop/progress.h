/* Progress of a run: a bar on a terminal, otherwise one line per frame; JSON on standard output; a log file. */
#ifndef DOLLOP_PROGRESS_H
#define DOLLOP_PROGRESS_H

#include "forecast.h"
#include "step_record.h"

#include <stdio.h>

typedef struct Progress {
    bool quiet;
    bool json;  /* one object per frame on standard output       */
    bool bar;   /* standard error is a terminal that can redraw  */
    bool lines; /* one line per frame on standard error          */
    bool colors;
    bool bar_shown;
    FILE *log; /* may be null; set by the owner */
    Schedule schedule;
    Pace pace;
    Forecast forecast;
    dlp_Scene *scene; /* for a rehearsal; null after it */
    StepRecord steps;
    double start;       /* s, clock at the start of the run           */
    double begin;       /* s, clock before the first step             */
    double frame_start; /* s, clock at the start of this frame        */
    double drawn;       /* s, clock when the bar was last drawn       */
    int64_t frame;      /* last finished frame, -1 if none            */
    int64_t warnings;
    char last_warning[256];
} Progress;

typedef struct FrameOutput {
    int64_t frame;
    const char *file; /* file of the frame, null if none was written  */
    double clock;     /* s, when it was reached                       */
    double seconds;   /* that its files and checkpoint delayed the steps */
    dlp_WorldStats stats;
} FrameOutput;

void progress_init(Progress *progress, bool json, bool quiet, bool bar);
/* The world is in its initial state or resumed. `scene` is rehearsed once if the run turns out to be long. */
void progress_begin(Progress *progress, const Schedule *schedule, const dlp_World *world, dlp_Scene *scene);
void progress_step(Progress *progress, const dlp_World *world, double seconds);
/* The files of the frame are complete; the world may be some steps further. */
void progress_frame(Progress *progress, const dlp_World *world, const FrameOutput *output);
/* Erase the bar before other output. */
void progress_clear(Progress *progress);

/* A log hook whose user pointer is the Progress: counts warnings and prints them above the bar. */
void progress_log(void *user, dlp_LogLevel level, const char *text);

#endif
