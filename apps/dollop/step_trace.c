/* Records the cost of steps over simulated time. */
#include "step_trace.h"

#include "safe_step.h"

#include <math.h>

/* Statistics are sums over all particles: sampled in every fourth step, or after a long one, they cost nothing that matters. */
#define SAMPLE_STEPS   4
#define SAMPLE_SECONDS 0.05

double trace_bin_span(const StepTrace *trace)
{
    return trace->end / TRACE_BINS;
}

int trace_bin(const StepTrace *trace, double time)
{
    const double bin = trace->end > 0 ? time / trace->end * TRACE_BINS : 0;
    return bin < 0 ? 0 : bin >= TRACE_BINS ? TRACE_BINS - 1 : (int)bin;
}

double trace_seconds(const StepTrace *trace)
{
    double seconds = 0;
    for (int b = 0; b < TRACE_BINS; b++) {
        seconds += trace->bins[b].seconds;
    }
    return seconds;
}

void trace_begin(StepTrace *trace, const Schedule *schedule, const dlp_World *world, double factor)
{
    dlp_WorldStats stats = {0};
    *trace = (StepTrace){.schedule = *schedule,
                         .factor = factor,
                         .end = schedule_frame_time(schedule, schedule->last_frame),
                         .time = dlp_world_time(world)};
    dlp_world_stats(world, &stats);
    trace->threads = stats.threads;
    for (int b = 0; b < TRACE_BINS; b++) {
        const double middle = (b + 0.5) * trace_bin_span(trace);
        trace->expected[b] = fmax(1, forecast_particles(world, &stats, fmax(middle, stats.time)));
    }
}

/* The number of substeps that a step of the coarse run corresponds to at the real spacing. Steps that the speed of the fluid limits
 * become shorter in proportion to the spacing, and a frame holds a whole number of them. */
static double real_steps(const StepTrace *trace, const dlp_World *world, const dlp_WorldStats *stats)
{
    const dlp_WorldDef def = dlp_world_def(world);
    const bool automatic = trace->schedule.automatic;
    const double own = (double)stats->substeps, length = stats->step_length;
    const double courant = def.cfl > 0 ? def.cfl : automatic ? SAFE_COURANT : INFINITY;
    const double whole = automatic ? 1 / trace->schedule.frame_rate : length;
    const double by_speed = ceil(stats->speed_max * whole * trace->factor / (courant * def.spacing)) * length / whole;
    if (trace->factor == 1) {
        return own;
    }
    switch ((dlp_StepLimit)stats->step_limit) {
    case DLP_LIMIT_SPEED: return by_speed;
    case DLP_LIMIT_SOLIDS:
    case DLP_LIMIT_EMITTERS:
    case DLP_LIMIT_METHOD: return fmax(own * trace->factor, by_speed);
    default: return fmax(own, by_speed);
    }
}

void trace_add_step(StepTrace *trace, const dlp_World *world, double seconds)
{
    TraceBin *pending = &trace->pending, *bin = &trace->bins[trace_bin(trace, trace->time)];
    const double now = dlp_world_time(world);
    dlp_WorldStats stats;
    pending->span += now - trace->time;
    pending->steps += 1;
    pending->seconds += seconds;
    const bool is_bin_done = now >= trace->end || bin != &trace->bins[trace_bin(trace, now)];
    trace->time = now;
    const bool is_due = is_bin_done || pending->steps >= SAMPLE_STEPS || pending->seconds >= SAMPLE_SECONDS;
    if (!is_due || dlp_world_stats(world, &stats) != DLP_OK) {
        return;
    }
    const double steps = pending->steps * (double)stats.substeps;
    bin->span += pending->span;
    bin->seconds += pending->seconds;
    bin->steps += steps;
    bin->real_steps += pending->steps * real_steps(trace, world, &stats);
    bin->particles += steps * (double)stats.particles;
    bin->iterations += pending->steps * (double)stats.iterations;
    *pending = (TraceBin){0};
}
