/* Heat conduction between particles against theory: temperature waves in disordered particles, two half spaces in contact, and
 * a freezing front. The paper's heat equation has a rate parameter without a unit; ours has the diffusivity. */
#include "studies/flow_box.h"
#include "studies/study_output.h"

#include <math.h>

#define PI           3.14159265358979323846
#define SPACING      0.001 /* m                                                                */
#define DIFFUSIVITY  1e-6  /* m2/s: 1 W/m/K, 1000 kg/m3, 1000 J/kg/K                           */
#define COLD         300.0 /* K                                                                */
#define WAVE_WANTED  0.02  /* error of diffusivity                                             */
#define MEET_WANTED  0.03  /* of the temperature between two materials, over their difference       */
#define FRONT_WANTED 0.05  /* relative error of the position of a front                        */

static void keep(StudyRun *run, const dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        study_fail(run, result, "%s", dlp_world_error(world));
    }
}

/* Waves */

typedef struct Wave {
    double k; /* 1/m */
} Wave;

static double warm_wave(void *user, uint64_t id, const float position[3], double temperature)
{
    const Wave *wave = user;
    (void)id;
    (void)temperature;
    return COLD + 10.0 * cos(wave->k * (double)position[2]);
}

/* K */
static double amplitude_of(const dlp_World *world, double k)
{
    dlp_ParticleView view;
    double along = 0, norm = 0;
    if (!world || dlp_world_view(world, 0, &view) != DLP_OK) {
        return NAN;
    }
    for (int64_t i = 0; i < view.count; i++) {
        const double c = cos(k * (double)view.position[2][i]);
        along += c * ((double)view.temperature[i] - COLD);
        norm += c * c;
    }
    return along / norm;
}

static const StudyValue material_values[] = {
    {"viscosity", 10}, {"conductivity", 1}, {"heat_capacity", 1000}, {"temperature", COLD}};
enum { MATERIAL_VALUES = sizeof material_values / sizeof material_values[0], WAVE_STEPS = 100 };

/* Measured over specified diffusivity, for a wave of n particles; `seed` 0 leaves them on a lattice. */
static double measured_diffusivity(StudyRun *run, const char *method, int n, uint64_t seed)
{
    study_case(run, "%s, %d per wavelength, %s", method, n, seed ? "disordered" : "lattice");
    dlp_World *world = flow_box(run, &(FlowBoxDef){.method = method,
                                                   .counts = {12, 12, n},
                                                   .spacing = SPACING,
                                                   .seed = seed,
                                                   .material = material_values,
                                                   .values = MATERIAL_VALUES});
    Wave wave = {2 * PI / (n * SPACING)};
    const double rate = DIFFUSIVITY * wave.k * wave.k, dt = 0.5 / rate / WAVE_STEPS;
    if (world) {
        keep(run, world, dlp_world_warm(world, warm_wave, &wave));
    }
    const double before = amplitude_of(world, wave.k);
    for (int step = 0; step < WAVE_STEPS && study_step(run, world, dt); step++) {}
    const double fallen = log(before / amplitude_of(world, wave.k)) / (WAVE_STEPS * dt);
    dlp_world_destroy(world);
    return fallen / (-log1p(-rate * dt) / dt); /* decay rate of explicit steps */
}

static double try_waves(StudyRun *run)
{
    static const struct {
        const char *method;
        uint64_t seed;
    } cases[] = {{"pbf", 0}, {"pbf", 1}, {"physical", 1}};
    static const int waves[] = {8, 12, 16, 24, 32};
    StudyTable *table = study_table(run, "conduction", "Measured diffusivity of a temperature wave");
    StudyPlot *plot = study_plot(run, "conduction_plot", "Measured over specified diffusivity",
                                 "particles per wavelength", "measured over specified");
    double worst = 0;
    study_column(table, "method", "");
    study_column(table, "particles", "");
    for (int w = 0; w < 5; w++) {
        study_column(table, (const char *[]){"8 per wavelength", "12", "16", "24", "32"}[w], "");
    }
    for (int c = 0; c < 3; c++) {
        StudySeries *series = study_series(plot, "%s, %s", cases[c].method, cases[c].seed ? "disordered" : "lattice");
        study_style(series, c, STUDY_DOTS);
        study_word(table, "%s", cases[c].method);
        study_word(table, "%s", cases[c].seed ? "disordered" : "lattice");
        for (int w = 0; w < 5; w++) {
            const double part = run->quick && waves[w] > 24
                                    ? NAN
                                    : measured_diffusivity(run, cases[c].method, waves[w], cases[c].seed);
            study_number(table, part);
            study_point(series, waves[w], part);
            worst = waves[w] >= 24 && part == part ? fmax(worst, fabs(part - 1)) : worst;
        }
    }
    return worst;
}

/* Two half spaces */

enum { SIDE = 6, DEPTH = 45 };

