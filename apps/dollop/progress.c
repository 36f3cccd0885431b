/* Shows the progress of a run. */
#include "progress.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/status_line.h"
#include "apps/shared/wall_clock.h"
#include "json_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define REHEARSE_AFTER    3.0 /* s */
#define REHEARSAL_SECONDS 1.0

void progress_init(Progress *progress, bool json, bool quiet, bool bar)
{
    *progress = (Progress){.json = json, .quiet = quiet, .frame = -1};
    progress->bar = bar && !quiet && status_possible() && !(json && isatty(STDOUT_FILENO));
    progress->lines = !quiet && !json && !progress->bar;
    progress->colors = message_colors(STDERR_FILENO);
    progress->start = progress->frame_start = clock_seconds();
}

void progress_begin(Progress *progress, const Schedule *schedule, const dlp_World *world, dlp_Scene *scene)
{
    progress->schedule = *schedule;
    progress->scene = progress->bar || progress->lines || progress->json ? scene : NULL;
    forecast_begin(&progress->forecast, schedule, world);
    progress->begin = progress->frame_start = clock_seconds();
}

void progress_clear(Progress *progress)
{
    if (progress->bar_shown) {
        status_clear();
    }
    progress->bar_shown = false;
}

enum { PIECES = 6 };

static void make_pieces(const Progress *progress, const dlp_World *world, const dlp_WorldStats *stats,
                        StatusPiece *pieces)
{
    const int64_t frame = schedule_frame(&progress->schedule, world, NULL);
    const size_t size = sizeof pieces[0].text;
    const double remaining = forecast_outlook(&progress->forecast).seconds;
    snprintf(pieces[0].text, size, "frame %" PRId64 "/%" PRId64, frame, progress->schedule.last_frame);
    snprintf(pieces[1].text, size, "%s left", human_duration(remaining).text);
    snprintf(pieces[2].text, size, "%s particles", human_count(stats->particles).text);
    snprintf(pieces[3].text, size, "%.3g steps/s of %s", pace_steps_per_second(&progress->pace),
             human_seconds(stats->step_length).text);
    snprintf(pieces[4].text, size, "density +%.2f%%", stats->density_error * 100);
    snprintf(pieces[5].text, size, "%" PRId64 " warning%s", progress->warnings, progress->warnings == 1 ? "" : "s");
    if (remaining != remaining) {
        pieces[1].text[0] = 0;
    }
    if (progress->warnings == 0) {
        pieces[5].text[0] = 0;
    }
    static const int ranks[PIECES] = {0, 1, 3, 4, 5, 2};
    for (int i = 0; i < PIECES; i++) {
        pieces[i].rank = ranks[i];
    }
}

static void draw_bar(Progress *progress, const dlp_World *world, const dlp_WorldStats *stats)
{
    StatusPiece pieces[PIECES];
    make_pieces(progress, world, stats, pieces);
    const double end = schedule_frame_time(&progress->schedule, progress->schedule.last_frame);
    status_draw(pieces, PIECES, end > 0 ? fmin(stats->time / end, 1) : 1, progress->colors);
    progress->bar_shown = true;
    progress->drawn = clock_seconds();
}

static void show_bar(Progress *progress, const dlp_World *world)
{
    dlp_WorldStats stats;
    if (progress->bar && clock_seconds() - progress->drawn >= STATUS_REDRAW_SECONDS &&
        dlp_world_stats(world, &stats) == DLP_OK) {
        draw_bar(progress, world, &stats);
    }
}

/* A run that takes much longer than a rehearsal is rehearsed after some seconds; a short run is never delayed. */
static void rehearse_once(Progress *progress)
{
    if (progress->scene && clock_seconds() - progress->begin > REHEARSE_AFTER) {
        if (forecast_outlook(&progress->forecast).seconds > REHEARSE_AFTER) {
            forecast_rehearse(&progress->forecast, progress->scene, REHEARSAL_SECONDS);
        }
        progress->scene = NULL;
    }
}

