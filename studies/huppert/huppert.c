/* Viscous gravity currents (Huppert 1982): a block released on a no-slip floor becomes a thin current whose front advances as
 * t^(1/5) along one axis, as t^(1/8) in all directions. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define GRAVITY       9.81   /* m/s2                                                        */
#define DENSITY       1000.0 /* kg/m3                                                       */
#define VISCOSITY     100.0  /* Pa s                                                        */
#define SIZE          0.2    /* m, height of the block, and half its width */
#define PER_SECOND    120    /* steps                                                       */
#define LATE          0.25   /* fraction of the duration after which the fit starts         */
#define WANTED_POWER  0.015  /* error of the exponent                                       */
#define WANTED_FACTOR 0.04   /* error of the factor                                         */
enum { ACROSS = 6 /* spacings across the plane current, which is periodic */, PLOT_EVERY = 12 };

/* The front (m) is factor (g Q^3 t / (3 nu))^power; Q is the area of one half of a plane current (m2), or the volume of a
 * round one (m3). */
typedef struct Theory {
    const char *name;
    bool round;
    double power, factor;
    double duration; /* s, in which ours stays five particles high */
} Theory;

static const Theory theories[] = {{"plane", false, 1.0 / 5, 1.411, 10}, {"round", true, 1.0 / 8, 0.894, 8}};

static void add_block(StudyRun *run, dlp_World *world, const Theory *theory, int n)
{
    const dlp_MaterialId material = STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", VISCOSITY});
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.material = material;
    fluid.shape.kind = DLP_SHAPE_CYLINDER;
    fluid.shape.position = (dlp_Vec3){0, 0, SIZE / 2};
    fluid.shape.radius = SIZE;
    fluid.shape.length = SIZE;
    if (!theory->round) {
        study_block(run, world,
                    &(StudyBlock){.material = material, .counts = {2 * n, ACROSS, n}, .corner = {-SIZE, 0, 0}});
        return;
    }
    const dlp_Result result = world && study_going(run) ? dlp_world_add_fluid(world, &fluid, NULL) : DLP_OK;
    if (result != DLP_OK) {
        study_fail(run, result, "%s", dlp_world_error(world));
    }
}

static dlp_World *make_world(StudyRun *run, const Theory *theory, int n)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = SIZE / n;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    if (!theory->round) {
        def.periodic_size = (dlp_Vec3){0, ACROSS * def.spacing, 0};
    }
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, 1);
    add_block(run, world, theory, n);
    return world;
}

/* Distance from the centre to half a spacing beyond the outermost particles (m). */
static double front_of(const dlp_WorldStats *stats, const Theory *theory, double spacing)
{
    const double x = stats->upper.x - stats->lower.x, y = stats->upper.y - stats->lower.y;
    return (theory->round ? (x + y) / 4 : x / 2) + spacing / 2;
}

/* g Q^3 / (3 nu) */
static double drive_of(const dlp_WorldStats *stats, const Theory *theory, double spacing)
{
    const double volume = (double)stats->particles * spacing * spacing * spacing;
    const double amount = theory->round ? volume : volume / (2 * ACROSS * spacing);
    return GRAVITY * amount * amount * amount / (3 * VISCOSITY / DENSITY);
}

/* A straight line through points of different weight. */
typedef struct LineFit {
    double weight, x, y, xx, xy;
} LineFit;

static void line_add(LineFit *fit, double weight, double x, double y)
{
    fit->weight += weight;
    fit->x += weight * x;
    fit->y += weight * y;
    fit->xx += weight * x * x;
    fit->xy += weight * x * y;
}

static double line_slope(const LineFit *fit)
{
    return (fit->weight * fit->xy - fit->x * fit->y) / (fit->weight * fit->xx - fit->x * fit->x);
}

typedef struct Found {
    double power, factor;
    double height; /* particles, mean at the end */
} Found;

static Found spread(StudyRun *run, StudyPlot *plot, const Theory *theory, int n)
{
    const double spacing = SIZE / n, dt = 1.0 / PER_SECOND;
    const int steps = (int)lround(theory->duration * PER_SECOND);
    LineFit fit = {0};
    double factor = 0, front = SIZE;
    study_case(run, "%s, %d particles high at the start", theory->name, n);
    StudySeries *series = study_series(plot, "%s, %d", theory->name, n);
    dlp_World *world = make_world(run, theory, n);
    const dlp_WorldStats begin = study_stats(run, world);
    const double drive = drive_of(&begin, theory, spacing);
    study_weigh(run, (double)begin.particles);
    const int every = run->automatic ? PLOT_EVERY : 1;
    for (int step = every; step <= steps && study_step(run, world, every * dt); step += every) {
        study_advance(run, every - 1);
        const dlp_WorldStats stats = study_stats(run, world);
        const double t = step * dt, known = pow(drive * t, theory->power);
        front = front_of(&stats, theory, spacing);
        if (t >= LATE * theory->duration) {
            /* Weights 1/t: uniform in the logarithm of time. */
            line_add(&fit, 1 / t, log(t), log(front));
            factor += front / known / t;
        }
        if (step % PLOT_EVERY == 0) {
            study_point(series, t, front / (theory->factor * known));
        }
    }
    dlp_world_destroy(world);
    const double halves = theory->round ? 3.14159265358979323846 * front * front : 2 * front * ACROSS * spacing;
    return (Found){line_slope(&fit), factor / fit.weight, (double)begin.particles * spacing * spacing / halves};
}

static void run(StudyRun *run)
{
    static const int sizes[2][2] = {{14, 20}, {12, 20}}; /* particles, of the plane and the round current */
    const int count = run->quick ? 1 : 2;
    StudyTable *table = study_table(run, "currents", "Viscous gravity currents");
    StudyPlot *plot = study_plot(run, "front_plot", "The front of a viscous gravity current", "time, s",
                                 "front over that of Huppert");
    double power = 0, factor = 0;
    study_column(table, "current", "");
    study_column(table, "particles high at the start", "");
    study_column(table, "at the end", "");
    study_column(table, "exponent", "");
    study_column(table, "known", "");
    study_column(table, "factor", "");
    study_column(table, "known", "");
    study_scales(plot, STUDY_LOG, STUDY_LINEAR);
    study_range_y(plot, 0.8, 1.2);
    study_plan(run, 1200 * (run->quick ? 2400 : 7200) + 960.0 * (run->quick ? 5400 : 30500));
    for (int i = 0; i < 2 * count; i++) {
        const Theory *theory = &theories[i / count];
        const int n = sizes[i / count][i % count];
        const Found found = spread(run, plot, theory, n);
        study_word(table, "%s", theory->name);
        study_number(table, n);
        study_number(table, found.height);
        study_number(table, found.power);
        study_number(table, theory->power);
        study_number(table, found.factor);
        study_number(table, theory->factor);
        if (i % count == count - 1) {
            power = fmax(power, fabs(found.power - theory->power));
            factor = fmax(factor, fabs(found.factor / theory->factor - 1));
        }
    }
    study_verdict(run, power <= WANTED_POWER && factor <= WANTED_FACTOR,
                  "exponents are off by at most %.3f and factors by at most %.1f %% at the finest resolution", power,
                  100 * factor);
}

const Study huppert_study = {
    .name = "huppert",
    .paper = "known answer",
    .claim =
        "The front of a viscous current on a floor advances as 1.411 (g A^3 t / (3 nu))^(1/5) along an axis, and as "
        "0.894 (g V^3 t / (3 nu))^(1/8) in all directions (Huppert 1982).",
    .run = run,
    .automatic = true,
};
