/* Takahashi et al. 2014, Fig. 10: a viscous lump drops onto a rotating bar, is divided by it and falls to the ground in two parts.
 * The angle by which the bar carries the fluid around is the angular momentum of the fluid about the axis over its moment of
 * inertia, integrated over time. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define PI        3.14159265358979323846
#define RADIUS    0.06  /* m, of the lump                                                        */
#define DROP      0.26  /* m, height of its centre                                               */
#define FALLING   1.0   /* m/s, initial speed                                                    */
#define EDGE      0.05  /* m, side of the bar's cross-section, which stands on its edge          */
#define LENGTH    0.26  /* m, of the bar                                                         */
#define BAR       0.14  /* m, its height                                                         */
#define SPIN      4.7   /* rad/s, of the bar about the vertical: 45 turns per minute             */
#define TIME_STEP 0.002 /* s                                                                     */
#define DURATION  1.0   /* s                                                                     */
#define STRIP     0.02  /* m, width of the gap between two parts                                 */
#define PART      0.3   /* minimum fraction of the fluid in each of two parts                    */
#define BETWEEN   0.03  /* maximum fraction in the gap; a round puddle of 24 cm has 0.1 there    */
#define GROUND    0.03  /* m, maximum height of the centre after the fall                        */
#define FARTHER   3.0   /* minimum ratio of the carried angles with and without links            */
enum { CASES = 4, PICTURES = 4, DIRECTIONS = 90 };

typedef struct Case {
    const char *name;
    double rate; /* 1/s, extension rate of links; -1: no links */
    double friction;
} Case;

enum { THIN, THICK, THICK_ROUGH, NO_LINKS };
static const Case cases[CASES] = {{"20 1/s, a slippery bar", 20, 0},
                                  {"4 1/s, a slippery bar", 4, 0},
                                  {"4 1/s, a rough bar", 4, 1},
                                  {"no links, a rough bar", -1, 1}};

static dlp_World *make_world(StudyRun *run, const Case *this, double spacing)
{
    dlp_WorldDef def = study_world_def(run, "links");
    dlp_SolidDef bar = dlp_default_solid_def();
    dlp_FluidDef lump = dlp_default_fluid_def();
    def.spacing = spacing;
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, 1);
    bar.shape.kind = DLP_SHAPE_BOX;
    bar.shape.position.z = BAR;
    bar.shape.rotation.x = PI / 4;
    bar.shape.size = (dlp_Vec3){LENGTH, EDGE, EDGE};
    bar.spin.z = SPIN;
    bar.friction = this->friction;
    study_solid(run, world, &bar);
    lump.material = STUDY_MATERIAL(run, world, {"density", 1100}, {"extension_rate", this->rate});
    lump.shape.kind = DLP_SHAPE_SPHERE;
    lump.shape.position.z = DROP;
    lump.shape.radius = RADIUS;
    lump.velocity.z = -FALLING;
    study_fluid(run, world, &lump);
    return world;
}

/* rad/s, mean rotation of the fluid about the axis. */
static double rotation_rate(const StudyParticles *particles)
{
    double momentum = 0, inertia = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const double x = (double)particles->position[i][0], y = (double)particles->position[i][1];
        momentum += x * (double)particles->velocity[i][1] - y * (double)particles->velocity[i][0];
        inertia += x * x + y * y;
    }
    return inertia > 0 ? momentum / inertia : 0;
}

/* Fractions of the fluid on both sides of a vertical strip through the axis, and in it. */
typedef struct Parts {
    double left, right, between;
} Parts;

static Parts parts_across(const StudyParticles *particles, double angle)
{
    Parts parts = {0};
    const double one = 1 / fmax((double)particles->count, 1);
    for (int64_t i = 0; i < particles->count; i++) {
        const double way = (double)particles->position[i][0] * cos(angle) +
                           (double)particles->position[i][1] * sin(angle);
        *(fabs(way) < STRIP / 2 ? &parts.between : way < 0 ? &parts.left : &parts.right) += one;
    }
    return parts;
}

/* Finds the emptiest strip. */
static Parts find_parts(const StudyParticles *particles)
{
    Parts best = parts_across(particles, 0);
    for (int n = 1; n < DIRECTIONS; n++) {
        const Parts parts = parts_across(particles, n * PI / DIRECTIONS);
        best = parts.between < best.between ? parts : best;
    }
    return best;
}

