/* Drops: the pressure inside and the stillness of a drop at rest, the oscillation of a drop of low viscosity, and the contact angles of drops on
 * a plane. Density, surface tension and radius are 1. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define PI 3.14159265358979323846

#define AT_REST 3.0  /* until a drop has come to rest                                            */
#define VISCOUS 1.0  /* viscosity of drops that come to rest                                     */
#define THIN    0.05 /* viscosity of the drop that oscillates                                    */
/* Decay and frequency (1/s) of that drop: the root of Reid's equation for its second mode (Chandrasekhar, Hydrodynamic and Hydromagnetic Stability,
 * section 98). For vanishing viscosity they are Lamb's 5 nu / R^2 and sqrt(8), of which these are 0.875 and 0.989. */
#define DECAY       0.21873
#define FREQUENCY   2.79853
#define OSCILLATION 6.0
#define STRETCHING  0.3  /* 1/s, rate of the deformation that starts the oscillation                 */
#define SETTLING    16.0 /* until a drop on a plane has its contact angle                            */

#define PRESSURE_ERROR  0.05 /* of 2 sigma / R                                                       */
#define SPEED           0.02 /* sigma / eta, of the fastest particle of a drop at rest               */
#define FREQUENCY_ERROR 0.05
#define DECAY_ERROR     0.15
#define ANGLE_ERROR     7.0 /* degrees                                                              */

enum { PER_RADIUS = 8, FINE = 12, SAMPLES_MOST = 8192, CROSSINGS_MOST = 64 };

static dlp_World *make_world(StudyRun *run, int per_radius, double viscosity, double angle, dlp_MaterialId *fluid)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = 1.0 / per_radius;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    *fluid = STUDY_MATERIAL(run, world, {"density", 1}, {"viscosity", viscosity}, {"surface_tension", 1},
                            {"contact_angle", angle * PI / 180});
    return world;
}

static dlp_World *make_drop(StudyRun *run, int per_radius, double viscosity)
{
    dlp_FluidDef ball = dlp_default_fluid_def();
    dlp_World *world = make_world(run, per_radius, viscosity, 90, &ball.material);
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 1;
    study_fluid(run, world, &ball);
    return world;
}

/* s: steps that resolve the surface tension of a viscous drop. */
static double step_of(int per_radius)
{
    return 0.16 / per_radius;
}

/* m, of a ball of the drop's volume. */
static double radius_of(const dlp_WorldStats *stats, int per_radius)
{
    return cbrt(3 * (double)stats->particles / (4 * PI)) / per_radius;
}

/* Mean pressure within 0.6 of the centre. */
static double inner_pressure(const dlp_World *world)
{
    dlp_ParticleView view;
    double sum = 0, count = 0;
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        if (dlp_world_view(world, part, &view) != DLP_OK) {
            continue;
        }
        for (int64_t i = 0; i < view.count; i++) {
            const double x = (double)view.position[0][i], y = (double)view.position[1][i],
                         z = (double)view.position[2][i];
            if (x * x + y * y + z * z < 0.36) {
                sum += (double)view.pressure[i];
                count += 1;
            }
        }
    }
    return sum / count;
}

typedef struct Rest {
    double pressure; /* over 2 sigma / R                       */
    double speed;    /* sigma / eta, of the fastest particle   */
} Rest;

static Rest come_to_rest(StudyRun *run, int per_radius)
{
    Rest rest = {0};
    study_case(run, "drop at rest, %d particles a radius", per_radius);
    study_weigh(run, pow((double)per_radius / PER_RADIUS, 3));
    dlp_World *world = make_drop(run, per_radius, VISCOUS);
    study_run_for(run, world, AT_REST, step_of(per_radius));
    if (study_going(run)) {
        const dlp_WorldStats stats = study_stats(run, world);
        rest.pressure = inner_pressure(world) * radius_of(&stats, per_radius) / 2;
        rest.speed = stats.speed_max * VISCOUS;
    }
    dlp_world_destroy(world);
    return rest;
}

/* Adds a flow that stretches the drop along z. */
static void stretch(void *context, uint64_t id, const float position[3], float velocity[3])
{
    (void)context;
    (void)id;
    velocity[0] -= (float)(0.5 * STRETCHING) * position[0];
    velocity[1] -= (float)(0.5 * STRETCHING) * position[1];
    velocity[2] += (float)STRETCHING * position[2];
}

