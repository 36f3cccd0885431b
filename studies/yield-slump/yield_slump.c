/* Cylinders and a cone of a yield-stress fluid slump until their weight no longer exceeds the yield stress, and a thin cake spreads: the two
 * laws of Roussel and Coussot (2005), each where it holds. */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <math.h>
#include <stdlib.h>

#define PI      3.14159265358979323846
#define GRAVITY 9.81
#define RESTS \
    0.1 /* of the viscosity with which a body collapses is left while it comes to rest, which takes less time then */
#define LAST   0.9 /* of the time, after which a change is reported */
#define WANTED 0.10
enum { SECTORS = 24 };

/* A body on a no-slip floor, the floor's axis through its centre. The viscosity keeps inertia small. */
typedef struct Slump {
    const char *name;
    double height, bottom, top;     /* m; radii */
    double yield_stress, viscosity; /* Pa, Pa s */
    double collapse, time, step;    /* s: until the viscosity falls, until the end, and a step */
    double coarse, fine;            /* m, spacings; coarse 0: only fine */
    bool spreads;
} Slump;

static const Slump slumps[] = {
    {"cylinder", 0.05, 0.025, 0.025, 98.1, 160, 8, 16, 1e-2, 0.005, 0.003125, false},
    {"cylinder", 0.05, 0.025, 0.025, 49.05, 160, 8, 16, 1e-2, 0.005, 0.003125, false},
    {"cone", 0.3, 0.1, 0.05, 500, 800, 8, 16, 1e-2, 0.01875, 0.0125, false},
    {"cake", 0.03, 0.1333, 0.1333, 15.33, 20, 3, 8, 1e-2, 0, 0.005, true},
};
enum { SLUMPS = (int)(sizeof slumps / sizeof *slumps) };

/* m. Each layer is compressed alone: where the weight above it exceeds sqrt(3) yield stresses (von Mises) it widens until it does not. */
static double known_height(const Slump *s)
{
    enum { LAYERS = 10000 };
    const double layer = s->height / LAYERS, strength = sqrt(3.0) * s->yield_stress;
    double height = 0;
    for (int k = 0; k < LAYERS; k++) {
        const double depth = (k + 0.5) * layer, radius = s->top + (s->bottom - s->top) * depth / s->height;
        const double above = depth / 3 * (s->top * s->top + s->top * radius + radius * radius) / (radius * radius);
        height += layer * fmin(1, strength / (PASTE_DENSITY * GRAVITY * above));
    }
    return height;
}

/* m: a flat cake whose height is sqrt(2 yield_stress (R - r) / (density gravity)), from the volume. */
static double known_radius(const Slump *s, double volume)
{
    return pow(225 * PASTE_DENSITY * GRAVITY * volume * volume / (128 * PI * PI * s->yield_stress), 0.2);
}

static double radius_at(const Slump *s, double height)
{
    return s->bottom + (s->top - s->bottom) * height / s->height;
}

/* The body on a lattice; returns its volume (m3). */
static double fill(StudyRun *run, dlp_World *world, const Slump *s, dlp_MaterialId material, double spacing)
{
    const int wide = (int)ceil(s->bottom / spacing), high = (int)lround(s->height / spacing);
    float *points = malloc((size_t)(12 * wide * wide * high) * sizeof *points);
    int count = 0;
    if (!points) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return 0;
    }
    for (int k = 0; k < 4 * wide * wide * high; k++) {
        const int place[3] = {k % (2 * wide) - wide, k / (2 * wide) % (2 * wide) - wide, k / (4 * wide * wide)};
        const double x = spacing * (place[0] + 0.5), y = spacing * (place[1] + 0.5), z = spacing * (place[2] + 0.5);
        if (hypot(x, y) < radius_at(s, z)) {
            points[3 * count] = (float)x;
            points[3 * count + 1] = (float)y;
            points[3 * count + 2] = (float)z;
            count++;
        }
    }
    study_keep(run, world, dlp_world_add_points(world, material, points, count, (dlp_Vec3){0, 0, 0}));
    free(points);
    return count * pow(spacing, 3);
}

/* m: the highest particle near the axis, plus half a spacing; the edge of a cylinder stays higher. */
static double measured_height(const StudyParticles *particles, const Slump *s, double spacing)
{
    double highest = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const float *at = particles->position[i];
        highest = hypot((double)at[0], (double)at[1]) < s->bottom / 3 ? fmax(highest, (double)at[2]) : highest;
    }
    return highest + spacing / 2;
}

