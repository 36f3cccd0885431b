/* Test of thinning: a periodic thread with a wave, which surface tension makes grow, beside the slender thread that starts with the same
 * amplitude. */
#include "rheology/rheometer_parts.h"
#include "rheology/sample_world.h"

#include <dollop/rheology.h>
#include <dollop/world.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static const double WAVE_NUMBER = 0.5, AMPLITUDE = 0.3; /* of the wave, over the radius of the thread */
static const double WINDOW = 1.0;                       /* length over which the neck is measured, over that radius */
static const double THINNEST = 0.5;                     /* radius of the neck at the end, over that of the thread */

/* The radius of the thread: at most this, and so small that inertia and the elasticity at the start do not keep it from thinning. */
static const double WIDEST = 5e-3, NARROWEST = 1e-6; /* m */
static const double LEAST_OHNESORGE = 4.5, MOST_ELASTICITY = 0.1;

/* Steps: surface tension over viscosity or inertia of a spacing, and parts of a relaxation time. */
static const double VISCOUS_STEP = 0.16, INERTIAL_STEP = 0.2, ELASTIC_STEP = 0.05;

/* Particles are displaced at random from a lattice by up to this many spacings, and shifted apart while the fluid is this much more viscous. */
static const double DISPLACEMENT = 0.3, STIFFNESS = 40.0;
enum { SETTLING_STEPS = 80, RADII = 200, STEPS_MOST = 40000, SEARCHES = 8, SEARCH_POINTS = 100, WAVES = 4 };

/* Pa.s: of the part that follows the rate at once, and with the elastic parts. */
typedef struct Viscosities {
    double newtonian, total;
} Viscosities;

static Viscosities viscosities_of(const dlp_MaterialDef *m)
{
    const double tiny_rate = 1e-6 / fmax(dlp__material_times(m).longest, 1e-6);
    const double total = dlp_material_shear_stress(m, tiny_rate) / tiny_rate;
    return (Viscosities){dlp__material_times(m).longest > 0.0 ? m->solvent_viscosity : total, total};
}

/* The cross section along a wave over its mean is 1 + the sum of part[n] cos((n + 1) k z), z from the bulge. */
typedef struct Wave {
    double part[WAVES];
} Wave;

/* A sine of the radius. */
static Wave sine_wave(double amplitude)
{
    const double mean = 1.0 + amplitude * amplitude / 2.0;
    return (Wave){{2.0 * amplitude / mean, amplitude * amplitude / 2.0 / mean}};
}

/* Radius over that of the cylinder of the same volume, at a part of the way from the bulge to the neck. */
static double wave_radius(const Wave *wave, double place)
{
    double area = 1.0;
    for (int n = 0; n < WAVES; n++) {
        area += wave->part[n] * cos(PI * (n + 1) * place);
    }
    return sqrt(fmax(area, 1e-4));
}

static dlp_ThreadDef slender_thread(double radius, double length, const Wave *wave, double radii[RADII])
{
    dlp_ThreadDef def = dlp_default_thread_def();
    for (int n = 0; n < RADII; n++) {
        radii[n] = radius * wave_radius(wave, (n + 0.5) / RADII);
    }
    def.length = length;
    def.radii = radii;
    def.count = RADII;
    def.window = WINDOW * radius;
    return def;
}

/* s, until the slender thread is THINNEST. */
static dlp_Result find_duration(const dlp_MaterialDef *m, double radius, double *duration, dlp_Error *error)
{
    double radii[RADII], times[SEARCH_POINTS], necks[SEARCH_POINTS];
    const Wave wave = sine_wave(AMPLITUDE);
    const dlp_ThreadDef thread = slender_thread(radius, 2.0 * PI / WAVE_NUMBER * radius, &wave, radii);
    dlp_Result result = DLP_OK;
    *duration = 10.0 * viscosities_of(m).total * radius / m->surface_tension;
    for (int search = 0; search < SEARCHES && result == DLP_OK; search++) {
        for (int k = 0; k < SEARCH_POINTS; k++) {
            times[k] = *duration * (k + 1) / SEARCH_POINTS;
        }
        result = dlp_material_thread(m, &thread, times, SEARCH_POINTS, necks, error);
        for (int k = 0; k < SEARCH_POINTS && result == DLP_OK; k++) {
            if (!(necks[k] > THINNEST * radius)) {
                *duration = times[k];
                return DLP_OK;
            }
        }
        *duration *= search + 1 < SEARCHES ? 2.0 : 1.0;
    }
    return result;
}

