/* Drops: the pressure inside and the stillness of a drop at rest, the oscillation of a drop of low viscosity, the contact angles of drops on
 * a plane, fluid between vertical plates, and drops on slopes. Density, surface tension and radius are 1. */
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

/* Fluid between vertical plates: 8 and 24 particles apart, 6 deep, periodic along them. Gravity lets it rise by the narrow distance. */
#define PLATE_GRAVITY (2.0 / 3)
#define NARROW        1.0
#define WIDE          3.0
#define PLATE         0.375 /* m, thickness of the plate between the two gaps */
#define DEEP          0.75
#define OPENING       0.75 /* m, height of the opening below that plate */
#define SLOT_SETTLING 12.0
#define RISING        30.0
#define RISE_ERROR    0.05

/* Drops on a slope. */
#define SLOPE_GRAVITY   3.0
#define SLOPE_VISCOSITY 5.0
#define SLOPE_FRICTION  0.3
#define SLOPE_SETTLING  10.0
#define SLOPE_SLIDING   4.0
#define STAYS           15.0 /* degrees */
#define SLIDES          40.0
#define SLIDE_ERROR     0.02 /* of the acceleration, in that along a slope without friction */

enum { PER_RADIUS = 8, FINE = 12, SAMPLES_MOST = 8192, CROSSINGS_MOST = 64 };

static dlp_MaterialId add_fluid(StudyRun *run, dlp_World *world, double viscosity, double angle)
{
    return STUDY_MATERIAL(run, world, {"density", 1}, {"viscosity", viscosity}, {"surface_tension", 1},
                          {"contact_angle", angle * PI / 180});
}

static dlp_World *make_world(StudyRun *run, int per_radius, double viscosity, double angle, dlp_MaterialId *fluid)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = 1.0 / per_radius;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    *fluid = add_fluid(run, world, viscosity, angle);
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

/* A plane, and a flat cylinder on it. */
static void add_flat_drop(StudyRun *run, dlp_World *world, dlp_FluidDef *drop, double friction)
{
    drop->shape.kind = DLP_SHAPE_CYLINDER;
    drop->shape.radius = 1;
    drop->shape.length = 0.75;
    drop->shape.position.z = 0.375;
    study_floor(run, world, friction);
    study_fluid(run, world, drop);
}

/* No part of a drop that is one piece is farther from its middle. Particles that are have left the drop. */
#define FARTHEST 2.5

typedef struct Settled {
    double angle; /* degrees */
    double left;  /* part of the particles that left the drop */
} Settled;

static Settled measure_drop(StudyRun *run, const dlp_World *world)
{
    StudyParticles particles = {0};
    double count = 0, height = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        const double x = (double)particles.position[i][0], y = (double)particles.position[i][1],
                     z = (double)particles.position[i][2];
        const bool inside = x * x + y * y + z * z < FARTHEST * FARTHEST;
        count += inside;
        height += inside ? z : 0;
    }
    const Settled settled = {angle_of_cap(count * pow(PER_RADIUS, -3), height / fmax(count, 1)),
                             1 - count / fmax((double)particles.count, 1)};
    study_particles_free(&particles);
    return settled;
}

static Settled settle(StudyRun *run, double angle, double friction)
{
    dlp_FluidDef drop = dlp_default_fluid_def();
    Settled settled = {NAN, NAN};
    study_case(run, "contact angle %g, friction %g", angle, friction);
    study_weigh(run, 1);
    dlp_World *world = make_world(run, PER_RADIUS, VISCOUS, angle, &drop.material);
    add_flat_drop(run, world, &drop, friction);
    study_run_for(run, world, SETTLING, step_of(PER_RADIUS));
    if (study_going(run)) {
        settled = measure_drop(run, world);
    }
    dlp_world_destroy(world);
    return settled;
}

/* The plane through x with its normal along x, forwards or backwards. */
static void add_side(StudyRun *run, dlp_World *world, double x, bool forwards)
{
    dlp_SolidDef side = dlp_default_solid_def();
    side.shape.kind = DLP_SHAPE_PLANE;
    side.shape.position.x = x;
    side.shape.rotation.y = forwards ? PI / 2 : -PI / 2;
    side.friction = 0;
    study_solid(run, world, &side);
}

