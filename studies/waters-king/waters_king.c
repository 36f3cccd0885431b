/* Startup of plane Poiseuille flow of an Oldroyd-B fluid (Waters and King 1970): the velocity overshoots, oscillates and
 * settles. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define PI         3.14159265358979323846
#define HALF       0.01      /* m, half of the channel's width        */
#define DENSITY    1000.0    /* kg/m3                                 */
#define RELAXATION 0.1       /* s                                     */
#define ELASTICITY 1.0       /* E = relaxation viscosity / (rho H^2)  */
#define SOLVENT    (1.0 / 9) /* fraction of the viscosity             */
#define MEAN       0.03      /* m/s, mean speed at the end            */
#define DURATION   5.0       /* relaxation times                      */
#define STEPS      200       /* in a relaxation time                  */
#define HOLD       1e4       /* Pa: no gravity presses the fluid to the walls, so they must hold it */
#define WANTED     0.03      /* RMS error of the speed, at 40 particles across */
#define QUICK      0.06      /* at 10 particles across: 5.1 % measured */
enum {
    ALONG = 8 /* spacings, along and across the flow */,
    TERMS = 60,
    PLOT_EVERY = 5,
    AUTOMATIC_EVERY = 40 /* steps from one measurement to the next */
};

/* The speed at y (-1 to 1) over the final mean speed, after t relaxation times. */
static double known_speed(double y, double t)
{
    double sum = 0;
    for (int k = 1; k <= TERMS; k++) {
        const double n = (2 * k - 1) * PI, e = ELASTICITY * n * n;
        const double a = 1 + SOLVENT * e / 4, g = 1 - (2 - SOLVENT) * e / 4, square = a * a - e, b = sqrt(fabs(square));
        const double swing = square < 0
                                 ? cos(b * t / 2) + g / b * sin(b * t / 2)
                                 : (exp((b - a) * t / 2) * (1 + g / b) + exp(-(b + a) * t / 2) * (1 - g / b)) / 2;
        sum += sin(n * (1 + y) / 2) / (n * n * n) * (square < 0 ? exp(-a * t / 2) * swing : swing);
    }
    return 1.5 * (1 - y * y) - 48 * sum;
}

static void add_plates(StudyRun *run, dlp_World *world)
{
    for (int side = 0; side < 2 && world && study_going(run); side++) {
        dlp_SolidDef plate = dlp_default_solid_def();
        plate.friction = 1;
        plate.stickiness = HOLD;
        plate.shape.position.z = side == 0 ? -HALF : HALF;
        plate.shape.rotation.x = side == 0 ? 0 : PI;
        const dlp_Result result = dlp_world_add_solid(world, &plate, NULL);
        if (result != DLP_OK) {
            study_fail(run, result, "%s", dlp_world_error(world));
        }
    }
}

static dlp_World *make_channel(StudyRun *run, int n)
{
    const double spacing = 2 * HALF / n, viscosity = ELASTICITY * DENSITY * HALF * HALF / RELAXATION;
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){3 * viscosity * MEAN / (DENSITY * HALF * HALF), 0, 0};
    def.periodic_size = (dlp_Vec3){ALONG * spacing, ALONG * spacing, 0};
    dlp_World *world = study_world(run, &def);
    add_plates(run, world);
    const dlp_MaterialId material = STUDY_MATERIAL(
        run, world, {"density", DENSITY}, {"viscosity", (1 - SOLVENT) * viscosity}, {"relaxation_time", RELAXATION},
        {"solvent_viscosity", SOLVENT * viscosity});
    study_block(run, world, &(StudyBlock){.material = material, .counts = {ALONG, ALONG, n}, .corner = {0, 0, -HALF}});
    return world;
}

/* Sums over particles and steps. */
typedef struct Errors {
    double square, known; /* of the difference, and of the known speed */
    double axis;          /* mean speed of the particles within a tenth of the axis, over the known one */
} Errors;

static void compare(const StudyParticles *particles, double t, Errors *errors)
{
    double axis = 0, axis_known = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const double y = (double)particles->position[i][2] / HALF, u = (double)particles->velocity[i][0] / MEAN;
        const double known = known_speed(y, t);
        errors->square += (u - known) * (u - known);
        errors->known += known * known;
        if (fabs(y) < 0.1) {
            axis += u;
            axis_known += known;
        }
    }
    errors->axis = axis / axis_known;
}

static double start_up(StudyRun *run, StudyPlot *plot, int n)
{
    const double dt = RELAXATION / STEPS;
    StudyParticles particles = {0};
    Errors all = {0};
    study_case(run, "%d particles across", n);
    study_weigh(run, n);
    dlp_World *world = make_channel(run, n);
    StudySeries *series = study_series(plot, "%d particles across", n);
    study_style(series, 0, n < 40 ? STUDY_DASHED : STUDY_LINE);
    const int every = run->automatic ? AUTOMATIC_EVERY : 1;
    for (int step = every; step <= DURATION * STEPS && study_step(run, world, every * dt); step += every) {
        study_advance(run, every - 1);
        if (step % PLOT_EVERY == 0) {
            const double t = study_velocity_time(world) / RELAXATION;
            study_read(run, world, &particles);
            compare(&particles, t, &all);
            study_point(series, t, all.axis * known_speed(0, t));
        }
    }
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return sqrt(all.square / all.known);
}

static void run(StudyRun *run)
{
    static const int sizes[] = {10, 20, 40};
    const int count = run->quick ? 1 : 3;
    StudyTable *table = study_table(run, "start_up", "Startup of Poiseuille flow, Oldroyd-B");
    StudyPlot *plot = study_plot(run, "axis_plot", "Speed on the axis of a channel", "relaxation times",
                                 "speed over the mean");
    study_column(table, "particles across", "");
    study_column(table, "error of the speed, RMS", "%");
    study_plan(run, DURATION * STEPS * (run->quick ? 10 : 70));
    double error = 0;
    for (int i = 0; i < count; i++) {
        error = start_up(run, plot, sizes[i]);
        study_number(table, sizes[i]);
        study_number(table, 100 * error);
    }
    StudySeries *known = study_series(plot, "Waters and King");
    study_style(known, 1, STUDY_FINE);
    for (int k = 0; k <= 200; k++) {
        study_point(known, DURATION * k / 200, known_speed(0, DURATION * k / 200));
    }
    study_verdict(run, error <= study_bound(run, WANTED, QUICK),
                  "at the finest resolution speeds are off by %.1f %% (RMS over all times)", 100 * error);
}

const Study waters_king_study = {
    .name = "waters-king",
    .paper = "known answer",
    .claim =
        "The startup of an Oldroyd-B fluid (E = 1, a ninth of its viscosity from the solvent) in a channel follows the solution "
        "of Waters and King (1970), within 3 % at 40 particles across.",
    .run = run,
    .automatic = true,
};
