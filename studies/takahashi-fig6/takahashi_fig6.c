/* Takahashi et al. 2014, Fig. 6: a viscous ball is dropped on the ground, with links and with SPH with explicit viscosity (pcisph.h), at
 * increasing time steps. A step is accurate, for both methods, if
 *   every number stays finite and no particle is ejected,
 *   the sum of kinetic and potential energy never exceeds its initial value,
 *   the mean compression stays below a tenth,
 *   the ball is at rest at the end, except for its slump, and
 *   its centre stays within a tenth of the radius of its path in short steps of the same solver. */
#include "pcisph.h"
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdio.h>

#define DENSITY      1000.0  /* kg/m3                                                                 */
#define GRAVITY      9.81    /* m/s2                                                                  */
#define SPACING      0.01    /* m, of all scenes but the last                                         */
#define DROP         1.0     /* spacings, drop height                                                 */
#define PAPERS_STEP  9.06e-4 /* s, of links in the paper                                              */
#define PICTURE_TIME 0.4     /* s                                                                     */
#define CLAIM        167.0 /* times longer, where explicit viscosity needs steps of 5.41e-6 s: the thickest ball here */
#define NEARLY       1.5   /* factor by which the ratio may be lower: the paper gives neither viscosity nor criterion */
#define FED          1.01  /* maximum energy over its initial value; it only falls, except for rounding */
#define PRESSED      0.1   /* mean compression                                                      */
#define RESTLESS     0.02  /* kinetic energy at the end over the initial energy; a slump has 0.003 */
#define OFF          0.1   /* allowed error of the centre, over the radius                          */
#define CLOSE        1.1   /* ratio of steps at which bisection stops                               */
#define SHORTEST     2.5e-4 /* s, reference step of links                                            */
#define SAFE         0.7    /* reference step of explicit viscosity, over the diffusion limit        */
#define LONGEST      3e-2   /* s, longest step tried with links                                      */
#define ALIKE        2.0    /* ratio of steps up to which they count as independent of viscosity     */
#define LIMIT_FACTOR 1.5    /* allowed factor between explicit steps and the diffusion limit         */
enum { POINTS = 100 };

/* A drop. Times scale with the root of the spacing, as in free fall. */
typedef struct Scene {
    double viscosity; /* Pa.s */
    double spacing;   /* m    */
    double radius;    /* spacings */
} Scene;

/* s */
static double duration_of(const Scene *scene)
{
    return 4.5 * sqrt(scene->spacing / GRAVITY);
}

/* s, the diffusion limit: with longer steps the exchange of velocity overshoots. */
static double diffusion_step(const Scene *scene)
{
    return DENSITY * scene->spacing * scene->spacing / (2 * scene->viscosity);
}

typedef enum Solver { LINKS, EXPLICIT, PHYSICAL } Solver;
static const char *const solver_names[] = {"links", "explicit viscosity", "method physical"};

/* A ball: its world, or the explicit fluid made from the particles of the world. */
typedef struct Ball {
    const Scene *scene;
    dlp_World *world;
    Pcisph *fluid; /* null: the world is stepped */
} Ball;

static dlp_World *make_world(StudyRun *run, const Scene *scene, const char *method)
{
    dlp_WorldDef def = study_world_def(run, method);
    def.spacing = scene->spacing;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    def.cfl = 0; /* a step is one step */
    dlp_World *world = study_world(run, &def);
    STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", scene->viscosity});
    study_floor(run, world, 1);
    return world;
}

static Ball make_ball(StudyRun *run, const Scene *scene, Solver solver)
{
    Ball ball = {.scene = scene, .world = make_world(run, scene, solver == PHYSICAL ? "physical" : "links")};
    dlp_FluidDef sphere = dlp_default_fluid_def();
    sphere.shape.kind = DLP_SHAPE_SPHERE;
    sphere.shape.radius = scene->radius * scene->spacing;
    sphere.shape.position.z = (scene->radius + DROP) * scene->spacing;
    study_fluid(run, ball.world, &sphere);
    if (solver == EXPLICIT) {
        const PcisphDef def = {scene->spacing, DENSITY, scene->viscosity, GRAVITY};
        StudyParticles particles = {0};
        study_read(run, ball.world, &particles);
        ball.fluid = pcisph_create(&def, (const float(*)[3])particles.position, particles.count);
        if (!ball.fluid) {
            study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        }
        study_particles_free(&particles);
    }
    return ball;
}

