/* Liquid rope coiling: a thread of Newtonian fluid that falls on a plate, in the viscous, the gravitational and the inertial regime.
 * Frequency and radius of the coils are compared with the steady solutions of Ribe's equations of a slender rope (Proc. R. Soc. A
 * 460:3223, 2004), which steady_coiling.py computes. */
#include "studies/laying.h"

#include <math.h>
#include <stdlib.h>

#define PI         3.14159265358979323846
#define RADIUS     0.01   /* m, of the rope at the nozzle, a0                                                      */
#define SPEED      0.1    /* m/s, there, U0                                                                        */
#define DENSITY    1000.0 /* kg/m3                                                                                 */
#define STICKINESS 1e5    /* Pa, of the plate: it never releases the rope                                          */
#define GUIDE      3.0    /* spacings past the opening over which the nozzle guides the rope                       */
#define COURANT    0.45   /* spacings per step, at the fastest speed                                               */
#define REST       0.2    /* fraction of the nozzle's speed below which a layer counts as deposited                */
#define PLANE      0.3    /* fraction of the height, from the contact to the nozzle, at which the orbit is measured */
#define STACKING   0.5    /* rope diameters per turn by which the pile grows, expected; steady_coiling.py uses it too */
#define SEED       1.0    /* rope radii, of the circle that the nozzle describes at the start                      */
#define SETTLE     2.0    /* turns after the first contact, before the measurement                                 */
#define EXTRA      1.25   /* turns, simulated beyond the measured ones: half of one is needed to find the axis     */
#define WANTED     0.15   /* error of frequency and radius, and variation of the turns                             */
#define BETWEEN    100    /* samples per turn of the reference                                                     */
enum {
    HEIGHTS = 3,
    SAMPLES = 2000,
    BAND = 6 /* layers of one colour in pictures */,
    NEAR = 5 /* layers above the contact */
};

/* A steady solution, in units of RADIUS and SPEED. */
typedef struct Steady {
    double height; /* from the contact to the nozzle           */
    double omega;  /* rad per time, of the coiling             */
    double radius; /* of the coil                              */
    double orbit;  /* distance from the axis at PLANE          */
    double speed;  /* of the rope at the contact, U1           */
} Steady;

typedef enum Regime { VISCOUS, GRAVITATIONAL, INERTIAL, REGIMES } Regime;

/* Rows printed by steady_coiling.py (scipy's solve_bvp, continued from a rope without gravity and inertia). */
typedef struct Rope {
    const char *name;
    double gravity;   /* g a0^2 / (nu U0) */
    double reynolds;  /* U0 a0 / nu       */
    double tolerance; /* of the solver; with 0.01 the viscous rope coils less regularly */
    Steady steady[HEIGHTS];
    double cost; /* of a step per particle, relative, measured; for the time left */
} Rope;

static const Rope ropes[REGIMES] = {
    {"viscous",
     0,
     5e-4,
     0.001,
     {{12, 0.3130, 2.867, 1.908, 0.8990}, {14, 0.2715, 3.410, 2.240, 0.9267}, {16, 0.2382, 3.961, 2.571, 0.9443}},
     2.5},
    {"gravitational",
     0.01,
     1e-3,
     0.01,
     {{16, 0.4378, 2.603, 2.027, 1.1417}, {18, 0.4576, 2.669, 2.040, 1.2231}, {20, 0.4806, 2.733, 2.024, 1.3153}},
     1},
    {"inertial",
     0,
     0.05,
     0.01,
     {{18, 0.2731, 3.121, 0.905, 0.8537}, {20, 0.2649, 3.223, 0.835, 0.8549}, {22, 0.2605, 3.261, 0.736, 0.8508}},
     1},
};

/* Resolutions: particles across, and in the layers that the nozzle emits. */
typedef struct Size {
    int across, layer;
} Size;

static double between(double low, double high, double part)
{
    return low + (high - low) * part;
}

/* Lengths in m, times in s. */
typedef struct Timing {
    double spacing, dt;
    double period; /* of the coiling, by theory */
    int steps;
} Timing;

