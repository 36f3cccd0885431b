/* Takahashi et al. 2014, Figs. 7 and 8: a thread of viscous fluid coils, a sheet of it buckles and folds. Both fall from nozzles
 * on a sticky floor; the contact point (studies/laying.h) circles the axis, or moves back and forth. A fluid without links is
 * poured for comparison. */
#include "studies/laying.h"

#include <math.h>

#define SPACING   0.01  /* m                                                                  */
#define RADIUS    0.025 /* m, of the thread: five particles across                            */
#define THICKNESS 0.03  /* m, of the sheet: three particles                                   */
#define WIDTH     0.14  /* m, of the sheet                                                    */
#define FALL      0.5   /* m, from the opening to the floor                                   */
#define SPEED     1.0   /* m/s                                                                */
#define TILT      0.01  /* slope of the nozzle, breaks the symmetry                           */
#define TIME_STEP 0.002 /* s                                                                  */
#define FOLDS     4     /* minimum for a sheet that folds: back and forth twice               */
enum { FLUIDS = 3, BAND = 8 /* layers of one colour in pictures */ };

typedef struct Fluid {
    const char *name;
    double rate; /* 1/s, extension rate of links; -1: no links       */
    bool quick;  /* also in a quick run                              */
} Fluid;

static const Fluid fluids[FLUIDS] = {{"0.5 1/s", 0.5, true}, {"5 1/s", 5, false}, {"no links", -1, true}};

/* s, turns and folds are counted from here on. A thread folds at first, until a heap has formed. */
static double settled_of(bool sheet)
{
    return sheet ? 0.8 : 1.2;
}

/* s, duration of the run. */
static double end_of(const StudyRun *run, bool sheet)
{
    return sheet ? run->quick ? 1.4 : 1.8 : run->quick ? 2.0 : 2.4;
}

static dlp_EmitterDef make_nozzle(bool sheet)
{
    /* A thread is also tilted out of the symmetry planes of its lattice; nothing else would break that symmetry. */
    const double aside = sheet ? 0 : TILT / 2;
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.position = (dlp_Vec3){-TILT * FALL, -aside * FALL, FALL};
    nozzle.direction = (dlp_Vec3){TILT, aside, -1};
    nozzle.nozzle = sheet ? DLP_NOZZLE_RECTANGLE : DLP_NOZZLE_DISC;
    nozzle.radius = RADIUS;
    nozzle.width = WIDTH;
    nozzle.height = THICKNESS;
    nozzle.speed = SPEED;
    return nozzle;
}

static dlp_World *make_world(StudyRun *run, const Fluid *fluid, bool sheet)
{
    dlp_WorldDef def = study_world_def(run, "links");
    dlp_EmitterDef nozzle = make_nozzle(sheet);
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    nozzle.material = STUDY_MATERIAL(run, world, {"density", 1000}, {"extension_rate", fluid->rate});
    study_floor(run, world, 1);
    if (world) {
        study_keep(run, world, dlp_world_add_emitter(world, &nozzle, NULL));
    }
    return world;
}

typedef struct Figures {
    StudyTable *paths;
    StudyPlot *plot;
    StudyPicture *picture;
} Figures;

/* The motion of the contact point. */
typedef struct ContactMotion {
    Winding winding;
    Folding folding;
} ContactMotion;

static void track_contact(ContactMotion *motion, const double place[2], double time)
{
    winding_follow(&motion->winding, place, TIME_STEP);
    folding_follow(&motion->folding, place[0], THICKNESS, time);
}

static ContactMotion pour(StudyRun *run, const Fluid *fluid, bool sheet, const Figures *figures)
{
    ContactMotion motion = {0};
    StudyParticles particles = {0};
    Laying laying = {.speed = SPEED};
    study_case(run, "%s, %s", sheet ? "sheet" : "thread", fluid->name);
    StudySeries *series = study_series(figures->plot, "%s", fluid->name);
    dlp_World *world = make_world(run, fluid, sheet);
    const int steps = (int)lround(end_of(run, sheet) / TIME_STEP);
    for (int step = 1; step <= steps && study_step(run, world, TIME_STEP); step++) {
        double place[3];
        const double time = step * TIME_STEP;
        study_read(run, world, &particles);
        if (!laying_place(&laying, &particles, place) || time < settled_of(sheet)) {
            continue;
        }
        track_contact(&motion, place, time);
        study_point(series, time, sheet ? place[0] : winding_turns(&motion.winding));
        study_word(figures->paths, "%s", fluid->name);
        study_number(figures->paths, time);
        study_number(figures->paths, place[0]);
        study_number(figures->paths, place[1]);
    }
    laying_panel(run, figures->picture, world, &laying, BAND, fluid->name);
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return motion;
}

