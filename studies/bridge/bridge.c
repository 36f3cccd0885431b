/* A cylinder of fluid between two sticky no-slip plates that move apart. Force on the upper plate, against axisymmetric finite elements and
 * the one-dimensional theory of filaments, up to twice the length; and the length at which the bridge breaks, beside the radius that it
 * should have there. */
#include "studies/axisymmetric_flow.h"
#include "studies/study_output.h"
#include "studies/thread_parts.h"

#include <dollop/probe.h>
#include <math.h>
#include <stdlib.h>

#define PI         3.14159265358979323846
#define GRAVITY    9.81   /* m/s2 */
#define DENSITY    1000.0 /* kg/m3 */
#define RADIUS     0.025  /* m */
#define LENGTH     0.0595 /* m: 17 spacings of 3.5 mm, 14 of 4.25 mm */
#define MODULUS    1000.0 /* Pa, of the slime */
#define TIME       0.5    /* s, its relaxation time */
#define RAMP       0.2    /* s, in which the speed grows along a cosine */
#define PLATE      0.02   /* m, thickness of a plate */
#define STICKINESS 1e5    /* Pa */
#define SAMPLE     0.05   /* lengths between samples */
#define FIRST      1.1    /* lengths from which on forces are compared: before, the speed is not yet steady */
#define LAST       2.0    /* lengths to which they are */
#define FORCE_MOST 0.10   /* target of the error of the force */
#define SAME       0.10   /* target of the change by spacing and time step */
enum { KEYS = 100, SAMPLES = 400, FINE_STEPS = 4 /* of the finite elements in a sample at low strain */ };

typedef struct Bridge {
    const char *name;
    double viscosity; /* Pa s; 0: slime */
    double speed;     /* m/s */
    double gravity;   /* m/s2 */
    double spacing;   /* m */
    double dt;        /* s */
    double end;       /* lengths at which it is given up */
    double wanted;    /* lengths at break: target, 0: none */
    int same_as;      /* the bridge that it repeats at another spacing or step; -1: none */
    bool quick;
} Bridge;

#define COARSE 4.25e-3
#define FINE   3.5e-3
#define FINEST (LENGTH / 26) /* for bridges that get thinner than FINE resolves */
#define SLOW   0.053
#define FAST   0.25

static const Bridge bridges[] = {
    {"Newtonian 100 Pa s, no gravity", 100, SLOW, 0, FINE, 2.5e-3, 2, 0, -1, true},
    {"slime, no gravity", 0, SLOW, 0, FINE, 2.5e-3, 2, 0, -1, true},
    {"slime, coarser, no gravity", 0, SLOW, 0, COARSE, 2.5e-3, 2, 0, 1, false},
    {"fast slime", 0, FAST, GRAVITY, FINE, 2.5e-3, 4.2, 4, -1, true},
    {"fast slime, coarser", 0, FAST, GRAVITY, COARSE, 2.5e-3, 4.2, 0, 3, false},
    {"fast slime, half the step", 0, FAST, GRAVITY, FINE, 1.25e-3, 4.2, 0, 3, false},
    {"Newtonian 100 Pa s", 100, SLOW, GRAVITY, FINEST, 2.5e-3, 4, 4, -1, false},
    {"Newtonian 500 Pa s", 500, SLOW, GRAVITY, FINE, 2.5e-3, 4, 4, -1, false},
    {"slime", 0, SLOW, GRAVITY, FINEST, 2.5e-3, 6, 6, -1, false},
};
enum { BRIDGES = sizeof bridges / sizeof bridges[0] };

typedef struct Sample {
    double length; /* over that at the start */
    double force, finite,
        thin; /* N: measured, of finite elements, of the one-dimensional theory; means since the last sample */
} Sample;

typedef struct Pull {
    Sample sample[SAMPLES];
    int count;
    bool broken;
    double length;     /* at the break, or at the end */
    double radius;     /* m, least radius of the finite elements at that length */
    double force_most; /* largest error of the force between FIRST and LAST */
} Pull;

static double height_at(const Bridge *bridge, double time)
{
    const double slow = bridge->speed * (time / 2 - RAMP / (2 * PI) * sin(PI * time / RAMP));
    return LENGTH + (time < RAMP ? slow : bridge->speed * (time - RAMP / 2));
}

