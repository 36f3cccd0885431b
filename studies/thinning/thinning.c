/* Threads under surface tension: the growth of a wave at several wave numbers, and the thinning of the neck of a Newtonian and of an Oldroyd-B
 * thread. Surface tension and radius are 1, and so is the viscosity of Newtonian threads; threads are periodic along z. */
#include "studies/periodic_thread.h"
#include "studies/study_output.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

#define SETTLED \
    3.0 /* s, until that arrangement has relaxed; the reference starts there with the amplitude of the thread */

/* Growth of waves. */
#define INERT         4.0  /* density: Ohnesorge number 0.5 */
#define WAVE_START    0.1  /* amplitude over radius         */
#define WAVE_FROM     0.13 /* the growth rate is measured between these */
#define WAVE_TO       0.22
#define GROWTH_ERROR  0.15
#define FASTEST_ERROR 0.15

/* Thinning. */
#define LIGHT        0.05 /* density: Ohnesorge number 4.5, inertia slows a wave by 0.8 % */
#define NECK_WAVE    0.5  /* wave number */
#define NECK_START   0.2  /* amplitude over radius, Newtonian */
#define SLICE        1.0  /* length over which the radius of the neck is measured */
#define LINEAR_FROM  0.5  /* the rate of thinning is measured between these radii */
#define LINEAR_TO    0.25
#define LINEAR_LAW   0.0709 /* of sigma / eta: Papageorgiou, Phys. Fluids 7 (1995) */
#define LINEAR_ERROR 0.10

/* Elasto-capillary thinning. */
#define SOLVENT       0.5
#define MODULUS       0.5
#define RELAXATION    4.0
#define ELASTIC_START 0.3  /* amplitude over radius */
#define STIFF         40.0 /* viscosity while the arrangement of particles relaxes, so that the neck stays as it is */
#define ELASTIC_FROM  0.45
#define ELASTIC_TO    0.31 /* 2.5 spacings at 8 particles a radius; thinner necks thin too fast */
#define ELASTIC_ERROR 0.10

#define CURVE_ERROR 0.05 /* of the initial radius, at any time */
#define LAST        40.0 /* s */

enum { PER_RADIUS = 6, FINE = 8, SAMPLES_MOST = 1024, EVERY = 5 };

/* s: steps that resolve the surface tension. */
static double step_of(int per_radius)
{
    return 0.16 / per_radius;
}

/* In steps of a thread of 6 particles a radius, 2 pi long. */
static double work_of_step(int per_radius, double wave_number)
{
    return pow((double)per_radius / PER_RADIUS, 3) / wave_number;
}

/* Slope of the line that fits the points best whose y is between two values, first reached from above or below. */
static double slope_between(const double *x, const double *y, int count, double from, double to)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        if ((y[k] - from) * (y[k] - to) <= 0) {
            n += 1;
            sx += x[k];
            sy += y[k];
            sxx += x[k] * x[k];
            sxy += x[k] * y[k];
        }
    }
    return n > 2 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : NAN;
}

/* Modified Bessel functions of the first kind, of order 0 and 1. */
static double bessel(int order, double x)
{
    double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 60; k++) {
        term *= x * x / 4 / k / (k + order);
        sum += term;
    }
    return sum;
}

static double bessel_slope(double x)
{
    return bessel(0, x) - bessel(1, x) / x;
}

/* Chandrasekhar's relation of the growth rate w and the wave number k of a cylinder of radius 1 and surface tension 1: 0 if they belong together,
 * negative if w is too small (Hydrodynamic and Hydromagnetic Stability, section 111). */
static double dispersion(double w, double k, double viscosity, double density)
{
    const double nu = viscosity / density, l = sqrt(k * k + w / nu);
    const double friction = bessel_slope(k) -
                            2 * k * l / (k * k + l * l) * bessel(1, k) / bessel(1, l) * bessel_slope(l);
    return w * w + 2 * nu * k * k * w / bessel(0, k) * friction -
           k / density * (1 - k * k) * bessel(1, k) / bessel(0, k) * (l * l - k * k) / (l * l + k * k);
}

