/* Barreiro et al. 2017, Fig. 3: a beam of highly viscous material rotates in free space. With velocity constraints only, it moves like a
 * rigid body, but particles move along tangents and the beam lengthens at a known rate. */
#include "studies/barreiro_cube.h"
#include "studies/study_fit.h"
#include "studies/study_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI          3.14159265358979323846
#define LENGTH      1.0         /* m; a quarter as wide and as high                                          */
#define SPIN        3.0         /* rad/s, about the vertical                                                 */
#define TIME_STEP   (1.0 / 240) /* s, of the blocks in the paper's Table 1                                   */
#define STAYS       0.005       /* relative lengthening that is too small to see                             */
#define GROWS       10          /* times that, at least: the drift that the paper shows                      */
#define NEAR_THEORY 0.2         /* relative error of the growth up to which the theory explains it           */
enum { ITERATIONS = 20 /* in total, also of Table 1 */, BANDS = 8, PLOT_EVERY = 12 };

/* `straight`: the velocity projection ignores that steps are straight. */
typedef struct Variant {
    const char *name;
    bool physical, positions, kept, straight;
    double step; /* in time steps */
} Variant;

enum { VELOCITIES, DOUBLY, ARCS, PHYSICAL, SHORT, PUBLISHED, PUBLISHED_DOUBLY, VARIANTS };
static const Variant variants[VARIANTS] = {
    [VELOCITIES] = {"velocities only", .kept = true, .straight = true, .step = 1},
    [DOUBLY] = {"doubly constrained", .kept = true, .positions = true, .step = 1},
    [ARCS] = {"velocities only, arcs", .kept = true, .step = 1},
    [PHYSICAL] = {"physical", .physical = true, .step = 1},
    [SHORT] = {"velocities only, half the step", .kept = true, .straight = true, .step = 0.5},
    [PUBLISHED] = {"velocities only, no stress kept", .straight = true, .step = 1},
    [PUBLISHED_DOUBLY] = {"doubly, no stress kept", .positions = true, .step = 1},
};

typedef struct Figures {
    int counts[3]; /* of the beam */
    double duration;
    StudyTable *table;
    StudyPlot *plot;
    StudyPicture *picture;
} Figures;

/* Growth of a rigid rotation in straight steps: a step lengthens radii by the fraction (spin dt)^2 / 2, and conservation of angular
 * momentum reduces the spin. */
static double known_growth(double dt, double time)
{
    return pow(1 + 2 * SPIN * SPIN * dt * time, 0.25);
}

static dlp_World *make_beam(StudyRun *run, const Variant *variant, const int counts[3])
{
    const double spacing = LENGTH / counts[0];
    dlp_WorldDef def = study_world_def(run, variant->physical ? "physical" : "conformation");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    const dlp_MaterialId material = barreiro_material(
        run, world, 0, 0, (BarreiroStep){variant->physical ? BARREIRO_PHYSICAL : BARREIRO_DOUBLY, TIME_STEP});
    if (variant->physical) {
        barreiro_physical(run, world);
    } else {
        barreiro_solver(run, world, variant->kept ? BARREIRO_KEPT : BARREIRO_DOUBLY, ITERATIONS);
        study_set(run, world, "velocity_iterations", variant->positions ? ITERATIONS / 2 : ITERATIONS);
        study_set(run, world, "position_iterations", variant->positions ? ITERATIONS / 2 : 0);
        study_set(run, world, "corotation", !variant->straight);
    }
    study_block(run, world,
                &(StudyBlock){.material = material,
                              .counts = {counts[0], counts[1], counts[2]},
                              .corner = {-LENGTH / 2, -0.5 * spacing * counts[1], -0.5 * spacing * counts[2]},
                              .spin = {0, 0, SPIN}});
    return world;
}

/* m2: mean square distance from the vertical axis. */
static double spread_of(const StudyParticles *particles)
{
    double sum = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const double x = (double)particles->position[i][0], y = (double)particles->position[i][1];
        sum += x * x + y * y;
    }
    return sum / (double)particles->count;
}

