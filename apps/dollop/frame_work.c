/* Processes frames one by one and shows the progress. */
#include "frame_work.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/signals.h"
#include "apps/shared/status_line.h"
#include "apps/shared/wall_clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The pace of the work. The first frame is slow, because shaders are compiled, so later frames count more. */
typedef struct Pace {
    int64_t done, count;
    double frame_seconds; /* s, weighted mean of the last frames */
    double start, last;   /* s, clock at the start and at the end of the last frame */
} Pace;

/* After a round in which `frames` were processed at once. */
static void pace_round_done(Pace *pace, int64_t frames)
{
    static const double NEWEST = 0.4; /* weight of the newest round */
    const double now = clock_seconds(), seconds = (now - pace->last) / (double)frames;
    pace->frame_seconds = pace->done < 2 ? seconds : pace->frame_seconds + NEWEST * (seconds - pace->frame_seconds);
    pace->last = now;
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

/* Code and product of a frame that rank `from` has processed become known to all. */
static ExitCode share_product(dlp_Ranks *ranks, int from, ExitCode code, FrameProduct *product)
{
    dlp_ranks_broadcast(ranks, from, &code, sizeof code);
    dlp_ranks_broadcast(ranks, from, product->summary, sizeof product->summary);
    dlp_ranks_broadcast(ranks, from, &product->size, sizeof product->size);
    if (dlp_ranks_number(ranks) != from) {
        product->data = malloc(product->size + 1);
    }
    const bool failed = product->size > 0 && !product->data;
    if (dlp_ranks_agree(ranks, failed) != 0) {
        product->size = 0;
        return failed ? file_fail("describe", "a frame", ENOMEM) : EXIT_FILE;
    }
    dlp_ranks_broadcast(ranks, from, product->data, product->size);
    return code;
}

/* The frames of one round: `own` is what came of that of this rank. */
typedef struct Round {
    int64_t frames, succeeded;
    ExitCode code;
    FrameProduct own;
} Round;

static void process_own(const FrameJob *job, const FrameList *list, const Pace *pace, Round *round)
{
    const int64_t left = list->count - pace->done, ranks = dlp_ranks_count(job->ranks);
    const int rank = dlp_ranks_number(job->ranks);
    round->frames = left < ranks ? left : ranks;
    if (rank < round->frames) {
        round->code = job->process(job->context, &list->frames[pace->done + rank], &round->own);
    }
}

/* Returns the last code other than EXIT_DONE. */
static ExitCode collect_all(const FrameJob *job, Pace *pace, Round *round, bool lines)
{
    const bool is_first = dlp_ranks_number(job->ranks) == 0;
    ExitCode worst = EXIT_DONE;
    for (int rank = 0; rank < (int)round->frames; rank++) {
        FrameProduct other = {.data = NULL};
        FrameProduct *product = rank == dlp_ranks_number(job->ranks) ? &round->own : &other;
        ExitCode code = share_product(job->ranks, rank, round->code, product);
        if (code == EXIT_DONE && job->collect && is_first && product->data) {
            code = job->collect(job->context, product->data);
        }
        worst = code != EXIT_DONE ? code : worst;
        round->succeeded += code == EXIT_DONE;
        pace->done++;
        if (lines && is_first && code == EXIT_DONE) {
            show_line(pace, product->summary);
        }
        free(product->data);
    }
    return worst;
}

ExitCode frames_process(const FrameJob *job, const FrameList *list)
{
    const bool bar = !job->quiet && list->count > 1 && status_possible();
    ExitCode worst = EXIT_DONE;
    int64_t succeeded = 0;
    Pace pace = {.count = list->count, .start = clock_seconds(), .last = clock_seconds()};
    while (pace.done < list->count && worst != EXIT_UNSUPPORTED &&
           dlp_ranks_agree(job->ranks, signals_stop_requested()) == 0) {
        Round round = {.code = EXIT_DONE};
        if (bar) {
            show_bar(&pace);
        }
        process_own(job, list, &pace, &round);
        pace_round_done(&pace, round.frames);
        if (bar) {
            status_clear();
        }
        const ExitCode code = collect_all(job, &pace, &round, !bar && !job->quiet);
        worst = code != EXIT_DONE ? code : worst;
        succeeded += round.succeeded;
    }
    if (bar && succeeded > 0) {
        fprintf(stderr, "%" PRId64 " of %" PRId64 " frames %s in %s\n", succeeded, list->count, job->done,
                human_duration(clock_seconds() - pace.start).text);
    }
    if (pace.done < list->count && worst != EXIT_UNSUPPORTED) {
        if (dlp_ranks_number(job->ranks) == 0) {
            message_note("interrupted: %" PRId64 " of %" PRId64
                         " frames %s; run the same command again to process all frames",
                         succeeded, list->count, job->done);
        }
        return EXIT_INTERRUPTED;
    }
    return worst;
}
