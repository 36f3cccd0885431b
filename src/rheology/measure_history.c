/* Tests over time: start of shear at a constant rate, relaxation after a sudden strain, creep at a constant stress. */
#include "rheology/rheometer_parts.h"
#include "rheology/sheared_sample.h"

#include <dollop/rheology.h>
#include <math.h>
#include <stdlib.h>

static const double STRAIN_PER_STEP = 0.02, TIME_PER_STEP = 0.02; /* the latter of the shortest relaxation time */
static const double STRAIN_STEP_PART = 0.05; /* of the first time of a relaxation test, in which it is strained */
enum { STEPS_MOST = 2000000, STRAIN_STEPS = 5 };

/* Times at which the test is read. */
static double time_of(const dlp_RheometerDef *def, int index)
{
    if (def->test == DLP_RHEOMETER_RELAXATION) {
        return dlp__rheometer_position(def, index);
    }
    return dlp__rheometer_time(def, index);
}

/* How fast the sample is sheared: at `rate` until `until`, then not at all. */
typedef struct History {
    double rate, until;
} History;

static double rate_at(void *user, double time)
{
    const History *history = user;
    return time < history->until ? history->rate : 0.0;
}

static History history_of(const dlp_RheometerDef *def)
{
    if (def->test == DLP_RHEOMETER_RELAXATION) {
        const double duration = STRAIN_STEP_PART * def->from;
        return (History){def->strain / duration, duration};
    }
    return (History){def->rate, INFINITY};
}

static double longest_step(const dlp_Measurement *measurement, double rate)
{
    const dlp__MaterialTimes times = dlp__material_times(&measurement->material);
    const double given = measurement->def.time_step;
    const double strain = STRAIN_PER_STEP / rate;
    if (given > 0.0) {
        return given;
    }
    const double longest = times.longest > 0.0 ? fmin(strain, TIME_PER_STEP * times.longest) : strain;
    return fmin(measurement->def.time_step_factor * longest, dlp__longest_step(measurement));
}

static dlp_MeasuredPoint *add_point(dlp_Measurement *measurement, const dlp__Sample *sample, double rate, double dt,
                                    int64_t steps)
{
    dlp_MeasuredPoint *point = &measurement->points[measurement->count++];
    *point = dlp__empty_point();
    point->time = sample->time;
    point->rate = rate;
    point->measured = dlp__shear_rheology(sample->stress, sample->normal_stress, sample->strain);
    point->time_step = dt;
    point->steps = steps;
    return point;
}

/* The law at the times of all points. */
static dlp_Result fill_law(dlp_Measurement *measurement, History *history, dlp_Error *error)
{
    const int count = measurement->count;
    double *times = malloc((size_t)count * sizeof *times);
    dlp_ShearState *states = malloc((size_t)count * sizeof *states);
    if (!times || !states) {
        free(times);
        free(states);
        return dlp__rheometer_fail(error, DLP_ERROR_MEMORY, "no memory for the law");
    }
    for (int k = 0; k < count; k++) {
        times[k] = measurement->points[k].time;
    }
    const dlp_MaterialDef *material = &measurement->material;
    dlp_Result result = history ? dlp_material_shear(material, rate_at, history, times, count, states, error)
                                : dlp_material_creep(material, measurement->def.stress, times, count, states, error);
    /* where a law has no further state, the rest of the states is NaN */
    result = result == DLP_ERROR_NOT_FINITE ? DLP_OK : result;
    for (int k = 0; k < count && result == DLP_OK; k++) {
        measurement->points[k].law = dlp__shear_rheology(states[k].stress, states[k].normal_stress, states[k].strain);
    }
    free(times);
    free(states);
    return result;
}

/* Steps from one time of the test to the next. */
static dlp_Result shear_until(dlp__Sample *sample, double rate, double until, double longest, int64_t *steps,
                              double *dt, dlp_Error *error)
{
    const double left = until - sample->time;
    const int count = (int)fmin(fmax(ceil(left / longest - 1e-6), 1.0), STEPS_MOST);
    dlp_Result result = DLP_OK;
    *dt = left / count;
    for (int n = 0; n < count && result == DLP_OK; n++) {
        result = dlp__sample_step(sample, rate, *dt, error);
    }
    *steps += count;
    return result == DLP_OK ? dlp__sample_read(sample, rate, error) : result;
}

