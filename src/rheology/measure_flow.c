/* Flow curve: the rate rises from point to point in one sample; each point waits until the stress is steady. */
#include "rheology/rheometer_parts.h"
#include "rheology/sheared_sample.h"

#include <dollop/rheology.h>
#include <math.h>

static const double STRAIN_PER_STEP = 0.05, TIME_PER_STEP = 0.1; /* the latter of the longest relaxation time */
/* Stresses are averaged over windows of this strain (or this part of the longest relaxation time, or this multiple of the elastic strain of a
 * paste), until the mean of a window differs from that of the window before by less than the change. */
static const double WINDOW_STRAIN = 0.5, WINDOW_TIME = 0.5, WINDOW_ELASTIC_STRAIN = 3.0, STEADY_CHANGE = 3e-4;
enum {
    LEAST_WINDOWS = 3,
    MOST_WINDOWS = 24,
    MOST_WINDOWS_WITHOUT_MEMORY = 8,
    LEAST_STEPS = 5
}; /* the last of a window */

typedef struct Window {
    double stress, normal_stress; /* Pa, means */
} Window;

static dlp_Result average(dlp__Sample *sample, double rate, double dt, int steps, Window *window, dlp_Error *error)
{
    *window = (Window){0.0, 0.0};
    for (int n = 0; n < steps; n++) {
        dlp_Result result = dlp__sample_step(sample, rate, dt, error);
        result = result == DLP_OK ? dlp__sample_read(sample, rate, error) : result;
        if (result != DLP_OK) {
            return result;
        }
        window->stress += sample->stress / steps;
        window->normal_stress += sample->normal_stress / steps;
    }
    return DLP_OK;
}

/* s, after which stress is steady but for a factor of e. */
static double memory_at(const dlp_MaterialDef *material, double rate)
{
    const double longest = dlp__material_times(material).longest;
    const double recovery = material->recovery_time > 0.0
                                ? 1.0 / (1.0 / material->recovery_time + material->breakdown * rate)
                                : 0.0;
    return fmax(longest, recovery);
}

/* s */
static double window_duration(const dlp_MaterialDef *material, double rate, double memory)
{
    const double modulus = dlp__instantaneous_modulus(material);
    if (memory > 0.0) {
        return fmax(WINDOW_STRAIN * fmin(1.0 / rate, memory), WINDOW_TIME * memory);
    }
    const double elastic = modulus > 0.0 ? dlp_material_shear_stress(material, rate) / modulus : 0.0;
    return fmin(WINDOW_STRAIN, WINDOW_ELASTIC_STRAIN * elastic) / rate;
}

static dlp_Result measure_point(const dlp_Measurement *measurement, dlp__Sample *sample, dlp_MeasuredPoint *point,
                                dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    const double rate = point->rate, memory = memory_at(&measurement->material, rate);
    const double most = dlp__longest_step(measurement), by_strain = fmin(STRAIN_PER_STEP / rate, most);
    const double chosen = memory > 0.0 ? fmin(by_strain, TIME_PER_STEP * memory) : by_strain;
    const double dt = def->time_step > 0.0 ? def->time_step : fmin(def->time_step_factor * chosen, most);
    const double duration = window_duration(&measurement->material, rate, memory);
    const int steps = (int)fmax(ceil(duration / dt - 1e-9), LEAST_STEPS);
    const int most_windows = memory > 0.0 ? MOST_WINDOWS : MOST_WINDOWS_WITHOUT_MEMORY;
    Window before = {0.0, 0.0}, now = {0.0, 0.0};
    point->drift = INFINITY;
    for (int n = 0; n < most_windows && (n < LEAST_WINDOWS || point->drift > STEADY_CHANGE); n++) {
        before = now;
        const dlp_Result result = average(sample, rate, dt, steps, &now, error);
        if (result != DLP_OK) {
            return result;
        }
        const double scale = fmax(fabs(now.stress), fabs(now.normal_stress));
        point->steps += steps;
        point->drift = fmax(fabs(now.stress - before.stress) / fabs(now.stress),
                            fabs(now.normal_stress - before.normal_stress) / scale);
    }
    point->time_step = dt;
    point->measured = (dlp_Rheology){now.stress, now.normal_stress, NAN, NAN, NAN};
    point->law = (dlp_Rheology){dlp_material_shear_stress(&measurement->material, rate),
                                dlp_material_normal_stress(&measurement->material, rate), NAN, NAN, NAN};
    return DLP_OK;
}

dlp_Result dlp__measure_flow(dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    dlp__Sample sample;
    dlp_Result result = dlp__sample_create(&sample, &measurement->material, def->spacing, (int)def->edge, def->threads,
                                           error);
    for (int k = 0; k < def->points && result == DLP_OK; k++) {
        dlp_MeasuredPoint *point = &measurement->points[measurement->count];
        *point = (dlp_MeasuredPoint){
            .time = NAN, .rate = dlp__rheometer_position(def, k), .frequency = NAN, .amplitude = NAN};
        result = measure_point(measurement, &sample, point, error);
        measurement->count += result == DLP_OK;
        dlp__rheometer_report(measurement, (double)(k + 1) / (double)def->points);
    }
    dlp__sample_destroy(&sample);
    return result;
}
