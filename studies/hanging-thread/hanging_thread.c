/* A cylinder of fluid hangs from a sticky no-slip plate and stretches under its weight. Newtonian threads are compared with the
 * one-dimensional solution of Trouton, below the plate's influence, and over their whole length with axisymmetric finite elements; a thread of
 * slime must not tear as long as its law keeps it thicker than the particles resolve. */
#include "studies/axisymmetric_flow.h"
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <dollop/probe.h>
#include <math.h>
#include <stdlib.h>

#define PI         3.14159265358979323846
#define GRAVITY    9.81   /* m/s2 */
#define DENSITY    1000.0 /* kg/m3 */
#define RADIUS     0.01   /* m */
#define LENGTH     0.1    /* m */
#define PLATE      0.02   /* m, thickness of the plate */
#define STICKINESS 1e5    /* Pa */
#define REACH      1.6    /* spacings, largest distance of particles of one piece */
#define STRETCHED  2.0    /* lengths to which Newtonian threads are compared */
#define THINNEST   1.0    /* spacings, radius of a section below which particles do not resolve the slime */
#define WANTED     0.03   /* largest error of the length below the plate's influence */
#define WHOLE      0.03   /* the same of the whole length, against finite elements */
enum { SAMPLES = 60, SECTIONS = 400, FINE_STEPS = 10 /* of the finite elements in a sample */, LAYERS_MOST = 256 };

typedef struct Thread {
    const char *name;
    double viscosity, modulus, relaxation_time; /* Pa s, Pa, s; the modulus of a Newtonian fluid is 0 */
    int across;                                 /* spacings in a radius */
    double dt;                                  /* s */
    bool slow;                                  /* Newtonian, without noticeable inertia: Trouton's solution holds */
    bool quick;
} Thread;

static const Thread threads[] = {
    {"Newtonian", 1000, 0, 0, 4, 2e-3, true, true},
    {"finer", 1000, 0, 0, 5, 2e-3, true, false},
    {"100 Pa s", 100, 0, 0, 4, 1e-3, false, false},
    {"slime", 0, 1000, 0.5, 4, 1e-3, false, true},
};
enum { THREADS = sizeof threads / sizeof threads[0] };

/* m, the section that was `rest` below the plate, t after the start: the weight below a section is constant and its area is A0 / stretch, so
 * d stretch / dt = rho g (L - rest) stretch^2 / (3 eta). */
static double trouton_depth(double viscosity, double rest, double time)
{
    const double s = DENSITY * GRAVITY * time / (3 * viscosity);
    return s > 0 ? log((1 - s * (LENGTH - rest)) / (1 - s * LENGTH)) / s : rest;
}

/* An upper-convected Maxwell thread under its weight, without inertia: with the stress difference N and the stretch l of a section,
 * G N = rho g (L - X) l, so that l'/l = N / (tau (Qzz + 2 Qrr)); at the start it is an elastic thread, l - 1/l^2 = rho g (L - X) / G. */
typedef struct Section {
    double stretch, axial, radial; /* conformation tensor */
} Section;

static Section hung_section(double load)
{
    double low = 1, high = 2 + load;
    for (int n = 0; n < 60; n++) {
        const double middle = (low + high) / 2;
        *(middle - 1 / (middle * middle) < load ? &low : &high) = middle;
    }
    return (Section){low, low * low, 1 / low};
}

static void creep(Section *s, double relaxation_time, double duration)
{
    enum { STEPS = 200 };
    const double dt = duration / STEPS;
    for (int n = 0; n < STEPS; n++) {
        const double rate = (s->axial - s->radial) / (relaxation_time * (s->axial + 2 * s->radial));
        s->axial += dt * (2 * rate * s->axial - (s->axial - 1) / relaxation_time);
        s->radial += dt * (-rate * s->radial - (s->radial - 1) / relaxation_time);
        s->stretch *= 1 + dt * rate;
    }
}

/* s, until the law stretches the section at the plate to `stretch`. */
static double creep_time(const Thread *thread, double stretch)
{
    const double step = 1e-3;
    Section top = hung_section(DENSITY * GRAVITY * LENGTH / thread->modulus);
    double time = 0;
    while (top.stretch < stretch) {
        creep(&top, thread->relaxation_time, step);
        time += step;
    }
    return time;
}

