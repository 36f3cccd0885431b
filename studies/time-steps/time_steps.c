/* Error against computing time of automatic steps for a range of Courant numbers: four flows, each compared with the same particles in
 * short fixed steps. The default of `world.cfl` is chosen from it. */
#include "studies/laying.h"
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define PI      3.14159265358979323846
#define GRAVITY 9.81 /* m/s2 */
#define SIDE    0.1  /* m, of the blocks of fluid                                           */
#define DEFAULT 0.4  /* the Courant number of the library                                   */
#define ALLOWED 0.01 /* by which the error at it may exceed that at the least Courant number */

/* The rope. */
#define ROPE_RADIUS 0.01 /* m                                               */
#define ROPE_SPEED  0.1  /* m/s, at the nozzle                              */
#define ROPE_HEIGHT 0.12 /* m, of the nozzle                                */
#define GUIDE       3.0  /* spacings                                        */
#define CIRCLE      1.2  /* s, of a turn of the nozzle at the start         */
enum { CIRCLE_KEYS = 41 };

static const double courants[] = {0.1, 0.2, 0.4, 0.8, 1.6};
enum { COURANTS = sizeof courants / sizeof courants[0], SAMPLES_MOST = 240, VALUES = 2 };

typedef struct Flow {
    const char *name;
    int across, quick; /* particles along a side, or across the rope; in a quick run */
    double duration;   /* s                                                          */
    int samples;       /* at even intervals                                          */
    int reference;     /* steps from one to the next, of the reference               */
    double work[2];    /* s of computing: the reference, and one with automatic steps */
    dlp_World *(*make)(StudyRun *run, double spacing, double courant);
    bool coils; /* what is compared is the angle of the place where the rope is laid, not the centre of mass */
} Flow;

static dlp_World *make_world(StudyRun *run, double spacing, double courant, double period)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    def.periodic_size.y = period;
    def.cfl = courant;
    return study_world(run, &def);
}

static dlp_World *make_slump(StudyRun *run, double spacing, double courant)
{
    dlp_World *world = make_world(run, spacing, courant, 0);
    study_floor(run, world, 1);
    study_cube(run, world, STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", 50}), (int)round(SIDE / spacing),
               0);
    return world;
}

/* It sags and oscillates. One that is dropped is no test: how high it bounces differs by 5 % between steps of 0.1 and 0.2 ms, because its
 * layers meet the floor one after the other. */
static dlp_World *make_jelly(StudyRun *run, double spacing, double courant)
{
    dlp_World *world = make_world(run, spacing, courant, 0);
    study_floor(run, world, 1);
    study_cube(run, world, STUDY_MATERIAL(run, world, {"density", 1000}, {"modulus", 5000}), (int)round(SIDE / spacing),
               0);
    return world;
}

/* A slice of a column that is twice as high as wide, in a tank four times as long. */
static dlp_World *make_dam_break(StudyRun *run, double spacing, double courant)
{
    enum { SLICE = 6 };
    const int across = (int)round(SIDE / spacing);
    dlp_World *world = make_world(run, spacing, courant, SLICE * spacing);
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){4 * SIDE, 10 * SIDE, 10 * SIDE};
    tank.shape.position = (dlp_Vec3){2 * SIDE, 0, 5 * SIDE};
    tank.friction = 0;
    study_solid(run, world, &tank);
    study_block(run, world,
                &(StudyBlock){.material = STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", 1e-3}),
                              .counts = {across, SLICE, 2 * across}});
    return world;
}

/* The nozzle describes a circle that fades, which gives the coils their sense of rotation. */
static void set_circle(StudyRun *run, dlp_World *world, dlp_EmitterId nozzle, double height)
{
    dlp_PoseKey keys[CIRCLE_KEYS] = {{0}};
    for (int k = 0; k < CIRCLE_KEYS; k++) {
        const double turns = 2.0 * k / (CIRCLE_KEYS - 1), radius = ROPE_RADIUS * (1 - turns / 2);
        keys[k].time = CIRCLE * turns;
        keys[k].position = (dlp_Vec3){radius * cos(2 * PI * turns), radius * sin(2 * PI * turns), height};
    }
    study_keep(run, world, dlp_world_set_emitter_keys(world, nozzle, keys, CIRCLE_KEYS));
}

static dlp_World *make_rope(StudyRun *run, double spacing, double courant)
{
    dlp_World *world = make_world(run, spacing, courant, 0);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    dlp_EmitterId id = 0;
    study_floor(run, world, 1);
    nozzle.material = STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", 1000});
    nozzle.position = (dlp_Vec3){0, 0, ROPE_HEIGHT + GUIDE * spacing};
    nozzle.direction = (dlp_Vec3){0, 0, -1};
    nozzle.radius = ROPE_RADIUS;
    nozzle.speed = ROPE_SPEED;
    nozzle.guide = GUIDE;
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_add_emitter(world, &nozzle, &id));
        set_circle(run, world, id, nozzle.position.z);
    }
    return world;
}

/* Times are of computing on two cores, relative ones matter only for the time left. */
static const Flow flows[] = {
    {"slump", 12, 8, 0.5, 50, 50, {20, 2}, make_slump, false},
    {"jelly", 12, 8, 0.3, 60, 25, {12, 1}, make_jelly, false},
    {"dam break", 16, 8, 0.6, 60, 50, {60, 4}, make_dam_break, false},
    {"coiling", 4, 0, 6, 240, 10, {60, 12}, make_rope, true},
};
enum { FLOWS = sizeof flows / sizeof flows[0] };

