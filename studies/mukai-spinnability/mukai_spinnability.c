/* A bridge of the spinnable solution of Mukai et al. between two plates, the upper one pulled up: it stretches to a thread, breaks and
 * recoils. The thread's radius, its tension and the recoil are compared with what is known of an upper-convected Maxwell fluid. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <dollop/probe.h>
#include <math.h>
#include <stdlib.h>

/* Table 2 of the paper; the shear modulus is a third of Young's modulus. */
#define DENSITY   1160.0                /* kg/m3 */
#define MODULUS   350.0                 /* Pa    */
#define VISCOSITY 28.0                  /* Pa s  */
#define TIME      (VISCOSITY / MODULUS) /* s, relaxation time */
#define SPEED     0.18                  /* m/s   */
#define RAMP      0.01                  /* s, 100 steps of 0.1 ms in which the speed grows along a sine */

#define PI         3.14159265358979323846
#define GRAVITY    9.81 /* m/s2 */
#define STICKINESS 1e5  /* Pa, of the plates: they never release the fluid */
#define PLATE      0.02 /* m, thickness of a plate */
#define REACH      1.6  /* spacings, largest distance of particles of one piece */
#define BETWEEN    2e-3 /* s, between samples */
#define RECOIL     0.03 /* s, after the break */
#define HELD       0.24 /* s, for which a stretched bridge is held: three relaxation times */
#define HELD_AT    4.0  /* lengths at which it is held */
#define LONGEST    20.0 /* lengths at which a bridge that does not break is given up */
enum { SAMPLES = 2000, SLICES = 512, RAMP_KEYS = 20 };

typedef struct Bridge {
    const char *name;
    double radius, length, spacing, dt; /* m, s */
    double time;                        /* s, relaxation time; 0: Newtonian */
    double gravity;                     /* m/s2 */
    bool held;                          /* at HELD_AT, for HELD; otherwise it is pulled until it breaks */
    bool quick;
    double expected; /* lengths at its end, for the time left */
} Bridge;

static const Bridge bridges[] = {
    {"spinnable", 8e-3, 10e-3, 1e-3, 0.5e-3, TIME, GRAVITY, false, true, 10},
    {"finer", 8e-3, 10e-3, 10e-3 / 14, 0.35e-3, TIME, GRAVITY, false, false, 13},
    {"Newtonian", 8e-3, 10e-3, 1e-3, 0.5e-3, 0, GRAVITY, false, false, 8},
    {"held", 8e-3, 10e-3, 1e-3, 0.5e-3, TIME, 0, true, true, HELD_AT},
    {"tall", 25e-3, 60e-3, 3e-3, 1e-3, TIME, GRAVITY, false, false, 3},
};
enum { SPINNABLE, FINER, NEWTONIAN, HOLD, TALL, BRIDGES };

/* What is measured at a time. */
typedef struct Sample {
    double time;     /* s */
    double height;   /* m, distance of the plates */
    double middle;   /* m, radius at half the height, from the volume in a slice */
    double thinnest; /* m, the same of the thinnest slice */
    double tension;  /* Pa, axial minus radial stress at half the height */
    double volume;   /* of the shape of its middle half over that of the particles there */
} Sample;

typedef struct Pull {
    Sample sample[SAMPLES];
    int count;
    double broken;     /* lengths at the break; NaN: it did not break */
    double break_time; /* s  */
    double tension;    /* Pa, median over the last 20 ms before the break */
    double recoil;     /* m/s, fastest mean velocity of the upper free end towards its plate */
} Pull;

static double pulled_by(double time)
{
    return time < RAMP ? SPEED * (time / 2 - RAMP / (2 * PI) * sin(PI * time / RAMP)) : SPEED * (time - RAMP / 2);
}

static dlp_PoseKey plate_at(const Bridge *bridge, double time)
{
    return (dlp_PoseKey){.time = time, .position = {0, 0, bridge->length + PLATE / 2 + pulled_by(time)}};
}

/* The plate follows the ramp, then moves steadily until it stops. */
static void pull_plate(StudyRun *run, dlp_World *world, dlp_SolidId plate, const Bridge *bridge)
{
    const double end = RAMP / 2 + ((bridge->held ? HELD_AT : LONGEST) - 1) * bridge->length / SPEED;
    dlp_PoseKey keys[RAMP_KEYS + 2];
    for (int n = 0; n <= RAMP_KEYS; n++) {
        keys[n] = plate_at(bridge, n * RAMP / RAMP_KEYS);
    }
    keys[RAMP_KEYS + 1] = plate_at(bridge, end);
    study_keep(run, world, dlp_world_set_solid_keys(world, plate, keys, RAMP_KEYS + 2));
}