static Timing timing_of(const Rope *rope, Size size, double turns)
{
    const Steady *steady = &rope->steady[1];
    Timing timing;
    /* The particles of a layer fill the cross-section of the rope. */
    timing.spacing = RADIUS * sqrt(PI / size.layer);
    timing.dt = COURANT * timing.spacing / (SPEED * fmax(1, steady->speed));
    timing.period = 2 * PI / steady->omega * RADIUS / SPEED;
    const double fall = (steady->height + 1) * RADIUS / SPEED;
    timing.steps = (int)ceil((fall + (SETTLE + turns + EXTRA) * timing.period) / timing.dt);
    return timing;
}

/* Steps times particles, whose number grows steadily. */
static double work_of(const Rope *rope, Size size, double turns)
{
    const Timing timing = timing_of(rope, size, turns);
    return 0.5 * rope->cost * size.layer * (SPEED * timing.dt / timing.spacing) * timing.steps * timing.steps;
}

/* Linear between the solutions around this height, and beyond them. */
static Steady steady_at(const Rope *rope, double height)
{
    const Steady *low = &rope->steady[height > rope->steady[1].height ? 1 : 0], *high = low + 1;
    const double part = (height - low->height) / (high->height - low->height);
    return (Steady){height, between(low->omega, high->omega, part), between(low->radius, high->radius, part),
                    between(low->orbit, high->orbit, part), between(low->speed, high->speed, part)};
}

/* Omega over the scaling law of the regime, with the height and the radius of the rope in the coil. */
static double law_factor(const Rope *rope, const Steady *found)
{
    const double a1 = 1 / sqrt(found->speed), flow = PI;
    switch ((Regime)(rope - ropes)) {
    case GRAVITATIONAL: return found->omega / pow(rope->gravity * pow(flow, 3) / pow(a1, 8), 0.25);
    case INERTIAL: return found->omega / cbrt(rope->reynolds * pow(flow, 4) / pow(a1, 10));
    default: return found->omega * found->height / found->speed;
    }
}

/* What is measured at a time. Lengths in m. */
typedef struct Sample {
    double time;       /* s */
    double orbit[2];   /* centre of the rope at PLANE                         */
    double contact[2]; /* of the layer that is being deposited                */
    double height;     /* from there to the end of the nozzle                 */
    double speed;      /* m/s, of the rope in the layers above the contact, U1 */
} Sample;

typedef struct Coiling {
    const Rope *rope;
    Size size;
    Timing timing;
    dlp_World *world;
    dlp_EmitterId nozzle;
    double nozzle_height; /* m, of the end of its guide */
    double begun;         /* s, first contact; NaN before */
    Laying laying;
    StudyParticles particles;
    Sample sample[SAMPLES];
    int samples;
} Coiling;

static dlp_World *make_world(StudyRun *run, Coiling *coiling)
{
    const Rope *rope = coiling->rope;
    const double kinematic = SPEED * RADIUS / rope->reynolds; /* m2/s */
    dlp_WorldDef def = study_world_def(run, "physical");
    dlp_SolidDef plate = dlp_default_solid_def();
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    def.spacing = coiling->timing.spacing;
    def.gravity = (dlp_Vec3){0, 0, -rope->gravity * kinematic * SPEED / (RADIUS * RADIUS)};
    dlp_World *world = study_world(run, &def);
    study_set(run, world, "tolerance", rope->tolerance);
    plate.shape.kind = DLP_SHAPE_PLANE;
    plate.friction = 1;
    plate.stickiness = STICKINESS;
    study_solid(run, world, &plate);
    nozzle.material = STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", DENSITY * kinematic});
    nozzle.position = (dlp_Vec3){0, 0, coiling->nozzle_height + GUIDE * coiling->timing.spacing};
    nozzle.direction = (dlp_Vec3){0, 0, -1};
    nozzle.radius = RADIUS;
    nozzle.speed = SPEED;
    nozzle.guide = GUIDE;
    nozzle.path = DLP_PATH_LINEAR;
    if (world) {
        study_keep(run, world, dlp_world_add_emitter(world, &nozzle, &coiling->nozzle));
    }
    return world;
}

static Coiling *coiling_begin(StudyRun *run, const Rope *rope, Size size, double turns)
{
    Coiling *coiling = calloc(1, sizeof *coiling);
    if (!coiling) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    const Steady *steady = &rope->steady[1];
    coiling->rope = rope;
    coiling->size = size;
    coiling->timing = timing_of(rope, size, turns);
    coiling->nozzle_height = (steady->height + 1) * RADIUS;
    coiling->begun = NAN;
    coiling->laying = (Laying){.speed = SPEED, .rest = REST};
    coiling->world = make_world(run, coiling);
    return coiling;
}

