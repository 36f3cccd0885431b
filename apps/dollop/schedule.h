/* Which steps make up which frames, and how long the rest will take.
 *
 * A frame is cut into equal steps, so a world's step count alone tells where in the schedule it stands; that is what
 * makes a checkpoint taken in the middle of a frame resumable. */
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
/* Narrow to a range given as "N", "A..B", "A.." or "..B"; false if it is none of these. */
bool schedule_select(Schedule *schedule, const char *range);

static inline int64_t schedule_last_step(const Schedule *schedule)
{
    return schedule->last_frame * schedule->steps_per_frame;
}

/* The number of particles that the world will hold at `time`: emitters push out what they should, and sinks go on
 * taking the part that they took so far. `stats` are those of the world now. */
double forecast_particles(const dlp_World *world, const dlp_WorldStats *stats, double time);

/* A running measure of cost that forgets: recent steps and frames weigh most. */
typedef struct Pace {
    double step_seconds, step_particles, step_count; /* faded sums over steps  */
    double output_seconds, output_count;             /* faded sums over frames */
} Pace;

void pace_add_step(Pace *pace, const Schedule *schedule, double seconds, int64_t particles);
void pace_add_output(Pace *pace, double seconds);
double pace_steps_per_second(const Pace *pace);
/* Seconds until the schedule's end; NaN before anything was measured. */
double pace_remaining(const Pace *pace, const Schedule *schedule, const dlp_World *world, const dlp_WorldStats *stats);

#endif