/* 1/s, of a cylinder of this radius. Time is measured in viscosity * radius / tension and density in viscosity^2 / (tension radius). */
static double known_growth(double wave_number, double radius, double viscosity, double density)
{
    double low = 1e-9, high = 10;
    for (int n = 0; n < 80; n++) {
        const double middle = (low + high) / 2;
        *(dispersion(middle, wave_number * radius, 1, density * radius / (viscosity * viscosity)) < 0 ? &low
                                                                                                      : &high) = middle;
    }
    return low / (viscosity * radius);
}

typedef struct Growth {
    double rate, known; /* 1/s */
    double wave_number; /* over the radius */
} Growth;

/* The flow of a wave that grows: amplitude times rate, over the radius, and where its neck is. */
typedef struct WaveFlow {
    double wave_number, speed, neck;
} WaveFlow;

static void set_wave_flow(void *context, uint64_t id, const float position[3], float velocity[3])
{
    const WaveFlow *flow = context;
    const double angle = flow->wave_number * ((double)position[2] - flow->neck) + PI,
                 outwards = flow->speed * cos(angle);
    (void)id;
    velocity[0] = (float)outwards * position[0];
    velocity[1] = (float)outwards * position[1];
    velocity[2] = (float)(-2 * flow->speed / flow->wave_number * sin(angle));
}

/* Start the wave of a settled thread with the flow of the growing mode; at rest it would be half a decaying one, for seconds. */
static void start_wave(StudyRun *run, PeriodicThread *thread, double rate)
{
    WaveFlow flow = {.wave_number = thread->wave_number};
    flow.speed = rate * thread_amplitude(run, thread, &flow.neck);
    if (study_going(run)) {
        study_keep(run, thread->world, dlp_world_push(thread->world, set_wave_flow, &flow));
    }
}

static Growth grow(StudyRun *run, StudyPlot *plot, int per_radius, double wave_number)
{
    static double time[SAMPLES_MOST], amplitude[SAMPLES_MOST];
    const ThreadShape shape = {.length = 2 * PI / wave_number, .amplitude = WAVE_START};
    int count = 0;
    study_case(run, "wave number %g, %d particles a radius", wave_number, per_radius);
    study_weigh(run, work_of_step(per_radius, wave_number));
    PeriodicThread thread = thread_make(run, &shape, per_radius, 1, INERT);
    StudySeries *series = study_series(plot, "k R = %g", wave_number);
    const double dt = step_of(per_radius);
    Growth growth = {.wave_number = thread.wave_number * thread.radius};
    growth.known = known_growth(thread.wave_number, thread.radius, 1, INERT);
    study_run_for(run, thread.world, SETTLED, dt);
    start_wave(run, &thread, growth.known);
    for (int n = 1; count < SAMPLES_MOST && n * dt < LAST && study_step(run, thread.world, dt); n++) {
        double neck;
        if (n % EVERY != 0) {
            continue;
        }
        const double now = thread_amplitude(run, &thread, &neck);
        study_point(series, n * dt, log(now));
        time[count] = n * dt;
        amplitude[count++] = log(now);
        if (now > WAVE_TO) {
            break;
        }
    }
    growth.rate = slope_between(time, amplitude, count, log(WAVE_FROM), log(WAVE_TO));
    thread_destroy(&thread);
    return growth;
}

/* Where the parabola through the fastest of the rates and its neighbours has its maximum. */
static double fastest_wave(const double *x, const double *y, int count)
{
    int m = 1;
    for (int n = 1; n < count - 1; n++) {
        m = y[n] > y[m] ? n : m;
    }
    const double left = (y[m] - y[m - 1]) / (x[m] - x[m - 1]), right = (y[m + 1] - y[m]) / (x[m + 1] - x[m]);
    const double bend = (right - left) / (x[m + 1] - x[m - 1]);
    return (x[m] + x[m - 1]) / 2 - left / (2 * bend);
}