static Figures make_figures(StudyRun *run, bool sheet)
{
    Figures figures = {
        .paths = study_long_table(run, sheet ? "sheet_paths" : "thread_paths"),
        .plot = sheet ? study_plot(run, "folds", "Contact line of a sheet", "time, s", "offset, m")
                      : study_plot(run, "turns", "Rotation of the contact point of a thread", "time, s", "turns"),
        .picture = sheet ? study_picture(run, "sheets", "Sheets at the end", STUDY_VIEW_RAISED)
                         : study_picture(run, "threads", "Threads at the end", STUDY_VIEW_RAISED)};
    static const char *const paths[][2] = {{"fluid", ""}, {"time", "s"}, {"x", "m"}, {"y", "m"}};
    study_columns(figures.paths, paths, sizeof paths / sizeof paths[0]);
    study_ground(figures.picture);
    study_panels_per_row(figures.picture, FLUIDS);
    study_window(figures.picture, (dlp_Vec3){-0.3, -0.3, 0}, (dlp_Vec3){0.3, 0.3, FALL});
    return figures;
}

static bool does_coil(const ContactMotion *motion)
{
    return winding_coils(&motion->winding, RADIUS);
}

static bool does_buckle(const ContactMotion *motion)
{
    return motion->folding.folds >= FOLDS;
}

enum { COLUMNS = 6 };

static StudyTable *make_table(StudyRun *run, bool sheet)
{
    static const char *const threads[COLUMNS][2] = {{"extension rate", ""},      {"turns", ""},
                                                    {"turns per second", "1/s"}, {"radius", "cm"},
                                                    {"steadiness", ""},          {"coils", ""}};
    static const char *const sheets[COLUMNS][2] = {{"extension rate", ""}, {"folds", ""}, {"period", "s"},
                                                   {"from", "cm"},         {"to", "cm"},  {"buckles", ""}};
    StudyTable *table = sheet ? study_table(run, "sheets_table", "Sheets of 3 cm that fall 0.5 m at 1 m/s")
                              : study_table(run, "threads_table", "Threads of 5 cm that fall 0.5 m at 1 m/s");
    study_columns(table, sheet ? sheets : threads, COLUMNS);
    return table;
}

static void add_row(StudyTable *table, const Fluid *fluid, bool sheet, const ContactMotion *motion)
{
    const Winding *winding = &motion->winding;
    const Folding *folding = &motion->folding;
    const double turns[] = {winding_turns(winding), winding_rate(winding), 100 * winding->radius,
                            winding_steadiness(winding)};
    const double folds[] = {folding->folds, folding_period(folding), 100 * folding->low, 100 * folding->high};
    study_word(table, "%s", fluid->name);
    for (int n = 0; n < COLUMNS - 2; n++) {
        study_number(table, sheet ? folds[n] : turns[n]);
    }
    study_word(table, "%s", (sheet ? does_buckle(motion) : does_coil(motion)) ? "yes" : "no");
}

static void pour_all(StudyRun *run, bool sheet, ContactMotion motion[FLUIDS])
{
    const Figures figures = make_figures(run, sheet);
    StudyTable *table = make_table(run, sheet);
    for (int n = 0; n < FLUIDS; n++) {
        if (fluids[n].quick || !run->quick) {
            motion[n] = pour(run, &fluids[n], sheet, &figures);
            add_row(table, &fluids[n], sheet, &motion[n]);
        }
    }
}

static void run(StudyRun *run)
{
    ContactMotion threads[FLUIDS] = {0}, sheets[FLUIDS] = {0};
    study_plan(run, (end_of(run, false) + end_of(run, true)) / TIME_STEP * (run->quick ? 2 : FLUIDS));
    pour_all(run, false, threads);
    pour_all(run, true, sheets);
    const ContactMotion *thick = &threads[0], *thin = &threads[FLUIDS - 1];
    const ContactMotion *thick_sheet = &sheets[0], *thin_sheet = &sheets[FLUIDS - 1];
    study_verdict(
        run, does_coil(thick) && !does_coil(thin) && does_buckle(thick_sheet) && !does_buckle(thin_sheet),
        "at an extension rate of %s a thread makes %.2f turns per second with a steadiness of %.2f, a sheet %d folds; without "
        "links a thread stays within %.1f cm of the axis and a sheet makes %d folds",
        fluids[0].name, winding_rate(&thick->winding), winding_steadiness(&thick->winding), thick_sheet->folding.folds,
        100 * thin->winding.radius, thin_sheet->folding.folds);
}

const Study takahashi_fig7_8_study = {
    .name = "takahashi-fig7-8",
    .paper = "Takahashi et al. 2014, Figs. 7 and 8",
    .claim = "A thread of a viscous fluid that falls on the ground coils, and a sheet of it buckles.",
    .run = run,
};