/* Length at the end over the initial length. */
static double rotate_beam(StudyRun *run, const Variant *variant, const Figures *figures, int color)
{
    const double dt = variant->step * TIME_STEP;
    const int steps = (int)lround(figures->duration / dt);
    StudyParticles rest = {0}, now = {0};
    double growth = 1;
    study_case(run, "%s", variant->name);
    dlp_World *world = make_beam(run, variant, figures->counts);
    StudySeries *series = study_series(figures->plot, "%s", variant->name);
    study_style(series, color, STUDY_LINE);
    study_read(run, world, &rest);
    const dlp_WorldStats before = study_stats(run, world);
    for (int step = 1; step <= steps && study_step(run, world, dt); step++) {
        if (step % PLOT_EVERY == 0 || step == steps) {
            study_read(run, world, &now);
            growth = sqrt(spread_of(&now) / spread_of(&rest));
            study_point(series, step * dt, growth);
        }
    }
    const dlp_WorldStats after = study_stats(run, world);
    study_word(figures->table, "%s", variant->name);
    study_number(figures->table, 1e3 * dt);
    study_number(figures->table, growth);
    study_number(figures->table, variant->straight && variant->kept ? known_growth(dt, steps * dt) : NAN);
    study_number(figures->table, 1e3 * study_rms_from_rigid(&rest, &now));
    study_number(figures->table, after.angular.z / before.angular.z);
    study_number(figures->table, after.kinetic_energy / before.kinetic_energy);
    uint8_t *bands = study_bands(run, figures->counts, 0, BANDS);
    study_panel(figures->picture, world, bands, "%s", variant->name);
    free(bands);
    study_particles_free(&rest);
    study_particles_free(&now);
    dlp_world_destroy(world);
    return growth;
}

static Figures make_figures(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"constraints", ""},       {"time step", "ms"},           {"length", "of the start"}, {"theory", ""},
        {"deformation", "mm RMS"}, {"angular momentum left", ""}, {"energy left", ""}};
    const int width = run->quick ? 4 : 6, turns = run->quick ? 1 : 3;
    Figures figures = {
        .counts = {4 * width, width, width},
        .duration = turns * 2 * PI / SPIN,
        .table = study_table(run, "beams", "A viscous beam that rotates at 3 rad/s in free space"),
        .plot = study_plot(run, "length_plot", "Length of a rotating beam", "time, s", "length, relative to the start"),
        .picture = study_picture(run, "beams",
                                 run->quick ? "The beams after one rotate_beam" : "The beams after three turns",
                                 STUDY_VIEW_RAISED),
    };
    study_columns(figures.table, columns, sizeof columns / sizeof columns[0]);
    study_range_y(figures.plot, 0.95, 1.2);
    study_window(figures.picture, (dlp_Vec3){-0.65, -0.65, -0.25}, (dlp_Vec3){0.65, 0.65, 0.25});
    return figures;
}

static void add_theory(StudyPlot *plot, double duration)
{
    StudySeries *series = study_series(plot, "theory");
    study_style(series, 6, STUDY_DASHED);
    for (int i = 0; i <= 40; i++) {
        study_point(series, duration * i / 40, known_growth(TIME_STEP, duration * i / 40));
    }
}

static void run(StudyRun *run)
{
    const Figures figures = make_figures(run);
    const int count = run->quick ? SHORT : VARIANTS;
    double growth[VARIANTS];
    study_plan(run, (count + (count > SHORT)) * figures.duration / TIME_STEP);
    for (int i = 0; i < count; i++) {
        growth[i] = rotate_beam(run, &variants[i], &figures, i);
    }
    add_theory(figures.plot, figures.duration);
    const double grown = growth[VELOCITIES] - 1, known = known_growth(TIME_STEP, figures.duration) - 1;
    const double most = fmax(fabs(growth[DOUBLY] - 1), fabs(growth[PHYSICAL] - 1));
    const bool drifts = grown > GROWS * most && fabs(grown / known - 1) < NEAR_THEORY;
    study_verdict(
        run, most < STAYS && drifts,
        "with velocity constraints only the beam lengthens by %.1f %% (theory for a rigid rotation in straight steps: "
        "%.1f %%), doubly constrained by %.2f %%, with the method physical by %.2f %%",
        100 * grown, 100 * known, 100 * (growth[DOUBLY] - 1), 100 * (growth[PHYSICAL] - 1));
}

const Study barreiro_fig3_study = {
    .name = "barreiro-fig3",
    .paper = "Barreiro et al. 2017, Fig. 3",
    .claim =
        "A viscous beam that rotates in free space drifts out of shape with velocity constraints only, as in Peer et al. "
        "(2015); the doubly constrained solver keeps its shape.",
    .run = run,
};
