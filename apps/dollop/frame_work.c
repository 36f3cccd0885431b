/* Processes frames one by one and shows the progress. */
#include "frame_work.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/signals.h"
#include "apps/shared/status_line.h"
#include "apps/shared/wall_clock.h"

#include <inttypes.h>
#include <stdio.h>

static void show_progress(int64_t done, int64_t count, double start)
{
    const double part = (double)done / (double)count, seconds = clock_seconds() - start;
    StatusPiece pieces[2] = {{.rank = 0}, {.rank = 1}};
    snprintf(pieces[0].text, sizeof pieces[0].text, "frame %" PRId64 " of %" PRId64, done, count);
    if (done > 0) {
        snprintf(pieces[1].text, sizeof pieces[1].text, "%s left", human_duration(seconds / part - seconds).text);
    }
    status_draw(pieces, 2, part, message_colors(2));
}

ExitCode frames_process(const FrameJob *job, const FrameList *list)
{
    const bool bar = !job->quiet && list->count > 1 && status_possible();
    const double start = clock_seconds();
    ExitCode worst = EXIT_DONE;
    signals_install("stopping after this frame; press Ctrl-C again to quit immediately");
    int64_t done = 0;
    for (; done < list->count && !signals_stop_requested() && worst != EXIT_UNSUPPORTED; done++) {
        char summary[4400] = "";
        if (bar) {
            show_progress(done, list->count, start);
        }
        const ExitCode code = job->process(job->context, &list->frames[done], summary, sizeof summary);
        worst = code != EXIT_DONE ? code : worst;
        if (bar) {
            status_clear();
        }
        if (code == EXIT_DONE && !job->quiet) {
            fprintf(stderr, "%s\n", summary);
        }
    }
    if (done < list->count && worst != EXIT_UNSUPPORTED) {
        message_note("interrupted: %" PRId64 " of %" PRId64
                     " frames %s; run the same command again to process all frames",
                     done, list->count, job->done);
        return EXIT_INTERRUPTED;
    }
    return worst;
}
