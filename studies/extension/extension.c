/* Start-up of uniaxial and biaxial extension at a constant rate: the stress of Newtonian, Maxwell and Oldroyd-B fluids grows as the
 * closed solutions say. Two ways to stretch the fluid: a free body whose velocities are prescribed in each step, so that stresses alone are
 * tested; and a body between two sticky slip plates, where the fluid finds its own velocity and the force on a plate is measured too. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <dollop/probe.h>
#include <math.h>

#define DENSITY    1000.0 /* kg/m3 */
#define RATE       1.0    /* 1/s, of the longer directions */
#define SPACING    4e-3   /* m */
#define DT         5e-3   /* s */
#define PLATE      0.02   /* m, thickness */
#define STICKINESS 1e5    /* Pa */
#define FIRST      0.1    /* strain from which on errors count: before, Maxwell stresses are a few steps old */
#define WANTED     0.05   /* error of the stress difference */
enum { KEYS = 400, EVERY = 5 /* steps between samples */ };

typedef struct Fluid {
    const char *name;
    double weissenberg; /* relaxation time times rate; 0: Newtonian */
    double solvent;     /* fraction of the viscosity that is Newtonian */
    bool quick;
} Fluid;

static const Fluid fluids[] = {
    {"Newtonian", 0, 1, true},     {"Maxwell, Wi 0.2", 0.2, 0, false},     {"Maxwell, Wi 0.5", 0.5, 0, true},
    {"Maxwell, Wi 1", 1, 0, true}, {"Oldroyd-B, Wi 0.5", 0.5, 0.5, false},
};

/* The flow: along x and y, and along z. */
typedef struct Flow {
    const char *name;
    bool plates;
    double across, along; /* strain rates over RATE */
    int counts[3];        /* particles at the start */
    double strain;        /* of the longer directions at the end */
    double
        viscosity; /* Pa s. Prescribed velocities are not disturbed from the surface if it diffuses less than a spacing in a step. */
} Flow;

static const Flow flows[] = {
    {"uniaxial, free", false, -0.5, 1, {16, 16, 10}, 1.5, 0.05},
    {"biaxial, free", false, 1, -2, {10, 10, 32}, 0.75, 0.05},
    {"uniaxial, plates", true, -0.5, 1, {16, 16, 10}, 1.5, 1000},
    {"biaxial, plates", true, 1, -2, {12, 12, 24}, 0.6, 1000},
};
enum { FLUIDS = sizeof fluids / sizeof fluids[0], FLOWS = sizeof flows / sizeof flows[0] };

/* Pa, extra stress along a direction that is strained at the rate `rate` (1/s). */
static double known_stress(const Fluid *fluid, double viscosity, double rate, double time)
{
    const double tau = fluid->weissenberg / RATE, newtonian = 2 * fluid->solvent * viscosity * rate;
    if (fluid->weissenberg <= 0) {
        return newtonian;
    }
    const double k = 2 * rate - 1 / tau;
    const double q = fabs(k * tau) < 1e-9 ? 1 + time / tau : (2 * rate * exp(k * time) - 1 / tau) / k;
    return newtonian + (1 - fluid->solvent) * viscosity / tau * (q - 1);
}

/* m, height of the body, or distance of the plates. */
static double height_of(const Flow *flow, double time)
{
    return flow->counts[2] * SPACING * exp(flow->along * RATE * time);
}

static void add_plates(StudyRun *run, dlp_World *world, const Flow *flow)
{
    static dlp_PoseKey keys[KEYS + 1];
    const double end = flow->strain / RATE + 2 * DT;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        dlp_SolidDef plate = dlp_default_solid_def();
        plate.shape.kind = DLP_SHAPE_BOX;
        plate.shape.size = (dlp_Vec3){1, 1, PLATE};
        plate.shape.position.z = sign * (height_of(flow, 0) + PLATE) / 2;
        plate.friction = 0;
        plate.stickiness = STICKINESS;
        plate.path = DLP_PATH_LINEAR;
        for (int n = 0; n <= KEYS; n++) {
            keys[n].time = end * n / KEYS;
            keys[n].position.z = sign * (height_of(flow, keys[n].time) + PLATE) / 2;
        }
        const dlp_SolidId id = study_solid(run, world, &plate);
        if (id >= 0) {
            study_keep(run, world, dlp_world_set_solid_keys(world, id, keys, KEYS + 1));
        }
    }
    if (study_going(run)) {
        dlp_ProbeDef force = dlp_default_probe_def();
        force.kind = DLP_PROBE_FORCE;
        force.solid = 1;
        study_keep(run, world, dlp_world_add_probe(world, &force, NULL));
    }
}

