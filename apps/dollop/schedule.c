/* The schedule of a run and the estimate of its remaining time. */
#include "schedule.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Fixed cost of a step in units of the cost of one particle; a rough value for any number of threads. */
#define FIXED_COST 500.0

Schedule schedule_of(const dlp_RunDef *run)
{
    const double frame = 1.0 / run->frame_rate;
    /* Rounding errors must not add a step: 1/30 s over 1/300 s is 10. */
    const double steps = ceil(frame / run->time_step * (1 - 1e-9));
    Schedule schedule = {.last_frame = run->frames, .write_to = run->frames};
    schedule.steps_per_frame = steps < 1 ? 1 : (int64_t)steps;
    schedule.time_step = frame / (double)schedule.steps_per_frame;
    schedule.checkpoint_every = run->checkpoint_every;
    return schedule;
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

void pace_add_step(Pace *pace, const Schedule *schedule, double seconds, int64_t particles)
{
    /* Average over about four frames, and at least twenty steps. */
    const double keep = 1 - 1 / fmax(20, 4.0 * (double)schedule->steps_per_frame);
    pace->step_seconds = pace->step_seconds * keep + seconds;
    pace->step_particles = pace->step_particles * keep + (double)particles + FIXED_COST;
    pace->step_count = pace->step_count * keep + 1;
}

void pace_add_output(Pace *pace, double seconds)
{
    const double keep = 0.8;
    pace->output_seconds = pace->output_seconds * keep + seconds;
    pace->output_count = pace->output_count * keep + 1;
}

double pace_steps_per_second(const Pace *pace)
{
    return pace->step_seconds > 0 ? pace->step_count / pace->step_seconds : 0;
}

double pace_remaining(const Pace *pace, const Schedule *schedule, const dlp_World *world, const dlp_WorldStats *stats)
{
    enum { SAMPLES = 32 }; /* times at which the future number of particles is estimated */
    const double steps = (double)(schedule_last_step(schedule) - stats->step);
    if (steps <= 0) {
        return 0;
    }
    if (pace->step_count <= 0) {
        return NAN;
    }
    double particles = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const double time = stats->time + schedule->time_step * steps * (i + 0.5) / SAMPLES;
        particles += forecast_particles(world, stats, time) + FIXED_COST;
    }
    const double computing = pace->step_seconds / pace->step_particles * steps * particles / SAMPLES;
    const double output = pace->output_count > 0 ? pace->output_seconds / pace->output_count : 0;
    return computing + output * steps / (double)schedule->steps_per_frame;
}
