/* Flow curve: the rate rises from point to point in one sample; each point waits until the stress is steady. */
#include "rheology/rheometer_parts.h"
#include "rheology/sheared_sample.h"

#include <dollop/rheology.h>
#include <math.h>

/* Of a step: strain, strain of elastic fluids and pastes, and part of the longest relaxation time. Elastic ones fluctuate at longer steps: a
 * polymer melt at a Weissenberg number of 2 and a strain of 0.1 has 4 % less stress and 11 % less N1 than its law. */
static const double STRAIN_PER_STEP = 0.05, ELASTIC_STRAIN_PER_STEP = 0.025, TIME_PER_STEP = 0.1;
/* Stresses are averaged over windows of this part of the memory of the material, or this strain if it has none, until the mean of a window
 * differs from that of the window before by less than the change. What is left of an exponential decay is then 1.5 times that. A stress that
 * still fluctuates by more after the most windows is averaged over the second half of them. */
static const double WINDOW_MEMORY = 0.5, WINDOW_STRAIN = 0.5, STEADY_CHANGE = 3e-4;
enum {
    LEAST_WINDOWS = 3,
    MOST_WINDOWS = 24,
    MOST_WINDOWS_WITHOUT_MEMORY = 8,
    LEAST_STEPS = 5, /* of a window */
    READS = 5,       /* of the stress in a window */
};

typedef struct Window {
    double stress, normal_stress; /* Pa, means */
} Window;

static void add_part(Window *sum, double stress, double normal_stress, double part)
{
    sum->stress += part * stress;
    sum->normal_stress += part * normal_stress;
}

static dlp_Result average(dlp__Sample *sample, double rate, double dt, int steps, Window *window, dlp_Error *error)
{
    *window = (Window){0.0, 0.0};
    for (int n = 0; n < steps; n++) {
        dlp_Result result = dlp__sample_step(sample, rate, dt, error);
        const bool is_read = (int64_t)(n + 1) * READS / steps > (int64_t)n * READS / steps;
        result = result == DLP_OK && is_read ? dlp__sample_read(sample, rate, error) : result;
        if (result != DLP_OK) {
            return result;
        }
        if (is_read) {
            add_part(window, sample->stress, sample->normal_stress, 1.0 / READS);
        }
    }
    return DLP_OK;
}

/* s, of the elastic stress of a paste that flows: Saramito's law relaxes it at a rate of modulus * shear rate / shear stress. */
static double plastic_memory(const dlp_MaterialDef *material, double rate)
{
    const double modulus = material->flow_law != DLP_FLOW_NEWTONIAN ? dlp__instantaneous_modulus(material) : 0.0;
    return modulus > 0.0 ? dlp_material_shear_stress(material, rate) / (modulus * rate) : 0.0;
}

/* How a point is measured. */
typedef struct Plan {
    double dt;
    int steps, most_windows; /* the former of a window */
} Plan;

static Plan plan_point(const dlp_Measurement *measurement, double rate)
{
    const dlp_RheometerDef *def = &measurement->def;
    const dlp_MaterialDef *material = &measurement->material;
    const double recovery = material->recovery_time > 0.0
                                ? 1.0 / (1.0 / material->recovery_time + material->breakdown * rate)
                                : 0.0;
    const double relaxation = dlp__material_times(material).longest, time = fmax(relaxation, recovery);
    const bool is_elastic = relaxation > 0.0 || material->modulus > 0.0;
    const double strain = is_elastic ? ELASTIC_STRAIN_PER_STEP : STRAIN_PER_STEP;
    const double memory = fmax(
        time, plastic_memory(material, rate)); /* s, after which stress is steady but for a factor of e */
    const double most = dlp__longest_step(measurement), by_strain = fmin(strain / rate, most);
    const double chosen = time > 0.0 ? fmin(by_strain, TIME_PER_STEP * time) : by_strain;
    const double dt = def->time_step > 0.0 ? def->time_step : fmin(def->time_step_factor * chosen, most);
    const double duration = memory > 0.0 ? WINDOW_MEMORY * memory : WINDOW_STRAIN / rate;
    return (Plan){.dt = dt,
                  .steps = (int)fmin(fmax(ceil(duration / dt - 1e-9), LEAST_STEPS), INT32_MAX),
                  .most_windows = memory > 0.0 ? MOST_WINDOWS : MOST_WINDOWS_WITHOUT_MEMORY};
}

static dlp_Result measure_point(const dlp_Measurement *measurement, dlp__Sample *sample, dlp_MeasuredPoint *point,
                                dlp_Error *error)
{
    const double rate = point->rate;
    const Plan plan = plan_point(measurement, rate);
    const int half = plan.most_windows / 2;
    Window before = {0.0, 0.0}, now = {0.0, 0.0}, late = {0.0, 0.0};
    point->drift = INFINITY;
    for (int n = 0; n < plan.most_windows && (n < LEAST_WINDOWS || point->drift > STEADY_CHANGE); n++) {
        before = now;
        const dlp_Result result = average(sample, rate, plan.dt, plan.steps, &now, error);
        if (result != DLP_OK) {
            return result;
        }
        add_part(&late, now.stress, now.normal_stress, n >= half ? 1.0 / half : 0.0);
        const double scale = fmax(fabs(now.stress), fabs(now.normal_stress));
        point->steps += plan.steps;
        point->drift = fmax(fabs(now.stress - before.stress) / fabs(now.stress),
                            fabs(now.normal_stress - before.normal_stress) / scale);
    }
    now = point->drift > STEADY_CHANGE ? late : now;
    point->time_step = plan.dt;
    point->measured = dlp__shear_rheology(now.stress, now.normal_stress, NAN);
    point->law = dlp__shear_rheology(dlp_material_shear_stress(&measurement->material, rate),
                                     dlp_material_normal_stress(&measurement->material, rate), NAN);
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
        *point = dlp__empty_point();
        point->rate = dlp__rheometer_position(def, k);
        result = measure_point(measurement, &sample, point, error);
        measurement->count += result == DLP_OK;
        dlp__rheometer_report(measurement, (double)(k + 1) / (double)def->points);
    }
    dlp__sample_destroy(&sample);
    return result;
}
