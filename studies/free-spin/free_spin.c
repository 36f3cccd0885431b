/* A stiff block rotates in free space for three turns: it must keep its angular momentum and, nearly, its shape. */
#include "studies/study_fit.h"
#include "studies/study_output.h"

#include <math.h>

#define SIDE      0.16                         /* m                                             */
#define VISCOSITY 1e4                          /* Pa s                                          */
#define SPIN      (2 * 3.14159265358979323846) /* rad/s, one rotate_block per second                    */
#define DURATION  3.0                          /* s                                             */
#define MOMENTUM  0.98                         /* required fraction                             */
#define SHAPE     0.02                         /* allowed change of the moment of inertia       */
enum { PARTICLES_PER_SIDE = 12, PLOT_EVERY = 12 };

/* Moment of inertia about z through the centre, over mass (m2). */
static double gyration(const StudyParticles *particles)
{
    double sum = 0, x = 0, y = 0;
    const double count = (double)particles->count;
    for (int64_t i = 0; i < particles->count; i++) {
        const double px = (double)particles->position[i][0], py = (double)particles->position[i][1];
        x += px / count;
        y += py / count;
        sum += (px * px + py * py) / count;
    }
    return sum - x * x - y * y;
}

typedef struct Turned {
    double momentum, inertia, energy; /* over their initial values */
    double deformation;               /* m RMS                   */
} Turned;

static dlp_World *make_world(StudyRun *run, int n)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = SIDE / n;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    study_block(run, world,
                &(StudyBlock){.material = STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", VISCOSITY}),
                              .counts = {n, n, n},
                              .corner = {-SIDE / 2, -SIDE / 2, -SIDE / 2},
                              .spin = {0, 0, SPIN}});
    return world;
}

static Turned rotate_block(StudyRun *run, StudyPlot *plot, int n, int per_second)
{
    StudyParticles rest = {0}, now = {0};
    Turned turned = {1, 1, 1, 0};
    study_case(run, "%d per side, %d steps per second", n, per_second);
    StudySeries *series = study_series(plot, "%d per side, %d steps per second", n, per_second);
    dlp_World *world = make_world(run, n);
    study_read(run, world, &rest);
    const dlp_WorldStats begin = study_stats(run, world);
    const int steps = (int)(DURATION * per_second);
    study_point(series, 0, 1);
    for (int step = 1; step <= steps && study_step(run, world, 1.0 / per_second); step++) {
        const dlp_WorldStats stats = study_stats(run, world);
        turned.momentum = stats.angular.z / begin.angular.z;
        turned.energy = stats.kinetic_energy / begin.kinetic_energy;
        if (step % PLOT_EVERY == 0) {
            study_point(series, dlp_world_time(world), turned.momentum);
        }
    }
    study_read(run, world, &now);
    turned.inertia = gyration(&now) / gyration(&rest);
    turned.deformation = study_rms_from_rigid(&rest, &now);
    study_particles_free(&rest);
    study_particles_free(&now);
    dlp_world_destroy(world);
    return turned;
}

static void run(StudyRun *run)
{
    static const int rates[] = {240, 120, 480};
    const int cases = run->quick ? 1 : 3;
    StudyTable *table = study_table(run, "spin", "A stiff block after three turns in free space");
    StudyPlot *plot = study_plot(run, "momentum_plot", "Angular momentum of a rotating block", "time, s",
                                 "fraction of the angular momentum left");
    Turned judged = {0};
    study_column(table, "steps per second", "");
    study_column(table, "angular momentum", "");
    study_column(table, "moment of inertia", "");
    study_column(table, "kinetic energy", "");
    study_column(table, "deformation", "m RMS");
    study_range_y(plot, 0.9, 1.02);
    study_plan(run, DURATION * (run->quick ? 240 : 240 + 120 + 480));
    for (int i = 0; i < cases; i++) {
        const Turned turned = rotate_block(run, plot, PARTICLES_PER_SIDE, rates[i]);
        judged = i == 0 ? turned : judged;
        study_number(table, rates[i]);
        study_number(table, turned.momentum);
        study_number(table, turned.inertia);
        study_number(table, turned.energy);
        study_number(table, turned.deformation);
    }
    study_verdict(
        run, judged.momentum >= MOMENTUM && fabs(judged.inertia - 1) <= SHAPE,
        "after three turns %.4f of the angular momentum is left; the moment of inertia is %.4f and the energy "
        "%.4f of the initial value",
        judged.momentum, judged.inertia, judged.energy);
}

const Study free_spin_study = {
    .name = "free-spin",
    .paper = "known answer",
    .claim = "A stiff block that rotates in free space keeps its angular momentum and its shape for three turns.",
    .run = run,
};
