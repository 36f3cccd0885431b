/* Threads under surface tension: the growth of a wave at several wave numbers, and the thinning of the neck of a Newtonian and of an Oldroyd-B
 * thread. Surface tension and radius are 1, and so is the viscosity of Newtonian threads; threads are periodic along z. */
#include "studies/slender_thread.h"
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* Particles start in layers, displaced at random by up to this many spacings: an ordered surface has another tension than a disordered one, and
 * becomes disordered at the neck first, which draws the thread together at several times the right speed. */
#define JITTER 0.3
#define SEED   2463534242u

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
#define POLYMER       2.0
#define RELAXATION    4.0
#define ELASTIC_FROM  0.45
#define ELASTIC_TO    0.31 /* 2.5 spacings at 8 particles a radius; thinner necks thin too fast */
#define ELASTIC_START 0.3
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

typedef struct Thread {
    dlp_World *world;
    dlp_MaterialId fluid;
    StudyParticles particles;
    int64_t count;
    double spacing, length, radius; /* m; radius of a cylinder with the volume of the thread */
    double wave_number;             /* 1/m */
} Thread;

static double random_number(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state / 2147483648.0 - 1;
}

#define GOLDEN_ANGLE 2.39996322972865332

/* Layers one spacing apart, each a spiral of evenly spread particles whose radius follows a wave of this amplitude. Null: out of memory. */
static float *make_points(const Thread *thread, int per_radius, int layers, double amplitude, int64_t *count)
{
    float *points = malloc(sizeof *points * 3 * (size_t)(8 * per_radius * per_radius * layers));
    uint32_t random = SEED;
    double wanted = 0; /* particles so far, which need not be a whole number */
    int64_t n = 0;
    for (int layer = 0; points && layer < layers; layer++) {
        const double z = (layer + 0.5) * thread->spacing - thread->length / 2;
        const double h = (1 + amplitude * cos(thread->wave_number * z)) / sqrt(1 + amplitude * amplitude / 2);
        wanted += PI * h * h * per_radius * per_radius;
        const int64_t in_layer = llround(wanted) - n;
        for (int64_t p = 0; p < in_layer; p++, n++) {
            const double angle = GOLDEN_ANGLE * (double)p + layer,
                         radius = h * sqrt(((double)p + 0.5) / (double)in_layer);
            const double at[3] = {radius * cos(angle), radius * sin(angle), z};
            for (int a = 0; a < 3; a++) {
                points[3 * n + a] = (float)(at[a] + JITTER * thread->spacing * random_number(&random));
            }
        }
    }
    *count = n;
    return points;
}

/* A Newtonian thread of viscosity 1 with a wave. */
static Thread make_thread(StudyRun *run, int per_radius, double wave_number, double amplitude, double density)
{
    Thread thread = {.spacing = 1.0 / per_radius};
    const int layers = (int)lround(2 * PI / wave_number * per_radius);
    dlp_WorldDef def = study_world_def(run, "physical");
    thread.length = layers * thread.spacing;
    thread.wave_number = 2 * PI / thread.length;
    def.spacing = thread.spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_min = (dlp_Vec3){0, 0, -thread.length / 2};
    def.periodic_size = (dlp_Vec3){0, 0, thread.length};
    thread.world = study_world(run, &def);
    thread.fluid = STUDY_MATERIAL(run, thread.world, {"density", density}, {"viscosity", 1}, {"surface_tension", 1});
    float *points = make_points(&thread, per_radius, layers, amplitude, &thread.count);
    if (!points) {
        study_fail(run, DLP_ERROR_MEMORY, "no memory for the particles of a thread");
    } else if (study_going(run)) {
        study_keep(run, thread.world,
                   dlp_world_add_points(thread.world, thread.fluid, points, thread.count, (dlp_Vec3){0, 0, 0}));
    }
    free(points);
    thread.radius = sqrt((double)thread.count * pow(thread.spacing, 3) / (PI * thread.length));
    return thread;
}

static void destroy_thread(Thread *thread)
{
    study_particles_free(&thread->particles);
    dlp_world_destroy(thread->world);
}

/* First Fourier component of the volume per length over its mean, and the height of the neck (m). */
static double amplitude_of(StudyRun *run, Thread *thread, double *neck)
{
    double cosine = 0, sine = 0;
    study_read(run, thread->world, &thread->particles);
    for (int64_t i = 0; i < thread->particles.count; i++) {
        const double angle = thread->wave_number * (double)thread->particles.position[i][2];
        cosine += cos(angle);
        sine += sin(angle);
    }
    *neck = (atan2(sine, cosine) + PI) / thread->wave_number;
    return hypot(cosine, sine) / (double)thread->particles.count;
}

