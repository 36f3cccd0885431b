/* Takamatsu and Kanai 2011, Fig. 3: cubes that have fallen on the floor, from an elastic solid (alpha 0) to a fluid (alpha 1). */
#include "studies/study_output.h"
#include "studies/takamatsu_shapes.h"

#include <math.h>

#define SIDE      0.1    /* m */
#define DROP      0.02   /* m, height of the lowest face above the floor */
#define DENSITY   1000.0 /* kg/m3 */
#define YOUNG     8000.0 /* Pa, of the cube with alpha 0: its height sags by 6 % under its weight */
#define VISCOSITY 1.0    /* Pa s, of the fluid; hides the numerical one */
#define SOUND     10.0   /* m/s */
#define SUPPORT   2.1    /* spacings */
#define DURATION  0.6    /* s */
#define SETTLED   0.4    /* s: heights are means from here on, as elastic cubes still oscillate */
#define WANTED    0.02   /* largest change of a height with half the time step */
#define NEVER     1e9    /* m/s2, an update_acceleration that is not reached */
enum { ALPHAS = 11 };

/* How the cubes of a series differ from those of the paper. */
typedef enum Variant { PLAIN, HALF_STEP, NO_UPDATE, VARIANTS } Variant;
static const char *const variant_names[VARIANTS] = {"as in the paper", "half the time step", "reference never updated"};

typedef struct Fallen {
    double height; /* over the side: twice the mean height of all particles        */
    double spread; /* over that of the cube: RMS distance from the vertical axis   */
} Fallen;

typedef struct Cubes {
    int side; /* particles along an edge */
    double spacing, matching_time, dt;
    double spread; /* m, RMS distance from the axis of the cube before its fall */
    StudyPicture *picture;
} Cubes;

static double alpha_of(int n)
{
    return n / 10.0;
}

/* Half the time step, for some; without updates, where they occur at all. */
static bool is_run(const StudyRun *run, Variant variant, int n)
{
    const bool is_shown = n == 0 || n == 3 || n == 7 || n >= 9;
    return variant == PLAIN       ? !run->quick || is_shown
           : variant == HALF_STEP ? is_shown && (!run->quick || n == 3)
                                  : !run->quick && n >= 7 && n <= 9;
}

static dlp_World *make_world(StudyRun *run, const Cubes *cubes, double alpha, Variant variant)
{
    dlp_WorldDef def = study_world_def(run, "blend");
    def.spacing = cubes->spacing;
    def.support = SUPPORT;
    dlp_World *world = study_world(run, &def);
    study_set(run, world, "sound_speed", SOUND);
    const dlp_MaterialId material = STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", VISCOSITY},
                                                   {"matching_time", cubes->matching_time}, {"alpha", alpha});
    if (variant == NO_UPDATE) {
        study_set_material(run, world, material, "update_acceleration", NEVER);
    }
    study_floor(run, world, 1);
    study_cube(run, world, material, cubes->side, DROP);
    return world;
}

static void measure(StudyRun *run, const dlp_World *world, StudyParticles *particles, Fallen *sum)
{
    double height = 0, square = 0;
    study_read(run, world, particles);
    for (int64_t i = 0; i < particles->count; i++) {
        const float *at = particles->position[i];
        height += (double)at[2];
        square += (double)(at[0] * at[0] + at[1] * at[1]);
    }
    sum->height += 2 * height / fmax((double)particles->count, 1);
    sum->spread += sqrt(square / fmax((double)particles->count, 1));
}

static Fallen drop_cube(StudyRun *run, const Cubes *cubes, double alpha, Variant variant)
{
    StudyParticles particles = {0};
    const double dt = variant == HALF_STEP ? 0.5 * cubes->dt : cubes->dt;
    const int64_t steps = llround(DURATION / dt), first = llround(SETTLED / dt), every = llround(0.005 / dt);
    Fallen sum = {0, 0};
    int64_t samples = 0;
    study_case(run, "alpha %g, %s", alpha, variant_names[variant]);
    dlp_World *world = make_world(run, cubes, alpha, variant);
    for (int64_t n = 1; n <= steps && study_step(run, world, dt); n++) {
        if (n >= first && n % every == 0) {
            measure(run, world, &particles, &sum);
            samples++;
        }
    }
    if (variant == PLAIN) {
        study_panel(cubes->picture, world, NULL, "alpha %g", alpha);
    }
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return (Fallen){sum.height / (double)samples / SIDE, sum.spread / (double)samples / cubes->spread};
}

