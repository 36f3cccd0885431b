/* Squeeze flow: the force on plates that approach each other, of a long strip of fluid and of a disc, against lubrication theory. */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <dollop/probe.h>
#include <dollop/rheology.h>
#include <dollop/rheometer.h>

#include <math.h>
#include <stdlib.h>

#define PI       3.14159265358979323846
#define GAP      0.01 /* m, at the start */
#define RATE     10.0 /* 1/s, of a Newtonian fluid at the plates at the free end, at the start */
#define STRAIN   0.04 /* of a step, there */
#define LAST_GAP 0.8  /* over the first */
#define HOLD     1e5  /* Pa, stickiness: there is no gravity */
#define BULK \
    100 /* with the default of 7 a part of the flow is lost in compression: see src/rheology/measure_squeeze.c */
#define WANTED 0.10
enum { DEEP = 6 /* spacings along the periodic axis */, READINGS = 5, PLATE = 2, FORCE_COLUMNS = 4 };

static const Paste fluids[] = {
    {"Newtonian", 0, 2, 1, 0},
    {"Bingham", 20, 2, 1, 0},
    {"Herschel-Bulkley", 20, 6, 0.5, 0},
};
enum { NEWTONIAN, BINGHAM, HERSCHEL_BULKLEY };

typedef struct Case {
    int fluid, across; /* particles across the gap */
    double length;     /* half length over gap, at the start */
} Case;

/* A quarter of the strip: x = 0 and z = 0 are planes of symmetry. */
typedef struct Strip {
    const Case *c;
    dlp_World *world;
    dlp_ProbeId probe;
    dlp_MaterialDef material;
    double spacing, gap, speed; /* m, m, m/s */
} Strip;

static void add_walls(StudyRun *run, Strip *strip)
{
    const dlp_Vec3 turns[PLATE + 1] = {{0, PI / 2, 0}, {0, 0, 0}, {PI, 0, 0}};
    dlp_ProbeDef probe = dlp_default_probe_def();
    for (int n = 0; n <= PLATE; n++) {
        dlp_SolidDef plane = dlp_default_solid_def();
        plane.shape.rotation = turns[n];
        plane.stickiness = HOLD;
        plane.friction = n == PLATE;
        plane.shape.position.z = n == PLATE ? strip->gap / 2 : 0;
        plane.velocity.z = n == PLATE ? -strip->speed / 2 : 0;
        probe.solid = study_solid(run, strip->world, &plane);
    }
    probe.kind = DLP_PROBE_FORCE;
    study_keep(run, strip->world, dlp_world_add_probe(strip->world, &probe, &strip->probe));
}

static void add_fluid(StudyRun *run, const Strip *strip, dlp_MaterialId material)
{
    const int up = strip->c->across / 2, along = (int)lround(strip->c->length * strip->c->across),
              count = along * DEEP * up;
    float *points = malloc((size_t)count * 3 * sizeof *points);
    if (!points) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int k = 0; k < 3 * count; k++) {
        const int place[3] = {k / 3 % along, k / 3 / along % DEEP, k / 3 / along / DEEP};
        points[k] = (float)(strip->spacing * (place[k % 3] + 0.5 + paste_disorder(k)));
    }
    study_keep(run, strip->world, dlp_world_add_points(strip->world, material, points, count, (dlp_Vec3){0, 0, 0}));
    free(points);
}

static void make_strip(StudyRun *run, Strip *strip, const Case *c)
{
    *strip = (Strip){.c = c, .spacing = GAP / c->across, .gap = GAP};
    strip->speed = RATE * GAP / (6 * c->length);
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = strip->spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){0, DEEP * strip->spacing, 0};
    strip->world = study_world(run, &def);
    if (strip->world) {
        study_set(run, strip->world, "bulk", BULK);
        const dlp_MaterialId material = paste_material(run, strip->world, &fluids[c->fluid]);
        strip->material = paste_def(&fluids[c->fluid]);
        add_walls(run, strip);
        add_fluid(run, strip, material);
    }
}

/* m, half of the length on which it touches the plate: of an even layer of particles beside it. The free surface bulges, so that is less than
 * the length of a strip of this volume. */
static double length_of(StudyRun *run, const Strip *strip)
{
    double sum = 0, count = 0;
    for (int part = 0; study_going(run) && part < dlp_world_part_count(strip->world); part++) {
        dlp_ParticleView view = {0};
        study_keep(run, strip->world, dlp_world_view(strip->world, part, &view));
        for (int64_t i = 0; i < view.count; i++) {
            if ((double)view.position[2][i] > strip->gap / 2 - strip->spacing) {
                sum += (double)view.position[0][i];
                count++;
            }
        }
    }
    return 2 * sum / fmax(count, 1);
}

static double step_at(const Strip *strip, double length)
{
    return STRAIN * strip->gap * strip->gap / (6 * strip->speed * length);
}

/* Force over length (N/m), measured and of theory: means over the way to a gap. */
typedef struct Reading {
    double gap, length, force, theory;
} Reading;

static Reading close_to(StudyRun *run, Strip *strip, double until)
{
    const double begin = strip->gap, duration = (begin - until) / strip->speed;
    const int steps = (int)fmax(ceil(duration / step_at(strip, length_of(run, strip)) - 1e-6), 1);
    const double dt = duration / steps, depth = DEEP * strip->spacing;
    Reading reading = {0.5 * (begin + until), 0, 0, 0};
    for (int n = 0; n < steps && study_step(run, strip->world, dt); n++) {
        const double gap = strip->gap - 0.5 * strip->speed * dt;
        double values[FORCE_COLUMNS];
        study_keep(run, strip->world, dlp_world_read_probe(strip->world, strip->probe, values, FORCE_COLUMNS));
        const double length = length_of(run, strip);
        strip->gap -= strip->speed * dt;
        reading.length += length / steps;
        reading.force += 2 * values[3] / depth / steps; /* of both halves */
        reading.theory += dlp_material_squeeze_force(&strip->material, DLP_SQUEEZE_STRIP, length, gap, strip->speed) /
                          steps;
    }
    strip->gap = until;
    return reading;
}