dlp_Result dlp__measure_shear_history(dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    History history = history_of(def);
    dlp__Sample sample;
    double dt = 0.0;
    int64_t steps = 0;
    dlp_Result result = dlp__sample_create(&sample, &measurement->material, def->spacing, (int)def->edge, def->threads,
                                           error);
    if (result == DLP_OK && isfinite(history.until)) {
        result = shear_until(&sample, history.rate, history.until, history.until / STRAIN_STEPS, &steps, &dt, error);
    }
    for (int k = 0; k < def->points && result == DLP_OK; k++) {
        const double end = time_of(def, k), rate = rate_at(&history, sample.time);
        const double longest = rate > 0.0 ? longest_step(measurement, rate)
                               : def->time_step > 0.0
                                   ? def->time_step
                                   : fmin(0.25 * (end - sample.time), dlp__longest_step(measurement));
        steps = 0;
        result = shear_until(&sample, rate, end, longest, &steps, &dt, error);
        if (result == DLP_OK) {
            add_point(measurement, &sample, rate, dt, steps);
        }
        dlp__rheometer_report(measurement, (double)(k + 1) / (double)def->points);
    }
    dlp__sample_destroy(&sample);
    return result == DLP_OK ? fill_law(measurement, &history, error) : result;
}

static const double RAMP_STEPS = 20.0; /* over which the stress rises: a jump would overshoot and make a paste yield */
static const double CONTROLLER_GAIN = 0.7; /* 1 would reach the target in a step if the response were as assumed */

/* What the creep controller knows of the sample: its viscosity at once, its modulus, and the slope of its flow curve. */
typedef struct Controller {
    const dlp_MaterialDef *material;
    double modulus;               /* Pa, of all elastic parts */
    double rate, stress, viscous; /* of the last step; `viscous` is the stress of the solvent or of a viscous law */
} Controller;

/* Pa.s, change of the steady stress with the rate. */
static double flow_tangent(const dlp_MaterialDef *material, double rate)
{
    const double low = fmax(0.9 * fabs(rate), 1e-9), high = fmax(1.1 * fabs(rate), 2e-9);
    return fmax((dlp_material_shear_stress(material, high) - dlp_material_shear_stress(material, low)) / (high - low),
                0.0);
}

/* The part of the stress that follows the rate at once, Pa. */
static double viscous_stress(const Controller *controller, double rate)
{
    const dlp_MaterialDef *m = controller->material;
    return controller->modulus > 0.0 ? m->solvent_viscosity * rate
                                     : copysign(dlp_material_shear_stress(m, fabs(rate)), rate);
}

/* The rate of the next step: the elastic stress would grow at this rate as in the last step, and more by the modulus times the change. */
static double next_rate(const Controller *controller, double last_stress, double last_viscous, double target, double dt)
{
    const double growth = (controller->stress - controller->viscous) - (last_stress - last_viscous);
    const double spring = controller->modulus * dt, tangent = flow_tangent(controller->material, controller->rate);
    /* below its yield stress a paste is a spring, however fast it is strained */
    const bool is_flowing = fabs(controller->stress) > dlp_material_yield_stress(controller->material);
    const double elastic = controller->modulus <= 0.0    ? 0.0
                           : is_flowing && tangent > 0.0 ? spring * tangent / (spring + tangent)
                                                         : spring;
    const double viscous = controller->modulus > 0.0 ? controller->material->solvent_viscosity : tangent;
    return controller->rate +
           CONTROLLER_GAIN * (target - controller->stress - growth) / fmax(elastic + viscous, 1e-300);
}

dlp_Result dlp__measure_creep(dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    const double shortest_part = 0.02;
    Controller controller = {.material = &measurement->material,
                             .modulus = dlp__instantaneous_modulus(&measurement->material)};
    const dlp__MaterialTimes times = dlp__material_times(&measurement->material);
    const double duration = def->to;
    double longest = def->time_step;
    if (longest <= 0.0) {
        longest = duration / 500.0;
        longest = times.longest > 0.0 ? fmin(longest, shortest_part * times.longest) : longest;
        longest = fmin(def->time_step_factor * longest, dlp__longest_step(measurement));
    }
    dlp__Sample sample;
    dlp_Result result = dlp__sample_create(&sample, &measurement->material, def->spacing, (int)def->edge, def->threads,
                                           error);
    double last_stress = 0.0, last_viscous = 0.0;
    for (int k = 0; k < def->points && result == DLP_OK; k++) {
        const double left = time_of(def, k) - sample.time;
        const int count = (int)fmin(fmax(ceil(left / longest - 1e-6), 1.0), STEPS_MOST);
        const double dt = left / count;
        for (int n = 0; n < count && result == DLP_OK; n++) {
            const double target = def->stress * fmin(1.0, (sample.time + dt) / (RAMP_STEPS * longest));
            const double rate = next_rate(&controller, last_stress, last_viscous, target, dt);
            result = dlp__sample_step(&sample, rate, dt, error);
            result = result == DLP_OK ? dlp__sample_read(&sample, rate, error) : result;
            last_stress = controller.stress;
            last_viscous = controller.viscous;
            controller.rate = rate;
            controller.stress = sample.stress;
            controller.viscous = viscous_stress(&controller, rate);
        }
        if (result == DLP_OK) {
            add_point(measurement, &sample, controller.rate, dt, count);
        }
        dlp__rheometer_report(measurement, (double)(k + 1) / (double)def->points);
    }
    dlp__sample_destroy(&sample);
    return result == DLP_OK ? fill_law(measurement, NULL, error) : result;
}
