/* The schedule of a run and its pace. */
#include "schedule.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

Schedule schedule_of(const dlp_RunDef *run)
{
    Schedule schedule = {.automatic = run->time_step == 0,
                         .frame_rate = run->frame_rate,
                         .last_frame = run->frames,
                         .write_to = run->frames,
                         .checkpoint_every = run->checkpoint_every};
    if (!schedule.automatic) {
        const double frame = 1.0 / run->frame_rate;
        /* Rounding errors must not add a step: 1/30 s over 1/300 s is 10. */
        const double steps = ceil(frame / run->time_step * (1 - 1e-9));
        schedule.steps_per_frame = steps < 1 ? 1 : (int64_t)steps;
        schedule.time_step = frame / (double)schedule.steps_per_frame;
    }
    return schedule;
}

double schedule_frame_time(const Schedule *schedule, int64_t frame)
{
    return (double)frame / schedule->frame_rate;
}

int64_t schedule_frame(const Schedule *schedule, const dlp_World *world, bool *at_frame)
{
    if (!schedule->automatic) {
        const int64_t step = dlp_world_step_count(world);
        if (at_frame) {
            *at_frame = step % schedule->steps_per_frame == 0;
        }
        return step / schedule->steps_per_frame;
    }
    const double time = dlp_world_time(world);
    int64_t frame = (int64_t)(time * schedule->frame_rate);
    /* The product is rounded; the times of frames decide. */
    while (frame > 0 && schedule_frame_time(schedule, frame) > time) {
        frame--;
    }
    while (schedule_frame_time(schedule, frame + 1) <= time) {
        frame++;
    }
    if (at_frame) {
        *at_frame = schedule_frame_time(schedule, frame) == time;
    }
    return frame;
}

bool schedule_is_done(const Schedule *schedule, const dlp_World *world)
{
    return schedule_frame(schedule, world, NULL) >= schedule->last_frame;
}

dlp_Result schedule_step(const Schedule *schedule, dlp_World *world)
{
    if (!schedule->automatic) {
        return dlp_world_step(world, schedule->time_step);
    }
    return dlp_world_advance(world, schedule_frame_time(schedule, schedule_frame(schedule, world, NULL) + 1));
}

static bool read_frame(const char **text, int64_t *frame)
{
    char *end = NULL;
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    errno = 0;
    *frame = strtoll(*text, &end, 10);
    *text = end;
    return errno == 0 && *frame <= 999999999;
}

bool schedule_select(Schedule *schedule, const char *range)
{
    int64_t from = 0, to = schedule->last_frame;
    const bool has_from = read_frame(&range, &from);
    if (has_from && !*range) {
        to = from;
    } else {
        if (range[0] != '.' || range[1] != '.') {
            return false;
        }
        range += 2;
        const bool has_to = read_frame(&range, &to);
        if (*range || (!has_from && !has_to) || to < from) {
            return false;
        }
    }
    schedule->write_from = from;
    schedule->write_to = schedule->last_frame = to;
    return true;
}

double forecast_particles(const dlp_World *world, const dlp_WorldStats *stats, double time)
{
    const double spacing = dlp_world_def(world).spacing;
    double inflow = 0;
    for (int i = 0; i < dlp_world_emitter_count(world); i++) {
        double volume = 0;
        if (dlp_world_emitter_volume(world, i, stats->time, time, &volume) == DLP_OK) {
            inflow += volume / (spacing * spacing * spacing);
        }
    }
    const double total = (double)(stats->particles + stats->removed);
    const double kept = total > 0 ? (double)stats->particles / total : 1;
    return (double)stats->particles + kept * inflow;
}

void pace_add_step(Pace *pace, const Schedule *schedule, double seconds, double length)
{
    /* Average over about four frames, and at least twenty steps. */
    const double per_frame = schedule->automatic ? fmin(1 / (schedule->frame_rate * length), 1e6)
                                                 : (double)schedule->steps_per_frame;
    const double keep = 1 - 1 / fmax(20, 4.0 * per_frame);
    pace->seconds = pace->seconds * keep + seconds;
    pace->steps = pace->steps * keep + 1;
}

double pace_steps_per_second(const Pace *pace)
{
    return pace->seconds > 0 ? pace->steps / pace->seconds : 0;
}
