/* The steps and frames of a run, and an estimate of the remaining time.
 *
 * A frame is split into equal steps, so the step count of a world gives its position in the schedule. This makes it possible to
 * resume from a checkpoint in the middle of a frame. */
#ifndef DOLLOP_SCHEDULE_H
#define DOLLOP_SCHEDULE_H

#include <dollop/scene.h>

typedef struct Schedule {
    int64_t steps_per_frame;
    double time_step;             /* s, of each step                            */
    int64_t last_frame;           /* frames 0 .. last_frame are simulated       */
    int64_t write_from, write_to; /* frames whose files are written, inclusive  */
    int64_t checkpoint_every;     /* frames                                     */
} Schedule;

Schedule schedule_of(const dlp_RunDef *run);
/* Select a range of frames given as "N", "A..B", "A.." or "..B"; false if it is invalid. */
bool schedule_select(Schedule *schedule, const char *range);

static inline int64_t schedule_last_step(const Schedule *schedule)
{
    return schedule->last_frame * schedule->steps_per_frame;
}

/* Estimated number of particles at `time`, assuming that sinks continue to remove the same fraction of all particles. `stats` are
 * the current statistics of the world. */
double forecast_particles(const dlp_World *world, const dlp_WorldStats *stats, double time);

/* Exponential moving averages of the cost of steps and output. */
typedef struct Pace {
    double step_seconds, step_particles, step_count; /* decaying sums over steps  */
    double output_seconds, output_count;             /* decaying sums over frames */
} Pace;

void pace_add_step(Pace *pace, const Schedule *schedule, double seconds, int64_t particles);
void pace_add_output(Pace *pace, double seconds);
double pace_steps_per_second(const Pace *pace);
/* Estimated seconds until the end of the schedule; NaN before the first step. */
double pace_remaining(const Pace *pace, const Schedule *schedule, const dlp_World *world, const dlp_WorldStats *stats);

#endif