/* Elongation along z: second moments of the particles, (zz - (xx + yy) / 2) / (xx + yy + zz). */
static double elongation(StudyRun *run, const dlp_World *world, StudyParticles *particles)
{
    double center[3] = {0}, moment[3] = {0};
    study_read(run, world, particles);
    for (int64_t i = 0; i < particles->count; i++) {
        for (int a = 0; a < 3; a++) {
            center[a] += (double)particles->position[i][a] / (double)particles->count;
        }
    }
    for (int64_t i = 0; i < particles->count; i++) {
        for (int a = 0; a < 3; a++) {
            const double x = (double)particles->position[i][a] - center[a];
            moment[a] += x * x;
        }
    }
    return (moment[2] - (moment[0] + moment[1]) / 2) / (moment[0] + moment[1] + moment[2]);
}

typedef struct Oscillation {
    double frequency, decay; /* 1/s */
} Oscillation;

/* From the zeros of a damped oscillation and the logarithm of its extrema between them. */
static Oscillation fit_oscillation(const double *value, int count, double dt)
{
    double zero[CROSSINGS_MOST], extreme[CROSSINGS_MOST] = {0};
    int zeros = 0;
    for (int n = 1; n < count && zeros < CROSSINGS_MOST; n++) {
        if (zeros > 0) {
            extreme[zeros - 1] = fmax(extreme[zeros - 1], fabs(value[n]));
        }
        if ((value[n - 1] < 0) != (value[n] < 0)) {
            zero[zeros++] = (n - 1 + value[n - 1] / (value[n - 1] - value[n])) * dt;
        }
    }
    const double half_turns = zeros - 1, time = zeros > 1 ? zero[zeros - 1] - zero[0] : NAN;
    const double fading = zeros > 2 ? log(extreme[0] / extreme[zeros - 2]) / ((zeros - 2) * time / half_turns) : NAN;
    return (Oscillation){PI * half_turns / time, fading};
}

static Oscillation oscillate(StudyRun *run, StudyPlot *plot, int per_radius)
{
    static double value[SAMPLES_MOST];
    StudyParticles particles = {0};
    const double dt = 0.004 * PER_RADIUS / per_radius;
    const int steps = (int)(OSCILLATION / dt);
    int count = 0;
    study_case(run, "oscillating drop, %d particles a radius", per_radius);
    study_weigh(run, pow((double)per_radius / PER_RADIUS, 3));
    StudySeries *series = study_series(plot, "%d particles a radius", per_radius);
    dlp_World *world = make_drop(run, per_radius, THIN);
    study_run_for(run, world, AT_REST, dt);
    if (study_going(run)) {
        study_keep(run, world, dlp_world_push(world, stretch, NULL));
    }
    for (int n = 0; n < steps && n < SAMPLES_MOST && study_step(run, world, dt); n++) {
        value[count++] = elongation(run, world, &particles);
        study_point(series, n * dt, value[count - 1]);
    }
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return fit_oscillation(value, count, dt);
}

/* Volume and height of the centre of mass of a cap of a ball of radius 1. */
static void measure_cap(double angle, double *volume, double *height)
{
    const double h = 1 - cos(angle);
    *volume = PI * h * h * (3 - h) / 3;
    *height = 3 * (2 - h) * (2 - h) / (4 * (3 - h)) - cos(angle);
}

/* Degrees: the contact angle of a cap of this volume whose centre of mass is at this height. */
static double angle_of_cap(double volume, double height)
{
    double low = 0.05, high = 3.1;
    for (int n = 0; n < 50; n++) {
        const double angle = (low + high) / 2;
        double cap_volume, cap_height;
        measure_cap(angle, &cap_volume, &cap_height);
        *(cap_height * cbrt(volume / cap_volume) < height ? &low : &high) = angle;
    }
    return low * 180 / PI;
}

