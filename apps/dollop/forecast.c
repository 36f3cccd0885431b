/* The cost model of a run. A substep costs
 *
 *     unit cost * (particles + FIXED_PARTICLES * threads)^SIZE_EXPONENT * (solver iterations + STEP_ITERATIONS)
 *
 * The rehearsals provide steps, particles and iterations over simulated time, the spacing of the real run scales them, and where the
 * real run overlaps with a rehearsal its own figures correct the scaling. FIXED_PARTICLES, SIZE_EXPONENT and STEP_ITERATIONS were
 * fitted to bins of coiling, dam_break, pour, jelly and chocolate with one thread; tools/compare_estimates checks the result. */
#include "forecast.h"

#include <math.h>

#define FIXED_PARTICLES 50.0 /* fixed cost of a step and thread, in units of one particle */
#define SIZE_EXPONENT   1.1  /* of cost with the number of particles: caches, and fewer of them at a surface */
#define STEP_ITERATIONS 8.0  /* cost of neighbours, forces and output of a step in units of one iteration */
#define GROWTH_EXPONENT 0.75 /* of iterations with resolution, if nothing was measured */
#define GROWTH_MOST     1.2
#define OVERLAP_TRUSTED 0.25 /* fraction of the simulated time after which the real run corrects a rehearsal fully */
#define EXPONENT_NOISE  0.2  /* relative error of mean iterations: close spacings say little about growth */
#define CORRECTION_MOST 4.0
#define RECENT          0.95 /* weight of a bin relative to the next one: loads of the machine and flows change */
#define HELD_BINS       4    /* last bins of a trace that describe the time behind its end */

/* What a trace says about one bin, per substep or per simulated second. */
typedef struct Rates {
    double steps;     /* 1/s, at the real spacing */
    double particles; /* relative to the expected number */
    double iterations;
} Rates;

typedef struct Correction {
    double steps, particles, iterations; /* factors on the rates of a rehearsal */
} Correction;

static bool is_recorded(const StepTrace *trace, int bin)
{
    return trace->bins[bin].steps > 0 && trace->bins[bin].span > 0;
}

static int last_recorded(const StepTrace *trace)
{
    int last = TRACE_BINS - 1;
    while (last >= 0 && !is_recorded(trace, last)) {
        last--;
    }
    return last;
}

static Rates rates_between(const StepTrace *trace, int first, int last)
{
    double span = 0, real_steps = 0, steps = 0, particles = 0, expected = 0, iterations = 0;
    for (int b = first < 0 ? 0 : first; b <= last; b++) {
        const TraceBin *bin = &trace->bins[b];
        span += bin->span;
        real_steps += bin->real_steps;
        steps += bin->steps;
        particles += bin->particles;
        expected += bin->steps * trace->expected[b];
        iterations += bin->iterations;
    }
    return steps > 0 ? (Rates){real_steps / span, particles / expected, iterations / steps} : (Rates){0};
}

static Rates rates_of(const StepTrace *trace, int bin)
{
    const int last = last_recorded(trace);
    return bin <= last && is_recorded(trace, bin) ? rates_between(trace, bin, bin)
                                                  : rates_between(trace, last - HELD_BINS + 1, last);
}