/* m, length of the thread by that law. */
static double creep_length(const Thread *thread, double time)
{
    double sum = 0;
    for (int n = 0; n < SECTIONS; n++) {
        Section s = hung_section(DENSITY * GRAVITY * LENGTH * (n + 0.5) / SECTIONS / thread->modulus);
        creep(&s, thread->relaxation_time, time);
        sum += s.stretch * LENGTH / SECTIONS;
    }
    return sum;
}

/* s, for which a thread is followed: somewhat longer than the comparison. */
static double duration_of(const Thread *thread)
{
    const double doubled = 0.7968 * 3 * thread->viscosity / (DENSITY * GRAVITY * LENGTH); /* -ln(1 - s) / s = 2 */
    return thread->modulus > 0 ? creep_time(thread, pow(thread->across / THINNEST, 2)) : 1.06 * doubled;
}

static double spacing_of(const Thread *thread)
{
    return RADIUS / thread->across;
}

static dlp_World *hang(StudyRun *run, const Thread *thread)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    dlp_SolidDef plate = dlp_default_solid_def();
    dlp_FluidDef fluid = dlp_default_fluid_def();
    dlp_ProbeDef pieces = dlp_default_probe_def();
    def.spacing = spacing_of(thread);
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    dlp_World *world = study_world(run, &def);
    fluid.material = thread->modulus > 0
                         ? STUDY_MATERIAL(run, world, {"density", DENSITY}, {"modulus", thread->modulus},
                                          {"relaxation_time", thread->relaxation_time})
                         : STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", thread->viscosity});
    plate.shape.kind = DLP_SHAPE_BOX;
    plate.shape.size = (dlp_Vec3){6 * RADIUS, 6 * RADIUS, PLATE};
    plate.shape.position.z = PLATE / 2;
    plate.friction = 1;
    plate.stickiness = STICKINESS;
    study_solid(run, world, &plate);
    fluid.shape.kind = DLP_SHAPE_CYLINDER;
    fluid.shape.radius = RADIUS;
    fluid.shape.length = LENGTH;
    fluid.shape.position.z = -LENGTH / 2;
    study_fluid(run, world, &fluid);
    if (study_going(run)) {
        pieces.kind = DLP_PROBE_PIECES;
        pieces.reach = REACH;
        study_keep(run, world, dlp_world_add_probe(world, &pieces, NULL));
    }
    return world;
}

/* The layer of each particle at the start, by its id; the first is next to the plate. */
typedef struct Layers {
    int *layer;
    int count;
} Layers;

static Layers find_layers(StudyRun *run, const Thread *thread, const dlp_World *world)
{
    StudyParticles particles = {0};
    study_read(run, world, &particles);
    Layers layers = {calloc((size_t)particles.count + 1, sizeof(int)), 1};
    if (!layers.layer) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
    }
    for (int64_t i = 0; layers.layer && i < particles.count; i++) {
        const int layer = (int)(-(double)particles.position[i][2] / spacing_of(thread));
        layers.layer[i] = layer < LAYERS_MOST ? layer : LAYERS_MOST - 1;
        layers.count = layers.layer[i] + 1 > layers.count ? layers.layer[i] + 1 : layers.count;
    }
    study_particles_free(&particles);
    return layers;
}

/* m, mean depth of the layers below the plate. */
static void read_depths(StudyRun *run, const dlp_World *world, const Layers *layers, double *depth)
{
    StudyParticles particles = {0};
    int64_t count[LAYERS_MOST] = {0};
    study_read(run, world, &particles);
    for (int n = 0; n < LAYERS_MOST; n++) {
        depth[n] = 0;
    }
    for (int64_t i = 0; i < particles.count; i++) {
        depth[layers->layer[i]] -= (double)particles.position[i][2];
        count[layers->layer[i]]++;
    }
    for (int n = 0; n < layers->count; n++) {
        depth[n] /= (double)(count[n] > 0 ? count[n] : 1);
    }
    study_particles_free(&particles);
}