static dlp_World *make_bridge(StudyRun *run, const Bridge *bridge)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    dlp_SolidDef plate = dlp_default_solid_def();
    dlp_FluidDef fluid = dlp_default_fluid_def();
    dlp_ProbeDef pieces = dlp_default_probe_def();
    def.spacing = bridge->spacing;
    def.gravity = (dlp_Vec3){0, 0, -bridge->gravity};
    dlp_World *world = study_world(run, &def);
    fluid.material = STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", VISCOSITY},
                                    {"relaxation_time", bridge->time});
    plate.shape.kind = DLP_SHAPE_BOX;
    plate.shape.size = (dlp_Vec3){6 * bridge->radius, 6 * bridge->radius, PLATE};
    plate.shape.position.z = -PLATE / 2;
    plate.friction = 1;
    plate.stickiness = STICKINESS;
    study_solid(run, world, &plate);
    plate.shape.position.z = bridge->length + PLATE / 2;
    plate.path = DLP_PATH_LINEAR;
    const dlp_SolidId upper = study_solid(run, world, &plate);
    fluid.shape.kind = DLP_SHAPE_CYLINDER;
    fluid.shape.radius = bridge->radius;
    fluid.shape.length = bridge->length;
    fluid.shape.position.z = bridge->length / 2;
    study_fluid(run, world, &fluid);
    if (study_going(run)) {
        pull_plate(run, world, upper, bridge);
        pieces.kind = DLP_PROBE_PIECES;
        pieces.reach = REACH;
        pieces.interval = BETWEEN;
        study_keep(run, world, dlp_world_add_probe(world, &pieces, NULL));
    }
    return world;
}

/* Sums over the particles in a slice two spacings thick. */
typedef struct Slice {
    int64_t count;
    double x, y, square; /* of positions, m and m2 */
    double tension;      /* Pa */
} Slice;

static void add_particle(Slice *slice, const dlp_ParticleView *view, int64_t i)
{
    const double x = (double)view->position[0][i], y = (double)view->position[1][i];
    slice->count++;
    slice->x += x;
    slice->y += y;
    slice->square += x * x + y * y;
    slice->tension += (double)(view->stress[2][i] - 0.5f * (view->stress[0][i] + view->stress[1][i]));
}

/* m2, of the disc that has the mean square radius of the particles about their axis; a particle spreads over its own spacing. */
static double shape_area(const Slice *slice, double spacing)
{
    const double n = (double)slice->count;
    return 2 * PI * ((slice->square - (slice->x * slice->x + slice->y * slice->y) / n) / n + spacing * spacing / 6);
}

static double radius_of(const Slice *slice, double spacing)
{
    return sqrt((double)slice->count * spacing * spacing / (2 * PI));
}

static Sample take_sample(StudyRun *run, dlp_World *world, const Bridge *bridge)
{
    const double thick = 2 * bridge->spacing;
    Sample sample = {.time = dlp_world_time(world), .thinnest = INFINITY};
    Slice slices[SLICES] = {{0}}, middle = {0};
    dlp_ParticleView view = {0};
    dlp_SolidState plate = {0};
    study_keep(run, world, dlp_world_derive(world, DLP_DERIVED_STRESS));
    study_keep(run, world, dlp_world_view(world, 0, &view));
    study_keep(run, world, dlp_world_solid_state(world, 1, &plate));
    sample.height = plate.position.z - PLATE / 2;
    const int count = (int)(sample.height / thick);
    for (int64_t i = 0; i < view.count; i++) {
        const double z = (double)view.position[2][i];
        const int n = (int)(z / thick);
        if (z >= 0 && n < SLICES) {
            add_particle(&slices[n], &view, i);
        }
        if (fabs(z - sample.height / 2) < bridge->spacing) {
            add_particle(&middle, &view, i);
        }
    }
    double shape = 0, volume = 0; /* of the middle half */
    for (int n = 1; n < SLICES && n < count - 1; n++) {
        sample.thinnest = fmin(sample.thinnest, radius_of(&slices[n], bridge->spacing));
        if (4 * n >= count && 4 * n < 3 * count && slices[n].count > 0) {
            shape += shape_area(&slices[n], bridge->spacing) * thick;
            volume += (double)slices[n].count * pow(bridge->spacing, 3);
        }
    }
    sample.volume = shape / volume;
    sample.middle = radius_of(&middle, bridge->spacing);
    sample.tension = middle.count > 0 ? middle.tension / (double)middle.count : NAN;
    return sample;
}

