/* Barreiro et al. 2017, Fig. 5: liquid rope coiling for several relaxation times and compliances. A rope falls from a nozzle
 * on a sticky floor; its contact point (studies/laying.h) circles the axis. Measured are the coils per second and the
 * distance from the axis. */
#include "studies/barreiro_cube.h"
#include "studies/laying.h"

#define SPACING     0.02 /* m                                                               */
#define ROPE_RADIUS 0.06 /* m: six particles across                                         */
#define FALL        0.96 /* m, from the opening to the floor; the first 0.06 m are guided   */
#define SPEED       1.5  /* m/s; slower ropes tear under their weight                       */
#define TILT        0.01 /* slope of the nozzle, breaks the symmetry                        */
#define TIME_STEP   (1.0 / 240)
#define SETTLED     1.2 /* s, coils are counted from here on: a first heap has formed      */
enum { ITERATIONS = 20 /* per projection: 40 in Table 1 */, BAND = 10 /* layers of one colour in pictures */ };

typedef struct Case {
    const char *name;
    StudyValue value[2];
    double stress_keep; /* 0: as published */
    bool quick;         /* also in a quick run */
    int color;
    StudyStyle style;
} Case;

/* First in the paper's parameters, by increasing compliance; Newtonian ropes at the end. */
enum { COMPLIANT = 3, SOFTEST = 6, CASES = 10 };
static const Case cases[CASES] = {
    {"tau 0, alpha 0", {{"relaxation_time", 0}, {"compliance", 0}}, 0, false, 0, STUDY_LINE},
    {"tau 0.02, alpha 0", {{"relaxation_time", 0.02}, {"compliance", 0}}, 0, false, 1, STUDY_LINE},
    {"tau 0.15, alpha 0", {{"relaxation_time", 0.15}, {"compliance", 0}}, 0, true, 2, STUDY_LINE},
    {"tau 0.15, alpha 1e-5", {{"relaxation_time", 0.15}, {"compliance", 1e-5}}, 0, false, 3, STUDY_LINE},
    {"tau 0.15, alpha 1e-4", {{"relaxation_time", 0.15}, {"compliance", 1e-4}}, 0, false, 4, STUDY_LINE},
    {"tau 0.15, alpha 1e-3", {{"relaxation_time", 0.15}, {"compliance", 1e-3}}, 0, false, 5, STUDY_LINE},
    {"tau 0.15, alpha 1e-2", {{"relaxation_time", 0.15}, {"compliance", 1e-2}}, 0, true, 6, STUDY_LINE},
    {"500 Pa.s", {{"viscosity", 500}, {"relaxation_time", 0}}, 1, true, 0, STUDY_DASHED},
    {"2000 Pa.s", {{"viscosity", 2000}, {"relaxation_time", 0}}, 1, false, 1, STUDY_DASHED},
    {"10000 Pa.s", {{"viscosity", 1e4}, {"relaxation_time", 0}}, 1, false, 2, STUDY_DASHED},
};

static dlp_World *make_world(StudyRun *run, const Case *this)
{
    dlp_WorldDef def = study_world_def(run, "conformation");
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    barreiro_solver(run, world, this->stress_keep > 0 ? BARREIRO_KEPT : BARREIRO_DOUBLY, 2 * ITERATIONS);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.material = STUDY_MATERIAL(run, world, {"density", 1000}, this->value[0], this->value[1]);
    nozzle.position = (dlp_Vec3){-TILT * FALL, 0, FALL};
    nozzle.direction = (dlp_Vec3){TILT, 0, -1};
    nozzle.nozzle = DLP_NOZZLE_DISC;
    nozzle.radius = ROPE_RADIUS;
    nozzle.speed = SPEED;
    dlp_EmitterId id;
    study_floor(run, world, 1);
    if (world && dlp_world_add_emitter(world, &nozzle, &id) != DLP_OK) {
        study_fail(run, DLP_ERROR_ARGUMENT, "%s", dlp_world_error(world));
    }
    return world;
}

typedef struct Figures {
    StudyTable *table, *curves;
    StudyPlot *plot;
    StudyPicture *picture;
} Figures;