static void coiling_end(Coiling *coiling)
{
    if (coiling) {
        study_particles_free(&coiling->particles);
        dlp_world_destroy(coiling->world);
        free(coiling);
    }
}

/* The nozzle at a time in the coming step: the circle at the start gives the coils their sense of rotation. It fades within the turn
 * before the measurement. */
static dlp_PoseKey nozzle_key(const Coiling *coiling, double time, double height)
{
    const double turns = isnan(coiling->begun) ? 0 : (time - coiling->begun) / coiling->timing.period;
    const double radius = SEED * RADIUS * fmin(1, fmax(0, SETTLE - 0.5 - turns)),
                 angle = 2 * PI * time / coiling->timing.period;
    return (dlp_PoseKey){
        .time = time,
        .position = {radius * cos(angle), radius * sin(angle), height + GUIDE * coiling->timing.spacing},
    };
}

/* The pile grows, so the nozzle rises at the expected rate, corrected by the height above the contact within one turn. */
static void raise_nozzle(StudyRun *run, Coiling *coiling, double height)
{
    const double wanted = coiling->rope->steady[1].height * RADIUS, now = dlp_world_time(coiling->world);
    const double growth = 2 * RADIUS * STACKING / coiling->timing.period;
    const double rate = isnan(coiling->begun)
                            ? 0
                            : fmin(fmax(growth + (wanted - height) / coiling->timing.period, 0), 3 * growth);
    const double next = coiling->nozzle_height + rate * coiling->timing.dt;
    const dlp_PoseKey keys[2] = {nozzle_key(coiling, now, coiling->nozzle_height),
                                 nozzle_key(coiling, now + coiling->timing.dt, next)};
    study_keep(run, coiling->world, dlp_world_set_emitter_keys(coiling->world, coiling->nozzle, keys, 2));
    coiling->nozzle_height = next;
}

/* Speed of the steady flow along the rope above the contact: layers that left one spacing apart are now this far apart. */
static double speed_above_contact(const Coiling *coiling)
{
    const Laying *laying = &coiling->laying;
    double length = 0, last[3], next[3];
    laying_layer_centre(laying, &coiling->particles, laying->layer + 1, last);
    for (int k = 2; k <= NEAR + 1; k++) {
        laying_layer_centre(laying, &coiling->particles, laying->layer + k, next);
        length += sqrt(pow(next[0] - last[0], 2) + pow(next[1] - last[1], 2) + pow(next[2] - last[2], 2));
        for (int axis = 0; axis < 3; axis++) {
            last[axis] = next[axis];
        }
    }
    return SPEED * length / (NEAR * coiling->timing.spacing);
}

/* Centre of the hanging rope at a height; false if none of it is there. */
static bool rope_centre(const Coiling *coiling, double height, double centre[2])
{
    const StudyParticles *particles = &coiling->particles;
    double sum[2] = {0};
    int64_t count = 0;
    for (int64_t i = (coiling->laying.layer + 1) * coiling->laying.layer_size; i < particles->count; i++) {
        if (fabs((double)particles->position[i][2] - height) < coiling->timing.spacing) {
            sum[0] += (double)particles->position[i][0];
            sum[1] += (double)particles->position[i][1];
            count++;
        }
    }
    centre[0] = count > 0 ? sum[0] / (double)count : 0;
    centre[1] = count > 0 ? sum[1] / (double)count : 0;
    return count > 0;
}

/* Height (m) of the nozzle above the contact; NaN before there is one. */
static double take_sample(StudyRun *run, Coiling *coiling)
{
    double place[3];
    study_read(run, coiling->world, &coiling->particles);
    if (!laying_place(&coiling->laying, &coiling->particles, place)) {
        return NAN;
    }
    const double time = dlp_world_time(coiling->world), height = coiling->nozzle_height - place[2];
    coiling->begun = isnan(coiling->begun) ? time : coiling->begun;
    const bool due = coiling->samples == 0 ||
                     time - coiling->sample[coiling->samples - 1].time > coiling->timing.period / BETWEEN;
    Sample sample = {.time = time, .contact = {place[0], place[1]}, .height = height};
    if (due && coiling->samples < SAMPLES && time > coiling->begun + (SETTLE - 0.5) * coiling->timing.period &&
        rope_centre(coiling, place[2] + PLANE * height, sample.orbit)) {
        sample.speed = speed_above_contact(coiling);
        coiling->sample[coiling->samples++] = sample;
    }
    return height;
}

