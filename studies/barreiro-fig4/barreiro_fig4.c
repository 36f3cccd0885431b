/* Barreiro et al. 2017, Fig. 4: cubes dropped on the ground, a palette from two parameters. How high does the centre of
 * mass rise again, how wide is the footprint, how much of the height is left? Six materials in physical units, and beside
 * them the corners of the palette in the paper's own parameters; each with the paper's solver and with the method physical. */
#include "studies/barreiro_cube.h"
#include "studies/study_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE        1.0         /* m; not given in the paper                                   */
#define DROP        0.5         /* m, of the lowest face above the ground                      */
#define TIME_STEP   (1.0 / 240) /* s, Table 1                                                  */
#define FRICTION    0.5
#define HEIGHT_MOST 1.1 /* m, of plots */
enum { ITERATIONS = 20 /* in total, Table 1 */, STEPS = 360, MEASURE_STEP = 240 /* 1 s */, PANELS = 4 };
static const int panel_steps[PANELS] = {76 /* touching */, 100, 142, MEASURE_STEP};

/* Bounds that separate the three kinds. */
#define REBOUND_ELASTIC 0.15
#define REBOUND_OTHER   0.1
#define SPREAD_VISCOUS  1.2
#define HEIGHT_VISCOUS  0.9
#define SPREAD_INVISCID 3.0

typedef struct Case {
    const char *name;
    const char *description;
    int color;
    BarreiroSolver solver;
    StudyValue value[2]; /* of the material */
} Case;

enum { RUBBER, JELLY, DOUGH, CLAY, SYRUP, WATER, PALETTE, PAPER_CASES = 12 };
static const Case paper_cases[PAPER_CASES] = {
    [RUBBER] = {"rubber", "G 100 kPa", 1, BARREIRO_KEPT, {{"modulus", 1e5}, {"viscosity", 0}}},
    [JELLY] = {"jelly", "G 50 kPa", 2, BARREIRO_KEPT, {{"modulus", 5e4}, {"viscosity", 0}}},
    [DOUGH] = {"dough", "G 50 kPa, tau 0.5 s", 3, BARREIRO_KEPT, {{"modulus", 5e4}, {"relaxation_time", 0.5}}},
    [CLAY] = {"clay", "1 MPa.s", 4, BARREIRO_KEPT, {{"viscosity", 1e6}, {"relaxation_time", 0}}},
    [SYRUP] = {"syrup", "300 Pa.s", 0, BARREIRO_KEPT, {{"viscosity", 300}, {"relaxation_time", 0}}},
    [WATER] = {"water", "inviscid", 5, BARREIRO_KEPT, {{"viscosity", 0}, {"relaxation_time", 0}}},
    {"elastic corner", "published", 1, BARREIRO_DOUBLY, {{"relaxation_time", 1000}, {"compliance", 0}}},
    {"elastic corner", "stress kept", 1, BARREIRO_KEPT, {{"relaxation_time", 1000}, {"compliance", 0}}},
    {"elastic, softer", "published", 3, BARREIRO_DOUBLY, {{"relaxation_time", 1000}, {"compliance", 1e-5}}},
    {"viscous corner", "published", 4, BARREIRO_DOUBLY, {{"relaxation_time", 0}, {"compliance", 0}}},
    {"viscous corner", "stress kept", 4, BARREIRO_KEPT, {{"relaxation_time", 0}, {"compliance", 0}}},
    {"inviscid corner", "published", 5, BARREIRO_DOUBLY, {{"relaxation_time", 0}, {"compliance", 1}}},
};

/* The cases of the paper's solver are followed by those of the method physical: the palette, then the corners. */
enum { PHYSICAL = PAPER_CASES, CASES = PHYSICAL + 9 };

static Case case_of(int index)
{
    static const int again[CASES - PHYSICAL] = {RUBBER, JELLY, DOUGH, CLAY, SYRUP, WATER, 6, 9, 11};
    if (index < PHYSICAL) {
        return paper_cases[index];
    }
    Case this = paper_cases[again[index - PHYSICAL]];
    this.solver = BARREIRO_PHYSICAL;
    this.description = "physical";
    return this;
}

typedef struct Figures {
    double rebound; /* rise of the centre above that of a cube at rest, over the drop */
    double spread;  /* width of the footprint at 1 s, over the side                   */
    double height;  /* of the cube at 1 s, over the side                              */
    double work;    /* iterations per step, mean                                      */
} Figures;

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The length along an axis that holds 98 % of the particles, each as wide as the spacing; `from_zero`: 99 % from z = 0. */
static double extent(StudyRun *run, const StudyParticles *particles, int axis, double spacing, bool from_zero)
{
    const int64_t count = particles->count;
    float *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    if (!sorted || count == 0) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        free(sorted);
        return 0;
    }
    for (int64_t i = 0; i < count; i++) {
        sorted[i] = particles->position[i][axis];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    const double least = (double)sorted[count / 100], most = (double)sorted[count - 1 - count / 100];
    free(sorted);
    return from_zero ? most + spacing / 2 : most - least + spacing;
}