dlp_Result dlp__complete_thinning(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error)
{
    double radii[RADII], duration = 0.0;
    const Wave wave = sine_wave(AMPLITUDE);
    const dlp_ThreadDef thread = slender_thread(1.0, 2.0 * PI / WAVE_NUMBER, &wave, radii);
    dlp_Result result = dlp_material_thread(material, &thread, radii, 0, radii,
                                            error); /* refuses laws and lacks tension */
    if (result != DLP_OK) {
        return result;
    }
    const double viscosity = viscosities_of(material).total, modulus = dlp__instantaneous_modulus(material);
    double radius = viscosity * viscosity /
                    (LEAST_OHNESORGE * LEAST_OHNESORGE * material->density * material->surface_tension);
    if (modulus > 0.0) {
        radius = fmin(radius, MOST_ELASTICITY * material->surface_tension / modulus);
    }
    if (def->spacing <= 0.0 && radius < NARROWEST) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "the law, which has no inertia, or a small elasticity at the start hold for threads thinner than "
            "%.2g m only: give a spacing to measure another one",
            radius);
    }
    def->spacing = def->spacing > 0.0 ? def->spacing : fmin(radius, WIDEST) / (double)def->edge;
    if (def->to <= 0.0) {
        result = find_duration(material, def->spacing * (double)def->edge, &duration, error);
        def->to = duration;
    }
    def->points = def->points > 0 ? def->points : 40;
    def->from = def->from > 0.0 ? def->from : def->to / (double)def->points;
    return result;
}

/* A thread of particles along z, its bulge at the height 0. */
typedef struct Sample {
    dlp_World *world;
    double spacing, length, radius; /* m; radius of a cylinder of the same volume */
    double neck;                    /* m, its height, when read last */
} Sample;

static dlp_Result fail(const Sample *sample, dlp_Result result, dlp_Error *error)
{
    return result == DLP_OK ? DLP_OK : dlp__rheometer_fail(error, result, "%s", dlp_world_error(sample->world));
}

/* The displaced points of a lattice that are inside the wave. */
static dlp_Result fill(Sample *sample, int64_t edge, dlp_Error *error)
{
    const int layers = (int)lround(sample->length / sample->spacing), side = (int)(2 * (edge + edge / 2) + 2);
    float(*points)[3] = malloc((size_t)layers * side * side * sizeof *points);
    const Wave start = sine_wave(AMPLITUDE);
    uint64_t state = 7;
    int64_t count = 0;
    if (!points) {
        return dlp__rheometer_fail(error, DLP_ERROR_MEMORY, "no memory for the thread");
    }
    for (int i = 0; i < layers * side * side; i++) {
        const int column = i % side, row = i / side % side, layer = i / side / side;
        const double place[3] = {column - 0.5 * (side - 1), row - 0.5 * (side - 1), layer + 0.5 - 0.5 * layers};
        double at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = sample->spacing * (place[a] + DISPLACEMENT * (2.0 * dlp__next_fraction(&state) - 1.0));
        }
        const double h = (double)edge * sample->spacing * wave_radius(&start, 2.0 * at[2] / sample->length);
        if (hypot(at[0], at[1]) < h) {
            for (int a = 0; a < 3; a++) {
                points[count][a] = (float)at[a];
            }
            count++;
        }
    }
    sample->radius = sqrt((double)count * pow(sample->spacing, 3) / (PI * sample->length));
    const dlp_Result result = dlp_world_add_points(sample->world, 0, points[0], count, (dlp_Vec3){0, 0, 0});
    free(points);
    return fail(sample, result, error);
}