void progress_step(Progress *progress, const dlp_World *world, double seconds)
{
    pace_add_step(&progress->pace, &progress->schedule, seconds, dlp_world_step_length(world));
    forecast_add_step(&progress->forecast, world, seconds);
    step_record_add(&progress->steps, world);
    rehearse_once(progress);
    show_bar(progress, world);
}

static void write_line(FILE *file, const Progress *progress, const dlp_WorldStats *stats, double seconds,
                       double remaining)
{
    fprintf(file, "frame %" PRId64 "/%" PRId64 "  %.4g s  %s particles  %s", progress->frame,
            progress->schedule.last_frame, stats->time, human_count(stats->particles).text,
            human_duration(seconds).text);
    if (stats->step > 0) {
        fprintf(file, "  density +%.2f%%  max speed %.3g m/s  step %s", stats->density_error * 100, stats->speed_max,
                human_seconds(stats->step_length).text);
    }
    if (stats->imbalance > 0) {
        fprintf(file, "  rank %" PRId32 " slowest, %.2f times the mean", stats->slowest_rank, stats->imbalance);
    }
    if (remaining == remaining && remaining > 0) {
        fprintf(file, "  %s left", human_duration(remaining).text);
    }
    fputc('\n', file);
    fflush(file);
}

static void write_json(const FrameOutput *output, const dlp_WorldStats *stats, double seconds, double remaining)
{
    Json json = json_begin(stdout);
    json_integer(&json, "frame", output->frame);
    json_real(&json, "time", stats->time);
    json_integer(&json, "step", stats->step);
    json_integer(&json, "particles", stats->particles);
    json_integer(&json, "removed", stats->removed);
    json_real(&json, "density_error", stats->density_error);
    json_real(&json, "density_worst", stats->density_worst);
    json_integer(&json, "iterations", stats->iterations);
    json_real(&json, "residual", stats->residual);
    json_integer(&json, "substeps", stats->substeps);
    json_real(&json, "step_length", stats->step_length);
    json_text(&json, "step_limit", dlp_step_limit_name((dlp_StepLimit)stats->step_limit));
    json_real(&json, "speed_max", stats->speed_max);
    json_real(&json, "kinetic_energy", stats->kinetic_energy);
    json_real(&json, "imbalance", stats->imbalance);
    json_integer(&json, "slowest_rank", stats->slowest_rank);
    json_real(&json, "seconds", seconds);
    json_real(&json, "remaining_seconds", remaining);
    json_text(&json, "file", output->file);
    json_end(&json);
}

void progress_frame(Progress *progress, const dlp_World *world, const FrameOutput *output)
{
    const dlp_WorldStats *stats = &output->stats;
    forecast_add_output(&progress->forecast, output->seconds);
    const double seconds = output->clock - progress->frame_start;
    const double remaining = forecast_outlook(&progress->forecast).seconds;
    progress->frame = output->frame;
    progress->frame_start = output->clock;
    if (progress->json) {
        write_json(output, stats, seconds, remaining);
    }
    if (progress->lines) {
        write_line(stderr, progress, stats, seconds, remaining);
    }
    if (progress->log) {
        write_line(progress->log, progress, stats, seconds, remaining);
    }
    show_bar(progress, world);
}

void progress_log(void *user, dlp_LogLevel level, const char *text)
{
    Progress *progress = user;
    if (level == DLP_LOG_INFO) {
        if (progress->log) {
            fprintf(progress->log, "%s\n", printable(text).text);
        }
        return;
    }
    ++progress->warnings;
    if (strncmp(text, progress->last_warning, sizeof progress->last_warning - 1) == 0) {
        return; /* a repeated warning is counted but not printed */
    }
    snprintf(progress->last_warning, sizeof progress->last_warning, "%s", text);
    if (progress->log) {
        fprintf(progress->log, "warning: %s\n", printable(text).text);
    }
    if (progress->quiet) {
        return;
    }
    progress_clear(progress);
    message_warning("%s", text);
    progress->drawn = 0; /* redraw the bar at the next step */
}