/* A container `width` wide, periodic along y, with a floor. */
static dlp_World *make_slot(StudyRun *run, double angle, double width, dlp_MaterialId *fluid)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = 1.0 / PER_RADIUS;
    def.gravity = (dlp_Vec3){0, 0, -PLATE_GRAVITY};
    def.periodic_size = (dlp_Vec3){0, DEEP, 0};
    dlp_World *world = study_world(run, &def);
    *fluid = add_fluid(run, world, VISCOUS, angle);
    study_floor(run, world, 0);
    add_side(run, world, 0, true);
    add_side(run, world, width, false);
    return world;
}

/* Fluid from one x and z to another. */
static void add_block(StudyRun *run, dlp_World *world, dlp_MaterialId fluid, double x, double z, double width,
                      double height)
{
    const int counts[3] = {(int)lround(width * PER_RADIUS), (int)lround(DEEP * PER_RADIUS),
                           (int)lround(height * PER_RADIUS)};
    const StudyBlock block = {.material = fluid, .counts = {counts[0], counts[1], counts[2]}, .corner = {x, 0, z}};
    study_block(run, world, &block);
}

/* Between plates to the floor: by how much the pressure in the middle is below that of the weight above, over 2 sigma cos(angle) / distance. */
static double slot_pressure(StudyRun *run, double angle)
{
    const double height = 2 * NARROW, d = 1.0 / PER_RADIUS;
    dlp_MaterialId fluid;
    double sum = 0, count = 0;
    study_case(run, "pressure between plates, contact angle %g", angle);
    study_weigh(run, 0.3);
    dlp_World *world = make_slot(run, angle, NARROW, &fluid);
    add_block(run, world, fluid, 0, 0, NARROW, height);
    study_run_for(run, world, SLOT_SETTLING, step_of(PER_RADIUS));
    dlp_ParticleView view;
    for (int part = 0; study_going(run) && part < dlp_world_part_count(world); part++) {
        study_keep(run, world, dlp_world_view(world, part, &view));
        for (int64_t i = 0; study_going(run) && i < view.count; i++) {
            const double x = (double)view.position[0][i], z = (double)view.position[2][i];
            if (fabs(x - NARROW / 2) < NARROW / 2 - 2.5 * d && fabs(z - 4 * d) < 2 * d) {
                sum += (double)view.pressure[i] + PLATE_GRAVITY * z;
                count += 1;
            }
        }
    }
    dlp_world_destroy(world);
    return (PLATE_GRAVITY * height - sum / count) * NARROW / (2 * cos(angle * PI / 180));
}

/* Two gaps between plates, connected below the plate between them. The weight of the fluid in each is p W + 2 sigma cos(angle), whatever the shape of
 * its surface, with the same p at the plate's lower edge: the difference of its mean heights, over the known one. */
static double rise(StudyRun *run, double angle)
{
    const double known = 2 * cos(angle * PI / 180) / PLATE_GRAVITY * (1 / NARROW - 1 / WIDE);
    const double width = NARROW + PLATE + WIDE;
    dlp_MaterialId fluid;
    dlp_SolidDef plate = dlp_default_solid_def();
    StudyParticles particles = {0};
    double narrow = 0, wide = 0;
    study_case(run, "rise between plates, contact angle %g", angle);
    study_weigh(run, 1.5);
    dlp_World *world = make_slot(run, angle, width, &fluid);
    plate.shape.kind = DLP_SHAPE_BOX;
    plate.shape.position = (dlp_Vec3){NARROW + PLATE / 2, DEEP / 2, OPENING + 5};
    plate.shape.size = (dlp_Vec3){PLATE, 5 * DEEP, 10};
    plate.friction = 0;
    study_solid(run, world, &plate);
    add_block(run, world, fluid, 0, 0, width, OPENING);
    add_block(run, world, fluid, 0, OPENING, NARROW, 2.125 * NARROW);
    add_block(run, world, fluid, NARROW + PLATE, OPENING, WIDE, 1.25 * NARROW);
    study_run_for(run, world, RISING, step_of(PER_RADIUS));
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        if ((double)particles.position[i][2] > OPENING) {
            *((double)particles.position[i][0] < NARROW + PLATE / 2 ? &narrow : &wide) += pow(PER_RADIUS, -3) / DEEP;
        }
    }
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return (narrow / NARROW - wide / WIDE) / known;
}

