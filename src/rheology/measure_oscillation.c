/* Oscillating shear, strain A sin(wt): the stress is A (G' sin(wt) + G'' cos(wt)) plus what is left of the start, and harmonics.
 *
 * The last period is fitted by sine, cosine and a parabola in time, which takes up a start that fades slowly. */
#include "rheology/rheometer_parts.h"
#include "rheology/sheared_sample.h"

#include <dollop/rheology.h>
#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
enum { TERMS = 5, STEPS_PER_PERIOD = 96, PERIODS = 4, LEAST_STEPS_PER_PERIOD = 8 };

/* Normal equations of a fit of the stress over one period. */
typedef struct HarmonicFit {
    double matrix[TERMS][TERMS], right[TERMS];
} HarmonicFit;

/* `phase`: wt, of the last period from -1 to 1 in `place`. */
static void add_stress(HarmonicFit *fit, double phase, double place, double stress)
{
    const double term[TERMS] = {sin(phase), cos(phase), 1.0, place, place * place};
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS; j++) {
            fit->matrix[i][j] += term[i] * term[j];
        }
        fit->right[i] += term[i] * stress;
    }
}

/* Cholesky's elimination of the symmetric, positive matrix; leaves the amplitudes of the terms in `right`. */
static void solve(HarmonicFit *fit)
{
    for (int k = 0; k < TERMS; k++) {
        for (int i = k + 1; i < TERMS; i++) {
            const double factor = fit->matrix[i][k] / fit->matrix[k][k];
            for (int j = k; j < TERMS; j++) {
                fit->matrix[i][j] -= factor * fit->matrix[k][j];
            }
            fit->right[i] -= factor * fit->right[k];
        }
    }
    for (int k = TERMS - 1; k >= 0; k--) {
        for (int j = k + 1; j < TERMS; j++) {
            fit->right[k] -= fit->matrix[k][j] * fit->right[j];
        }
        fit->right[k] /= fit->matrix[k][k];
    }
}

/* The steps of an oscillation of PERIODS periods. */
typedef struct Oscillation {
    double frequency, amplitude, dt;
    int steps, first; /* the first step of the last period */
} Oscillation;

static Oscillation plan(const dlp_Measurement *measurement, const dlp_MeasuredPoint *point)
{
    const dlp_RheometerDef *def = &measurement->def;
    const double period = 2.0 * PI / point->frequency;
    int per_period = (int)fmin(
        fmax(STEPS_PER_PERIOD / def->time_step_factor, ceil(period / dlp__longest_step(measurement))), 1e6);
    if (def->time_step > 0.0) {
        per_period = (int)fmin(fmax(round(period / def->time_step), LEAST_STEPS_PER_PERIOD), 1e6);
    }
    return (Oscillation){.frequency = point->frequency,
                         .amplitude = point->amplitude,
                         .dt = period / per_period,
                         .steps = PERIODS * per_period,
                         .first = (PERIODS - 1) * per_period};
}

static double phase_at(const Oscillation *oscillation, int step)
{
    return oscillation->frequency * oscillation->dt * step;
}

static double mean_rate(const Oscillation *oscillation, int step)
{
    return oscillation->amplitude * (sin(phase_at(oscillation, step + 1)) - sin(phase_at(oscillation, step))) /
           oscillation->dt;
}

static double rate_of_oscillation(void *user, double time)
{
    const Oscillation *oscillation = user;
    return oscillation->amplitude * oscillation->frequency * cos(oscillation->frequency * time);
}

static double place_of(const Oscillation *oscillation, int step)
{
    return 2.0 * (step - oscillation->first) / (oscillation->steps - oscillation->first) - 1.0;
}

static void set_moduli(HarmonicFit *fit, double amplitude, dlp_Rheology *moduli)
{
    solve(fit);
    moduli->storage = fit->right[0] / amplitude;
    moduli->loss = fit->right[1] / amplitude;
}

/* The first harmonic of the law over the last period, where small strains say nothing. */
static void find_law_harmonic(const dlp_MaterialDef *material, Oscillation *oscillation, dlp_Rheology *law)
{
    const int first = oscillation->first, count = oscillation->steps - first;
    double *times = malloc((size_t)count * sizeof *times);
    dlp_ShearState *states = malloc((size_t)count * sizeof *states);
    for (int n = 0; n < count && times; n++) {
        times[n] = oscillation->dt * (first + n + 1);
    }
    if (times && states &&
        dlp_material_shear(material, rate_of_oscillation, oscillation, times, count, states, NULL) == DLP_OK) {
        HarmonicFit fit = {0};
        for (int n = 0; n < count; n++) {
            add_stress(&fit, phase_at(oscillation, first + n + 1), place_of(oscillation, first + n + 1),
                       states[n].stress);
        }
        set_moduli(&fit, oscillation->amplitude, law);
    }
    free(times);
    free(states);
}

static dlp_Result measure_point(dlp_Measurement *measurement, dlp_MeasuredPoint *point, int index, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    Oscillation oscillation = plan(measurement, point);
    HarmonicFit fit = {0};
    dlp__Sample sample;
    dlp_Result result = dlp__sample_create(&sample, &measurement->material, def->spacing, (int)def->edge, def->threads,
                                           error);
    for (int n = 0; n < oscillation.steps && result == DLP_OK; n++) {
        const double rate = mean_rate(&oscillation, n);
        result = dlp__sample_step(&sample, rate, oscillation.dt, error);
        if (n >= oscillation.first && result == DLP_OK) {
            const double end_rate = rate_of_oscillation(&oscillation, (n + 1) * oscillation.dt);
            result = dlp__sample_read(&sample, end_rate, error);
            add_stress(&fit, phase_at(&oscillation, n + 1), place_of(&oscillation, n + 1), sample.stress);
        }
        dlp__rheometer_report(measurement, (index + (double)(n + 1) / oscillation.steps) / (double)def->points);
    }
    dlp__sample_destroy(&sample);
    if (result != DLP_OK) {
        return result;
    }
    point->time_step = oscillation.dt;
    point->steps = oscillation.steps;
    set_moduli(&fit, oscillation.amplitude, &point->measured);
    if (def->test == DLP_RHEOMETER_OSCILLATION && measurement->material.flow_law == DLP_FLOW_NEWTONIAN) {
        dlp_material_moduli(&measurement->material, point->frequency, &point->law.storage, &point->law.loss);
    }
    if (isnan(point->law.storage) || isnan(point->law.loss)) {
        find_law_harmonic(&measurement->material, &oscillation, &point->law);
    }
    return DLP_OK;
}

dlp_Result dlp__measure_oscillation(dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    const bool is_sweep = def->test == DLP_RHEOMETER_OSCILLATION;
    dlp_Result result = DLP_OK;
    for (int k = 0; k < def->points && result == DLP_OK; k++) {
        const double position = dlp__rheometer_position(def, k);
        dlp_MeasuredPoint *point = &measurement->points[measurement->count];
        *point = dlp__empty_point();
        point->frequency = is_sweep ? position : def->frequency;
        point->amplitude = is_sweep ? def->strain : position;
        result = measure_point(measurement, point, k, error);
        measurement->count += result == DLP_OK;
    }
    return result;
}
