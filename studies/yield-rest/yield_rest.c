/* A paste below its yield stress rests: a layer on a slope and a cube do not creep for 100 s. */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <math.h>

#define HEIGHT  0.01 /* m, of layer and cube */
#define LOAD    0.8  /* of that at which they would start to flow */
#define STEP    5e-3 /* s   */
#define SETTLED 5.0  /* s, before creep is measured */
#define LASTS   100.0
#define QUICK   15.0
#define WANTED \
    1e-6 /* of the flow speed: that of the surface of the layer under 1.5 times the load at which it starts to flow */
enum { SIDE = 8, WIDE = 6 };

static const Paste paste = {"Bingham", 20, 1, 1, 0}, soft = {"soft Bingham", 20, 1, 1, 1000};

static dlp_World *make_layer(StudyRun *run, const Paste *fluid)
{
    return paste_layer(run, &(PasteLayer){.paste = *fluid,
                                          .height = HEIGHT,
                                          .across = SIDE,
                                          .wide = WIDE,
                                          .acceleration = paste_slope(fluid, HEIGHT, LOAD),
                                          .is_open = true});
}

/* A cube starts to flow at its base, without friction, at rho g height = sqrt(3) yield_stress, the stress of unconfined compression. */
static dlp_World *make_cube(StudyRun *run, const Paste *fluid)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = HEIGHT / SIDE;
    def.gravity = (dlp_Vec3){0, 0, -LOAD * sqrt(3) * fluid->yield_stress / (PASTE_DENSITY * HEIGHT)};
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, 0);
    study_cube(run, world, paste_material(run, world, fluid), SIDE, 0);
    return world;
}

/* How far the particles have moved between two readings, m: as a whole, and RMS. The box is periodic. */
typedef struct Creep {
    double mean, rms;
} Creep;

static Creep creep_between(const StudyParticles *before, const StudyParticles *after, const dlp_WorldDef *def)
{
    const double box[3] = {def->periodic_size.x, def->periodic_size.y, 0};
    double sum[3] = {0}, square = 0;
    for (int64_t i = 0; i < after->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double moved = (double)after->position[i][axis] - (double)before->position[i][axis];
            const double away = box[axis] > 0 ? remainder(moved, box[axis]) : moved;
            sum[axis] += away;
            square += away * away;
        }
    }
    const double count = (double)after->count;
    return (Creep){hypot(hypot(sum[0], sum[1]), sum[2]) / count, sqrt(square / count)};
}

static double rest(StudyRun *run, StudyTable *table, const Paste *fluid, bool is_cube, double duration)
{
    StudyParticles before = {0}, after = {0};
    Creep creep = {NAN, NAN};
    study_case(run, "%s, %s", is_cube ? "cube" : "layer", fluid->name);
    dlp_World *world = is_cube ? make_cube(run, fluid) : make_layer(run, fluid);
    study_run_for(run, world, SETTLED, STEP);
    study_read(run, world, &before);
    study_run_for(run, world, duration, STEP);
    study_read(run, world, &after);
    if (study_going(run)) {
        const dlp_WorldDef def = dlp_world_def(world);
        creep = creep_between(&before, &after, &def);
    }
    const double speed = creep.mean / duration, flow = paste_slope_speed(fluid, HEIGHT, 1.5);
    study_word(table, "%s", is_cube ? "cube" : "layer on a slope");
    study_word(table, "%s", fluid->name);
    study_numbers(table, (double[]){speed / flow, creep.rms / duration / flow, 1e6 * creep.mean}, 3);
    study_particles_free(&before);
    study_particles_free(&after);
    dlp_world_destroy(world);
    return speed / flow;
}

static void run(StudyRun *run)
{
    const double duration = run->quick ? QUICK : LASTS;
    StudyTable *table = study_table(run, "creep", "Creep below the yield stress");
    static const char *const columns[][2] = {{"body", ""},
                                             {"fluid", ""},
                                             {"speed over the flow speed", ""},
                                             {"RMS speed of the particles over the flow speed", ""},
                                             {"moved", "µm"}};
    study_columns(table, columns, sizeof columns / sizeof *columns);
    study_plan(run, 4 * (SETTLED + duration) / STEP);
    double worst = 0;
    for (int k = 0; k < 4; k++) {
        worst = fmax(worst, rest(run, table, k % 2 == 0 ? &paste : &soft, k >= 2, duration));
    }
    study_verdict(run, worst <= study_bound(run, WANTED, 10 * WANTED),
                  "in %g s pastes creep at most at %.2g of their flow speed", duration, worst);
}

const Study yield_rest_study = {
    .name = "yield-rest",
    .paper = "known answer",
    .claim =
        "A paste under 0.8 of the load at which it starts to flow does not creep: its speed over 100 s is below 1e-6 of its flow speed.",
    .run = run,
};