static double clamp(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

static double ratio(double a, double b)
{
    return b > 0 ? clamp(a / b, 1 / CORRECTION_MOST, CORRECTION_MOST) : 1;
}

static void add_rates(Rates *sum, Rates rates, double weight)
{
    sum->steps = sum->steps * RECENT + weight * rates.steps;
    sum->particles = sum->particles * RECENT + weight * rates.particles;
    sum->iterations = sum->iterations * RECENT + weight * rates.iterations;
}

/* The mean rates of `a` over those of `b` where both are recorded, the later the more. `trust`, 0 .. 1: whether that part is long
 * enough to speak for the whole; `solver_trust`: and has as many iterations. */
static Correction compare(const StepTrace *a, const StepTrace *b, double *trust, double *solver_trust)
{
    Rates sum_a = {0}, sum_b = {0};
    double overlap = 0, weight = 0;
    for (int n = 0; n < TRACE_BINS; n++) {
        if (is_recorded(a, n) && is_recorded(b, n)) {
            const double share = a->bins[n].span / a->end;
            overlap += share;
            weight = weight * RECENT + share;
            add_rates(&sum_a, rates_between(a, n, n), share);
            add_rates(&sum_b, rates_between(b, n, n), share);
        }
    }
    const double all_iterations = rates_between(b, 0, TRACE_BINS - 1).iterations;
    *trust = fmin(overlap / OVERLAP_TRUSTED, 1);
    *solver_trust = weight > 0 && all_iterations > 0 ? *trust * fmin(sum_b.iterations / weight / all_iterations, 1) : 0;
    return (Correction){ratio(sum_a.steps, sum_b.steps), ratio(sum_a.particles, sum_b.particles),
                        ratio(sum_a.iterations, sum_b.iterations)};
}

/* Methods with a fixed number of iterations need as many at any spacing. */
static bool is_constant(const StepTrace *trace)
{
    double least = INFINITY, most = 0;
    for (int b = 0; b < TRACE_BINS; b++) {
        if (is_recorded(trace, b)) {
            const double iterations = trace->bins[b].iterations / trace->bins[b].steps;
            least = fmin(least, iterations);
            most = fmax(most, iterations);
        }
    }
    return most <= least * (1 + 1e-6);
}

/* Iterations grow as 1 / spacing to this power. */
static double growth_exponent(const Forecast *forecast)
{
    const StepTrace *coarse = &forecast->rehearsals[0], *fine = &forecast->rehearsals[1];
    if (is_constant(coarse)) {
        return 0;
    }
    if (forecast->rehearsal_count < 2) {
        return GROWTH_EXPONENT;
    }
    double trust, solver_trust;
    const double growth = log(compare(fine, coarse, &trust, &solver_trust).iterations);
    const double finer = log(coarse->factor / fine->factor);
    solver_trust *= finer / (finer + EXPONENT_NOISE);
    return solver_trust * clamp(growth / finer, 0, GROWTH_MOST) + (1 - solver_trust) * GROWTH_EXPONENT;
}

/* Of a rehearsal. */
static Correction correction_of(const Forecast *forecast, const StepTrace *guide)
{
    double trust, solver_trust;
    const Correction measured = compare(&forecast->real, guide, &trust, &solver_trust);
    const double scaled = pow(guide->factor, growth_exponent(forecast));
    return (Correction){pow(measured.steps, trust), pow(measured.particles, trust),
                        pow(measured.iterations, solver_trust) * pow(scaled, 1 - solver_trust)};
}

/* The finest rehearsal that is recorded at this bin, or the one that comes closest; the run itself without any. */
static const StepTrace *guide_of(const Forecast *forecast, int bin)
{
    const StepTrace *guide = &forecast->real;
    int reached = -1;
    for (int i = 0; i < forecast->rehearsal_count; i++) {
        const int last = last_recorded(&forecast->rehearsals[i]);
        if (last >= bin || last > reached) {
            guide = &forecast->rehearsals[i];
            reached = last;
        }
    }
    return guide;
}

static double work_of(const Forecast *forecast, double steps, double particles, double iterations)
{
    const double size = particles + FIXED_PARTICLES * forecast->real.threads;
    return steps * pow(size, SIZE_EXPONENT) * (iterations + STEP_ITERATIONS);
}

/* Seconds per unit of work. Bins with many particles say most, and of the real run the latest. */
static double unit_cost(const Forecast *forecast)
{
    double seconds = 0, work = 0;
    for (int i = -1; i < forecast->rehearsal_count; i++) {
        const StepTrace *trace = i < 0 ? &forecast->real : &forecast->rehearsals[i];
        const int last = last_recorded(trace);
        for (int b = 0; b <= last; b++) {
            const TraceBin *bin = &trace->bins[b];
            if (is_recorded(trace, b)) {
                const double particles = bin->particles / bin->steps;
                const double weight = particles * (i < 0 ? pow(RECENT, last - b) : 1);
                seconds += weight * bin->seconds;
                work += weight * work_of(forecast, bin->steps, particles, bin->iterations / bin->steps);
            }
        }
    }
    return work > 0 ? seconds / work : NAN;
}

void forecast_begin(Forecast *forecast, const Schedule *schedule, const dlp_World *world)
{
    *forecast = (Forecast){0};
    trace_begin(&forecast->real, schedule, world, 1);
}

void forecast_add_step(Forecast *forecast, const dlp_World *world, double seconds)
{
    trace_add_step(&forecast->real, world, seconds);
}

void forecast_add_output(Forecast *forecast, double seconds)
{
    const double keep = 0.8;
    forecast->output_seconds = forecast->output_seconds * keep + seconds;
    forecast->output_count = forecast->output_count * keep + 1;
}

Outlook forecast_outlook(const Forecast *forecast)
{
    const StepTrace *real = &forecast->real;
    const double span = trace_bin_span(real), left = fmax(0, real->end - real->time);
    Correction corrections[REHEARSALS_MOST + 1];
    for (int i = 0; i < forecast->rehearsal_count; i++) {
        corrections[i] = correction_of(forecast, &forecast->rehearsals[i]);
    }
    Outlook outlook = {0};
    double work = 0;
    for (int b = trace_bin(real, real->time); b < TRACE_BINS; b++) {
        const StepTrace *guide = guide_of(forecast, b);
        const Correction correction = guide == real ? (Correction){1, 1, 1} : corrections[guide - forecast->rehearsals];
        const Rates rates = rates_of(guide, b);
        const double part = fmin(span, (b + 1) * span - real->time);
        const double steps = rates.steps * correction.steps * fmax(part, 0);
        outlook.particles_end = rates.particles * correction.particles * real->expected[b];
        outlook.steps += steps;
        work += work_of(forecast, steps, outlook.particles_end, rates.iterations * correction.iterations);
    }
    const double output = forecast->output_count > 0 ? forecast->output_seconds / forecast->output_count : 0;
    outlook.seconds = left > 0 ? work * unit_cost(forecast) + output * left * real->schedule.frame_rate : 0;
    return outlook;
}