/* Close the gap; the largest error of the readings. The first part of the way, in which the flow starts, is left out. */
static double squeeze_strip(StudyRun *run, const Case *c, StudyTable *table, StudySeries *points, StudySeries *law)
{
    Strip strip;
    double worst = 0;
    study_case(run, "strip of a %s fluid, %d particles across, %g gaps long", fluids[c->fluid].name, c->across,
               c->length);
    study_weigh(run, c->across * c->across * c->length);
    make_strip(run, &strip, c);
    for (int k = 0; k < READINGS && study_going(run); k++) {
        const double next = GAP * pow(LAST_GAP, (k + 1.0) / READINGS);
        close_to(run, &strip, 0.5 * (strip.gap + next));
        const Reading reading = close_to(run, &strip, next);
        const double error = reading.force / reading.theory - 1;
        worst = fmax(worst, fabs(error));
        study_word(table, "%s", fluids[c->fluid].name);
        study_numbers(table,
                      (double[]){c->across, reading.length / reading.gap, 1e3 * reading.gap, reading.force,
                                 reading.theory, 100 * error},
                      6);
        study_point(points, 1e3 * reading.gap, reading.force);
        study_point(law, 1e3 * reading.gap, reading.theory);
    }
    dlp_world_destroy(strip.world);
    return worst;
}

/* A disc, as `dollop rheometer --test squeeze` squeezes it; the largest error. */
static double squeeze_disc(StudyRun *run, int fluid, int across, StudyTable *table)
{
    const dlp_MaterialDef material = paste_def(&fluids[fluid]);
    dlp_RheometerDef def = dlp_default_rheometer_def();
    dlp_Measurement *measurement = NULL;
    dlp_Error error = {0};
    double worst = 0;
    study_case(run, "disc of a %s fluid, %d particles across", fluids[fluid].name, across);
    def.test = DLP_RHEOMETER_SQUEEZE;
    def.rate = RATE;
    def.edge = across;
    def.to = GAP;
    def.from = LAST_GAP * GAP;
    def.points = READINGS;
    def.threads = run->threads;
    const dlp_Result result = dlp_rheometer_run(&def, &material, &measurement, &error);
    if (result != DLP_OK) {
        study_fail(run, result, "%s", error.text);
    }
    for (int k = 0; k < dlp_measurement_count(measurement); k++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, k);
        const double off = point->measured.force / point->law.force - 1;
        worst = fmax(worst, fabs(off));
        study_word(table, "%s", fluids[fluid].name);
        study_numbers(table,
                      (double[]){across, point->radius / point->gap, 1e3 * point->gap, point->measured.force,
                                 point->law.force, 100 * off},
                      6);
    }
    dlp_measurement_destroy(measurement);
    return worst;
}

static void add_columns(StudyTable *table, const char *length, const char *force_unit)
{
    const char *const columns[][2] = {{"fluid", ""},         {"particles across", ""}, {length, ""},  {"gap", "mm"},
                                      {"force", force_unit}, {"theory", force_unit},   {"error", "%"}};
    study_columns(table, columns, sizeof columns / sizeof *columns);
}

static void run(StudyRun *run)
{
    static const Case cases[] = {{NEWTONIAN, 12, 10}, {BINGHAM, 8, 10},  {BINGHAM, 12, 10},
                                 {BINGHAM, 16, 10},   {BINGHAM, 12, 15}, {HERSCHEL_BULKLEY, 12, 10}};
    static const Case quick[] = {{BINGHAM, 8, 10}};
    const Case *chosen = run->quick ? quick : cases;
    const int count = run->quick ? 1 : (int)(sizeof cases / sizeof *cases);
    double strips = 0, discs = 0;
    StudyTable *strip = study_table(run, "strip", "Force over length of a strip"),
               *disc = study_table(run, "disc", "Force of a disc");
    StudyPlot *plot = study_plot(run, "strip_plot", "Force over length of a strip", "gap, mm", "force, N/m");
    add_columns(strip, "half length over gap", "N/m");
    add_columns(disc, "radius over gap", "N");
    study_plan(run, count * 300.0 * 1000);
    for (int i = 0; i < count && study_going(run); i++) {
        StudySeries *points = study_series(plot, "%s, %d across, %g gaps long", fluids[chosen[i].fluid].name,
                                           chosen[i].across, chosen[i].length),
                    *law = study_series(plot, "theory");
        study_style(points, i, STUDY_DOTS);
        study_style(law, i, STUDY_FINE);
        const double worst = squeeze_strip(run, &chosen[i], strip, points, law);
        strips = fmax(strips, worst);
    }
    for (int fluid = NEWTONIAN; fluid <= HERSCHEL_BULKLEY && !run->quick && study_going(run); fluid++) {
        discs = fmax(discs, squeeze_disc(run, fluid, 8, disc));
    }
    study_verdict(run, fmax(strips, discs) <= WANTED, "forces are off by at most %.1f %% (strips) and %.1f %% (discs)",
                  100 * strips, 100 * discs);
}

const Study squeeze_flow_study = {
    .name = "squeeze-flow",
    .paper = "Covey and Stanmore 1981",
    .claim =
        "The force of a Bingham or Herschel-Bulkley fluid on no-slip plates that approach each other slowly is that of lubrication theory "
        "with the stress of the stretched middle plane, within 10 %, in strips and discs.",
    .run = run,
};