static void free_ball(Ball *ball)
{
    pcisph_destroy(ball->fluid);
    dlp_world_destroy(ball->world);
}

/* False once it is unstable, or the study should end. */
static bool step_ball(StudyRun *run, Ball *ball, double dt)
{
    bool broken = false;
    if (!ball->fluid) {
        return study_try_step(run, ball->world, dt, &broken) && !broken;
    }
    study_advance(run, 1);
    return study_going(run) && pcisph_step(ball->fluid, dt);
}

static PcisphStats stats_of(StudyRun *run, const Ball *ball)
{
    if (ball->fluid) {
        return pcisph_stats(ball->fluid);
    }
    const dlp_WorldStats stats = study_stats(run, ball->world);
    return (PcisphStats){stats.center.z, stats.kinetic_energy, stats.density_error};
}

/* J */
static double energy_of(const Ball *ball, const PcisphStats *stats)
{
    const double volume = ball->scene->spacing * ball->scene->spacing * ball->scene->spacing;
    const double mass = DENSITY * volume * (double)dlp_world_particle_count(ball->world);
    return stats->kinetic + mass * GRAVITY * stats->center;
}

/* Heights of the centre (m) at equal times from start to end. */
typedef struct Curve {
    double height[POINTS + 1];
} Curve;

static double height_at(const Curve *curve, double part)
{
    const int before = (int)fmin(part * POINTS, POINTS - 1);
    const double rest = part * POINTS - before;
    return (1 - rest) * curve->height[before] + rest * curve->height[before + 1];
}

typedef struct Trial {
    double dt;   /* s                           */
    bool good;   /* as said above               */
    Curve curve; /* complete if it was good     */
} Trial;

static bool is_fluid(const Ball *ball, const PcisphStats *stats, double energy)
{
    return energy_of(ball, stats) < FED * energy && stats->compression < PRESSED;
}

/* Extends the curve to `height` at the fraction `part` of the time, from `before` one step earlier. */
static void extend_curve(Curve *curve, int *filled, double part, double step, double height, double before)
{
    for (; *filled <= POINTS && *filled <= part * POINTS * (1 + 1e-12); (*filled)++) {
        const double back = (part - (double)*filled / POINTS) / step;
        curve->height[*filled] = height + back * (before - height);
    }
}

/* Drops a ball in steps of about `dt`; its centre may deviate by `most` (m) from the reference. */
static Trial drop(StudyRun *run, const Scene *scene, Solver solver, double dt, const Curve *reference, double most)
{
    const int steps = (int)ceil(duration_of(scene) / dt);
    Trial trial = {.dt = duration_of(scene) / steps, .good = true};
    int filled = 0;
    study_case(run, "%g Pa.s, %s, steps of %.3g ms", scene->viscosity, solver_names[solver], 1e3 * trial.dt);
    Ball ball = make_ball(run, scene, solver);
    PcisphStats stats = stats_of(run, &ball);
    const double energy = ball.world ? energy_of(&ball, &stats) : 0;
    for (int step = 1; step <= steps && trial.good; step++) {
        const double part = (double)step / steps, before = stats.center;
        trial.good = step_ball(run, &ball, trial.dt);
        stats = stats_of(run, &ball);
        trial.good = trial.good && is_fluid(&ball, &stats, energy) &&
                     (!reference || fabs(stats.center - height_at(reference, part)) < most);
        extend_curve(&trial.curve, &filled, part, 1.0 / steps, stats.center, before);
    }
    trial.good = trial.good && stats.kinetic < RESTLESS * energy;
    free_ball(&ball);
    return trial;
}

/* The longest good step between the reference step and one that is too long. */
static Trial find_longest(StudyRun *run, const Scene *scene, Solver solver, const Trial *reference, double longest,
                          double most)
{
    Trial best = *reference;
    while (longest > CLOSE * best.dt && study_going(run)) {
        const Trial trial = drop(run, scene, solver, sqrt(best.dt * longest), &reference->curve, most);
        if (trial.good && trial.dt > best.dt) {
            best = trial;
        } else {
            longest = sqrt(best.dt * longest);
        }
    }
    return best;
}

/* The longest steps. */
typedef struct Limits {
    Trial reference; /* of links, in short steps         */
    Trial stable;    /* of links, by stability alone     */
    Trial links;     /* of links, good                   */
    Trial explicit;  /* of explicit viscosity, good      */
} Limits;