/* m, radius of a cylinder with the mean cross section around the neck, weighted as by slender_neck. */
static double neck_of(const Thread *thread, double neck)
{
    double sum = 0;
    for (int64_t i = 0; i < thread->particles.count; i++) {
        const double away = remainder((double)thread->particles.position[i][2] - neck, thread->length);
        sum += slender_window(away, SLICE);
    }
    return sqrt(sum * pow(thread->spacing, 3) / PI);
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
static void start_wave(StudyRun *run, Thread *thread, double rate)
{
    WaveFlow flow = {.wave_number = thread->wave_number};
    flow.speed = rate * amplitude_of(run, thread, &flow.neck);
    if (study_going(run)) {
        study_keep(run, thread->world, dlp_world_push(thread->world, set_wave_flow, &flow));
    }
}

static Growth grow(StudyRun *run, StudyPlot *plot, int per_radius, double wave_number)
{
    static double time[SAMPLES_MOST], amplitude[SAMPLES_MOST];
    int count = 0;
    study_case(run, "wave number %g, %d particles a radius", wave_number, per_radius);
    study_weigh(run, work_of_step(per_radius, wave_number));
    Thread thread = make_thread(run, per_radius, wave_number, WAVE_START, INERT);
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
        const double now = amplitude_of(run, &thread, &neck);
        study_point(series, n * dt, log(now));
        time[count] = n * dt;
        amplitude[count++] = log(now);
        if (now > WAVE_TO) {
            break;
        }
    }
    growth.rate = slope_between(time, amplitude, count, log(WAVE_FROM), log(WAVE_TO));
    destroy_thread(&thread);
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
    SlenderFluid fluid;
    double start;    /* amplitude over radius                                     */
    double from, to; /* radii between which the rate is measured                 */
    double law;      /* of that rate                                              */
    double error;    /* allowed                                                   */
} Thinning;

static const Thinning newtonian = {"Newtonian", {1, 1, 0, 0}, NECK_START,  LINEAR_FROM,
                                   LINEAR_TO,   LINEAR_LAW,   LINEAR_ERROR};
static const Thinning oldroyd = {"Oldroyd-B",   {1, SOLVENT, POLYMER / RELAXATION, RELAXATION},
                                 ELASTIC_START, ELASTIC_FROM,
                                 ELASTIC_TO,    1 / (3 * RELAXATION),
                                 ELASTIC_ERROR};

/* Radii of the neck, of the thread and of the slender thread that starts with the same amplitude; their logarithms where the fluid is elastic. */
typedef struct Necks {
    double time[SAMPLES_MOST], thread[SAMPLES_MOST], slender[SAMPLES_MOST];
    int count;
} Necks;

/* A Newtonian thread of viscosity 1, relaxed; then of the fluid asked for. */
static Thread settled_thread(StudyRun *run, const Thinning *thinning, int per_radius)
{
    const double dt = step_of(per_radius);
    Thread thread = make_thread(run, per_radius, NECK_WAVE, thinning->start, LIGHT);
    study_run_for(run, thread.world, SETTLED, dt);
    if (thinning->fluid.modulus > 0 && study_going(run)) {
        study_set_material(run, thread.world, thread.fluid, "viscosity", POLYMER);
        study_set_material(run, thread.world, thread.fluid, "relaxation_time", RELAXATION);
        study_set_material(run, thread.world, thread.fluid, "solvent_viscosity", SOLVENT);
    }
    return thread;
}

static void follow_necks(StudyRun *run, const Thinning *thinning, int per_radius, Necks *necks)
{
    SlenderThread slender;
    double place;
    study_case(run, "%s thread, %d particles a radius", thinning->name, per_radius);
    study_weigh(run, work_of_step(per_radius, NECK_WAVE));
    Thread thread = settled_thread(run, thinning, per_radius);
    const double dt = step_of(per_radius), amplitude = amplitude_of(run, &thread, &place);
    slender_start(&slender, &thinning->fluid, thread.radius, thread.length, amplitude);
    necks->count = 0;
    for (int n = 1; n * dt < LAST && necks->count < SAMPLES_MOST && study_step(run, thread.world, dt); n++) {
        if (n % EVERY != 0) {
            continue;
        }
        amplitude_of(run, &thread, &place);
        slender_advance(&slender, n * dt);
        necks->time[necks->count] = n * dt;
        necks->thread[necks->count] = neck_of(&thread, place);
        necks->slender[necks->count] = slender_neck(&slender, SLICE);
        if (fmax(necks->thread[necks->count], necks->slender[necks->count]) < 0.95 * thinning->to ||
            necks->thread[necks->count] < 0.5 * thinning->to) {
            break;
        }
        necks->count += 1;
    }
    destroy_thread(&thread);
}

/* Rate of thinning (1/s), of its logarithm where the fluid is elastic. */
static double rate_of(const Thinning *thinning, const Necks *necks, const double *radius)
{
    double value[SAMPLES_MOST];
    const bool elastic = thinning->fluid.modulus > 0;
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
    for (int n = 0; n < necks->count; n++) {
        const double row[] = {per_radius, necks->time[n], necks->thread[n], necks->slender[n]};
        study_word(table, "%s", thinning->name);
        study_numbers(table, row, sizeof row / sizeof row[0]);
    }
}

static void plot_necks(StudyPlot *plot, const Necks *necks, int per_radius, int color)
{
    StudySeries *thread = study_series(plot, "%d particles a radius", per_radius);
    StudySeries *slender = study_series(plot, "slender thread of the same amplitude");
    study_style(thread, color, STUDY_LINE);
    study_style(slender, color, STUDY_DASHED);
    for (int n = 0; n < necks->count; n++) {
        study_point(thread, necks->time[n], necks->thread[n]);
        study_point(slender, necks->time[n], necks->slender[n]);
    }
}

typedef struct Found {
    double rate, curve; /* largest errors */
} Found;

static Found thin(StudyRun *run, StudyTable *table, StudyTable *list, const Thinning *thinning)
{
    static Necks necks;
    const bool elastic = thinning->fluid.modulus > 0;
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
        "(Newtonian) and %.0f %% (Oldroyd-B), radii differ by at most %.3f R",
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
