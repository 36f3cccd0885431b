#include "bench_progress.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/status_line.h"
#include "apps/shared/wall_clock.h"

#include <math.h>
#include <unistd.h>

BenchProgress bench_progress_begin(double expected, bool shown)
{
    const double now = clock_seconds();
    return (BenchProgress){.shown = shown && status_possible(),
                           .colors = message_colors(STDERR_FILENO),
                           .name = "",
                           .rest = expected,
                           .begin = now,
                           .case_begin = now};
}

void bench_progress_case(BenchProgress *progress, const char *name, double expected)
{
    progress->done += progress->expected;
    progress->rest -= expected;
    progress->expected = expected;
    progress->name = name;
    progress->case_begin = clock_seconds();
    progress->drawn = 0;
    bench_progress_draw(progress);
}

void bench_progress_draw(BenchProgress *progress)
{
    const double now = clock_seconds();
    if (!progress || !progress->shown || now - progress->drawn < STATUS_REDRAW_SECONDS) {
        return;
    }
    /* The pace of this machine: the time of the cases so far over the expected one. */
    const double pace = progress->done > 0 ? (progress->case_begin - progress->begin) / progress->done : 1;
    const double part = fmin((now - progress->case_begin) / (pace * progress->expected), 1);
    const double done = progress->done + part * progress->expected;
    const double all = progress->done + progress->expected + progress->rest;
    StatusPiece pieces[2] = {{.rank = 0}, {.rank = 1}};
    snprintf(pieces[0].text, sizeof pieces[0].text, "%s", progress->name);
    snprintf(pieces[1].text, sizeof pieces[1].text, "%s left", human_duration(pace * (all - done)).text);
    status_draw(pieces, 2, done / all, progress->colors);
    progress->drawn = now;
}

void bench_progress_clear(BenchProgress *progress)
{
    if (progress && progress->drawn > 0) {
        status_clear();
        progress->drawn = 0;
    }
}