static Limits find_limits(StudyRun *run, const Scene *scene)
{
    const double root = sqrt(scene->spacing / SPACING), most = OFF * scene->radius * scene->spacing;
    const double shortest = SHORTEST * root, longest = LONGEST * root, diffusion = diffusion_step(scene);
    Limits limits = {.reference = drop(run, scene, LINKS, shortest, NULL, INFINITY)};
    limits.stable = find_longest(run, scene, LINKS, &limits.reference, longest, INFINITY);
    limits.links = find_longest(run, scene, LINKS, &limits.reference, longest, most);
    const Trial safe = drop(run, scene, EXPLICIT, SAFE * diffusion, NULL, INFINITY);
    limits.explicit = find_longest(run, scene, EXPLICIT, &safe, 2 * diffusion, most);
    if (study_going(run) && !(limits.reference.good && safe.good)) {
        study_fail(run, DLP_ERROR_NOT_FINITE, "%g Pa.s: not stable at the shortest step", scene->viscosity);
    }
    return limits;
}

/* Figure 6 */

/* Particles with NaN positions are left out. */
static void show_fluid(StudyRun *run, StudyPicture *picture, const Ball *ball, const char *title)
{
    dlp_World *world = make_world(run, ball->scene, "links");
    for (int64_t i = 0; world && i < dlp_world_particle_count(ball->world); i++) {
        const dlp_Vec3 at = pcisph_place(ball->fluid, i);
        const float point[3] = {(float)at.x, (float)at.y, (float)at.z};
        if (isfinite(at.x) && isfinite(at.y) && isfinite(at.z)) {
            study_keep(run, world, dlp_world_add_points(world, 0, point, 1, (dlp_Vec3){0, 0, 0}));
        }
    }
    study_panel(picture, world, NULL, "%s", title);
    dlp_world_destroy(world);
}

static void show_drop(StudyRun *run, StudyPicture *picture, const Scene *scene, Solver solver, double dt)
{
    char title[64];
    snprintf(title, sizeof title, "%s, %.3g ms", solver_names[solver], 1e3 * dt);
    study_case(run, "picture of %s", title);
    Ball ball = make_ball(run, scene, solver);
    const int steps = (int)(PICTURE_TIME / dt);
    for (int step = 0; step < steps && step_ball(run, &ball, dt); step++) {}
    if (ball.fluid) {
        show_fluid(run, picture, &ball, title);
    } else {
        study_panel(picture, ball.world, NULL, "%s", title);
    }
    free_ball(&ball);
}

static void draw_balls(StudyRun *run, const Scene *scene, const Limits *limits)
{
    const double far = 2 * scene->radius * scene->spacing;
    StudyPicture *picture = study_picture(run, "balls", "Balls of 100 Pa.s, 0.4 s after their release",
                                          STUDY_VIEW_RAISED);
    study_ground(picture);
    study_window(picture, (dlp_Vec3){-far, -far, 0}, (dlp_Vec3){far, far, far});
    show_drop(run, picture, scene, LINKS, PAPERS_STEP);
    show_drop(run, picture, scene, EXPLICIT, limits->explicit.dt);
    show_drop(run, picture, scene, EXPLICIT, PAPERS_STEP);
}

static void draw_curve(StudyPlot *plot, const Scene *scene, const char *name, const Trial *trial)
{
    StudySeries *series = study_series(plot, "%s, %.3g ms", name, 1e3 * trial->dt);
    for (int i = 0; i <= POINTS; i++) {
        study_point(series, duration_of(scene) * i / POINTS, 1e3 * trial->curve.height[i]);
    }
}

static void draw_heights(StudyRun *run, const Scene *scene, const Limits *limits)
{
    const Trial physical = drop(run, scene, PHYSICAL, 1e-3, NULL, INFINITY);
    StudyPlot *plot = study_plot(run, "heights", "A ball of 100 Pa.s", "time, s", "height of the centre, mm");
    draw_curve(plot, scene, "links", &limits->reference);
    draw_curve(plot, scene, "links", &limits->links);
    draw_curve(plot, scene, "explicit", &limits->explicit);
    draw_curve(plot, scene, "method physical", &physical);
}

/* All together */

static const Scene full_scenes[] = {
    {100, SPACING, 4}, {1000, SPACING, 4}, {10000, SPACING, 4}, {1000, SPACING / 2, 4}, {0, 0, 0}};
static const Scene quick_scenes[] = {{100, SPACING, 3}, {10000, SPACING, 3}, {0, 0, 0}};