static void stop(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    (void)position;
    velocity[0] = velocity[1] = velocity[2] = 0.0f;
}

/* A Newtonian thread that hardly thins while its particles are shifted apart; then the material. */
static dlp_Result create(Sample *sample, const dlp_RheometerDef *def, const dlp_MaterialDef *material, double dt,
                         dlp_Error *error)
{
    dlp_MaterialDef stiff = dlp_default_material_def();
    dlp_WorldDef world_def = dlp_default_world_def();
    stiff.density = material->density;
    stiff.surface_tension = material->surface_tension;
    stiff.viscosity = STIFFNESS * fmax(viscosities_of(material).newtonian,
                                       dt * material->surface_tension / (VISCOUS_STEP * def->spacing));
    sample->spacing = def->spacing;
    sample->length = round(2.0 * PI / WAVE_NUMBER * (double)def->edge) * def->spacing;
    snprintf(world_def.method, sizeof world_def.method, "physical");
    world_def.spacing = def->spacing;
    world_def.gravity = (dlp_Vec3){0, 0, 0};
    world_def.periodic_min.z = -sample->length / 2.0;
    world_def.periodic_size.z = sample->length;
    world_def.threads = def->threads;
    dlp_Result result = dlp_world_create(&world_def, &sample->world, error);
    if (result != DLP_OK) {
        return result;
    }
    result = fail(sample, dlp_world_add_material(sample->world, &stiff, NULL), error);
    result = result == DLP_OK ? fill(sample, def->edge, error) : result;
    for (int n = 0; n < SETTLING_STEPS && result == DLP_OK; n++) {
        result = fail(sample, dlp_world_step(sample->world, dt), error);
    }
    result = result == DLP_OK ? fail(sample, dlp_world_push(sample->world, stop, NULL), error) : result;
    return result == DLP_OK ? fail(sample, dlp_world_set_material(sample->world, 0, material), error) : result;
}

/* Sum of cos(wave_number (z - from)) over the particles, and of the sine. */
static dlp_Result find_component(const Sample *sample, double wave_number, double from, double *cosine, double *sine,
                                 dlp_Error *error)
{
    *cosine = *sine = 0.0;
    for (int part = 0; part < dlp_world_part_count(sample->world); part++) {
        dlp_ParticleView view;
        const dlp_Result result = dlp_world_view(sample->world, part, &view);
        for (int64_t i = 0; i < view.count && result == DLP_OK; i++) {
            *cosine += cos(wave_number * ((double)view.position[2][i] - from));
            *sine += sin(wave_number * ((double)view.position[2][i] - from));
        }
        if (result != DLP_OK) {
            return fail(sample, result, error);
        }
    }
    return DLP_OK;
}

static dlp_Result find_neck(Sample *sample, dlp_Error *error)
{
    const double wave_number = 2.0 * PI / sample->length;
    double cosine, sine;
    const dlp_Result result = find_component(sample, wave_number, 0.0, &cosine, &sine, error);
    sample->neck = (atan2(sine, cosine) + PI) / wave_number;
    return result;
}

/* The shape of the thread: the longest waves of its cross section, as if it were symmetric. */
static dlp_Result find_wave(Sample *sample, Wave *wave, dlp_Error *error)
{
    dlp_Result result = find_neck(sample, error);
    for (int n = 0; n < WAVES && result == DLP_OK; n++) {
        double cosine, sine;
        result = find_component(sample, 2.0 * PI * (n + 1) / sample->length, sample->neck - sample->length / 2.0,
                                &cosine, &sine, error);
        wave->part[n] = 2.0 * cosine / (double)dlp_world_particle_count(sample->world);
    }
    return result;
}