static dlp_World *column(StudyRun *run, int heat)
{
    dlp_WorldDef def = study_world_def(run, "physical"); /* without forces nothing moves in it */
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){SIDE * SPACING, SIDE * SPACING, 0};
    def.heat = heat;
    return study_world(run, &def);
}

static void add_layers(StudyRun *run, dlp_World *world, dlp_MaterialId material, int first, int count)
{
    study_block(run, world,
                &(StudyBlock){.material = material, .counts = {SIDE, SIDE, count}, .corner = {0, 0, first * SPACING}});
}

/* K, mean of the layer whose lower face is `layer` spacings high. */
static double layer_at(const dlp_World *world, int layer)
{
    dlp_ParticleView view;
    double sum = 0;
    int64_t count = 0;
    if (!world || dlp_world_view(world, 0, &view) != DLP_OK) {
        return NAN;
    }
    for (int64_t i = 0; i < view.count; i++) {
        if ((int)floor((double)view.position[2][i] / SPACING) == layer) {
            sum += (double)view.temperature[i];
            count++;
        }
    }
    return sum / (double)count;
}

/* The error of the temperature between them, over their difference. */
static double try_interface(StudyRun *run, StudyTable *table, StudyPlot *plot, double conductivity, double capacity)
{
    const double hot = 400, dt = 0.1, alpha = conductivity / (1000 * capacity);
    const double own = sqrt(1.0 * 1000.0), other = sqrt(conductivity * capacity);
    const double known = (own * COLD + other * hot) / (own + other);
    enum { MEET_STEPS = 80 };
    study_case(run, "half spaces, conductivity %g", conductivity);
    dlp_World *world = column(run, DLP_HEAT_AUTO);
    if (!world) {
        return NAN;
    }
    const dlp_MaterialId below = study_material(run, world, material_values, MATERIAL_VALUES);
    const dlp_MaterialId above = STUDY_MATERIAL(run, world, {"viscosity", 10}, {"conductivity", conductivity},
                                                {"heat_capacity", capacity}, {"temperature", hot});
    add_layers(run, world, below, -DEPTH, DEPTH);
    add_layers(run, world, above, 0, DEPTH);
    for (int step = 0; step < MEET_STEPS && study_step(run, world, dt); step++) {}
    const double from_below = 2.5 * layer_at(world, -2) - 1.5 * layer_at(world, -3);
    const double from_above = 2.5 * layer_at(world, 1) - 1.5 * layer_at(world, 2);
    study_number(table, conductivity);
    study_number(table, capacity);
    study_number(table, known);
    study_number(table, from_below);
    study_number(table, from_above);
    StudySeries *found = study_series(plot, "%g W/m/K, %g J/kg/K above", conductivity, capacity),
                *theory = study_series(plot, "theory");
    const int color = conductivity == 1 ? 0 : capacity < 1000 ? 1 : 2;
    study_style(found, color, STUDY_DOTS);
    study_style(theory, color, STUDY_DASHED);
    const double time = MEET_STEPS * dt;
    for (int layer = -25; layer < 25; layer++) {
        const double z = (layer + 0.5) * SPACING;
        const double reach = 2 * sqrt((z < 0 ? DIFFUSIVITY : alpha) * time);
        study_point(found, z * 1000, layer_at(world, layer));
        study_point(theory, z * 1000, known + ((z < 0 ? COLD : hot) - known) * erf(fabs(z) / reach));
    }
    dlp_world_destroy(world);
    return fmax(fabs(from_below - known), fabs(from_above - known)) / (hot - COLD);
}

static double try_interfaces(StudyRun *run)
{
    static const double cases[][2] = {{1, 1000}, {5, 330}, {5, 3000}};
    StudyTable *table = study_table(run, "interface", "Temperature between two half spaces, 300 and 400 K");
    StudyPlot *plot = study_plot(run, "interface_plot", "Two half spaces after 8 s", "height, mm", "temperature, K");
    double worst = 0;
    study_column(table, "conductivity above", "W/m/K");
    study_column(table, "heat capacity above", "J/kg/K");
    study_column(table, "theory", "K");
    study_column(table, "from below", "K");
    study_column(table, "from above", "K");
    for (int c = 0; c < 3; c++) {
        worst = fmax(worst, try_interface(run, table, plot, cases[c][0], cases[c][1]));
    }
    return worst;
}

/* The front: s = 2 lambda sqrt(alpha t), sqrt(pi) lambda exp(lambda^2) erf(lambda) = c (melting point - wall) / latent heat */

static double lambda_of(double number)
{
    double low = 0, high = 5;
    for (int n = 0; n < 60; n++) {
        const double x = 0.5 * (low + high);
        if (sqrt(PI) * x * exp(x * x) * erf(x) < number) {
            low = x;
        } else {
            high = x;
        }
    }
    return low;
}

