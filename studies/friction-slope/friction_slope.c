/* A layer on a slope slips freely, slides with Coulomb friction, or flows without slip. Each has a known speed. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <string.h>

#define GRAVITY  9.81   /* m/s2            */
#define DENSITY  1000.0 /* kg/m3           */
#define HEIGHT   0.02   /* m, of the layer */
#define START    0.1    /* s, the gain of speed is measured from here on */
#define DURATION 0.4    /* s               */
#define WANTED   0.05
#define DEGREE   (3.14159265358979323846 / 180)
enum { ALONG = 10 /* spacings along and across, where the layer is periodic */ };

typedef struct Case {
    const char *name;
    double friction, slope; /* degrees */
    double viscosity, modulus;
} Case;

static const Case cases[] = {{"slips", 0, 40, 10, 0},
                             {"slides", 0.5, 40, 10, 0},
                             {"slides, thick", 0.5, 40, 1000, 0},
                             {"slides, elastic", 0.5, 40, 0, 2e4},
                             {"slides, steep", 0.2, 60, 10, 0},
                             {"holds, elastic", 0.5, 20, 0, 2e4},
                             {"sticks", 1, 40, 10, 0}};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

static dlp_World *make_layer(StudyRun *run, const Case *c, int n)
{
    const double spacing = HEIGHT / n, g = GRAVITY;
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){g * sin(c->slope * DEGREE), 0, -g * cos(c->slope * DEGREE)};
    def.periodic_size = (dlp_Vec3){ALONG * spacing, ALONG * spacing, 0};
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, c->friction);
    const dlp_MaterialId material = STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", c->viscosity},
                                                   {"modulus", c->modulus});
    study_block(run, world, &(StudyBlock){.material = material, .counts = {ALONG, ALONG, n}});
    return world;
}

/* m/s after `time`, from the initial speed `before`. */
static double known_speed(const Case *c, double time, double before)
{
    const double down = sin(c->slope * DEGREE), into = cos(c->slope * DEGREE);
    if (c->friction == 1) {
        return DENSITY * GRAVITY * down * HEIGHT * HEIGHT / (3 * c->viscosity);
    }
    return before + fmax(down - c->friction * into, 0) * GRAVITY * time;
}

/* m/s, mean speed of the layer at the end; `before` is that at START, when the pressure has built up. */
static double slide(StudyRun *run, StudyPlot *plot, const Case *c, int n, int per_second, double *before)
{
    const double mass = DENSITY * HEIGHT * pow(ALONG * HEIGHT / n, 2);
    const int steps = (int)lround(DURATION * per_second);
    double speed = 0;
    study_case(run, "%s, %d high, %d steps per second", c->name, n, per_second);
    study_weigh(run, n);
    dlp_World *world = make_layer(run, c, n);
    StudySeries *series = plot ? study_series(plot, "%s", c->name) : NULL;
    for (int step = 1; step <= steps && study_step(run, world, 1.0 / per_second); step++) {
        speed = study_stats(run, world).momentum.x / mass;
        *before = step <= START * per_second ? speed : *before;
        study_point(series, (double)step / per_second, speed);
    }
    dlp_world_destroy(world);
    return speed;
}

static void run(StudyRun *run)
{
    static const int sizes[][2] = {{10, 240}, {10, 60}, {20, 240}}; /* particles high, steps per second */
    const int count = run->quick ? 1 : 3;
    StudyTable *table = study_table(run, "slopes", "Mean speed of a layer on a slope after 0.4 s");
    StudyPlot *plot = study_plot(run, "speed_plot", "A layer on a slope, 10 particles high", "time, s",
                                 "mean speed, m/s");
    double worst = 0;
    static const char *const columns[][2] = {{"layer", ""},          {"friction", ""}, {"slope", "deg"},
                                             {"particles high", ""}, {"steps", "1/s"}, {"speed", "m/s"},
                                             {"known", "m/s"},       {"error", "%"}};
    for (int k = 0; k < 8; k++) {
        study_column(table, columns[k][0], columns[k][1]);
    }
    study_plan(run, CASES * DURATION * 10 * (run->quick ? 240 : 240 + 60 + 480));
    for (int i = 0; i < CASES * count; i++) {
        const Case *c = &cases[i / count];
        const int *size = sizes[i % count];
        double before = 0;
        const double speed = slide(run, i % count == 0 ? plot : NULL, c, size[0], size[1], &before);
        const double known = known_speed(c, DURATION - START, before);
        /* The error of a layer that stays is relative to its speed without friction. */
        const double freely = GRAVITY * sin(c->slope * DEGREE) * DURATION,
                     scale = known > 0.01 * freely ? known : freely;
        const double off = speed / scale - known / scale;
        const double row[] = {c->friction, c->slope, size[0], size[1], speed, known, 100 * off};
        study_word(table, "%s", c->name);
        for (int k = 0; k < 7; k++) {
            study_number(table, row[k]);
        }
        worst = fmax(worst, fabs(off));
    }
    study_verdict(run, worst <= WANTED, "speeds are off by at most %.1f %%", 100 * worst);
}

const Study friction_slope_study = {
    .name = "friction-slope",
    .paper = "known answer",
    .claim =
        "A layer on a slope accelerates by g sin a with free slip and by g (sin a - f cos a) with friction (Coulomb), stays "
        "where that is negative, and flows at rho g sin a h^2 / (3 eta) without slip; within 5 %.",
    .run = run,
};