typedef struct Thinning {
    const char *name;
    ThreadShape shape;
    bool elastic;
    double settled;  /* s, before the neck thins                */
    double from, to; /* radii between which the rate is measured */
    double law;      /* of that rate                             */
    double error;    /* allowed                                  */
} Thinning;

static const Thinning newtonian = {"Newtonian", {.length = 2 * PI / NECK_WAVE, .amplitude = NECK_START},
                                   false,       SETTLED,
                                   LINEAR_FROM, LINEAR_TO,
                                   LINEAR_LAW,  LINEAR_ERROR};
static const Thinning oldroyd = {"Oldroyd-B",
                                 {.length = 2 * PI / NECK_WAVE, .amplitude = ELASTIC_START},
                                 true,
                                 SETTLED / 2,
                                 ELASTIC_FROM,
                                 ELASTIC_TO,
                                 1 / (3 * RELAXATION),
                                 ELASTIC_ERROR};

/* Radii of the neck, of the thread and of the slender thread that starts with the same shape; NaN from when on a thread is thinner than asked. */
typedef struct Necks {
    double time[SAMPLES_MOST], thread[SAMPLES_MOST], slender[SAMPLES_MOST];
    int count;
} Necks;

/* A thread with particles at rest in their final disorder, then of the fluid asked for. */
static PeriodicThread settled_thread(StudyRun *run, const Thinning *thinning, int per_radius)
{
    PeriodicThread thread = thread_make(run, &thinning->shape, per_radius, thinning->elastic ? STIFF : 1, LIGHT);
    study_run_for(run, thread.world, thinning->settled, step_of(per_radius));
    if (thinning->elastic && study_going(run)) {
        study_set_material(run, thread.world, thread.fluid, "viscosity", MODULUS * RELAXATION);
        study_set_material(run, thread.world, thread.fluid, "relaxation_time", RELAXATION);
        study_set_material(run, thread.world, thread.fluid, "solvent_viscosity", SOLVENT);
    }
    return thread;
}

/* Radii of the slender thread until it is thinner than asked. */
static void follow_slender(StudyRun *run, const Thinning *thinning, const dlp_ThreadDef *def, Necks *necks)
{
    dlp_MaterialDef fluid = dlp_default_material_def();
    dlp_Error error = {0};
    fluid.surface_tension = 1;
    fluid.viscosity = thinning->elastic ? MODULUS * RELAXATION : 1;
    fluid.relaxation_time = thinning->elastic ? RELAXATION : 0;
    fluid.solvent_viscosity = thinning->elastic ? SOLVENT : 0;
    if (study_going(run) &&
        dlp_material_thread(&fluid, def, necks->time, necks->count, necks->slender, &error) != DLP_OK) {
        study_fail(run, error.code, "%s", error.text);
    }
    for (int n = 0; n < necks->count; n++) {
        necks->slender[n] = necks->slender[n] > 0.95 * thinning->to ? necks->slender[n] : NAN;
    }
}

static void follow_necks(StudyRun *run, const Thinning *thinning, int per_radius, Necks *necks)
{
    double place, radii[THREAD_RADII];
    bool thick = true;
    study_case(run, "%s thread, %d particles a radius", thinning->name, per_radius);
    study_weigh(run, work_of_step(per_radius, NECK_WAVE));
    PeriodicThread thread = settled_thread(run, thinning, per_radius);
    const double dt = step_of(per_radius);
    thread_amplitude(run, &thread, &place);
    const dlp_ThreadDef slender = thread_slender(&thread, place, SLICE, radii);
    necks->count = 0;
    for (int n = EVERY; n * dt < LAST && necks->count < SAMPLES_MOST; n += EVERY) {
        for (int step = 0; step < EVERY && thick; step++) {
            thick = study_step(run, thread.world, dt);
        }
        if (thick) {
            thread_amplitude(run, &thread, &place);
        }
        const double radius = thick ? thread_neck(&thread, place, SLICE) : NAN;
        thick = radius > 0.95 * thinning->to;
        necks->time[necks->count] = n * dt;
        necks->thread[necks->count++] = thick ? radius : NAN;
    }
    follow_slender(run, thinning, &slender, necks);
    thread_destroy(&thread);
}