typedef struct Front {
    double number; /* Stefan's: c (melting point - wall) / latent heat */
    int heat;      /* dlp_HeatKind */
    double dt;     /* s */
} Front;

/* The largest error of the front's position beyond the tenth layer. */
static double freeze(StudyRun *run, StudyTable *table, StudyPlot *plot, const Front *front, int color)
{
    enum { LAYERS = 30, FAR = 20 };
    const double melting = 350, wall = 300, latent = 1000 * (melting - wall) / front->number;
    const double lambda = lambda_of(front->number), far = (run->quick ? 12 : FAR) * SPACING;
    const double end = far * far / (4 * lambda * lambda * DIFFUSIVITY);
    study_case(run, "front, Stefan number %g, %s", front->number,
               front->heat == DLP_HEAT_EXPLICIT ? "explicit" : "implicit");
    dlp_World *world = column(run, front->heat);
    if (!world) {
        return NAN;
    }
    const dlp_MaterialId material = STUDY_MATERIAL(run, world, {"viscosity", 10}, {"conductivity", 1},
                                                   {"heat_capacity", 1000}, {"melting_point", melting},
                                                   {"latent_heat", latent}, {"temperature", melting});
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 0.0;
    floor.temperature = wall;
    keep(run, world, dlp_world_add_solid(world, &floor, NULL));
    add_layers(run, world, material, 0, LAYERS);
    StudySeries *found = study_series(plot, "Stefan number %g, %s", front->number,
                                      front->heat == DLP_HEAT_EXPLICIT ? "explicit" : "implicit");
    StudySeries *theory = front->heat == DLP_HEAT_EXPLICIT ? study_series(plot, "theory") : NULL;
    study_style(found, color, front->heat == DLP_HEAT_EXPLICIT ? STUDY_DOTS : STUDY_LINE);
    study_style(theory, color, STUDY_DASHED);
    double worst = 0, last = 0;
    int frozen = 0; /* layers frozen completely: then their temperature falls below the melting point */
    for (double time = front->dt; time < end && study_step(run, world, front->dt); time += front->dt) {
        while (frozen < LAYERS && layer_at(world, frozen) < melting - 0.01) {
            const double place = ++frozen * SPACING, known = 2 * lambda * sqrt(DIFFUSIVITY * time);
            study_point(found, time, place * 1000);
            study_point(theory, time, known * 1000);
            last = place / known;
            worst = frozen > 10 ? fmax(worst, fabs(last - 1)) : worst;
        }
    }
    study_number(table, front->number);
    study_word(table, "%s", front->heat == DLP_HEAT_EXPLICIT ? "explicit" : "implicit");
    study_number(table, front->dt);
    study_number(table, lambda);
    study_number(table, last);
    study_number(table, worst);
    dlp_world_destroy(world);
    return worst;
}

static double try_fronts(StudyRun *run)
{
    static const Front fronts[] = {{0.5, DLP_HEAT_EXPLICIT, 0.2}, {0.5, DLP_HEAT_IMPLICIT, 1.0},
                                   {1.0, DLP_HEAT_EXPLICIT, 0.2}, {1.0, DLP_HEAT_IMPLICIT, 1.0},
                                   {5.0, DLP_HEAT_EXPLICIT, 0.1}, {5.0, DLP_HEAT_IMPLICIT, 0.5}};
    StudyTable *table = study_table(run, "front", "Freezing front from a cold wall, over Stefan's solution");
    StudyPlot *plot = study_plot(run, "front_plot", "Freezing from a cold wall", "time, s", "front, mm");
    double worst = 0;
    study_column(table, "Stefan number", "");
    study_column(table, "heat", "");
    study_column(table, "time step", "s");
    study_column(table, "lambda", "");
    study_column(table, "front over theory at the end", "");
    study_column(table, "largest error past 10 layers", "");
    for (int f = 0; f < 6; f++) {
        worst = fmax(worst, freeze(run, table, plot, &fronts[f], f / 2));
    }
    return worst;
}

static void run(StudyRun *run)
{
    study_plan(run, 3 * (run->quick ? 4 : 5) * WAVE_STEPS + 3 * 80 + (run->quick ? 2000 : 5500));
    const double waves = try_waves(run), meeting = try_interfaces(run), fronts = try_fronts(run);
    study_verdict(
        run, waves < WAVE_WANTED && meeting < MEET_WANTED && fronts < FRONT_WANTED,
        "diffusivity is right within %.2g %% from 24 particles per wavelength on, the temperature between materials within "
        "%.2g %% of their difference, a freezing front within %.2g %%",
        100 * waves, 100 * meeting, 100 * fronts);
}

const Study takahashi_heat_study = {
    "takahashi-heat",
    "Takahashi et al. 2014, section 3.6",
    "Particles and solids exchange heat, which changes the fluid; here at the physical rate.",
    run,
    NULL,
    false};