typedef struct Slide {
    double speed, acceleration; /* m/s and m/s2, along the slope, at the end and over the last half     */
    double least,
        most; /* m/s2, by Coulomb's law: the weight presses the drop on the plane, with the pull of the contact line or without */
} Slide;

/* m/s, along x. */
static double mean_speed(StudyRun *run, const dlp_World *world)
{
    StudyParticles particles = {0};
    double sum = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        sum += (double)particles.velocity[i][0];
    }
    sum /= (double)particles.count;
    study_particles_free(&particles);
    return sum;
}

/* m, radius of the base of a drop of contact angle 90 degrees: root mean square of a disc. */
static double base_radius(StudyRun *run, const dlp_World *world)
{
    StudyParticles particles = {0};
    double sum = 0, count = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        const double x = (double)particles.position[i][0], y = (double)particles.position[i][1];
        if ((double)particles.position[i][2] < 1.0 / PER_RADIUS) {
            sum += x * x + y * y;
            count += 1;
        }
    }
    study_particles_free(&particles);
    return sqrt(2 * sum / count);
}

/* A drop with a contact angle of 90 degrees comes to rest on a plane with friction, which is then tilted. */
static Slide slide(StudyRun *run, double slope, double friction)
{
    const double dt = step_of(PER_RADIUS), tilt = slope * PI / 180;
    dlp_FluidDef drop = dlp_default_fluid_def();
    Slide found = {0};
    study_case(run, "slope %g, friction %g", slope, friction);
    study_weigh(run, 1);
    dlp_World *world = make_world(run, PER_RADIUS, SLOPE_VISCOSITY, 90, &drop.material);
    add_flat_drop(run, world, &drop, friction);
    if (study_going(run)) {
        study_keep(run, world, dlp_world_set_gravity(world, (dlp_Vec3){0, 0, -SLOPE_GRAVITY}));
    }
    study_run_for(run, world, SLOPE_SETTLING, dt);
    if (study_going(run)) {
        const double along = SLOPE_GRAVITY * sin(tilt), across = SLOPE_GRAVITY * cos(tilt);
        const double mass = (double)study_stats(run, world).particles * pow(PER_RADIUS, -3);
        found.most = fmax(along - friction * across, 0);
        found.least = fmax(found.most - friction * 2 * PI * base_radius(run, world) / mass, 0);
        study_keep(run, world, dlp_world_set_gravity(world, (dlp_Vec3){along, 0, -across}));
    }
    study_run_for(run, world, SLOPE_SLIDING / 2, dt);
    const double half = mean_speed(run, world);
    study_run_for(run, world, SLOPE_SLIDING / 2, dt);
    found.speed = mean_speed(run, world);
    found.acceleration = (found.speed - half) / (SLOPE_SLIDING / 2);
    dlp_world_destroy(world);
    return found;
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
    study_column(table, "left the drop, free slip", "%");
    study_column(table, "left the drop, no slip", "%");
    for (int n = 0; n < (run->quick ? 1 : 5); n++) {
        const Settled slip = settle(run, angles[n], 0), held = settle(run, angles[n], 1);
        study_number(table, angles[n]);
        study_number(table, slip.angle);
        study_number(table, held.angle);
        study_number(table, 100 * slip.left);
        study_number(table, 100 * held.left);
        largest = fmax(largest, fmax(fabs(slip.angle - angles[n]), fabs(held.angle - angles[n])));
    }
    return largest;
}

typedef struct Plates {
    double slot, rise; /* largest errors of the pressure and of the rise */
} Plates;