/* Whether one piece of fluid reaches from plate to plate. */
static bool is_whole(StudyRun *run, dlp_World *world, const Bridge *bridge, const Sample *sample)
{
    enum { LENGTH = 5, COLUMNS };
    double piece[COLUMNS] = {0};
    study_keep(run, world, dlp_world_read_probe(world, 0, piece, COLUMNS));
    return !(piece[LENGTH] < sample->height - 3 * bridge->spacing) && sample->thinnest > 0;
}

/* m, the middle of the widest gap between particles along z. */
static double find_gap(const StudyParticles *particles, double height, double spacing)
{
    enum { CELLS = 4096 };
    bool filled[CELLS] = {false};
    const int cells = (int)fmin(CELLS - 1, 4 * height / spacing);
    int empty = 0, most = 0, end = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const double cell = 4 * (double)particles->position[i][2] / spacing;
        filled[(int)fmax(0, fmin(cell, CELLS - 1))] = true;
    }
    for (int n = 4; n < cells - 4; n++) {
        empty = filled[n] ? 0 : empty + 1;
        end = empty > most ? n + 1 : end;
        most = empty > most ? empty : most;
    }
    return (end - 0.5 * most) * spacing / 4;
}

/* Follows the upper end, the particles within four spacings of the gap: its fastest mean velocity towards the plate. */
static double watch_recoil(StudyRun *run, dlp_World *world, const Bridge *bridge, double height)
{
    StudyParticles particles = {0};
    double fastest = -INFINITY;
    study_read(run, world, &particles);
    const double gap = find_gap(&particles, height, bridge->spacing);
    uint8_t *belongs = calloc((size_t)particles.count + 1, 1);
    for (int64_t i = 0; belongs && i < particles.count; i++) {
        const double above = (double)particles.position[i][2] - gap;
        belongs[i] = above > 0 && above < 4 * bridge->spacing;
    }
    for (double time = 0; belongs && time < RECOIL && study_step(run, world, bridge->dt); time += bridge->dt) {
        double sum = 0, count = 0;
        study_read(run, world, &particles);
        for (int64_t i = 0; i < particles.count; i++) {
            sum += belongs[i] ? (double)particles.velocity[i][2] - SPEED : 0;
            count += belongs[i];
        }
        fastest = count > 0 ? fmax(fastest, sum / count) : fastest;
    }
    free(belongs);
    study_particles_free(&particles);
    return fastest;
}

/* Pa, median of the tension over the last 20 ms. */
static double last_tension(const Pull *pull)
{
    enum { LAST = 10 };
    double values[LAST];
    int count = 0;
    for (int n = pull->count - 1 - LAST; n < pull->count - 1; n++) {
        if (n >= 0 && isfinite(pull->sample[n].tension)) {
            values[count++] = pull->sample[n].tension;
        }
    }
    return study_median(values, count);
}

/* Panels at these lengths. */
static void show(StudyPicture *picture, dlp_World *world, const Bridge *bridge, double height, int *shown)
{
    static const double lengths[] = {1, 2, 4, 7, 10};
    if (*shown < 5 && height >= lengths[*shown] * bridge->length) {
        study_panel(picture, world, NULL, "%.1f lengths", height / bridge->length);
        (*shown)++;
    }
}

static void pull_bridge(StudyRun *run, const Bridge *bridge, StudyPicture *picture, Pull *pull)
{
    const double last = RAMP / 2 + ((bridge->held ? HELD_AT : LONGEST) - 1) * bridge->length / SPEED +
                        (bridge->held ? HELD : 0);
    int shown = 0;
    bool whole = true;
    double next = 0;
    study_case(run, "%s", bridge->name);
    dlp_World *world = make_bridge(run, bridge);
    pull->broken = pull->break_time = pull->recoil = pull->tension = NAN;
    while (whole && world && dlp_world_time(world) < last && study_step(run, world, bridge->dt)) {
        if (dlp_world_time(world) >= next && pull->count < SAMPLES) {
            const Sample sample = pull->sample[pull->count++] = take_sample(run, world, bridge);
            whole = pull->count < 4 || is_whole(run, world, bridge, &sample);
            next = sample.time + 0.999 * BETWEEN;
            show(picture, world, bridge, sample.height, &shown);
        }
    }
    if (!whole && study_going(run)) {
        const Sample *end = &pull->sample[pull->count - 1];
        pull->broken = end->height / bridge->length;
        pull->break_time = end->time;
        pull->tension = last_tension(pull);
        study_panel(picture, world, NULL, "break, %.1f", pull->broken);
        pull->recoil = watch_recoil(run, world, bridge, end->height);
        study_panel(picture, world, NULL, "%g ms later", 1e3 * RECOIL);
    }
    dlp_world_destroy(world);
}