/* Rate of thinning (1/s), of its logarithm where the fluid is elastic. */
static double rate_of(const Thinning *thinning, const Necks *necks, const double *radius)
{
    double value[SAMPLES_MOST];
    const bool elastic = thinning->elastic;
    for (int n = 0; n < necks->count; n++) {
        value[n] = elastic ? log(radius[n]) : radius[n];
    }
    return -slope_between(necks->time, value, necks->count, elastic ? log(thinning->from) : thinning->from,
                          elastic ? log(thinning->to) : thinning->to);
}

/* Largest difference of the radii, until either neck is thinner than where the rate is measured. */
static double curve_error(const Thinning *thinning, const Necks *necks)
{
    double most = 0;
    for (int n = 0; n < necks->count; n++) {
        if (fmin(necks->thread[n], necks->slender[n]) > thinning->to) {
            most = fmax(most, fabs(necks->thread[n] - necks->slender[n]));
        }
    }
    return most;
}

static void list_necks(StudyTable *table, const Thinning *thinning, const Necks *necks, int per_radius)
{
    for (int n = 0; n < necks->count && isfinite(fmax(necks->thread[n], necks->slender[n])); n++) {
        const double row[] = {per_radius, necks->time[n], necks->thread[n], necks->slender[n]};
        study_word(table, "%s", thinning->name);
        study_numbers(table, row, sizeof row / sizeof row[0]);
    }
}

static void plot_necks(StudyPlot *plot, const Necks *necks, int per_radius, int color)
{
    StudySeries *thread = study_series(plot, "%d particles a radius", per_radius);
    StudySeries *slender = study_series(plot, "slender thread of the same shape");
    study_style(thread, color, STUDY_LINE);
    study_style(slender, color, STUDY_DASHED);
    for (int n = 0; n < necks->count; n++) {
        if (isfinite(necks->thread[n])) {
            study_point(thread, necks->time[n], necks->thread[n]);
        }
        if (isfinite(necks->slender[n])) {
            study_point(slender, necks->time[n], necks->slender[n]);
        }
    }
}

typedef struct Found {
    double rate, curve; /* largest errors */
} Found;

static Found thin(StudyRun *run, StudyTable *table, StudyTable *list, const Thinning *thinning)
{
    static Necks necks;
    const bool elastic = thinning->elastic;
    StudyPlot *plot = study_plot(run, elastic ? "elastic_plot" : "newtonian_plot",
                                 elastic ? "Neck of an Oldroyd-B thread" : "Neck of a Newtonian thread", "time, s",
                                 "radius of the neck");
    Found found = {0};
    if (elastic) {
        study_scales(plot, STUDY_LINEAR, STUDY_LOG);
    }
    /* The elastic neck needs the finer one. */
    for (int k = elastic ? 1 : 0; k < (run->quick ? 1 : 2); k++) {
        const int per_radius = k == 0 ? PER_RADIUS : FINE;
        follow_necks(run, thinning, per_radius, &necks);
        const double rate = rate_of(thinning, &necks, necks.thread), slender = rate_of(thinning, &necks, necks.slender);
        const double row[] = {per_radius, rate / thinning->law, slender / thinning->law, rate / slender,
                              curve_error(thinning, &necks)};
        study_word(table, "%s", thinning->name);
        study_numbers(table, row, sizeof row / sizeof row[0]);
        plot_necks(plot, &necks, per_radius, k);
        list_necks(list, thinning, &necks, per_radius);
        const double error = fmax(fabs(row[1] - 1), fabs(row[3] - 1));
        found.rate = error <= found.rate ? found.rate : error;
        found.curve = row[4] <= found.curve ? found.curve : row[4];
    }
    return found;
}

