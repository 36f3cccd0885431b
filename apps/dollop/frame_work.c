/* Processes frames one by one and shows the progress. */
#include "frame_work.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/signals.h"
#include "apps/shared/status_line.h"
#include "apps/shared/wall_clock.h"

#include <inttypes.h>
#include <stdio.h>

/* The pace of the work. The first frame is slow, because shaders are compiled, so later frames count more. */
typedef struct Pace {
    int64_t done, count;
    double frame_seconds; /* s, weighted mean of the last frames */
    double start, last;   /* s, clock at the start and at the end of the last frame */
} Pace;

static void pace_frame_done(Pace *pace)
{
    static const double NEWEST = 0.4; /* weight of the newest frame */
    const double now = clock_seconds(), seconds = now - pace->last;
    pace->frame_seconds = pace->done < 2 ? seconds : pace->frame_seconds + NEWEST * (seconds - pace->frame_seconds);
    pace->last = now;
    pace->done++;
}

/* "28 s left", or empty if unknown or at the end. */
static void remaining_text(const Pace *pace, char *text, size_t size)
{
    const int64_t left = pace->count - pace->done;
    text[0] = 0;
    if (pace->done > 0 && left > 0) {
        snprintf(text, size, "%s left", human_duration(pace->frame_seconds * (double)left).text);
    }
}

static void show_bar(const Pace *pace)
{
    StatusPiece pieces[2] = {{.rank = 0}, {.rank = 1}};
    snprintf(pieces[0].text, sizeof pieces[0].text, "frame %" PRId64 " of %" PRId64, pace->done, pace->count);
    remaining_text(pace, pieces[1].text, sizeof pieces[1].text);
    status_draw(pieces, 2, (double)pace->done / (double)pace->count, message_colors(2));
}

/* One line per frame where no bar can be drawn. */
static void show_line(const Pace *pace, const char *summary)
{
    char remaining[64];
    remaining_text(pace, remaining, sizeof remaining);
    if (pace->count == 1) {
        fprintf(stderr, "%s\n", printable(summary).text);
    } else {
        fprintf(stderr, "%s  (%" PRId64 " of %" PRId64 "%s%s)\n", printable(summary).text, pace->done, pace->count,
                remaining[0] ? ", " : "", remaining);
    }
}

void frames_install_signals(void)
{
    signals_install("stopping after this frame; press Ctrl-C again to quit immediately\n");
    signals_set_report(
        "note: interrupted in the middle of a frame, whose files were not written; run the same command again "
        "to process all frames\n",
        NULL);
}

ExitCode frames_process(const FrameJob *job, const FrameList *list)
{
    const bool bar = !job->quiet && list->count > 1 && status_possible();
    ExitCode worst = EXIT_DONE;
    int64_t succeeded = 0;
    Pace pace = {.count = list->count, .start = clock_seconds(), .last = clock_seconds()};
    while (pace.done < list->count && !signals_stop_requested() && worst != EXIT_UNSUPPORTED) {
        char summary[4400] = "";
        if (bar) {
            show_bar(&pace);
        }
        const ExitCode code = job->process(job->context, &list->frames[pace.done], summary, sizeof summary);
        worst = code != EXIT_DONE ? code : worst;
        succeeded += code == EXIT_DONE;
        pace_frame_done(&pace);
        if (bar) {
            status_clear();
        } else if (code == EXIT_DONE && !job->quiet) {
            show_line(&pace, summary);
        }
    }
    if (bar && succeeded > 0) {
        fprintf(stderr, "%" PRId64 " of %" PRId64 " frames %s in %s\n", succeeded, list->count, job->done,
                human_duration(clock_seconds() - pace.start).text);
    }
    if (pace.done < list->count && worst != EXIT_UNSUPPORTED) {
        message_note("interrupted: %" PRId64 " of %" PRId64
                     " frames %s; run the same command again to process all frames",
                     succeeded, list->count, job->done);
        return EXIT_INTERRUPTED;
    }
    return worst;
}