/* Slope of the least-squares line through ln(y) over the samples from `begin` on, before `end` (s). */
static double rate_of(const Pull *pull, double begin, double end, bool tension)
{
    double n = 0, t = 0, y = 0, tt = 0, ty = 0;
    for (int k = 0; k < pull->count; k++) {
        const Sample *s = &pull->sample[k];
        const double value = tension ? s->tension : s->middle;
        if (s->time >= begin && s->time < end && value > 0) {
            n += 1;
            t += s->time;
            y += log(value);
            tt += s->time * s->time;
            ty += s->time * log(value);
        }
    }
    return (n * ty - t * y) / (n * tt - t * t);
}

/* The measured tension over that of an upper-convected Maxwell fluid stretched as the radius at half the height says: median over the last
 * half of the pull. */
static double tension_ratio(const Pull *pull)
{
    static double ratios[SAMPLES];
    double axial = 1, radial = 1; /* conformation tensor */
    int count = 0;
    for (int k = 1; k < pull->count - 1; k++) {
        const Sample *last = &pull->sample[k - 1], *s = &pull->sample[k];
        const double stretch = pow(last->middle / s->middle, 2), left = exp(-(s->time - last->time) / TIME);
        axial = 1 + (axial * stretch * stretch - 1) * left;
        radial = 1 + (radial / stretch - 1) * left;
        if (s->time > 0.5 * pull->sample[pull->count - 1].time && s->tension > 0) {
            ratios[count++] = s->tension / (MODULUS * (axial - radial));
        }
    }
    return study_median(ratios, count);
}

/* Mean change of the volume of the shape per volume of particles, from the first sample to the last half of the pull. */
static double swelling(const Pull *pull)
{
    double sum = 0, count = 0;
    for (int k = pull->count / 2; k < 0.9 * pull->count; k++) {
        sum += pull->sample[k].volume;
        count++;
    }
    return sum / count / pull->sample[0].volume - 1;
}

/* s, from which on the bridge is a thread. */
static double thread_begin(const Bridge *bridge)
{
    return RAMP / 2 + 2 * bridge->length / SPEED;
}

static double stop_time(const Bridge *bridge)
{
    return RAMP / 2 + (HELD_AT - 1) * bridge->length / SPEED;
}

static void plot_radius(StudyPlot *plot, const Bridge *bridge, const Pull *pull, int color)
{
    StudySeries *series = study_series(plot, "%s", bridge->name);
    study_style(series, color, bridge->held ? STUDY_DASHED : STUDY_LINE);
    for (int k = 0; k < pull->count; k++) {
        study_point(series, pull->sample[k].time, pull->sample[k].middle > 0 ? pull->sample[k].middle : NAN);
    }
}

/* R ~ exp(-t / (3 lambda)) from where the first bridge is a thread. */
static void plot_law(StudyPlot *plot, const Pull *pull)
{
    StudySeries *series = study_series(plot, "exp(-t / 3 relaxation times)");
    const Sample *from = NULL;
    study_style(series, 6, STUDY_FINE);
    for (int k = 0; k < pull->count; k++) {
        const Sample *s = &pull->sample[k];
        from = from == NULL && s->time >= thread_begin(&bridges[SPINNABLE]) ? s : from;
        if (from != NULL) {
            study_point(series, s->time, from->middle * exp(-(s->time - from->time) / (3 * TIME)));
        }
    }
}

