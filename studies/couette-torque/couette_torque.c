/* Torque on bob and cup of a Couette cell, and on a vane, against the Couette flow of the law. The cell is that of the virtual rheometer. */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <dollop/rheology.h>
#include <dollop/rheometer.h>

#include <math.h>

#define RADIUS 0.1  /* m, of the bob */
#define CUP    0.15 /* m */
#define WANTED 0.03
enum { NEWTONIAN, BINGHAM, HERSCHEL_BULKLEY, FLUIDS };

static const Paste fluids[FLUIDS] = {
    {"Newtonian", 0, 20, 1, 0},
    {"Bingham", 20, 10, 1, 0},
    {"Herschel-Bulkley", 20, 20, 0.5, 0},
};

typedef struct Case {
    int across; /* particles across the gap */
    double from, to;
    int64_t points;
} Case;

/* The largest error of both torques, relative to that of the law. */
static double measure(StudyRun *run, dlp_RheometerTest test, int fluid, const Case *c, StudyTable *table,
                      StudySeries *points, StudySeries *law)
{
    const dlp_MaterialDef material = paste_def(&fluids[fluid]);
    dlp_RheometerDef def = dlp_default_rheometer_def();
    dlp_Measurement *measurement = NULL;
    dlp_Error error = {0};
    double worst = 0;
    study_case(run, "%s, %s fluid, %d particles across", dlp_rheometer_test_name(test), fluids[fluid].name, c->across);
    def.test = test;
    def.edge = c->across;
    def.radius = RADIUS;
    def.cup = CUP;
    def.from = c->from;
    def.to = c->to;
    def.points = c->points;
    def.threads = run->threads;
    const dlp_Result result = dlp_rheometer_run(&def, &material, &measurement, &error);
    if (result != DLP_OK) {
        study_fail(run, result, "%s", error.text);
    }
    for (int k = 0; k < dlp_measurement_count(measurement); k++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, k);
        const double bob = point->measured.torque / point->law.torque - 1,
                     cup = point->measured.cup_torque / point->law.torque - 1;
        worst = fmax(worst, fmax(fabs(bob), fabs(cup)));
        study_word(table, "%s", fluids[fluid].name);
        study_numbers(
            table, (double[]){c->across, point->rate, point->measured.torque, point->law.torque, 100 * bob, 100 * cup},
            6);
        study_point(points, point->rate, point->measured.torque);
        study_point(law, point->rate, point->law.torque);
    }
    dlp_measurement_destroy(measurement);
    study_advance(run, (double)c->points * c->across * c->across);
    return worst;
}

static void add_columns(StudyTable *table)
{
    static const char *const columns[][2] = {
        {"fluid", ""},    {"particles across", ""}, {"shear rate", "1/s"},    {"torque", "N.m/m"},
        {"law", "N.m/m"}, {"error", "%"},           {"error at the cup", "%"}};
    study_columns(table, columns, sizeof columns / sizeof *columns);
}

static void run(StudyRun *run)
{
    static const Case cases[] = {{6, 1, 10, 2}, {8, 1, 10, 2}, {12, 1, 10, 2}};
    static const Case quick[] = {{6, 1, 10, 2}};
    const Case *chosen = run->quick ? quick : cases;
    const int count = run->quick ? 1 : (int)(sizeof cases / sizeof *cases);
    double finest = 0;
    StudyTable *bob = study_table(run, "bob", "Torque on a bob in a cup"),
               *vane = study_table(run, "vane", "Torque on a vane of four blades in a cup");
    StudyPlot *plot = study_plot(run, "torque_plot", "Torque on a bob in a cup", "shear rate, 1/s", "torque, N.m/m");
    study_scales(plot, STUDY_LOG, STUDY_LOG);
    add_columns(bob);
    add_columns(vane);
    double work = 0;
    for (int i = 0; i < count; i++) {
        work += FLUIDS * (double)chosen[i].points * chosen[i].across * chosen[i].across * (i == count - 1 ? 2 : 1);
    }
    study_plan(run, work);
    for (int fluid = 0; fluid < FLUIDS; fluid++) {
        for (int i = 0; i < count && study_going(run); i++) {
            const bool is_finest = i == count - 1;
            StudySeries *points = is_finest ? study_series(plot, "%s", fluids[fluid].name) : NULL,
                        *law = is_finest ? study_series(plot, "%s, law", fluids[fluid].name) : NULL;
            study_style(points, fluid, STUDY_DOTS);
            study_style(law, fluid, STUDY_FINE);
            const double worst = measure(run, DLP_RHEOMETER_COUETTE, fluid, &chosen[i], bob, points, law);
            finest = is_finest ? fmax(finest, worst) : finest;
        }
    }
    for (int fluid = 0; fluid < FLUIDS && !run->quick && study_going(run); fluid++) {
        measure(run, DLP_RHEOMETER_VANE, fluid, &chosen[count - 1], vane, NULL, NULL);
    }
    study_verdict(run, finest <= WANTED, "at %d particles across the torques on bob and cup are off by at most %.2f %%",
                  chosen[count - 1].across, 100 * finest);
}

const Study couette_torque_study = {
    .name = "couette-torque",
    .paper = "known answer",
    .claim =
        "The torques on bob and cup of a Couette cell are those of the law, within 3 %, for Newtonian, Bingham and "
        "Herschel-Bulkley fluids.",
    .run = run,
};