/* m: the mean over sectors of the farthest particle from the axis, plus half a spacing. */
static double measured_radius(const StudyParticles *particles, double spacing)
{
    double farthest[SECTORS] = {0}, sum = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const double x = (double)particles->position[i][0], y = (double)particles->position[i][1];
        const int sector = (int)((atan2(y, x) + PI) / (2 * PI) * SECTORS) % SECTORS;
        farthest[sector] = fmax(farthest[sector], hypot(x, y));
    }
    for (int k = 0; k < SECTORS; k++) {
        sum += farthest[k];
    }
    return sum / SECTORS + spacing / 2;
}

static double measure(StudyRun *run, const dlp_World *world, const Slump *s, double spacing)
{
    StudyParticles particles = {0};
    study_read(run, world, &particles);
    const double measured = s->spreads ? measured_radius(&particles, spacing) : measured_height(&particles, s, spacing);
    study_particles_free(&particles);
    return measured;
}

typedef struct Slumped {
    double measured, known; /* m */
    double change;          /* over the last part of the time, relative */
} Slumped;

static Slumped slump(StudyRun *run, const Slump *s, double spacing)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    study_case(run, "%s, yield stress %g Pa, %g mm between particles", s->name, s->yield_stress, 1e3 * spacing);
    study_weigh(run, pow(s->fine / spacing, 3));
    def.spacing = spacing;
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, 1);
    const dlp_MaterialId material = paste_material(run, world, &(Paste){"", s->yield_stress, s->viscosity, 1, 0});
    const double volume = world ? fill(run, world, s, material, spacing) : 0;
    study_run_for(run, world, s->collapse, s->step);
    study_set_material(run, world, material, "viscosity", RESTS * s->viscosity);
    study_run_for(run, world, LAST * s->time - s->collapse, s->step);
    const double before = measure(run, world, s, spacing);
    study_run_for(run, world, (1 - LAST) * s->time, s->step);
    const double measured = measure(run, world, s, spacing);
    dlp_world_destroy(world);
    return (Slumped){measured, s->spreads ? known_radius(s, volume) : known_height(s), measured / before - 1};
}

/* Particles times steps of a full run, in those of the finest spacing of each body. */
static double planned_work(const StudyRun *run)
{
    double work = 0;
    for (int i = 0; i < SLUMPS; i++) {
        const Slump *s = &slumps[i];
        const double coarse = s->coarse > 0 ? pow(s->fine / s->coarse, 3) : 0;
        work += s->time / s->step * (coarse + (run->quick ? 0 : 1));
    }
    return work;
}

static void run(StudyRun *run)
{
    StudyTable *table = study_table(run, "slump", "Slump of yield-stress fluids");
    static const char *const columns[][2] = {{"body", ""},     {"yield stress", "Pa"}, {"spacing", "mm"},
                                             {"quantity", ""}, {"measured", "mm"},     {"known", "mm"},
                                             {"error", "%"},   {"last change", "%"}};
    study_columns(table, columns, sizeof columns / sizeof *columns);
    study_plan(run, planned_work(run));
    double worst = 0;
    for (int k = 0; k < 2 * SLUMPS && study_going(run); k++) {
        const Slump *s = &slumps[k / 2];
        const bool is_fine = k % 2 == 1;
        const double spacing = is_fine ? s->fine : s->coarse;
        if (spacing <= 0 || (is_fine && run->quick)) {
            continue;
        }
        const Slumped slumped = slump(run, s, spacing);
        const double error = slumped.measured / slumped.known - 1;
        study_word(table, "%s", s->name);
        study_numbers(table, (double[]){s->yield_stress, 1e3 * spacing}, 2);
        study_word(table, s->spreads ? "radius" : "height");
        study_numbers(table, (double[]){1e3 * slumped.measured, 1e3 * slumped.known, 100 * error, 100 * slumped.change},
                      4);
        worst = fmax(worst, is_fine || run->quick ? fabs(error) : 0);
    }
    study_verdict(run, worst <= study_bound(run, WANTED, 2 * WANTED),
                  "at the finest resolution heights and radii are off by at most %.1f %%", 100 * worst);
}

const Study yield_slump_study = {
    .name = "yield-slump",
    .paper = "Roussel and Coussot 2005",
    .claim =
        "Cylinders and a cone of a yield-stress fluid slump to the height, and a thin cake spreads to the radius, of Roussel and Coussot's laws, "
        "within 10 %.",
    .run = run,
};