static void measure(StudyRun *run, const dlp_World *world, Figures *figures)
{
    StudyParticles particles = {0};
    const double spacing = world ? dlp_world_def(world).spacing : 0;
    study_read(run, world, &particles);
    figures->spread = 0.5 * (extent(run, &particles, 0, spacing, false) + extent(run, &particles, 1, spacing, false)) /
                      SIDE;
    figures->height = extent(run, &particles, 2, spacing, true) / SIDE;
    study_particles_free(&particles);
}

/* Not a corner in the paper's parameters. */
static bool is_in_palette(const Case *this)
{
    return strcmp(this->value[1].name, "compliance") != 0;
}

static dlp_World *make_world(StudyRun *run, const Case *this, int n)
{
    dlp_WorldDef def = study_world_def(run, barreiro_method(this->solver));
    def.spacing = SIDE / n;
    dlp_World *world = study_world(run, &def);
    if (this->solver == BARREIRO_PHYSICAL) {
        barreiro_physical(run, world);
    } else {
        barreiro_solver(run, world, this->solver, ITERATIONS);
    }
    const dlp_MaterialId material = is_in_palette(this)
                                        ? STUDY_MATERIAL(run, world, {"density", 1000}, this->value[0], this->value[1])
                                        : barreiro_material(run, world, this->value[0].value, this->value[1].value,
                                                            (BarreiroStep){this->solver, TIME_STEP});
    study_floor(run, world, FRICTION);
    study_cube(run, world, material, n, DROP);
    return world;
}

/* All particles in the colour of the material. */
static void add_panel(StudyRun *run, StudyPicture *picture, const dlp_World *world, int color)
{
    const size_t count = world ? (size_t)dlp_world_particle_count(world) : 0;
    uint8_t *colors = malloc(count + 1);
    if (!colors) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    memset(colors, color, count);
    study_panel(picture, world, colors, "%.2f s", world ? dlp_world_time(world) : 0);
    free(colors);
}

static StudyPicture *make_picture(StudyRun *run, const Case *this)
{
    const bool physical = this->solver == BARREIRO_PHYSICAL;
    char name[48], title[96];
    if (!is_in_palette(this)) {
        return NULL;
    }
    snprintf(name, sizeof name, "cube_%s%s", this->name, physical ? "_physical" : "");
    snprintf(title, sizeof title, "%s, %s: a cube of 1 m dropped from 0.5 m", this->name, this->description);
    StudyPicture *picture = study_picture(run, name, title, STUDY_VIEW_RAISED);
    study_ground(picture);
    return picture;
}

static Figures drop(StudyRun *run, const Case *this, int n, StudyPlot *plot, StudyTable *curves)
{
    static const StudyStyle styles[BARREIRO_SOLVERS] = {
        [BARREIRO_DOUBLY] = STUDY_DASHED, [BARREIRO_KEPT] = STUDY_LINE, [BARREIRO_PHYSICAL] = STUDY_FINE};
    Figures figures = {.spread = NAN, .height = NAN};
    bool broken = false;
    double least = INFINITY, most = 0; /* m, the centre's lowest height, and its highest since then */
    study_case(run, "%s (%s)", this->name, this->description);
    StudyPicture *picture = make_picture(run, this);
    StudySeries *series = study_series(plot, "%s, %s", this->name, this->description);
    study_style(series, this->color, styles[this->solver]);
    dlp_World *world = make_world(run, this, n);
    for (int step = 1, panel = 0; step <= STEPS && study_try_step(run, world, TIME_STEP, &broken) && !broken; step++) {
        const dlp_WorldStats stats = study_stats(run, world);
        const double height = stats.center.z;
        figures.work += (this->solver == BARREIRO_PHYSICAL ? (double)stats.iterations : ITERATIONS) / STEPS;
        most = height < least ? height : fmax(most, height);
        least = fmin(least, height);
        study_point(series, dlp_world_time(world),
                    height < HEIGHT_MOST ? height : NAN); /* unstable cubes leave the plot */
        study_word(curves, "%s, %s", this->name, this->description);
        study_number(curves, dlp_world_time(world));
        study_number(curves, height);
        if (picture && panel < PANELS && step == panel_steps[panel]) {
            add_panel(run, picture, world, this->color);
            panel++;
        }
        if (step == MEASURE_STEP) {
            measure(run, world, &figures);
        }
    }
    figures.rebound = fmax(0, (most - SIDE / 2) / DROP);
    if (broken || figures.rebound > 1) { /* higher than the drop: unstable */
        figures.rebound = figures.spread = figures.height = NAN;
    }
    dlp_world_destroy(world);
    return figures;
}