static bool is_whole(StudyRun *run, dlp_World *world, double length, double spacing)
{
    enum { LENGTH_COLUMN = 5, COLUMNS };
    double piece[COLUMNS] = {0};
    study_keep(run, world, dlp_world_read_probe(world, 0, piece, COLUMNS));
    return !(piece[LENGTH_COLUMN] < length - 3 * spacing);
}

/* What became of a thread. Errors are largest over time. */
typedef struct Hung {
    double below;     /* error of the length below one radius from the plate, against Trouton */
    double whole;     /* error of the whole length, against finite elements */
    double stretched; /* lengths at the end, or at the break */
    double law;       /* lengths at the end by the law of the slime */
    bool broken;
} Hung;

typedef struct Plots {
    StudyPlot *newtonian, *slime;
    StudyPicture *picture;
} Plots;

static AxisymmetricFlow *make_reference(StudyRun *run, const Thread *thread)
{
    AxisymmetricFlow *flow = axisymmetric_create(&(AxisymmetricDef){
        .radius = RADIUS,
        .length = LENGTH,
        .density = DENSITY,
        .viscosity = thread->viscosity,
        .modulus = thread->modulus,
        .relaxation_time = thread->relaxation_time,
        .gravity = GRAVITY,
        .upper_free = true,
        .elements_r = 4,
        .elements_z = 40,
    });
    if (!flow) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
    }
    return flow;
}

/* The lengths of a sample, of the particles and of the reference; the lowest layer ends half a spacing below its centre. */
static void compare(const Thread *thread, const AxisymmetricFlow *flow, const Layers *layers, const double *depth,
                    double time, Hung *hung)
{
    const double d = spacing_of(thread), last = (layers->count - 0.5) * d;
    const int top = (int)lround(RADIUS / d); /* the first layer below the plate's influence */
    const double first = (top + 0.5) * d;
    hung->whole = fmax(hung->whole, fabs(depth[layers->count - 1] / axisymmetric_height(flow, last) - 1));
    if (thread->slow) {
        const double known = trouton_depth(thread->viscosity, last, time) -
                             trouton_depth(thread->viscosity, first, time);
        hung->below = fmax(hung->below, fabs((depth[layers->count - 1] - depth[top]) / known - 1));
    }
}

static void plot_references(const Thread *thread, StudyPlot *plot, StudySeries *finite, double (*points)[2], int count)
{
    StudySeries *known = study_series(plot,
                                      thread->modulus > 0 ? "law without inertia and plate" : "Trouton, without plate");
    study_style(finite, 1, STUDY_DASHED);
    study_style(known, 6, STUDY_FINE);
    for (int n = 0; n < count; n++) {
        const double time = points[n][0];
        study_point(finite, time, points[n][1] / LENGTH);
        study_point(
            known, time,
            (thread->modulus > 0 ? creep_length(thread, time) : trouton_depth(thread->viscosity, LENGTH, time)) /
                LENGTH);
    }
}

static Hung follow(StudyRun *run, const Thread *thread, const Plots *plots, bool reference)
{
    const double duration = duration_of(thread), between = duration / SAMPLES;
    StudyPlot *plot = thread->modulus > 0 ? plots->slime : plots->newtonian;
    Hung hung = {.law = thread->modulus > 0 ? creep_length(thread, duration) / LENGTH : NAN};
    double depth[LAYERS_MOST] = {0}, finite[SAMPLES][2];
    study_case(run, "%s", thread->name);
    study_weigh(run, pow(thread->across, 3));
    dlp_World *world = hang(run, thread);
    AxisymmetricFlow *flow = make_reference(run, thread);
    Layers layers = find_layers(run, thread, world);
    const bool plotted = reference || thread->modulus > 0;
    StudySeries *series = plotted ? study_series(plot, "%s", thread->name) : NULL;
    int count = 0;
    while (count < SAMPLES && !hung.broken && study_going(run)) {
        while (dlp_world_time(world) < (count + 1) * between - 0.5 * thread->dt && study_step(run, world, thread->dt)) {
        }
        const double time = dlp_world_time(world), before = count > 0 ? finite[count - 1][0] : 0;
        for (int n = 0; n < FINE_STEPS && flow; n++) {
            axisymmetric_step(flow, (time - before) / FINE_STEPS, 0);
        }
        read_depths(run, world, &layers, depth);
        const double length = depth[layers.count - 1] + 0.5 * spacing_of(thread);
        finite[count][0] = time;
        finite[count][1] = axisymmetric_height(flow, LENGTH);
        hung.broken = !is_whole(run, world, length, spacing_of(thread));
        hung.stretched = length / LENGTH;
        study_point(series, time, hung.stretched);
        if (finite[count][1] <= STRETCHED * LENGTH && !hung.broken) {
            compare(thread, flow, &layers, depth, time, &hung);
        }
        count++;
        if (reference && (count % (SAMPLES / 4) == 0 || hung.broken)) {
            study_panel(plots->picture, world, NULL, "%s, %.2f s", thread->name, time);
        }
    }
    if (reference) {
        plot_references(thread, plot, study_series(plot, "finite elements"), finite, count);
    }
    study_advance(run, fmax(0, (duration - dlp_world_time(world)) / thread->dt));
    free(layers.layer);
    axisymmetric_destroy(flow);
    dlp_world_destroy(world);
    return hung;
}

