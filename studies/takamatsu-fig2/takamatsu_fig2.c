/* Takamatsu and Kanai 2011, Fig. 2: a bar of shape matching alone (alpha 0) is stiffer with a larger support radius. Here it is a bridge
 * between two piers, which needs no clamp; its sag is compared with a Timoshenko beam. */
#include "studies/study_output.h"
#include "studies/takamatsu_shapes.h"

#include <math.h>

#define SPACING       0.01   /* m                                                                           */
#define DENSITY       1000.0 /* kg/m3                                                                       */
#define MATCHING_TIME 0.002  /* s                                                                           */
#define DT            0.0003 /* s                                                                           */
#define SOUND         10.0   /* m/s; only acts at the piers                                                 */
#define GRAVITY       1.5e-5 /* m/s2/Pa, over Young's modulus: all bars would sag by half a spacing             */
#define PIER          2      /* spacings, under each end                                                    */
#define STIFFER       1.2    /* least ratio of sag over gravity with one support radius and the next larger one */
#define STEADY        0.01   /* change of the sag from BEFORE to REST at which the bar is taken to be at rest */
#define BEFORE        10     /* s times angular frequency of bending: the sag is measured, */
#define REST          14     /* and measured again                                         */
enum { SUPPORTS = 4 };

/* Supports of 3 and 5 exactly are distances of the lattice; 8 is the largest support there is. */
static const double supports[SUPPORTS] = {2.1, 3.05, 5.05, 7.97};
static const double paper_neighbors[SUPPORTS] = {NAN, 64.3, 256.5, 755.3};

typedef struct Bar {
    dlp_World *world;
    int counts[3];
    StudyParticles now;
    double young; /* Pa, by the law */
    double start; /* m, mean height of the middle over that of the ends, before the sag */
} Bar;

typedef struct Sag {
    double young;     /* Pa, by the law */
    double sag, beam; /* m, measured, and of a beam with the modulus of the law */
    double neighbors;
    int64_t steps;
    double moved; /* change of the sag, as a fraction of it, over the last 4 / frequency */
} Sag;

/* m/s2 */
static double gravity_for(double young)
{
    return GRAVITY * young;
}

static void add_pier(StudyRun *run, dlp_World *world, double x)
{
    dlp_SolidDef pier = dlp_default_solid_def();
    pier.shape.kind = DLP_SHAPE_BOX;
    pier.shape.size = (dlp_Vec3){PIER * SPACING, 0.3, 0.1};
    pier.shape.position = (dlp_Vec3){x, 0, -0.05};
    pier.friction = 0; /* the ends may turn and slide: a beam on simple supports */
    study_solid(run, world, &pier);
}

/* m, mean height of the two layers of particles in the middle over that of the particles on the piers. */
static double middle_of(StudyRun *run, Bar *bar)
{
    double middle = 0, ends = 0, in_middle = 0, at_ends = 0;
    const double end = (0.5 * bar->counts[0] - PIER) * SPACING;
    study_read(run, bar->world, &bar->now);
    for (int64_t i = 0; i < bar->now.count; i++) {
        const int64_t column = i % bar->counts[0];
        const double x = ((double)column + 0.5 - 0.5 * bar->counts[0]) * SPACING, z = (double)bar->now.position[i][2];
        middle += fabs(x) < SPACING ? z : 0;
        in_middle += fabs(x) < SPACING;
        ends += fabs(x) > end ? z : 0;
        at_ends += fabs(x) > end;
    }
    return middle / fmax(in_middle, 1) - ends / fmax(at_ends, 1);
}

static Bar make_bar(StudyRun *run, double support)
{
    Bar bar = {.counts = {run->quick ? 24 : 40, run->quick ? 6 : 9, run->quick ? 6 : 10}};
    bar.young = DENSITY * takamatsu_spread(support) * pow(SPACING / MATCHING_TIME, 2);
    dlp_WorldDef def = study_world_def(run, "blend");
    def.spacing = SPACING;
    def.support = support;
    def.gravity = (dlp_Vec3){0, 0, -gravity_for(bar.young)};
    bar.world = study_world(run, &def);
    study_set(run, bar.world, "sound_speed", SOUND);
    const dlp_MaterialId material = STUDY_MATERIAL(run, bar.world, {"density", DENSITY},
                                                   {"matching_time", MATCHING_TIME}, {"alpha", 0});
    const double length = bar.counts[0] * SPACING, width = bar.counts[1] * SPACING;
    const double sunk = run->quick ? 0.27 : 0.05; /* spacings at which the piers carry it, by trial */
    add_pier(run, bar.world, 0.5 * (length - PIER * SPACING));
    add_pier(run, bar.world, -0.5 * (length - PIER * SPACING));
    study_block(run, bar.world,
                &(StudyBlock){.material = material,
                              .counts = {bar.counts[0], bar.counts[1], bar.counts[2]},
                              .corner = {-0.5 * length, -0.5 * width, -sunk * SPACING}});
    bar.start = middle_of(run, &bar);
    return bar;
}

static void slow_down(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const float *part = user;
    (void)id;
    (void)position;
    for (int a = 0; a < 3; a++) {
        velocity[a] *= *part;
    }
}