static dlp_World *make_body(StudyRun *run, const Flow *flow, const Fluid *fluid)
{
    const int *n = flow->counts;
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    const dlp_MaterialId material = fluid->weissenberg > 0
                                        ? STUDY_MATERIAL(run, world, {"density", DENSITY},
                                                         {"viscosity", (1 - fluid->solvent) * flow->viscosity},
                                                         {"relaxation_time", fluid->weissenberg / RATE},
                                                         {"solvent_viscosity", fluid->solvent * flow->viscosity})
                                        : STUDY_MATERIAL(run, world, {"density", DENSITY},
                                                         {"viscosity", flow->viscosity});
    study_block(run, world,
                &(StudyBlock){.material = material,
                              .counts = {n[0], n[1], n[2]},
                              .corner = {-0.5 * n[0] * SPACING, -0.5 * n[1] * SPACING, -0.5 * n[2] * SPACING}});
    if (flow->plates) {
        add_plates(run, world, flow);
    }
    return world;
}

/* A step along straight lines stretches the body by exactly exp(rate dt). */
static void put_extension(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const Flow *flow = user;
    (void)id;
    for (int axis = 0; axis < 3; axis++) {
        const double rate = RATE * (axis < 2 ? flow->across : flow->along);
        velocity[axis] = (float)(expm1(rate * DT) / DT * (double)position[axis]);
    }
}

/* Means over the middle third of the body. */
typedef struct Stress {
    double axial, radial, pressure; /* Pa */
} Stress;

static Stress read_stress(StudyRun *run, dlp_World *world, const Flow *flow, double time)
{
    dlp_ParticleView view = {0};
    Stress sum = {0};
    double count = 0;
    const double half_height = height_of(flow, time) / 6;
    const double half_width = flow->counts[0] * SPACING * exp(flow->across * RATE * time) / 6;
    study_keep(run, world, dlp_world_derive(world, DLP_DERIVED_STRESS));
    study_keep(run, world, dlp_world_view(world, 0, &view));
    for (int64_t i = 0; study_going(run) && i < view.count; i++) {
        if (fabsf(view.position[2][i]) < half_height && fabsf(view.position[0][i]) < half_width &&
            fabsf(view.position[1][i]) < half_width) {
            sum.axial += (double)view.stress[2][i];
            sum.radial += (double)(view.stress[0][i] + view.stress[1][i]) / 2;
            sum.pressure += (double)view.pressure[i];
            count++;
        }
    }
    return (Stress){sum.axial / count, sum.radial / count, sum.pressure / count};
}

/* Largest errors over time, over the known stress difference of that time. */
typedef struct Errors {
    double difference, axial, radial, force;
} Errors;

static double plate_stress(StudyRun *run, const dlp_World *world, const Flow *flow, double time)
{
    enum { FORCE_Z = 3, COLUMNS };
    double force[COLUMNS] = {0};
    const double volume = pow(SPACING, 3) * flow->counts[0] * flow->counts[1] * flow->counts[2];
    study_keep(run, world, dlp_world_read_probe(world, 0, force, COLUMNS));
    return -force[FORCE_Z] * height_of(flow, time) / volume;
}

static void compare(const Fluid *fluid, const Flow *flow, double time, Stress stress, double force, Errors *errors)
{
    const double axial = known_stress(fluid, flow->viscosity, RATE * flow->along, time);
    const double radial = known_stress(fluid, flow->viscosity, RATE * flow->across, time);
    const double scale = fabs(axial - radial);
    if (time * RATE >= FIRST) {
        errors->difference = fmax(errors->difference, fabs(stress.axial - stress.radial - axial + radial) / scale);
        errors->axial = fmax(errors->axial, fabs(stress.axial - axial) / scale);
        errors->radial = fmax(errors->radial, fabs(stress.radial - radial) / scale);
        errors->force = fmax(errors->force, fabs(force - axial + radial) / scale);
    }
}

