/* What a run shows while it works: a bar on a terminal, a line per frame elsewhere, JSON on standard output, a log. */
#ifndef DOLLOP_PROGRESS_H
#define DOLLOP_PROGRESS_H

#include "schedule.h"

#include <stdio.h>

typedef struct Progress {
    bool quiet;
    bool json;  /* an object per frame on standard output        */
    bool bar;   /* standard error is a terminal that can redraw  */
    bool lines; /* a plain line per frame on standard error      */
    bool colors;
    bool bar_shown;
    FILE *log; /* may be null */
    Schedule schedule;
    Pace pace;
    double begun;       /* s, clock at the beginning of the run       */
    double frame_begun; /* s, clock at the beginning of this frame    */
    double drawn;       /* s, clock when the bar was last drawn       */
    int64_t frame;      /* last one finished, -1 before any           */
    int64_t warnings;
    char last_warning[256];
} Progress;

typedef struct FrameOutput {
    int64_t frame;
    const char *file; /* the frame's file, null if none was written   */
    double seconds;   /* spent writing the frame and its checkpoint   */
} FrameOutput;

void progress_init(Progress *progress, bool json, bool quiet);
void progress_begin(Progress *progress, const Schedule *schedule, FILE *log);
void progress_step(Progress *progress, const dlp_World *world, double seconds);
void progress_frame(Progress *progress, const dlp_World *world, const FrameOutput *output);
/* Take the bar away, so that other text can follow. */
void progress_clear(Progress *progress);

/* A log hook whose user pointer is the Progress: warnings appear above the bar and are counted. */
void progress_log(void *user, dlp_LogLevel level, const char *text);

#endif