/* 1/s, angular frequency at which the bar bends. */
static double frequency_of(const Bar *bar)
{
    const double length = (bar->counts[0] - 2 * PIER) * SPACING, height = bar->counts[2] * SPACING;
    return pow(3.14159265358979323846 / length, 2) * height * sqrt(bar->young / (12 * DENSITY));
}

/* All motion is slowed down, so that bending is damped by half the critical rate. */
static void settle(StudyRun *run, Bar *bar, double work, Sag *found)
{
    const double frequency = frequency_of(bar);
    const double longer = run->quick ? 2 : 1.5; /* a light bar bounces on its piers at first */
    const int64_t before = llround(longer * BEFORE / (frequency * DT));
    float part = (float)exp(-frequency * DT);
    double sag = 0;
    found->steps = llround(longer * REST / (frequency * DT));
    study_weigh(run, work / (double)found->steps);
    for (int64_t n = 0; n < found->steps && study_step(run, bar->world, DT); n++) {
        study_keep(run, bar->world, dlp_world_push(bar->world, slow_down, &part));
        sag = n == before ? bar->start - middle_of(run, bar) : sag;
    }
    found->sag = bar->start - middle_of(run, bar);
    found->moved = fabs(found->sag - sag) / found->sag;
}

/* m, sag in the middle of a uniform beam on simple supports under its weight, by bending and by shear. */
static double beam_sag(const Bar *bar)
{
    const double length = (bar->counts[0] - 2 * PIER) * SPACING, width = bar->counts[1] * SPACING,
                 height = bar->counts[2] * SPACING;
    const double load = DENSITY * gravity_for(bar->young) * width * height, inertia = width * pow(height, 3) / 12;
    const double bending = 5 * load * pow(length, 4) / (384 * bar->young * inertia);
    const double shear = load * length * length / (8 * (5.0 / 6) * (0.5 * bar->young) * width * height);
    return bending + shear;
}

/* Steps cost by the volume of the support, and a stiffer bar is at rest sooner. */
static double work_of(double support)
{
    return support * support;
}

static Sag sag_of(StudyRun *run, double support, StudyPicture *picture)
{
    Bar bar = make_bar(run, support);
    Sag found = {.young = bar.young, .beam = beam_sag(&bar)};
    study_case(run, "support of %g spacings", support);
    settle(run, &bar, work_of(support), &found);
    found.neighbors = study_stats(run, bar.world).neighbors;
    study_panel(picture, bar.world, NULL, "support %g, sag %.2g mm", support, 1000 * found.sag);
    study_particles_free(&bar.now);
    dlp_world_destroy(bar.world);
    return found;
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const names[][2] = {
        {"support", "spacings"}, {"neighbours", ""}, {"paper", ""},           {"Young's modulus", "Pa"},
        {"gravity", "m/s2"},     {"sag", "mm"},      {"sag of a beam", "mm"}, {"sag over that of the beam", ""},
        {"still moving", "%"},   {"steps", ""}};
    StudyTable *table = study_table(run, "sags", "A bridge between two piers, alpha 0");
    study_columns(table, names, sizeof names / sizeof names[0]);
    return table;
}

static void run(StudyRun *run)
{
    const int count = run->quick ? 3 : SUPPORTS;
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "sag", "Sag of the bridge over gravity", "support radius, spacings",
                                 "sag over gravity, ms2");
    StudySeries *measured = study_series(plot, "measured"),
                *beam = study_series(plot, "beam with the modulus of the law");
    StudyPicture *picture = study_picture(run, "bars", "At rest", STUDY_VIEW_SIDE);
    double last = INFINITY, least = INFINITY, work = 0;
    bool at_rest = true;
    study_solids(picture);
    study_panels_per_row(picture, 2);
    study_scales(plot, STUDY_LINEAR, STUDY_LOG);
    study_style(measured, 0, STUDY_DOTS);
    study_style(beam, 1, STUDY_DASHED_DOTS);
    for (int n = 0; n < count; n++) {
        work += work_of(supports[n]);
    }
    study_plan(run, work);
    for (int n = 0; n < count && study_going(run); n++) {
        const Sag found = sag_of(run, supports[n], picture);
        const double gravity = gravity_for(found.young);
        const double row[] = {supports[n],
                              found.neighbors,
                              run->quick ? NAN : paper_neighbors[n],
                              found.young,
                              gravity,
                              1000 * found.sag,
                              1000 * found.beam,
                              found.sag / found.beam,
                              100 * found.moved,
                              (double)found.steps};
        study_numbers(table, row, sizeof row / sizeof row[0]);
        const double compliance = found.sag / gravity;
        study_point(measured, supports[n], 1e6 * compliance);
        study_point(beam, supports[n], 1e6 * found.beam / gravity);
        least = n > 0 ? fmin(least, last / compliance) : least;
        last = compliance;
        at_rest = at_rest && found.sag > 0 && found.moved < STEADY;
    }
    study_verdict(run, at_rest && least >= STIFFER,
                  "%s; each larger support makes it stiffer, by a factor of %.3g at least",
                  at_rest ? "all bars come to rest" : "some bars do not come to rest", least);
}

const Study takamatsu_fig2_study = {
    .name = "takamatsu-fig2",
    .paper = "Takamatsu and Kanai 2011, Fig. 2",
    .claim = "A larger support radius makes an elastic bar stiffer: 8, 5 and 3 for a bar of length 40.",
    .run = run,
};