/* m, radius of a cylinder with the mean cross section around the neck. */
static double neck_radius(const Sample *sample)
{
    const double window = WINDOW * sample->radius;
    double sum = 0.0;
    for (int part = 0; part < dlp_world_part_count(sample->world); part++) {
        dlp_ParticleView view;
        if (dlp_world_view(sample->world, part, &view) != DLP_OK) {
            return NAN;
        }
        for (int64_t i = 0; i < view.count; i++) {
            const double away = remainder((double)view.position[2][i] - sample->neck, sample->length);
            sum += fabs(away) < window / 2.0 ? (1.0 + cos(2.0 * PI * away / window)) / window : 0.0;
        }
    }
    return sqrt(sum * pow(sample->spacing, 3) / PI);
}

static double longest_step(const dlp_Measurement *measurement)
{
    const dlp_RheometerDef *def = &measurement->def;
    const dlp_MaterialDef *m = &measurement->material;
    const double viscous = VISCOUS_STEP * viscosities_of(m).newtonian * def->spacing / m->surface_tension;
    const double inertial = INERTIAL_STEP * sqrt(m->density * pow(def->spacing, 3) / m->surface_tension);
    const double shortest = dlp__material_times(m).shortest, longest = fmax(viscous, inertial);
    const double elastic = shortest > 0.0 ? fmin(longest, ELASTIC_STEP * shortest) : longest;
    return def->time_step > 0.0 ? def->time_step
                                : fmin(def->time_step_factor * elastic, dlp__longest_step(measurement));
}

static dlp_Result fill_law(dlp_Measurement *measurement, const Sample *sample, const Wave *wave, dlp_Error *error)
{
    double radii[RADII], *times = calloc(2 * DLP_RHEOMETER_POINTS_MOST, sizeof *times);
    if (!times) {
        return dlp__rheometer_fail(error, DLP_ERROR_MEMORY, "no memory for the law");
    }
    double *necks = times + DLP_RHEOMETER_POINTS_MOST;
    const dlp_ThreadDef thread = slender_thread(sample->radius, sample->length, wave, radii);
    for (int k = 0; k < measurement->count; k++) {
        times[k] = measurement->points[k].time;
    }
    const dlp_Result result = dlp_material_thread(&measurement->material, &thread, times, measurement->count, necks,
                                                  error);
    for (int k = 0; k < measurement->count && result == DLP_OK; k++) {
        measurement->points[k].law.radius = necks[k];
    }
    free(times);
    return result;
}

dlp_Result dlp__measure_thinning(dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    const double longest = longest_step(measurement);
    if (def->to / longest > STEPS_MOST) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "%.3g s of thinning in steps of %.2g s are more than %d steps: give a time step, a spacing or shorter times",
            def->to, longest, STEPS_MOST);
    }
    Sample sample = {.world = NULL};
    dlp_Result result = create(&sample, def, &measurement->material, longest, error);
    Wave wave = {{0}};
    double time = 0.0;
    measurement->particles = result == DLP_OK ? dlp_world_particle_count(sample.world) : 0;
    result = result == DLP_OK ? find_wave(&sample, &wave, error) : result;
    for (int k = 0; k < def->points && result == DLP_OK; k++) {
        const double end = dlp__rheometer_time(def, k);
        const int64_t steps = (int64_t)fmax(ceil((end - time) / longest - 1e-6), 1.0);
        for (int64_t n = 0; n < steps && result == DLP_OK; n++) {
            result = fail(&sample, dlp_world_step(sample.world, (end - time) / (double)steps), error);
        }
        result = result == DLP_OK ? find_neck(&sample, error) : result;
        if (result == DLP_OK) {
            dlp_MeasuredPoint *point = &measurement->points[measurement->count++];
            *point = dlp__empty_point();
            point->time = end;
            point->time_step = (end - time) / (double)steps;
            point->steps = steps;
            point->measured.radius = neck_radius(&sample);
        }
        time = end;
        dlp__rheometer_report(measurement, (double)(k + 1) / (double)def->points);
    }
    result = result == DLP_OK ? fill_law(measurement, &sample, &wave, error) : result;
    dlp_world_destroy(sample.world);
    return result;
}