static double end_time(const Bridge *bridge)
{
    return RAMP / 2 + (bridge->end - 1) * LENGTH / bridge->speed;
}

static void add_plates(StudyRun *run, dlp_World *world, const Bridge *bridge)
{
    dlp_PoseKey keys[KEYS + 2] = {0};
    dlp_SolidDef plate = dlp_default_solid_def();
    plate.shape.kind = DLP_SHAPE_BOX;
    plate.shape.size = (dlp_Vec3){6 * RADIUS, 6 * RADIUS, PLATE};
    plate.shape.position.z = -PLATE / 2;
    plate.friction = 1;
    plate.stickiness = STICKINESS;
    study_solid(run, world, &plate);
    plate.shape.position.z = LENGTH + PLATE / 2;
    plate.path = DLP_PATH_LINEAR;
    const dlp_SolidId upper = study_solid(run, world, &plate);
    for (int n = 0; n <= KEYS + 1; n++) {
        keys[n].time = n <= KEYS ? n * RAMP / KEYS : end_time(bridge) + 1;
        keys[n].position.z = height_at(bridge, keys[n].time) + PLATE / 2;
    }
    if (study_going(run)) {
        dlp_ProbeDef force = dlp_default_probe_def();
        force.kind = DLP_PROBE_FORCE;
        force.solid = upper;
        study_keep(run, world, dlp_world_set_solid_keys(world, upper, keys, KEYS + 2));
        study_keep(run, world, dlp_world_add_probe(world, &force, NULL));
    }
}

static dlp_World *make_bridge(StudyRun *run, const Bridge *bridge)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    dlp_FluidDef fluid = dlp_default_fluid_def();
    def.spacing = bridge->spacing;
    def.gravity = (dlp_Vec3){0, 0, -bridge->gravity};
    dlp_World *world = study_world(run, &def);
    fluid.material = bridge->viscosity > 0
                         ? STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", bridge->viscosity})
                         : STUDY_MATERIAL(run, world, {"density", DENSITY}, {"modulus", MODULUS},
                                          {"relaxation_time", TIME});
    fluid.shape.kind = DLP_SHAPE_CYLINDER;
    fluid.shape.radius = RADIUS;
    fluid.shape.length = LENGTH;
    fluid.shape.position.z = LENGTH / 2;
    study_fluid(run, world, &fluid);
    add_plates(run, world, bridge);
    return world;
}

/* The reference: finite elements, and the conformation tensor of a cylinder that stretches evenly. */
typedef struct Reference {
    AxisymmetricFlow *flow;
    double area;          /* m2, at the start */
    double axial, radial; /* conformation tensor */
    double height;        /* m */
} Reference;

static Reference make_reference(StudyRun *run, const Bridge *bridge, const dlp_World *world)
{
    const double volume = world ? (double)dlp_world_particle_count(world) * pow(bridge->spacing, 3) : 0;
    Reference reference = {.area = volume / LENGTH, .axial = 1, .radial = 1, .height = LENGTH};
    reference.flow = axisymmetric_create(&(AxisymmetricDef){
        .radius = sqrt(reference.area / PI),
        .length = LENGTH,
        .density = DENSITY,
        .viscosity = bridge->viscosity,
        .modulus = bridge->viscosity > 0 ? 0 : MODULUS,
        .relaxation_time = TIME,
        .gravity = -bridge->gravity,
        .elements_r = 6,
        .elements_z = 20,
    });
    if (!reference.flow) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
    }
    return reference;
}

/* Advances both to a time; the mean forces. */
static void advance_reference(Reference *reference, const Bridge *bridge, double from, double to, Sample *sample)
{
    const double dt = (to - from) / FINE_STEPS, kept = exp(-dt / TIME);
    for (int n = 1; n <= FINE_STEPS; n++) {
        const double height = height_at(bridge, from + n * dt), stretch = height / reference->height;
        const double rate = log(stretch) / dt;
        axisymmetric_step(reference->flow, dt, height - reference->height);
        reference->axial = 1 + (reference->axial * stretch * stretch - 1) * kept;
        reference->radial = 1 + (reference->radial / stretch - 1) * kept;
        reference->height = height;
        const double stress = bridge->viscosity > 0 ? 3 * bridge->viscosity * rate
                                                    : MODULUS * (reference->axial - reference->radial);
        sample->finite += axisymmetric_force(reference->flow) / FINE_STEPS;
        sample->thin += stress * reference->area * LENGTH / height / FINE_STEPS;
    }
}