/* What a flow did, and what it took. */
typedef struct Course {
    double value[SAMPLES_MOST][VALUES];
    int64_t steps;
    double seconds; /* of computing */
} Course;

static void read_values(StudyRun *run, const dlp_World *world, Laying *laying, Winding *winding, double value[VALUES])
{
    if (laying->speed == 0) {
        const dlp_WorldStats stats = study_stats(run, world);
        value[0] = stats.center.x;
        value[1] = stats.center.z;
        return;
    }
    StudyParticles particles = {0};
    double place[3];
    study_read(run, world, &particles);
    if (laying_place(laying, &particles, place)) {
        winding_follow(winding, place, 1);
    }
    value[0] = winding_turns(winding);
    value[1] = 0;
    study_particles_free(&particles);
}

/* To `end` in equal steps, or in automatic ones if `steps` is 0; returns how many. */
static int64_t advance_to(StudyRun *run, dlp_World *world, double end, int steps)
{
    const double length = world && steps > 0 ? (end - dlp_world_time(world)) / steps : 0;
    int64_t done = 0;
    while (world && study_going(run) && (steps > 0 ? done < steps : dlp_world_time(world) < end)) {
        study_keep(run, world, steps > 0 ? dlp_world_step(world, length) : dlp_world_advance(world, end));
        done++;
    }
    return done;
}

/* Courant number 0: the reference. */
static void run_flow(StudyRun *run, const Flow *flow, double courant, Course *course)
{
    const int across = run->quick ? flow->quick : flow->across;
    dlp_World *world = flow->make(run, (flow->coils ? 2 * ROPE_RADIUS : SIDE) / across, courant);
    Laying laying = {.speed = flow->coils ? ROPE_SPEED : 0};
    Winding winding = {0};
    const double work = flow->work[courant > 0] / flow->samples;
    study_case(run, courant > 0 ? "%s, Courant number %g" : "%s, reference", flow->name, courant);
    course->steps = 0;
    course->seconds = 0;
    for (int n = 0; n < flow->samples && study_going(run); n++) {
        const double begun = study_clock(), end = flow->duration * (n + 1) / flow->samples;
        course->steps += advance_to(run, world, end, courant > 0 ? 0 : flow->reference);
        course->seconds += study_clock() - begun;
        read_values(run, world, &laying, &winding, course->value[n]);
        study_advance(run, work);
    }
    dlp_world_destroy(world);
}

/* Root mean square of the difference to the reference, over the range of the reference. */
static double error_of(const Flow *flow, const Course *course, const Course *reference)
{
    double sum = 0, range = 0;
    for (int v = 0; v < VALUES; v++) {
        double least = INFINITY, most = -INFINITY;
        for (int n = 0; n < flow->samples; n++) {
            const double wanted = reference->value[n][v];
            sum += pow(course->value[n][v] - wanted, 2) / flow->samples;
            least = fmin(least, wanted);
            most = fmax(most, wanted);
        }
        range = fmax(range, most - least);
    }
    return sqrt(sum) / range;
}

/* Returns by how much the error at the default is above that of the shortest steps. */
static double compare(StudyRun *run, const Flow *flow, StudyTable *table, StudyPlot *plot)
{
    static Course reference, course;
    double at_least = NAN, at_default = NAN;
    StudySeries *series = study_series(plot, "%s", flow->name);
    study_style(series, (int)(flow - flows), STUDY_DOTS);
    run_flow(run, flow, 0, &reference);
    for (int k = 0; k < COURANTS && study_going(run); k++) {
        run_flow(run, flow, courants[k], &course);
        const double error = error_of(flow, &course, &reference);
        study_word(table, "%s", flow->name);
        study_numbers(table, (const double[]){courants[k], (double)course.steps, course.seconds, 100 * error}, 4);
        study_point(series, course.seconds, 100 * error);
        at_least = k == 0 ? error : at_least;
        at_default = courants[k] == DEFAULT ? error : at_default;
    }
    return at_default - at_least;
}

static void compare_flows(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"flow", ""}, {"Courant number", ""}, {"steps", ""}, {"computing", "s"}, {"error", "%"}};
    StudyTable *table = study_table(run, "errors", "Automatic steps against short fixed ones");
    StudyPlot *plot = study_plot(run, "errors_plot", "error against computing time, Courant number 0.1 to 1.6",
                                 "computing, s", "error, %");
    double worst = -INFINITY, work = 0;
    const char *name = "";
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    study_scales(plot, STUDY_LOG, STUDY_LOG);
    for (int n = 0; n < FLOWS; n++) {
        work += run->quick && flows[n].quick == 0 ? 0 : flows[n].work[0] + COURANTS * flows[n].work[1];
    }
    study_plan(run, work);
    for (int n = 0; n < FLOWS && study_going(run); n++) {
        if (run->quick && flows[n].quick == 0) {
            continue;
        }
        const double excess = compare(run, &flows[n], table, plot);
        name = excess > worst ? flows[n].name : name;
        worst = fmax(worst, excess);
    }
    study_verdict(
        run, worst <= ALLOWED,
        "at the default Courant number of %g errors are at most %.2g percentage points above those at %g (%s)", DEFAULT,
        100 * worst, courants[0], name);
}

const Study time_steps_study = {
    .name = "time-steps",
    .paper = "known answer",
    .claim =
        "Errors of automatic steps at the default Courant number are at most one percentage point above those at a quarter of it: of fluids that "
        "slump, oscillate, splash and coil.",
    .run = compare_flows,
};