static double value_of(const Case *this, const char *name, double otherwise)
{
    for (int i = 0; i < 2; i++) {
        if (strcmp(this->value[i].name, name) == 0) {
            return this->value[i].value;
        }
    }
    return otherwise;
}

/* The material in both sets of parameters: the paper's relaxation time and compliance, and viscosity and modulus. */
static void add_material_cells(StudyTable *table, const Case *this)
{
    static const char *const solvers[BARREIRO_SOLVERS] = {
        [BARREIRO_DOUBLY] = "as published", [BARREIRO_KEPT] = "stress kept", [BARREIRO_PHYSICAL] = "physical"};
    const double modulus = value_of(this, "modulus", 0);
    double tau = value_of(this, "relaxation_time", modulus > 0 ? INFINITY : 0),
           viscosity = value_of(this, "viscosity", 0);
    double alpha = value_of(this, "compliance", -1);
    if (alpha >= 0) {
        viscosity = (tau + TIME_STEP) / alpha;
    } else if (modulus > 0) {
        viscosity = modulus * tau;
        alpha = isinf(tau) ? 1 / modulus : (tau + TIME_STEP) / viscosity;
    } else {
        alpha = TIME_STEP / viscosity;
    }
    study_word(table, "%s", this->name);
    study_word(table, "%s", solvers[this->solver]);
    study_word(table, "%g", tau);
    study_word(table, "%.3g", alpha);
    study_word(table, "%.3g", viscosity);
    study_word(table, "%.3g", isinf(tau) ? modulus : tau > 0 ? viscosity / tau : 0);
}

static StudyTable *make_table(StudyRun *run)
{
    StudyTable *table = study_table(run, "palette", "A cube of 1 m dropped from 0.5 m");
    study_column(table, "material", "");
    study_column(table, "solver", "");
    study_column(table, "tau", "s");
    study_column(table, "alpha", "1/Pa");
    study_column(table, "viscosity", "Pa.s");
    study_column(table, "modulus", "Pa");
    study_column(table, "rebound", "drops");
    study_column(table, "spread at 1 s", "sides");
    study_column(table, "height at 1 s", "sides");
    study_column(table, "iterations", "1/step");
    return table;
}

static void run(StudyRun *run)
{
    const int n = run->quick ? 12 : 22;
    Figures figures[CASES];
    StudyTable *table = make_table(run), *curves = study_long_table(run, "curves");
    StudyPlot *palette = study_plot(run, "centre", "Height of the centre of mass", "time, s", "height, m");
    StudyPlot *corners = study_plot(run, "corners", "Height of the centre, by the paper's parameters", "time, s",
                                    "height, m");
    study_range_y(palette, 0, HEIGHT_MOST);
    study_range_y(corners, 0, HEIGHT_MOST);
    study_column(curves, "material", "");
    study_column(curves, "time", "s");
    study_column(curves, "height of the centre", "m");
    study_plan(run, (double)STEPS * CASES);
    for (int i = 0; i < CASES; i++) {
        const Case this = case_of(i);
        figures[i] = drop(run, &this, n, is_in_palette(&this) ? palette : corners, curves);
        add_material_cells(table, &this);
        study_number(table, figures[i].rebound);
        study_number(table, figures[i].spread);
        study_number(table, figures[i].height);
        study_number(table, figures[i].work);
    }
    const Figures *rubber = &figures[RUBBER], *clay = &figures[CLAY], *water = &figures[WATER];
    const bool bounces = rubber->rebound > REBOUND_ELASTIC && rubber->spread < SPREAD_VISCOUS;
    const bool stays = clay->rebound < REBOUND_OTHER && clay->spread < SPREAD_VISCOUS && clay->height > HEIGHT_VISCOUS;
    const bool splashes = water->rebound < REBOUND_OTHER && water->spread > SPREAD_INVISCID;
    char physical[32] = "is unstable";
    if (!isnan(figures[PHYSICAL + RUBBER].rebound)) {
        snprintf(physical, sizeof physical, "rebounds to %.2f", figures[PHYSICAL + RUBBER].rebound);
    }
    study_verdict(
        run, bounces && stays && splashes,
        "rubber rebounds to %.2f of the drop (required: above %.2f), clay keeps %.2f of its height and %.2f of its "
        "width, water spreads to %.1f sides; the paper's elastic corner (alpha 0) as published rebounds to %.2f; "
        "with the method physical rubber %s, clay keeps %.2f of its height, water spreads to %.1f sides",
        rubber->rebound, REBOUND_ELASTIC, clay->height, clay->spread, water->spread, figures[PALETTE].rebound, physical,
        figures[PHYSICAL + CLAY].height, figures[PHYSICAL + WATER].spread);
}

const Study barreiro_fig4_study = {
    .name = "barreiro-fig4",
    .paper = "Barreiro et al. 2017, Fig. 4",
    .claim =
        "With two parameters, relaxation time and compliance, dropped cubes bounce elastically, appear highly viscous "
        "or splash like an inviscid liquid.",
    .run = run,
};