static double least_radius(const Reference *reference)
{
    enum { HEIGHTS = 100 };
    double least = INFINITY;
    for (int n = 1; n < HEIGHTS; n++) {
        least = fmin(least, axisymmetric_radius(reference->flow, reference->height * n / HEIGHTS));
    }
    return least;
}

static double read_force(StudyRun *run, const dlp_World *world)
{
    enum { FORCE_Z = 3, COLUMNS };
    double force[COLUMNS] = {0};
    study_keep(run, world, dlp_world_read_probe(world, 0, force, COLUMNS));
    return -force[FORCE_Z];
}

static bool is_whole(StudyRun *run, const dlp_World *world, const Bridge *bridge, double height)
{
    StudyParticles particles = {0};
    ThreadParts parts = {0};
    study_read(run, world, &particles);
    thread_find_parts(run, &particles, bridge->spacing, (ThreadPlates){0, height}, &parts);
    const bool whole = parts.whole;
    thread_parts_free(&parts);
    study_particles_free(&particles);
    return whole;
}

static void add_sample(Pull *pull, const Sample *sample)
{
    if (sample->length > FIRST && sample->length <= LAST) {
        pull->force_most = fmax(pull->force_most, fabs(sample->force / sample->finite - 1));
    }
    if (pull->count < SAMPLES) {
        pull->sample[pull->count++] = *sample;
    }
}

/* Steps until the bridge is SAMPLE longer. */
static Sample pull_on(StudyRun *run, dlp_World *world, const Bridge *bridge, double length)
{
    Sample sample = {0};
    double steps = 0;
    do {
        sample.force += study_step(run, world, bridge->dt) ? read_force(run, world) : 0;
        sample.length = height_at(bridge, dlp_world_time(world)) / LENGTH;
        steps++;
    } while (sample.length < length + SAMPLE && study_going(run));
    sample.force /= steps;
    return sample;
}

static void pull_apart(StudyRun *run, const Bridge *bridge, StudyPicture *picture, Pull *pull)
{
    static const double shown[] = {1, 2, 3, 4, 6};
    int panel = 0;
    study_case(run, "%s", bridge->name);
    study_weigh(run, pow(FINE / bridge->spacing, 3));
    dlp_World *world = make_bridge(run, bridge);
    Reference reference = make_reference(run, bridge, world);
    *pull = (Pull){.length = 1};
    while (!pull->broken && pull->length < bridge->end && study_going(run)) {
        const double from = dlp_world_time(world);
        if (panel < 5 && pull->length >= shown[panel]) {
            study_panel(picture, world, NULL, "%s, %.0f", bridge->name, shown[panel++]);
        }
        Sample sample = pull_on(run, world, bridge, pull->length);
        advance_reference(&reference, bridge, from, dlp_world_time(world), &sample);
        pull->length = sample.length;
        pull->broken = !is_whole(run, world, bridge, sample.length * LENGTH);
        add_sample(pull, &sample);
    }
    if (study_going(run)) {
        pull->radius = least_radius(&reference);
        study_panel(picture, world, NULL, "%s, %.1f", pull->broken ? "broken" : "end", pull->length);
        study_advance(run, fmax(0, (end_time(bridge) - dlp_world_time(world)) / bridge->dt));
    }
    axisymmetric_destroy(reference.flow);
    dlp_world_destroy(world);
}

static void plot_force(StudyPlot *plot, const Bridge *bridge, const Pull *pull, int color)
{
    StudySeries *measured = study_series(plot, "%s", bridge->name), *finite = study_series(plot, "finite elements"),
                *thin = study_series(plot, "filament without plates");
    study_style(measured, color, STUDY_LINE);
    study_style(finite, color, STUDY_DASHED);
    study_style(thin, color, STUDY_FINE);
    for (int n = 0; n < pull->count && pull->sample[n].length <= LAST + SAMPLE; n++) {
        const Sample *s = &pull->sample[n];
        study_point(measured, s->length, s->force);
        study_point(finite, s->length, s->finite);
        study_point(thin, s->length, s->thin);
    }
}

