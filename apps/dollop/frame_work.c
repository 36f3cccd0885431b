#include "frame_work.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/signals.h"
#include "apps/shared/status_line.h"
#include "apps/shared/wall_clock.h"

#include <inttypes.h>
#include <stdio.h>

static void show_progress(int64_t done, int64_t count, double begun)
{
    const double part = (double)done / (double)count, seconds = clock_seconds() - begun;
    StatusPiece pieces[2] = {{.rank = 0}, {.rank = 1}};
    snprintf(pieces[0].text, sizeof pieces[0].text, "frame %" PRId64 " of %" PRId64, done, count);
    if (done > 0) {
        snprintf(pieces[1].text, sizeof pieces[1].text, "%s left", human_duration(seconds / part - seconds).text);
    }
    status_draw(pieces, 2, part, message_colors(2));
}

ExitCode frames_work(const FrameWork *work, const FrameList *list)
{
    const bool bar = !work->quiet && list->count > 1 && status_possible();
    const double begun = clock_seconds();
    ExitCode worst = EXIT_DONE;
    signals_install("stopping after this frame; Ctrl-C again ends at once");
    int64_t done = 0;
    for (; done < list->count && !signals_stop_asked() && worst != EXIT_UNSUPPORTED; done++) {
        char summary[4400] = "";
        if (bar) {
            show_progress(done, list->count, begun);
        }
        const ExitCode code = work->one(work->context, &list->frames[done], summary, sizeof summary);
        worst = code != EXIT_DONE ? code : worst;
        if (bar) {
            status_clear();
        }
        if (code == EXIT_DONE && !work->quiet) {
            fprintf(stderr, "%s\n", summary);
        }
    }
    if (done < list->count && worst != EXIT_UNSUPPORTED) {
        message_note("%" PRId64 " of %" PRId64 " frames are %s; the same command does all of them", done, list->count,
                     work->done);
        return EXIT_INTERRUPTED;
    }
    return worst;
}