static void plot_tension(StudyPlot *plot, const Pull *pull)
{
    StudySeries *measured = study_series(plot, "tension at half the height"),
                *law = study_series(plot, "exp(-t / relaxation time)");
    const double stop = stop_time(&bridges[HOLD]);
    const Sample *from = NULL;
    study_style(law, 6, STUDY_FINE);
    for (int k = 0; k < pull->count; k++) {
        const Sample *s = &pull->sample[k];
        from = from == NULL && s->time >= stop ? s : from;
        study_point(measured, s->time, s->tension > 0 ? s->tension : NAN);
        if (from != NULL) {
            study_point(law, s->time, from->tension * exp(-(s->time - from->time) / TIME));
        }
    }
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {{"bridge", ""},
                                             {"length", "m"},
                                             {"spacing", "m"},
                                             {"length at break", "lengths"},
                                             {"tension at break", "Pa"},
                                             {"recoil", "m/s"},
                                             {"sqrt(tension/density)", "m/s"},
                                             {"thinning rate", "1/s"},
                                             {"tension over theory", ""},
                                             {"swelling", ""}};
    StudyTable *table = study_table(run, "bridges", "Bridges pulled apart");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void add_row(StudyTable *table, const Bridge *bridge, const Pull *pull)
{
    const double end = bridge->held ? stop_time(bridge) : 0.95 * pull->break_time;
    const double row[] = {bridge->length,
                          bridge->spacing,
                          pull->broken,
                          pull->tension,
                          pull->recoil,
                          sqrt(pull->tension / DENSITY),
                          -rate_of(pull, thread_begin(bridge), end, false),
                          bridge->time > 0 ? tension_ratio(pull) : NAN,
                          swelling(pull)};
    study_word(table, "%s", bridge->name);
    study_numbers(table, row, sizeof row / sizeof row[0]);
}

static double steps_of(const Bridge *bridge)
{
    return ((bridge->expected - 1) * bridge->length / SPEED + (bridge->held ? HELD : RECOIL)) / bridge->dt;
}

/* Over those of the first bridge. */
static double particles_of(const Bridge *bridge)
{
    return bridge->radius * bridge->radius * bridge->length / pow(bridge->spacing, 3) / 640;
}

static void judge(StudyRun *run, const Pull *pull)
{
    const Pull *first = &pull[SPINNABLE];
    const double elastic = sqrt(first->tension / DENSITY), speed = first->recoil / elastic;
    const double stop = stop_time(&bridges[HOLD]);
    const double relaxed = -1 / rate_of(&pull[HOLD], stop, stop + 2 * TIME, true) / TIME;
    const double least = run->quick ? first->broken : fmin(first->broken, pull[FINER].broken);
    const bool recoils = speed > 0.3 && speed < 2 && (run->quick || first->recoil > 3 * pull[NEWTONIAN].recoil);
    study_verdict(
        run, least >= 3 && recoils && fabs(relaxed - 1) < 0.25,
        "the fluid stretches to %.1f lengths, breaks, and its end recoils at %.2f m/s, %.1f of the elastic wave "
        "speed; held, its tension decays in %.2f relaxation times",
        least, first->recoil, speed, relaxed);
}

static void run(StudyRun *run)
{
    static Pull pull[BRIDGES];
    StudyTable *table = make_table(run);
    StudyPlot *radius = study_plot(run, "radius_plot", "Radius at half the height", "time, s", "radius, m");
    StudyPlot *tension = study_plot(run, "tension_plot", "A bridge stretched to four lengths and held", "time, s",
                                    "tension, Pa");
    StudyPicture *picture = study_picture(run, "thread", "The bridge between its plates, seen from the side",
                                          STUDY_VIEW_SIDE);
    double work = 0;
    study_panels_per_row(picture, 7);
    study_scales(radius, STUDY_LINEAR, STUDY_LOG);
    study_scales(tension, STUDY_LINEAR, STUDY_LOG);
    study_range_y(tension, 10, 3000);
    for (int n = 0; n < BRIDGES; n++) {
        work += run->quick && !bridges[n].quick ? 0 : steps_of(&bridges[n]) * particles_of(&bridges[n]);
    }
    study_plan(run, work);
    for (int n = 0; n < BRIDGES && study_going(run); n++) {
        if (run->quick && !bridges[n].quick) {
            continue;
        }
        pull[n].count = 0;
        study_weigh(run, particles_of(&bridges[n]));
        pull_bridge(run, &bridges[n], n == SPINNABLE ? picture : NULL, &pull[n]);
        if (study_going(run)) {
            add_row(table, &bridges[n], &pull[n]);
            plot_radius(radius, &bridges[n], &pull[n], n);
        }
    }
    if (study_going(run)) {
        plot_law(radius, &pull[SPINNABLE]);
        plot_tension(tension, &pull[HOLD]);
        judge(run, pull);
    }
}

const Study mukai_spinnability_study = {
    .name = "mukai-spinnability",
    .paper = "Mukai et al., Table 2 and Figs. 1 to 3",
    .claim = "A spinnable fluid is stretched long like a string, and shrinks suddenly when it breaks.",
    .run = run,
};