static Plates fills_plates(StudyRun *run)
{
    static const double angles[] = {60, 120};
    StudyTable *table = study_table(run, "plates", "Fluid between vertical plates, 8 particles apart");
    Plates plates = {0};
    study_column(table, "contact angle", "degrees");
    study_column(table, "pressure deficit", "2 sigma cos / W");
    study_column(table, "rise over theory", "");
    for (int n = 0; n < (run->quick ? 1 : 2); n++) {
        const double deficit = slot_pressure(run, angles[n]), rises = n == 0 ? rise(run, angles[n]) : NAN;
        study_number(table, angles[n]);
        study_number(table, deficit);
        study_number(table, rises);
        plates.slot = fmax(plates.slot, fabs(deficit - 1));
        plates.rise = fmax(plates.rise, fabs(rises - 1));
    }
    return plates;
}

/* A drop stays where Coulomb's law lets its weight alone not move it, up to a creep that viscosity limits; slides at a rate between the two that the
 * law allows; and without friction falls freely along the slope. */
static bool slides(StudyRun *run)
{
    static const char *const columns[][2] = {{"slope", "degrees"},
                                             {"friction", ""},
                                             {"speed", "sigma / eta"},
                                             {"acceleration", "g sin"},
                                             {"by weight and line", "g sin"},
                                             {"by weight alone", "g sin"}};
    static const double cases[][2] = {{STAYS, SLOPE_FRICTION}, {SLIDES, SLOPE_FRICTION}, {STAYS, 0}};
    StudyTable *table = study_table(run, "slope", "Drops on a slope, and Coulomb's law");
    bool holds = true;
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    for (int n = 0; n < 3; n++) {
        const double along = SLOPE_GRAVITY * sin(cases[n][0] * PI / 180);
        const Slide found = slide(run, cases[n][0], cases[n][1]);
        const double row[] = {
            cases[n][0],         cases[n][1],       found.speed * SLOPE_VISCOSITY, found.acceleration / along,
            found.least / along, found.most / along};
        study_numbers(table, row, sizeof row / sizeof row[0]);
        holds = holds && row[3] > row[4] - SLIDE_ERROR && row[3] < row[5] + SLIDE_ERROR;
    }
    return holds;
}

static void run(StudyRun *run)
{
    const double fine = run->quick ? 0 : pow((double)FINE / PER_RADIUS, 4);
    const double oscillation = (AT_REST + OSCILLATION) / 0.004;
    const double plates = 1.5 * RISING + (run->quick ? 0.3 : 0.6) * SLOT_SETTLING;
    const double slopes = 3 * (SLOPE_SETTLING + SLOPE_SLIDING);
    study_plan(run, (1 + fine) * (AT_REST / step_of(PER_RADIUS) + oscillation) +
                        ((run->quick ? 2 : 10) * SETTLING + plates + slopes) / step_of(PER_RADIUS));
    const bool resting = rests(run), oscillating = oscillates(run);
    const double error = largest_angle_error(run);
    const Plates between = fills_plates(run);
    const bool sliding = slides(run);
    study_verdict(
        run,
        resting && oscillating && error < ANGLE_ERROR && between.slot < RISE_ERROR && between.rise < RISE_ERROR &&
            sliding,
        "pressure and stillness of drops %s, their oscillation %s, contact angles are within %.1f degrees, the pressure "
        "between plates within %.0f %%, the rise between plates within %.0f %%, and drops on slopes %s",
        resting ? "hold" : "do not hold", oscillating ? "holds" : "does not hold", error, 100 * between.slot,
        100 * between.rise, sliding ? "hold" : "do not hold");
}

const Study drop_study = {
    .name = "drop",
    .paper = "known answers: Laplace, Lamb and Reid, Young, Jurin, Coulomb",
    .claim =
        "A drop has the pressure 2 sigma / R and rests; it oscillates and decays as theory says; on a plane it has its contact angle. Between plates "
        "fluid rises as Jurin's law says, and a drop on a slope slides as Coulomb's does.",
    .run = run,
};