static Cubes make_cubes(StudyRun *run)
{
    Cubes cubes = {.side = run->quick ? 8 : run->large ? 22 : 15};
    cubes.spacing = SIDE / cubes.side;
    cubes.matching_time = cubes.spacing * sqrt(DENSITY * takamatsu_spread(SUPPORT) / YOUNG);
    cubes.dt = 0.18 * SUPPORT * cubes.spacing / (SOUND + sqrt(0.5 * YOUNG / DENSITY));
    cubes.dt = 0.005 / ceil(0.005 / cubes.dt);
    cubes.spread = SIDE * sqrt((1 - 1.0 / cubes.side / cubes.side) / 6);
    cubes.picture = study_picture(run, "cubes", "Fallen cubes", STUDY_VIEW_RAISED);
    study_ground(cubes.picture);
    return cubes;
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const names[][2] = {{"alpha", ""},
                                           {"height", "sides"},
                                           {"spread", "of the cube"},
                                           {"height, half the step", "sides"},
                                           {"change", "%"},
                                           {"height, no update", "sides"},
                                           {"spread, no update", "of the cube"}};
    StudyTable *table = study_table(run, "cubes", "Cubes after their fall");
    study_columns(table, names, sizeof names / sizeof names[0]);
    return table;
}

typedef struct Found {
    bool falls, grows;  /* heights with alpha above 0, and spreads with all              */
    double worst, rest; /* largest change with half the step up to alpha 0.9, and beyond */
    int where;          /* the alpha of the first height or spread out of order, times 10; -1: none */
} Found;

static Found judge(const StudyRun *run, Fallen fallen[VARIANTS][ALPHAS])
{
    Found found = {true, true, 0, 0, -1};
    int last = -1;
    for (int n = 0; n < ALPHAS; n++) {
        if (is_run(run, PLAIN, n)) {
            /* Without SPH nothing resists compression, so that a cube of alpha 0 also sags by losing volume. */
            const bool falls = last <= 0 || fallen[PLAIN][n].height < fallen[PLAIN][last].height;
            const bool grows = last < 0 || fallen[PLAIN][n].spread > fallen[PLAIN][last].spread;
            found.where = found.where < 0 && !(falls && grows) ? n : found.where;
            found.falls = found.falls && falls;
            found.grows = found.grows && grows;
            last = n;
        }
        if (is_run(run, HALF_STEP, n)) {
            const double change = fabs(fallen[HALF_STEP][n].height / fallen[PLAIN][n].height - 1);
            *(n <= 9 ? &found.worst : &found.rest) = fmax(n <= 9 ? found.worst : found.rest, change);
        }
    }
    return found;
}

static void list(StudyRun *run, Fallen fallen[VARIANTS][ALPHAS])
{
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "height", "Height of fallen cubes", "alpha", "height, sides");
    StudySeries *series[VARIANTS];
    for (int v = 0; v < VARIANTS; v++) {
        series[v] = study_series(plot, "%s", variant_names[v]);
        study_style(series[v], v, STUDY_DOTS);
    }
    for (int n = 0; n < ALPHAS; n++) {
        const Fallen plain = fallen[PLAIN][n], half = fallen[HALF_STEP][n], held = fallen[NO_UPDATE][n];
        const double row[] = {
            alpha_of(n), plain.height, plain.spread, half.height, 100 * (half.height / plain.height - 1),
            held.height, held.spread};
        if (is_run(run, PLAIN, n)) {
            study_numbers(table, row, sizeof row / sizeof row[0]);
        }
        for (int v = 0; v < VARIANTS; v++) {
            if (is_run(run, (Variant)v, n)) {
                study_point(series[v], alpha_of(n), fallen[v][n].height);
            }
        }
    }
}

static void run(StudyRun *run)
{
    Fallen fallen[VARIANTS][ALPHAS];
    const Cubes cubes = make_cubes(run);
    double work = 0;
    for (int n = 0; n < VARIANTS * ALPHAS; n++) {
        const Variant variant = (Variant)(n / ALPHAS);
        work += is_run(run, variant, n % ALPHAS) ? DURATION / cubes.dt * (variant == HALF_STEP ? 2 : 1) : 0;
        fallen[variant][n % ALPHAS] = (Fallen){NAN, NAN};
    }
    study_plan(run, work);
    for (int n = 0; n < VARIANTS * ALPHAS && study_going(run); n++) {
        const Variant variant = (Variant)(n / ALPHAS);
        if (is_run(run, variant, n % ALPHAS)) {
            fallen[variant][n % ALPHAS] = drop_cube(run, &cubes, alpha_of(n % ALPHAS), variant);
        }
    }
    list(run, fallen);
    const Found found = judge(run, fallen);
    study_verdict(
        run, found.falls && found.grows && found.worst <= WANTED,
        "heights %s with alpha above 0, spreads %s with all alpha%s; half the time step changes heights by up to %.2g %% for alpha "
        "up to 0.9, and by %.2g %% for alpha 1",
        found.falls ? "fall" : "do not always fall", found.grows ? "grow" : "do not always grow",
        found.where < 0 ? "" : ", see the table", 100 * found.worst, 100 * found.rest);
}

const Study takamatsu_fig3_study = {
    .name = "takamatsu-fig3",
    .paper = "Takamatsu and Kanai 2011, Fig. 3 and eq. 13",
    .claim =
        "A fallen cube is an elastic solid for alpha 0, a jelly for 0.3, toothpaste for 0.7 and a fluid for 1; with eq. 13 the "
        "shape does not depend on the time step.",
    .run = run,
    .large = "instead, the paper's larger cube of 10,648 particles",
};