/* Mean of a sampled place over the reference period around sample k: the axis of the coil, which wanders. False too near the ends. */
static bool axis_around(const Coiling *coiling, int k, const double *(*place)(const Sample *), double axis[2])
{
    const double middle = coiling->sample[k].time, half = coiling->timing.period / 2;
    int count = 0;
    axis[0] = axis[1] = 0;
    if (middle - half < coiling->sample[0].time || middle + half > coiling->sample[coiling->samples - 1].time) {
        return false;
    }
    for (int n = 0; n < coiling->samples; n++) {
        if (fabs(coiling->sample[n].time - middle) <= half) {
            axis[0] += place(&coiling->sample[n])[0];
            axis[1] += place(&coiling->sample[n])[1];
            count++;
        }
    }
    axis[0] /= count;
    axis[1] /= count;
    return true;
}

static const double *orbit_of(const Sample *sample)
{
    return sample->orbit;
}

static const double *contact_of(const Sample *sample)
{
    return sample->contact;
}

typedef struct Found {
    Steady mean;      /* measured                                              */
    Steady reference; /* at the measured height                                */
    double turns;     /* measured                                              */
    double variation; /* standard deviation of whole turns over their mean     */
} Found;

/* Durations of whole turns. */
typedef struct Turns {
    double last, sum, squares;
    int count;
} Turns;

static void end_turn(Turns *turns, double time)
{
    const double duration = time - turns->last;
    turns->last = time;
    turns->sum += duration;
    turns->squares += duration * duration;
    turns->count++;
}

static double turn_variation(const Turns *turns)
{
    const double n = turns->count, mean = turns->sum / n;
    return n < 2 ? NAN : sqrt(fmax(0, turns->squares / n - mean * mean) * n / (n - 1)) / mean;
}

static Found evaluate(const Coiling *coiling, StudySeries *series, StudySeries *path)
{
    Winding orbit = {0};
    Turns turns = {0};
    double radius = 0, height = 0, speed = 0;
    for (int k = 0; k < coiling->samples; k++) {
        const Sample *sample = &coiling->sample[k];
        double axis[2], contact_axis[2];
        if (!axis_around(coiling, k, orbit_of, axis) || !axis_around(coiling, k, contact_of, contact_axis)) {
            continue;
        }
        const double place[2] = {sample->orbit[0] - axis[0], sample->orbit[1] - axis[1]};
        const double since = orbit.readings > 0 ? sample->time - coiling->sample[k - 1].time : 0;
        turns.last = orbit.readings > 0 ? turns.last : sample->time;
        winding_follow(&orbit, place, since);
        radius += hypot(sample->contact[0] - contact_axis[0], sample->contact[1] - contact_axis[1]);
        height += sample->height;
        speed += sample->speed;
        if (fabs(winding_turns(&orbit)) >= turns.count + 1) {
            end_turn(&turns, sample->time);
        }
        study_point(series, orbit.seconds / coiling->timing.period, fabs(winding_turns(&orbit)));
        study_point(path, place[0] / RADIUS, place[1] / RADIUS);
    }
    const double count = (double)orbit.readings;
    Found found = {.mean = {height / count / RADIUS, 2 * PI * winding_rate(&orbit) * RADIUS / SPEED,
                            radius / count / RADIUS, orbit.radius / RADIUS, speed / count / SPEED},
                   .turns = fabs(winding_turns(&orbit)),
                   .variation = turn_variation(&turns)};
    found.reference = steady_at(coiling->rope, found.mean.height);
    return found;
}

typedef struct Figures {
    StudyTable *table;
    StudyPlot *turns, *orbits;
    StudyPicture *picture;
} Figures;