typedef struct Waves {
    double growth, fastest; /* errors */
} Waves;

static Waves grow_all(StudyRun *run)
{
    static const double wave_numbers[] = {0.35, 0.45, 0.55, 0.65, 0.75};
    static const char *const columns[][2] = {{"wave number", "1 / R"},
                                             {"particles a radius", ""},
                                             {"growth", "1/s"},
                                             {"Chandrasekhar", "1/s"},
                                             {"growth over theory", ""}};
    enum { WAVES = sizeof wave_numbers / sizeof wave_numbers[0] };
    double x[WAVES], rate[WAVES], known[WAVES];
    Waves waves = {0};
    StudyTable *table = study_table(run, "growth", "Growth of waves");
    StudyPlot *plot = study_plot(run, "growth_plot", "Growth of waves on a thread", "time, s", "log (amplitude / R)");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    for (int n = 0; n < WAVES; n++) {
        const int per_radius = PER_RADIUS;
        const Growth growth = grow(run, plot, per_radius, wave_numbers[n]);
        const double row[] = {growth.wave_number, per_radius, growth.rate, growth.known, growth.rate / growth.known};
        study_numbers(table, row, sizeof row / sizeof row[0]);
        x[n] = growth.wave_number;
        rate[n] = growth.rate;
        known[n] = growth.known;
        const double error = fabs(row[4] - 1);
        waves.growth = error <= waves.growth ? waves.growth : error;
    }
    waves.fastest = fastest_wave(x, rate, WAVES) / fastest_wave(x, known, WAVES) - 1;
    return waves;
}

static void run(StudyRun *run)
{
    static const char *const columns[][2] = {{"fluid", ""},
                                             {"particles a radius", ""},
                                             {"rate over law", ""},
                                             {"slender thread over law", ""},
                                             {"rate over slender thread", ""},
                                             {"largest difference of the radius", "R"}};
    study_plan(run, run->quick ? 5100 : 10200);
    const Waves waves = grow_all(run);
    StudyTable *table = study_table(run, "thinning", "Thinning of necks");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    static const char *const listed[][2] = {
        {"fluid", ""}, {"particles a radius", ""}, {"time", "s"}, {"radius", "R"}, {"slender thread", "R"}};
    StudyTable *list = study_long_table(run, "necks");
    study_columns(list, listed, sizeof listed / sizeof listed[0]);
    const Found viscous = thin(run, table, list, &newtonian), elastic = thin(run, table, list, &oldroyd);
    const bool holds = waves.growth <= GROWTH_ERROR && fabs(waves.fastest) <= FASTEST_ERROR &&
                       viscous.rate <= newtonian.error && elastic.rate <= oldroyd.error &&
                       fmax(viscous.curve, elastic.curve) <= CURVE_ERROR;
    study_verdict(
        run, holds,
        "growth rates within %.0f %%, the fastest wave number within %.0f %%; necks thin at rates within %.0f %% "
        "(Newtonian) and %.0f %% (Oldroyd-B), radii differ from those of slender threads by at most %.3f R",
        100 * waves.growth, 100 * fabs(waves.fastest), 100 * viscous.rate, 100 * elastic.rate,
        fmax(viscous.curve, elastic.curve));
}

const Study thinning_study = {
    .name = "thinning",
    .paper = "known answers: Rayleigh, Chandrasekhar, Papageorgiou, Entov and Hinch",
    .claim =
        "Waves on a thread grow at Chandrasekhar's rates, within 15 %; the neck of a viscous thread thins at 0.0709 sigma / eta, that of an "
        "Oldroyd-B thread as exp(-t / (3 lambda)), both within 10 %.",
    .run = run,
};