static Errors stretch(StudyRun *run, StudyPlot *plot, const Flow *flow, const Fluid *fluid, int color)
{
    Errors errors = {0};
    Flow field = *flow;
    study_case(run, "%s, %s", flow->name, fluid->name);
    dlp_World *world = make_body(run, flow, fluid);
    StudySeries *measured = study_series(plot, "%s", fluid->name),
                *known = study_series(plot, "%s, known", fluid->name);
    study_style(measured, color, STUDY_LINE);
    study_style(known, color, STUDY_FINE);
    const int steps = (int)lround(flow->strain / RATE / DT);
    for (int step = 1; step <= steps && study_going(run); step++) {
        if (step == 1 || !flow->plates) {
            study_keep(run, world, dlp_world_push(world, put_extension, &field));
        }
        if (!study_step(run, world, DT) || step % EVERY != 0) {
            continue;
        }
        const double time = dlp_world_time(world);
        const Stress stress = read_stress(run, world, flow, time);
        const double force = flow->plates ? plate_stress(run, world, flow, time - 0.5 * DT) : NAN;
        compare(fluid, flow, time, stress, force, &errors);
        study_point(measured, time * RATE, fabs(stress.axial - stress.radial) / (flow->viscosity * RATE));
        study_point(known, time * RATE,
                    fabs(known_stress(fluid, flow->viscosity, RATE * flow->along, time) -
                         known_stress(fluid, flow->viscosity, RATE * flow->across, time)) /
                        (flow->viscosity * RATE));
    }
    errors.force = flow->plates ? errors.force : NAN;
    dlp_world_destroy(world);
    return errors;
}

static void run(StudyRun *run)
{
    static const char *const columns[][2] = {{"flow", ""},          {"fluid", ""},          {"stress difference", "%"},
                                             {"axial stress", "%"}, {"radial stress", "%"}, {"force on a plate", "%"}};
    static const char *const plots[FLOWS] = {"uniaxial_plot", "biaxial_plot", "uniaxial_plates_plot",
                                             "biaxial_plates_plot"};
    StudyTable *table = study_table(run, "extension", "Largest errors, over the known stress difference");
    double work = 0, worst = 0, worst_plates = 0;
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    for (int n = 0; n < FLOWS * FLUIDS; n++) {
        work += run->quick && !fluids[n % FLUIDS].quick ? 0 : flows[n / FLUIDS].strain / RATE / DT;
    }
    study_plan(run, work);
    for (int f = 0; f < FLOWS && study_going(run); f++) {
        StudyPlot *plot = study_plot(run, plots[f], flows[f].name, "strain",
                                     "stress difference over viscosity times rate");
        for (int m = 0; m < FLUIDS && study_going(run); m++) {
            if (run->quick && !fluids[m].quick) {
                continue;
            }
            const Errors errors = stretch(run, plot, &flows[f], &fluids[m], m);
            const double row[] = {100 * errors.difference, 100 * errors.axial, 100 * errors.radial, 100 * errors.force};
            study_word(table, "%s", flows[f].name);
            study_word(table, "%s", fluids[m].name);
            study_numbers(table, row, sizeof row / sizeof row[0]);
            double *to = flows[f].plates ? &worst_plates : &worst;
            *to = fmax(*to, fmax(errors.difference, fmax(errors.axial, errors.radial)));
        }
    }
    study_verdict(
        run, worst <= WANTED,
        "in prescribed flows stresses are within %.1f %% of the closed solutions (between plates, where the fluid finds its own flow, "
        "within %.1f %%; not part of the claim)",
        100 * worst, 100 * worst_plates);
}

const Study extension_study = {
    .name = "extension",
    .paper = "known answer",
    .claim =
        "Stresses in start-up of prescribed uniaxial and biaxial extension grow as the closed solutions of Newtonian, Maxwell (Wi 0.2 to 1) and "
        "Oldroyd-B fluids say, within 5 %.",
    .run = run,
};