typedef struct Figures {
    StudyTable *table;
    StudyPlot *plot;
    StudyPicture *picture;
} Figures;

typedef struct Fallen {
    Parts parts;
    double height; /* m, of its centre at the end        */
    double turned; /* degrees carried around             */
} Fallen;

static void show(const Figures *figures, const dlp_World *world, const char *name, int step)
{
    static const double shown[PICTURES] = {0.1, 0.2, 0.3, DURATION};
    for (int n = 0; n < PICTURES; n++) {
        if (step == (int)lround(shown[n] / TIME_STEP)) {
            study_panel(figures->picture, world, NULL, "%s, %.1f s", name, shown[n]);
        }
    }
}

static Fallen drop(StudyRun *run, const Case *this, const Figures *figures)
{
    Fallen fallen = {0};
    StudyParticles particles = {0};
    study_case(run, "%s", this->name);
    StudySeries *series = study_series(figures->plot, "%s", this->name);
    dlp_World *world = make_world(run, this, run->quick ? 0.009 : 0.008);
    const int steps = (int)lround(DURATION / TIME_STEP);
    for (int step = 1; step <= steps && study_step(run, world, TIME_STEP); step++) {
        study_read(run, world, &particles);
        fallen.turned += rotation_rate(&particles) * TIME_STEP * 180 / PI;
        study_point(series, step * TIME_STEP, fallen.turned);
        show(figures, world, this->name, step);
    }
    fallen.parts = find_parts(&particles);
    fallen.height = study_stats(run, world).center.z;
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return fallen;
}

static bool is_divided(const Fallen *fallen)
{
    return fmin(fallen->parts.left, fallen->parts.right) >= PART && fallen->parts.between <= BETWEEN &&
           fallen->height <= GROUND;
}

static void add_row(StudyTable *table, const Case *this, const Fallen *fallen)
{
    const double row[] = {fallen->turned, fallen->parts.left, fallen->parts.right, fallen->parts.between,
                          100 * fallen->height};
    study_word(table, "%s", this->name);
    for (size_t n = 0; n < sizeof row / sizeof row[0]; n++) {
        study_number(table, row[n]);
    }
    study_word(table, "%s", is_divided(fallen) ? "yes" : "no");
}

static Figures make_figures(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"fluid", ""},   {"carried around", "°"},        {"on one side", ""},   {"on the other", ""},
        {"between", ""}, {"height of its centre", "cm"}, {"divided in two", ""}};
    Figures figures = {
        .table = study_table(run, "parts", "A lump of 12 cm on a bar that rotates 0.75 times per second"),
        .plot = study_plot(run, "turning", "Angle by which a bar carries a lump around", "time, s", "angle, °"),
        .picture = study_picture(run, "lumps", "A lump drops onto a rotating bar", STUDY_VIEW_RAISED)};
    study_columns(figures.table, columns, sizeof columns / sizeof columns[0]);
    study_ground(figures.picture);
    study_solids(figures.picture);
    study_panels_per_row(figures.picture, PICTURES);
    study_window(figures.picture, (dlp_Vec3){-0.2, -0.2, 0}, (dlp_Vec3){0.2, 0.2, 0.34});
    return figures;
}

static void run(StudyRun *run)
{
    Fallen fallen[CASES] = {0};
    const Figures figures = make_figures(run);
    study_plan(run, CASES * DURATION / TIME_STEP);
    for (int n = 0; n < CASES; n++) {
        fallen[n] = drop(run, &cases[n], &figures);
        add_row(figures.table, &cases[n], &fallen[n]);
    }
    const Parts *parts = &fallen[THIN].parts;
    const bool parted = is_divided(&fallen[THIN]);
    const double thick = fallen[THICK_ROUGH].turned, none = fallen[NO_LINKS].turned;
    study_verdict(
        run, parted && thick >= FARTHER * fabs(none),
        "a lump with an extension rate of 20 1/s %s in two, %.0f and %.0f %% on both sides of a gap with %.1f %%; one of 4 1/s "
        "is carried around by %.0f° by a rough bar, a fluid without links by %.0f°",
        parted ? "divides" : "does not divide", 100 * parts->left, 100 * parts->right, 100 * parts->between, thick,
        none);
}

const Study takahashi_fig10_study = {
    .name = "takahashi-fig10",
    .paper = "Takahashi et al. 2014, Fig. 10",
    .claim = "A viscous lump that drops onto a rotating bar divides into two parts, which fall to the ground.",
    .run = run,
};