static Winding pour(StudyRun *run, const Case *this, int steps, const Figures *figures)
{
    Winding coil = {0};
    StudyParticles particles = {0};
    Laying rope = {.speed = SPEED};
    study_case(run, "%s%s", this->name, this->stress_keep > 0 ? " (stress kept)" : "");
    StudySeries *series = study_series(figures->plot, "%s", this->name);
    study_style(series, this->color, this->style);
    dlp_World *world = make_world(run, this);
    for (int step = 1; step <= steps && study_step(run, world, TIME_STEP); step++) {
        double place[3];
        study_read(run, world, &particles);
        if (!laying_place(&rope, &particles, place) || dlp_world_time(world) < SETTLED) {
            continue;
        }
        winding_follow(&coil, place, TIME_STEP);
        study_point(series, dlp_world_time(world), winding_turns(&coil));
        study_word(figures->curves, "%s", this->name);
        study_number(figures->curves, dlp_world_time(world));
        study_number(figures->curves, place[0]);
        study_number(figures->curves, place[1]);
        study_number(figures->curves, winding_turns(&coil));
    }
    laying_panel(run, figures->picture, world, &rope, BAND, this->name);
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return coil;
}

static void add_row(StudyTable *table, const Case *this, const Winding *coil)
{
    study_word(table, "%s", this->name);
    study_word(table, "%s", this->stress_keep > 0 ? "ours, stress kept" : "as published");
    study_number(table, winding_rate(coil));
    study_number(table, 100 * coil->radius);
    study_number(table, winding_steadiness(coil));
    study_word(table, "%s", winding_coils(coil, ROPE_RADIUS) ? "yes" : "no");
}

static Figures make_figures(StudyRun *run)
{
    Figures figures = {.table = study_table(run, "coils", "Ropes of 12 cm, falling 0.9 m from a nozzle at 1.5 m/s"),
                       .curves = study_long_table(run, "paths"),
                       .plot = study_plot(run, "turns", "Rotation of the contact point", "time, s", "turns"),
                       .picture = study_picture(run, "ropes", "Ropes at the end", STUDY_VIEW_RAISED)};
    study_ground(figures.picture);
    study_panels_per_row(figures.picture, CASES / 2);
    study_window(figures.picture, (dlp_Vec3){-0.6, -0.6, 0}, (dlp_Vec3){0.6, 0.6, FALL});
    study_column(figures.table, "material", "");
    study_column(figures.table, "solver", "");
    study_column(figures.table, "coils", "1/s");
    study_column(figures.table, "radius", "cm");
    study_column(figures.table, "steadiness", "");
    study_column(figures.table, "coils steadily", "");
    study_column(figures.curves, "material", "");
    study_column(figures.curves, "time", "s");
    study_column(figures.curves, "x", "m");
    study_column(figures.curves, "y", "m");
    study_column(figures.curves, "turns", "");
    return figures;
}

/* Ropes tried and ropes that coil. */
typedef struct Count {
    int tried, coiling;
} Count;

static void run(StudyRun *run)
{
    const int steps = run->quick ? 528 : 768; /* 2.2 s, 3.2 s */
    Count stiff = {0}, softest = {0}, newtonian = {0}, all = {0};
    const Figures figures = make_figures(run);
    study_plan(run, (double)steps * (run->quick ? 3 : CASES));
    for (int i = 0; i < CASES; i++) {
        if (run->quick && !cases[i].quick) {
            continue;
        }
        const Winding coil = pour(run, &cases[i], steps, &figures);
        Count *const counts[2] = {&all, i < COMPLIANT ? &stiff : i == SOFTEST ? &softest : &newtonian};
        const bool between = i >= COMPLIANT && i < SOFTEST;
        for (int k = 0; k < (between ? 1 : 2); k++) {
            counts[k]->tried++;
            counts[k]->coiling += winding_coils(&coil, ROPE_RADIUS);
        }
        add_row(figures.table, &cases[i], &coil);
    }
    study_verdict(
        run, stiff.coiling == stiff.tried && softest.coiling == 0,
        "%d of %d ropes without compliance coil steadily, and the most compliant one %s; %d of %d Newtonian ropes coil, "
        "%d of %d in total",
        stiff.coiling, stiff.tried, softest.coiling > 0 ? "coils too" : "forms a heap", newtonian.coiling,
        newtonian.tried, all.coiling, all.tried);
}

const Study barreiro_fig5_study = {
    .name = "barreiro-fig5",
    .paper = "Barreiro et al. 2017, Fig. 5",
    .claim =
        "Relaxation time and compliance decide how liquid ropes coil: regular coils at low compliance, a fluid heap at "
        "high compliance.",
    .run = run,
};