static double settle(StudyRun *run, double angle, double friction)
{
    dlp_FluidDef drop = dlp_default_fluid_def();
    double settled = NAN;
    study_case(run, "contact angle %g, friction %g", angle, friction);
    study_weigh(run, 1);
    dlp_World *world = make_world(run, PER_RADIUS, VISCOUS, angle, &drop.material);
    drop.shape.kind = DLP_SHAPE_CYLINDER;
    drop.shape.radius = 1;
    drop.shape.length = 0.75;
    drop.shape.position.z = 0.375;
    study_floor(run, world, friction);
    study_fluid(run, world, &drop);
    study_run_for(run, world, SETTLING, step_of(PER_RADIUS));
    if (study_going(run)) {
        const dlp_WorldStats stats = study_stats(run, world);
        settled = angle_of_cap((double)stats.particles * pow(PER_RADIUS, -3), stats.center.z);
    }
    dlp_world_destroy(world);
    return settled;
}

static bool rests(StudyRun *run)
{
    StudyTable *table = study_table(run, "rest", "Drops at rest");
    bool holds = true;
    study_column(table, "particles a radius", "");
    study_column(table, "pressure", "2 sigma / R");
    study_column(table, "fastest particle", "sigma / eta");
    for (int n = PER_RADIUS; n <= (run->quick ? PER_RADIUS : FINE); n += FINE - PER_RADIUS) {
        const Rest rest = come_to_rest(run, n);
        study_number(table, n);
        study_number(table, rest.pressure);
        study_number(table, rest.speed);
        holds = holds && fabs(rest.pressure - 1) < PRESSURE_ERROR && rest.speed < SPEED;
    }
    return holds;
}

static bool oscillates(StudyRun *run)
{
    StudyTable *table = study_table(run, "oscillation", "Oscillation of a drop");
    StudyPlot *plot = study_plot(run, "oscillation_plot", "A drop after a push", "time, s", "elongation");
    bool holds = true;
    study_column(table, "particles a radius", "");
    study_column(table, "frequency over theory", "");
    study_column(table, "decay over theory", "");
    for (int n = PER_RADIUS; n <= (run->quick ? PER_RADIUS : FINE); n += FINE - PER_RADIUS) {
        const Oscillation found = oscillate(run, plot, n);
        study_number(table, n);
        study_number(table, found.frequency / FREQUENCY);
        study_number(table, found.decay / DECAY);
        holds = holds && fabs(found.frequency / FREQUENCY - 1) < FREQUENCY_ERROR &&
                fabs(found.decay / DECAY - 1) < DECAY_ERROR;
    }
    return holds;
}

static double largest_angle_error(StudyRun *run)
{
    static const double angles[] = {60, 30, 90, 120, 150};
    StudyTable *table = study_table(run, "contact", "Contact angles on a plane");
    double largest = 0;
    study_column(table, "contact angle", "degrees");
    study_column(table, "free slip", "degrees");
    study_column(table, "no slip", "degrees");
    for (int n = 0; n < (run->quick ? 1 : 5); n++) {
        const double slip = settle(run, angles[n], 0), held = settle(run, angles[n], 1);
        study_number(table, angles[n]);
        study_number(table, slip);
        study_number(table, held);
        largest = fmax(largest, fmax(fabs(slip - angles[n]), fabs(held - angles[n])));
    }
    return largest;
}

static void run(StudyRun *run)
{
    const double fine = run->quick ? 0 : pow((double)FINE / PER_RADIUS, 4);
    const double oscillation = (AT_REST + OSCILLATION) / 0.004;
    study_plan(run, (1 + fine) * (AT_REST / step_of(PER_RADIUS) + oscillation) +
                        (run->quick ? 2 : 10) * SETTLING / step_of(PER_RADIUS));
    const bool resting = rests(run), oscillating = oscillates(run);
    const double error = largest_angle_error(run);
    study_verdict(run, resting && oscillating && error < ANGLE_ERROR,
                  "pressure and stillness of drops %s, their oscillation %s, contact angles are within %.1f degrees",
                  resting ? "hold" : "do not hold", oscillating ? "holds" : "does not hold", error);
}

const Study drop_study = {
    .name = "drop",
    .paper = "known answers: Laplace, Lamb and Reid, Young",
    .claim =
        "A drop has the pressure 2 sigma / R and rests; it oscillates and decays as theory says; on a plane it has its contact angle.",
    .run = run,
};
