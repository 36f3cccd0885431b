/* The steps and frames of a run, and its pace.
 *
 * Frame k ends at the time k / frame_rate. With a fixed time step a frame is split into equal steps, so the step count of a world
 * gives its position in the schedule; with automatic steps its time does, because the last step of a frame ends exactly then. This
 * makes it possible to resume from a checkpoint in the middle of a frame. */
#ifndef DOLLOP_SCHEDULE_H
#define DOLLOP_SCHEDULE_H

#include <dollop/scene.h>

typedef struct Schedule {
    bool automatic;               /* the library chooses the steps              */
    double frame_rate;            /* 1/s                                        */
    int64_t steps_per_frame;      /* fixed steps; 0 if automatic                */
    double time_step;             /* s, of each fixed step; 0 if automatic      */
    int64_t last_frame;           /* frames 0 .. last_frame are simulated       */
    int64_t write_from, write_to; /* frames whose files are written, inclusive  */
    int64_t checkpoint_every;     /* frames                                     */
} Schedule;

Schedule schedule_of(const dlp_RunDef *run);
/* Select a range of frames given as "N", "A..B", "A.." or "..B"; false if it is invalid. */
bool schedule_select(Schedule *schedule, const char *range);

/* s, at which a frame ends. */
double schedule_frame_time(const Schedule *schedule, int64_t frame);
/* The last frame that the world has completed; `at_frame` (may be null): whether it is exactly at that frame. */
int64_t schedule_frame(const Schedule *schedule, const dlp_World *world, bool *at_frame);
/* Whether the world has reached the last frame. */
bool schedule_is_done(const Schedule *schedule, const dlp_World *world);
/* One step towards the next frame. */
dlp_Result schedule_step(const Schedule *schedule, dlp_World *world);

/* Estimated number of particles at `time`, assuming that sinks continue to remove the same fraction of all particles. `stats` are
 * the current statistics of the world. */
double forecast_particles(const dlp_World *world, const dlp_WorldStats *stats, double time);

/* Exponential moving average of the time that steps take. */
typedef struct Pace {
    double seconds, steps; /* decaying sums */
} Pace;

/* `seconds` is what the step took, `length` its simulated time (s). */
void pace_add_step(Pace *pace, const Schedule *schedule, double seconds, double length);
double pace_steps_per_second(const Pace *pace);

#endif