static Figures make_figures(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"regime", ""},          {"across", ""},      {"height", "a0"},    {"turns", ""},       {"variation", "%"},
        {"frequency", "U0/a0"},  {"over theory", ""}, {"radius", "a0"},    {"over theory", ""}, {"orbit", "a0"},
        {"over theory", ""},     {"a1", "a0"},        {"over theory", ""}, {"law factor", ""},  {"of theory", ""},
        {"particles", "at end"}, {"time", "s"},
    };
    Figures figures = {
        .table = study_table(run, "coils", "Liquid rope coiling"),
        .turns = study_plot(run, "turns_plot", "Turns of the rope above the pile", "time, periods of the theory",
                            "turns"),
        .orbits = study_plot(run, "orbits_plot", "Orbit of the rope at 0.3 of the height", "x, a0", "y, a0"),
        .picture = study_picture(run, "ropes", "Ropes at the end", STUDY_VIEW_RAISED),
    };
    study_columns(figures.table, columns, sizeof columns / sizeof columns[0]);
    study_ground(figures.picture);
    study_panels_per_row(figures.picture, REGIMES);
    return figures;
}

static void add_row(StudyTable *table, const Coiling *coiling, const Found *found, double seconds)
{
    const Steady *mean = &found->mean, *known = &found->reference;
    study_word(table, "%s", coiling->rope->name);
    study_numbers(table,
                  (const double[]){coiling->size.across, mean->height, found->turns, 100 * found->variation,
                                   mean->omega, mean->omega / known->omega, mean->radius, mean->radius / known->radius,
                                   mean->orbit, mean->orbit / known->orbit, 1 / sqrt(mean->speed),
                                   sqrt(known->speed / mean->speed), law_factor(coiling->rope, mean),
                                   law_factor(coiling->rope, known), (double)coiling->particles.count, seconds},
                  16);
}

static Found coil(StudyRun *run, const Figures *figures, const Rope *rope, Size size, double turns)
{
    Coiling *coiling = coiling_begin(run, rope, size, turns);
    const double begin = study_clock();
    double height = NAN;
    Found found = {0};
    study_case(run, "%s, %d across", rope->name, size.across);
    for (int step = 0; coiling && step < coiling->timing.steps && study_going(run); step++) {
        raise_nozzle(run, coiling, height);
        study_weigh(run, rope->cost * (double)dlp_world_particle_count(coiling->world));
        if (study_step(run, coiling->world, coiling->timing.dt)) {
            height = take_sample(run, coiling);
        }
        if (step == 0 && study_going(run) && coiling->particles.count != size.layer) {
            study_fail(run, DLP_ERROR_ARGUMENT, "the nozzle emits layers of %lld particles, not %d",
                       (long long)coiling->particles.count, size.layer);
        }
    }
    if (study_going(run)) {
        found = evaluate(coiling, study_series(figures->turns, "%s, %d", rope->name, size.across),
                         study_series(figures->orbits, "%s, %d", rope->name, size.across));
        add_row(figures->table, coiling, &found, study_clock() - begin);
        laying_panel(run, figures->picture, coiling->world, &coiling->laying, BAND, rope->name);
    }
    coiling_end(coiling);
    return found;
}

static double error_of(const Found *found)
{
    return fmax(fabs(found->mean.omega / found->reference.omega - 1),
                fabs(found->mean.radius / found->reference.radius - 1));
}

static void run(StudyRun *run)
{
    static const Size sizes[] = {{6, 32}, {10, 80}};
    const double turns = run->quick ? 2 : 5;
    const int first = run->quick ? GRAVITATIONAL : 0;
    const int end = run->quick ? first + 1 : run->large ? 2 * REGIMES : REGIMES;
    const Figures figures = make_figures(run);
    double work = 0, error = 0, variation = 0, least = INFINITY;
    for (int n = first; n < end; n++) {
        work += work_of(&ropes[n % REGIMES], sizes[n / REGIMES], turns);
    }
    study_plan(run, work);
    for (int n = first; n < end && study_going(run); n++) {
        const Found found = coil(run, &figures, &ropes[n % REGIMES], sizes[n / REGIMES], turns);
        error = fmax(error, error_of(&found));
        variation = fmax(variation, found.variation);
        least = fmin(least, found.turns);
    }
    study_verdict(
        run, error <= WANTED && variation <= WANTED && least >= turns,
        "frequencies and radii are off by at most %.1f %%, turns vary by at most %.1f %%, at least %.1f turns",
        100 * error, 100 * variation, least);
}

const Study coiling_study = {
    .name = "coiling",
    .paper = "known answer",
    .claim =
        "A thread of Newtonian fluid that falls on a plate coils steadily, in the viscous, the gravitational and the inertial "
        "regime at the frequency and with the radius of Ribe's solutions for a slender rope (2004).",
    .run = run,
    .large = "ropes of 10 particles across",
};