static void add_row(StudyTable *table, const Thread *thread, const Hung *hung)
{
    const double row[] = {thread->modulus > 0 ? thread->modulus * thread->relaxation_time : thread->viscosity,
                          thread->relaxation_time,
                          1e3 * spacing_of(thread),
                          1e3 * thread->dt,
                          thread->slow ? 100 * hung->below : NAN,
                          100 * hung->whole,
                          hung->stretched,
                          hung->law};
    study_word(table, "%s", thread->name);
    study_numbers(table, row, sizeof row / sizeof row[0]);
    study_word(table, "%s", hung->broken ? "broken" : "whole");
}

static void run(StudyRun *run)
{
    static const char *const columns[][2] = {{"thread", ""},
                                             {"viscosity", "Pa.s"},
                                             {"relaxation time", "s"},
                                             {"spacing", "mm"},
                                             {"step", "ms"},
                                             {"error below the plate", "%"},
                                             {"error of the length", "%"},
                                             {"last length", "lengths"},
                                             {"by the law", "lengths"},
                                             {"end", ""}};
    StudyTable *table = study_table(run, "threads", "Threads hanging from a plate");
    const Plots plots = {
        study_plot(run, "length_plot", "Hanging Newtonian thread", "time, s", "length over that at rest"),
        study_plot(run, "slime_plot", "Hanging slime", "time, s", "length over that at rest"),
        study_picture(run, "thread_picture", "Hanging threads, seen from the side", STUDY_VIEW_SIDE)};
    double work = 0, below = 0, whole = 0;
    int torn = 0, count = 0;
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    study_panels_per_row(plots.picture, 4);
    for (int n = 0; n < THREADS; n++) {
        work += run->quick && !threads[n].quick ? 0
                                                : duration_of(&threads[n]) / threads[n].dt * pow(threads[n].across, 3);
    }
    study_plan(run, work);
    for (int n = 0; n < THREADS && study_going(run); n++) {
        const Thread *thread = &threads[n];
        if (run->quick && !thread->quick) {
            continue;
        }
        const Hung hung = follow(run, thread, &plots, thread->quick);
        add_row(table, thread, &hung);
        torn += hung.broken && hung.stretched < (thread->modulus > 0 ? hung.law : STRETCHED);
        below = thread->slow ? fmax(below, hung.below) : below;
        whole = thread->slow ? fmax(whole, hung.whole) : whole;
        count++;
    }
    study_verdict(
        run, below <= WANTED && whole <= WHOLE && torn == 0,
        "Newtonian threads follow Trouton's solution within %.1f %% below the plate's influence until they have twice their "
        "length, and finite elements within %.1f %% over the whole length; %d of %d threads tear too early",
        100 * below, 100 * whole, torn, count);
}

const Study hanging_thread_study = {
    .name = "hanging-thread",
    .paper = "known answer",
    .claim =
        "A hanging Newtonian cylinder sags as Trouton's one-dimensional solution says, within 3 %, until it has twice its length; hanging "
        "slime (1 kPa, 0.5 s) does not tear before its law says so.",
    .run = run,
};