static void add_row(StudyTable *table, const Scene *scene, const Limits *limits)
{
    study_number(table, scene->viscosity);
    study_number(table, 1e3 * scene->spacing);
    study_number(table, 1e3 * limits->stable.dt);
    study_number(table, 1e3 * limits->links.dt);
    study_number(table, 1e3 * limits->explicit.dt);
    study_number(table, limits->explicit.dt / diffusion_step(scene));
    study_number(table, limits->links.dt / limits->explicit.dt);
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {{"viscosity", "Pa.s"},
                                             {"spacing", "mm"},
                                             {"links stable up to", "ms"},
                                             {"links accurate up to", "ms"},
                                             {"explicit accurate up to", "ms"},
                                             {"over rho d^2 / (2 eta)", ""},
                                             {"links over explicit", ""}};
    StudyTable *table = study_table(run, "steps", "The longest steps for a dropped viscous ball");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

/* Number of steps: mostly of explicit viscosity, one drop at the reference step and two or three at the longest. */
static double work_of(const Scene *scenes)
{
    double work = 0;
    for (const Scene *scene = scenes; scene->viscosity > 0; scene++) {
        work += 2000 + 4 * duration_of(scene) / diffusion_step(scene);
    }
    return work;
}

/* Over all scenes with the same spacing, from thin to thick. */
typedef struct Found {
    double least, most;  /* s, of the longest steps of links            */
    double limit_factor; /* largest ratio between explicit steps and the diffusion limit */
    double ratio;        /* of the thickest, links over explicit        */
    double viscosity;    /* Pa.s, of the thickest                       */
} Found;

static void add_scene(Found *found, const Scene *scene, const Limits *limits)
{
    const double limit_factor = limits->explicit.dt / diffusion_step(scene);
    found->least = fmin(found->least, limits->links.dt);
    found->most = fmax(found->most, limits->links.dt);
    found->limit_factor = fmax(found->limit_factor, fmax(limit_factor, 1 / limit_factor));
    found->ratio = limits->links.dt / limits->explicit.dt;
    found->viscosity = scene->viscosity;
}

static void judge(StudyRun *run, const Found *found)
{
    study_verdict(
        run, found->ratio > CLAIM / NEARLY && found->most < ALIKE * found->least && found->limit_factor < LIMIT_FACTOR,
        "links are accurate up to steps of %.2g to %.2g ms at any viscosity, explicit viscosity up to the diffusion limit "
        "within a factor of %.2f: so the ratio grows with viscosity, to %.0f at %g Pa.s; it is the paper's 167 at %.0f "
        "Pa.s",
        1e3 * found->least, 1e3 * found->most, found->limit_factor, found->ratio, found->viscosity,
        found->viscosity * CLAIM / found->ratio);
}

static void run(StudyRun *run)
{
    const Scene *scenes = run->quick ? quick_scenes : full_scenes;
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "steps", "The longest steps, spacing 1 cm", "viscosity, Pa.s", "time step, ms");
    StudySeries *links = study_series(plot, "links"), *explicit = study_series(plot, "explicit viscosity"),
                *theory = study_series(plot, "rho d^2 / (2 eta)");
    Found found = {.least = INFINITY};
    study_scales(plot, STUDY_LOG, STUDY_LOG);
    study_style(links, 0, STUDY_DOTS);
    study_style(explicit, 1, STUDY_DOTS);
    study_style(theory, 6, STUDY_DASHED);
    study_plan(run, work_of(scenes));
    for (const Scene *scene = scenes; scene->viscosity > 0 && study_going(run); scene++) {
        const Limits limits = find_limits(run, scene);
        add_row(table, scene, &limits);
        if (scene == scenes) {
            draw_heights(run, scene, &limits);
            draw_balls(run, scene, &limits);
        }
        if (scene->spacing == SPACING) {
            study_point(links, scene->viscosity, 1e3 * limits.links.dt);
            study_point(explicit, scene->viscosity, 1e3 * limits.explicit.dt);
            study_point(theory, scene->viscosity, 1e3 * diffusion_step(scene));
            add_scene(&found, scene, &limits);
        }
    }
    judge(run, &found);
}

const Study takahashi_fig6_study = {
    .name = "takahashi-fig6",
    .paper = "Takahashi et al. 2014, Fig. 6",
    .claim = "When a viscous ball is dropped, links allow time steps 167 times longer than explicit viscosity in SPH.",
    .run = run,
};