/* Largest difference of the forces of two bridges at the same length. */
static double force_change(const Pull *a, const Pull *b)
{
    double most = 0;
    int n = 0;
    for (int k = 0; k < a->count; k++) {
        const Sample *s = &a->sample[k];
        while (n < b->count - 1 && b->sample[n].length < s->length - SAMPLE / 2) {
            n++;
        }
        if (s->length > FIRST && s->length <= LAST && b->count > 0) {
            const double one = s->force / s->finite, other = b->sample[n].force / b->sample[n].finite;
            most = fmax(most, fabs(one / other - 1));
        }
    }
    return most;
}

static void add_row(StudyTable *table, const Bridge *bridge, const Pull *pull, const Pull *first)
{
    const double row[] = {bridge->speed,
                          1e3 * bridge->spacing,
                          1e3 * bridge->dt,
                          100 * pull->force_most,
                          first ? 100 * force_change(pull, first) : NAN,
                          pull->length};
    study_word(table, "%s", bridge->name);
    study_numbers(table, row, sizeof row / sizeof row[0]);
    study_word(table, "%s", pull->broken ? "broken" : "whole");
    study_number(table, pull->radius / bridge->spacing);
}

typedef struct Judgement {
    double force, same; /* largest errors */
    int reached, asked; /* lengths at break */
} Judgement;

static void judge(Judgement *judgement, const Bridge *bridge, const Pull *pull, const Pull *first)
{
    judgement->asked += bridge->wanted > 0;
    judgement->reached += bridge->wanted > 0 && (!pull->broken || pull->length >= bridge->wanted);
    judgement->force = fmax(judgement->force, pull->force_most);
    if (first) {
        const double shorter = first->broken ? fabs(pull->length / first->length - 1) : 0;
        judgement->same = fmax(judgement->same, fmax(force_change(pull, first), shorter));
    }
}

static void run(StudyRun *run)
{
    static Pull pulls[BRIDGES];
    static const char *const columns[][2] = {{"bridge", ""},
                                             {"speed", "m/s"},
                                             {"spacing", "mm"},
                                             {"step", "ms"},
                                             {"error of force", "%"},
                                             {"change of force", "%"},
                                             {"last length", ""},
                                             {"end", ""},
                                             {"least radius there", "spacings"}};
    StudyTable *table = study_table(run, "bridges", "Bridges between plates");
    StudyPlot *plot = study_plot(run, "force_plot", "Force on the plate, no gravity", "length over that at the start",
                                 "force, N");
    StudyPicture *picture = study_picture(run, "bridge_picture", "Slime between plates, seen from the side",
                                          STUDY_VIEW_SIDE);
    Judgement judgement = {0};
    double work = 0;
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    study_panels_per_row(picture, 7);
    for (int n = 0; n < BRIDGES; n++) {
        work += run->quick && !bridges[n].quick
                    ? 0
                    : end_time(&bridges[n]) / bridges[n].dt * pow(FINE / bridges[n].spacing, 3);
    }
    study_plan(run, work);
    for (int n = 0; n < BRIDGES && study_going(run); n++) {
        const Bridge *bridge = &bridges[n];
        if (run->quick && !bridge->quick) {
            continue;
        }
        const Pull *first = bridge->same_as >= 0 ? &pulls[bridge->same_as] : NULL;
        const bool pictured = bridge->gravity > 0 && bridge->viscosity <= 0 && !first && bridge->speed <= SLOW;
        pull_apart(run, bridge, pictured ? picture : NULL, &pulls[n]);
        add_row(table, bridge, &pulls[n], first);
        judge(&judgement, bridge, &pulls[n], first);
        if (bridge->gravity <= 0 && !first) {
            plot_force(plot, bridge, &pulls[n], n);
        }
    }
    study_verdict(
        run, judgement.force <= FORCE_MOST && judgement.same <= SAME && judgement.reached == judgement.asked,
        "%d of %d bridges reach the length that is asked for; forces are within %.1f %% of finite elements up to twice the "
        "length, and spacing and time step change results by at most %.1f %%",
        judgement.reached, judgement.asked, 100 * judgement.force, 100 * judgement.same);
}

const Study bridge_study = {
    .name = "bridge",
    .paper = "known answer",
    .claim =
        "A bridge of slime (1 kPa, 0.5 s) between plates stretches to 6 lengths at 53 mm/s and 4 at 0.25 m/s, Newtonian bridges to 4; "
        "the force on a plate is within 10 % of the theory up to twice the length, at two spacings and two time steps.",
    .run = run,
};
