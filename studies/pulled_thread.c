#include "studies/pulled_thread.h"

#include "studies/study_output.h"
#include "studies/thread_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI         3.14159265358979323846
#define DENSITY    1160.0   /* kg/m3, Table 2                                                           */
#define VISCOSITY  28.0     /* Pa s                                                                     */
#define MODULUS    350.0    /* Pa, a third of Young's modulus of 1050 Pa                                */
#define SPEED      0.18     /* m/s, of the upper plate                                                  */
#define RAMP       0.01     /* s, 100 steps of 0.1 ms, in which it accelerates                          */
#define ANGLE      (PI / 6) /* wetting angle, 30 degrees                                                */
#define LENGTH     0.054    /* m, of the fluid at the start: 18 spacings of 3 mm; not given             */
#define RADIUS     0.069    /* m, of the fluid and the upper plate: 23 spacings; not given              */
#define LOWER      0.107    /* m, radius of the lower plate                                             */
#define PLATE      0.009    /* m, thickness of the plates: three layers                                 */
#define STICKINESS 1e5      /* Pa                                                                       */
#define WEAK       1000.0   /* Pa, tension that the potential supports as printed: 1.5 N/m at 3 mm      */
#define STRONG     2000.0   /* Pa, the same, enough for the weight and the viscous tension of this fluid */
#define TENSION    0.07     /* N/m, surface tension where pressure carries tension                      */
#define PAPER_STEP 1e-4     /* s, time step of the paper                                                */
#define SAMPLE     0.001    /* s, between measurements                                                  */
#define AFTER      0.1      /* s, simulated after the break                                             */
#define SHRINKING  0.05     /* s, after the break, over which the speed of the free ends is measured    */
#define EXPECTED   1.1      /* s, length of a run, for the time left                                    */
#define SETTLED    0.005    /* s, without a connection between the plates, that make a break            */
#define THINNEST   1.0      /* spacings, radius below which a thread counts as broken                   */
#define LONGEST    6.0      /* stretch at which a run ends without a break                              */
#define STRETCHED  1.5      /* least stretch at the break of a fluid that stretches                     */
#define DISPERSED  0.005    /* fraction of dispersed particles from which a fluid disperses             */
#define STEP_MOST  0.03     /* largest change of the length at break by half the time step              */
#define VOLUME     0.02     /* s, between measurements of the volume                                    */
enum { RAMP_KEYS = 21, SAMPLES_MOST = 2000, PROFILES = 4, PANELS = 4 };

/* Choices of the parameters of method mps. */
enum { STRESS_VISCOUS = 1, STRESS_ELASTIC, STRESS_BLEND, STRESS_COMPLEX, STRESS_COMPLEX_PRINTED };
enum { COHESION_POTENTIAL = 1, FORM_LAPLACIAN = 1, INTEGRATION_IMPLICIT = 2 };

/* COMPARED: of Sim. 1 the second as printed, of Sim. 2 repaired with the paper's step and with half of it. */
enum { PRINTED_WEAK, PRINTED, REPAIRED, COMPARED, COMPARED_HALF, CASES_MOST };

static const double profile_stretches[PROFILES] = {1.25, 1.5, 2, 3};

typedef struct Case {
    ThreadSim sim;
    double strength;  /* Pa, tension that the potential supports; 0: not as printed but repaired */
    double spacing;   /* m */
    double time_step; /* s */
} Case;

typedef struct Figures {
    StudyTable *table;
    StudyPlot *profile, *volume, *lost;
    StudyPicture *picture;
} Figures;

/* Heights over time, and the results. */
typedef struct Thread {
    double upper[SAMPLES_MOST], lower[SAMPLES_MOST]; /* m, of the tips; the upper one from the plate */
    int samples, last_whole, last_joined; /* of them; the last before the break, and with both ends in one piece */
    double dispersed_most, dispersed_at_break, dispersed;
    double volume, volume_at_break; /* per particle, over that at the start */
    int64_t particles;
    bool unstable;
} Thread;

static const char *name_of(const Case *this)
{
    return this->strength > WEAK ? "as printed, 2 kPa" : this->strength > 0 ? "as printed, 1 kPa" : "repaired";
}

static int stress_of(const Case *this)
{
    static const int stresses[] = {STRESS_BLEND, STRESS_VISCOUS, STRESS_ELASTIC, STRESS_COMPLEX};
    return this->sim == THREAD_COMPLEX && this->strength > 0 ? STRESS_COMPLEX_PRINTED : stresses[this->sim];
}

/* m, of the lower face of the upper plate: its velocity is a quarter of a sine, then constant. */
static double plate_height(double time)
{
    const double ramp = fmin(time, RAMP);
    return LENGTH + SPEED * (2 * RAMP / PI * (1 - cos(PI / 2 * ramp / RAMP)) + fmax(time - RAMP, 0));
}

static dlp_SolidDef make_plate(double radius, double height)
{
    dlp_SolidDef plate = dlp_default_solid_def();
    plate.shape.kind = DLP_SHAPE_CYLINDER;
    plate.shape.radius = radius;
    plate.shape.length = PLATE;
    plate.shape.position.z = height;
    plate.friction = 1;
    plate.stickiness = STICKINESS;
    plate.path = DLP_PATH_LINEAR;
    return plate;
}

static void add_plates(StudyRun *run, dlp_World *world)
{
    const dlp_SolidDef lower = make_plate(LOWER, -PLATE / 2), upper = make_plate(RADIUS, LENGTH + PLATE / 2);
    dlp_PoseKey keys[RAMP_KEYS + 1] = {0};
    study_solid(run, world, &lower);
    const dlp_SolidId id = study_solid(run, world, &upper);
    for (int n = 0; n <= RAMP_KEYS; n++) {
        keys[n].time = n < RAMP_KEYS ? n * RAMP / (RAMP_KEYS - 1) : 10.0;
        keys[n].position.z = plate_height(keys[n].time) + PLATE / 2;
    }
    if (id >= 0) {
        study_keep(run, world, dlp_world_set_solid_keys(world, id, keys, RAMP_KEYS + 1));
    }
}

static dlp_World *make_world(StudyRun *run, const Case *this)
{
    dlp_WorldDef def = study_world_def(run, "mps");
    dlp_FluidDef fluid = dlp_default_fluid_def();
    def.spacing = this->spacing;
    dlp_World *world = study_world(run, &def);
    if (this->strength > 0) {
        study_set(run, world, "cohesion", COHESION_POTENTIAL);
        study_set(run, world, "integration", INTEGRATION_IMPLICIT);
        study_set(run, world, "form", FORM_LAPLACIAN);
    }
    add_plates(run, world);
    fluid.material = STUDY_MATERIAL(
        run, world, {"density", DENSITY}, {"viscosity", VISCOSITY}, {"modulus", MODULUS}, {"stress", stress_of(this)},
        {"contact_angle", ANGLE},
        {"surface_tension", this->strength > 0 ? this->strength * this->spacing / 2 : TENSION});
    fluid.shape.kind = DLP_SHAPE_CYLINDER;
    fluid.shape.radius = RADIUS;
    fluid.shape.length = LENGTH;
    fluid.shape.position.z = LENGTH / 2;
    study_fluid(run, world, &fluid);
    return world;
}

/* m3, within the surface of the particles that are connected to the plates, over their number. */
static double volume_of(StudyRun *run, const Case *this, const StudyParticles *particles, const ThreadParts *parts)
{
    dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh;
    dlp_Error error = {0};
    float *x[3] = {0};
    dlp_Points points = {0};
    def.spacing = this->spacing;
    def.threads = run->threads;
    bool ok = study_going(run) && dlp_surface_create(&def, &surface, &error) == DLP_OK;
    for (int a = 0; a < 3; a++) {
        x[a] = calloc((size_t)particles->count + 1, sizeof *x[a]);
        points.position[a] = x[a];
        ok = ok && x[a];
    }
    for (int64_t i = 0; i < particles->count && ok; i++) {
        for (int a = 0; a < 3 && parts->connected[i]; a++) {
            x[a][points.count] = particles->position[i][a];
        }
        points.count += parts->connected[i];
    }
    ok = ok && dlp_surface_build(surface, &points, &mesh, &error) == DLP_OK;
    const double volume = ok ? dlp_mesh_volume(&mesh) / fmax((double)points.count, 1) : NAN;
    dlp_surface_destroy(surface);
    for (int a = 0; a < 3; a++) {
        free(x[a]);
    }
    return volume;
}

/* Radius over height, when the plate is at one of the stretches. */
static void add_profile(const Figures *figures, const Case *this, const StudyParticles *particles,
                        const ThreadParts *parts, double before, double now)
{
    for (int n = 0; n < PROFILES; n++) {
        if (before >= profile_stretches[n] || now < profile_stretches[n]) {
            continue;
        }
        StudySeries *series = study_series(figures->profile, "%s, %g ms, %.3g times", name_of(this),
                                           1000 * this->time_step, profile_stretches[n]);
        study_style(series, n, this->strength > WEAK ? STUDY_FINE : this->strength > 0 ? STUDY_DASHED : STUDY_LINE);
        const double slice = 1.5 * this->spacing;
        for (double z = 0; z + slice <= now * LENGTH; z += slice) {
            study_point(series, 1000 * (z + slice / 2),
                        1000 * thread_radius(particles, parts, this->spacing, z, z + slice));
        }
    }
}

static bool broke(const Thread *thread)
{
    return (thread->samples - 1 - thread->last_whole) * SAMPLE >= SETTLED || thread->unstable;
}

/* A run in progress. */
typedef struct Pull {
    StudyRun *run;
    const Case *this;
    const Figures *figures;
    dlp_World *world;
    StudyParticles particles;
    ThreadParts parts;
    StudySeries *volume, *lost;
    double first_volume; /* m3 */
    bool shown_stretched, shown_broken;
} Pull;

static void measure_volume(Pull *pull, Thread *thread, double time)
{
    const double volume = volume_of(pull->run, pull->this, &pull->particles, &pull->parts);
    pull->first_volume = pull->first_volume > 0 ? pull->first_volume : volume;
    thread->volume = volume / pull->first_volume;
    study_point(pull->volume, time, thread->volume);
}

static void show(Pull *pull, const char *what, double stretch)
{
    study_panel(pull->figures->picture, pull->world, NULL, "%s: %s, %.2f times", name_of(pull->this), what, stretch);
}

static void measure(Pull *pull, Thread *thread)
{
    const double time = thread->samples * SAMPLE, height = plate_height(time), stretch = height / LENGTH;
    const double before = plate_height(fmax(time - SAMPLE, 0)) / LENGTH;
    const int volume_samples = (int)lround(VOLUME / SAMPLE);
    study_read(pull->run, pull->world, &pull->particles);
    const double spacing = pull->this->spacing;
    const ThreadPlates plates = {0, height};
    thread_find_parts(pull->run, &pull->particles, spacing, plates, &pull->parts);
    const ThreadParts *parts = &pull->parts;
    const bool whole = parts->whole &&
                       thread_least_radius(&pull->particles, parts, spacing, plates) >= THINNEST * spacing;
    thread->upper[thread->samples] = parts->upper_tip - height;
    thread->lower[thread->samples] = parts->lower_tip;
    thread->dispersed = parts->dispersed;
    thread->dispersed_most = fmax(thread->dispersed_most, parts->dispersed);
    study_point(pull->lost, time, 100 * parts->dispersed);
    if (thread->samples % volume_samples == 0) {
        measure_volume(pull, thread, time);
    }
    thread->last_joined = parts->whole ? thread->samples : thread->last_joined;
    if (whole && !broke(thread)) {
        thread->last_whole = thread->samples;
        thread->volume_at_break = thread->volume;
        thread->dispersed_at_break = parts->dispersed;
        add_profile(pull->figures, pull->this, &pull->particles, parts, before, stretch);
    }
    if (thread->samples == 0) {
        show(pull, "start", stretch);
    } else if (!pull->shown_stretched && (stretch >= STRETCHED || !whole)) {
        pull->shown_stretched = true;
        show(pull, whole ? "stretched" : "broken", stretch);
    } else if (!pull->shown_broken && !whole) {
        pull->shown_broken = true;
        show(pull, "broken", stretch);
    }
    thread->samples++;
}

static bool goes_on(const Pull *pull, const Thread *thread)
{
    return study_going(pull->run) && !thread->unstable && thread->samples < SAMPLES_MOST &&
           (thread->samples - thread->last_whole) * SAMPLE <= AFTER &&
           plate_height(thread->samples * SAMPLE) < LONGEST * LENGTH;
}

static void pull_thread(StudyRun *run, const Case *this, const Figures *figures, Thread *thread)
{
    Pull pull = {.run = run, .this = this, .figures = figures};
    study_case(run, "Sim. %d %s, steps of %g ms", this->sim + 1, name_of(this), 1000 * this->time_step);
    pull.volume = study_series(figures->volume, "Sim. %d, %s", this->sim + 1, name_of(this));
    pull.lost = study_series(figures->lost, "Sim. %d, %s", this->sim + 1, name_of(this));
    pull.world = make_world(run, this);
    thread->particles = pull.world ? dlp_world_particle_count(pull.world) : 0;
    const int steps = (int)lround(SAMPLE / this->time_step);
    if (study_going(run)) {
        measure(&pull, thread);
    }
    while (goes_on(&pull, thread)) {
        for (int n = 0; n < steps && !thread->unstable; n++) {
            study_try_step(run, pull.world, this->time_step, &thread->unstable);
        }
        if (!thread->unstable && study_going(run)) {
            measure(&pull, thread);
        }
    }
    if (study_going(run)) {
        show(&pull, thread->unstable ? "unstable" : "end", plate_height((thread->samples - 1) * SAMPLE) / LENGTH);
    }
    study_particles_free(&pull.particles);
    thread_parts_free(&pull.parts);
    dlp_world_destroy(pull.world);
}

/* Length at the break over that at the start. */
static double stretch_of(const Thread *thread)
{
    return plate_height((thread->last_whole + 1) * SAMPLE) / LENGTH;
}

/* m/s, positive where the end shrinks back to its plate. */
static double shrink_speed(const Thread *thread, bool upper)
{
    const int from = thread->last_joined + 1, to = from + (int)lround(SHRINKING / SAMPLE);
    if (to >= thread->samples) {
        return NAN;
    }
    return (upper ? thread->upper[to] - thread->upper[from] : thread->lower[from] - thread->lower[to]) / SHRINKING;
}

static void add_row(StudyTable *table, const Case *this, const Thread *thread)
{
    const double row[] = {1000 * this->spacing,
                          (double)thread->particles,
                          1000 * this->time_step,
                          stretch_of(thread),
                          100 * thread->dispersed_at_break,
                          100 * thread->dispersed_most,
                          shrink_speed(thread, true),
                          shrink_speed(thread, false),
                          thread->volume_at_break,
                          thread->volume};
    study_word(table, "Sim. %d, %s", this->sim + 1, name_of(this));
    study_numbers(table, row, sizeof row / sizeof row[0]);
    study_word(table, "%s", thread->unstable ? "unstable" : broke(thread) ? "broken" : "whole");
    study_word(table, "%s", this->sim <= THREAD_VISCOUS ? "stretched" : "dispersed");
}

static Figures make_figures(StudyRun *run)
{
    static const char *const columns[][2] = {{"case", ""},
                                             {"spacing", "mm"},
                                             {"particles", ""},
                                             {"step", "ms"},
                                             {"length at break", ""},
                                             {"dispersed then", "%"},
                                             {"dispersed most", "%"},
                                             {"upper end shrinks", "m/s"},
                                             {"lower", "m/s"},
                                             {"volume then", ""},
                                             {"volume at the end", ""},
                                             {"end", ""},
                                             {"paper", ""}};
    Figures figures = {
        .table = study_table(run, "threads", "Fluid pulled at 0.18 m/s; lengths and volumes over those at the start"),
        .profile = study_plot(run, "radius", "Radius of the thread along its height", "height, mm", "radius, mm"),
        .volume = study_plot(run, "volume", "Volume per connected particle, over that at the start", "time, s",
                             "volume"),
        .lost = study_plot(run, "dispersed", "Particles connected to neither plate", "time, s", "dispersed, %"),
        .picture = study_picture(run, "threads_seen", "Fluid pulled between two plates", STUDY_VIEW_SIDE)};
    study_columns(figures.table, columns, sizeof columns / sizeof columns[0]);
    study_solids(figures.picture);
    study_panels_per_row(figures.picture, PANELS);
    study_window(figures.picture, (dlp_Vec3){-0.15, -0.5, -0.02}, (dlp_Vec3){0.15, 0.5, 0.28});
    return figures;
}

static Case make_case(const StudyRun *run, ThreadSim sim, double strength)
{
    Case this = {sim, strength, run->large ? 0.003 : run->quick ? 0.009 : 0.006, run->large ? 1e-3 : 5e-4};
    if (strength > 0) {
        this.time_step = run->large ? PAPER_STEP : 2 * PAPER_STEP;
    }
    return this;
}

/* The simulation as printed and repaired, and what it is compared with: that is left out where it takes too long. */
static int make_cases(const StudyRun *run, ThreadSim sim, Case cases[CASES_MOST])
{
    int count = REPAIRED + 1;
    cases[PRINTED_WEAK] = make_case(run, sim, WEAK);
    cases[PRINTED] = make_case(run, sim, STRONG);
    cases[REPAIRED] = make_case(run, sim, 0);
    if (sim == THREAD_BLEND && !run->large) {
        cases[count++] = make_case(run, THREAD_VISCOUS, STRONG);
    } else if (sim == THREAD_VISCOUS && !run->large && !run->quick) {
        for (; count < CASES_MOST; count++) {
            cases[count] = cases[REPAIRED];
            cases[count].time_step = count == COMPARED ? PAPER_STEP : PAPER_STEP / 2;
        }
    }
    return count;
}

static bool is_dispersed(const Thread *thread)
{
    return thread->dispersed_most >= DISPERSED || thread->unstable;
}

/* What the case COMPARED adds to the verdict: whether it agrees with the paper, or with the same at the whole step. */
static bool compare(ThreadSim sim, const Thread threads[CASES_MOST], char *text, size_t size)
{
    if (sim == THREAD_BLEND) {
        snprintf(text, size, "; as printed, Sim. 2 disperses %.2f %%", 100 * threads[COMPARED].dispersed_most);
        return threads[PRINTED].dispersed_most >= threads[COMPARED].dispersed_most;
    }
    const double change = stretch_of(&threads[COMPARED_HALF]) / stretch_of(&threads[COMPARED]) - 1;
    snprintf(text, size, "; half the paper's time step changes the latter length by %.1f %%", 100 * change);
    return fabs(change) < STEP_MOST;
}

/* Tension matters for stretching; for dispersion, of which it is a part, the case with more of it counts. */
static int judged_case(ThreadSim sim, const Thread threads[CASES_MOST])
{
    const bool weak = threads[PRINTED_WEAK].dispersed_most > threads[PRINTED].dispersed_most;
    return sim > THREAD_VISCOUS && weak ? PRINTED_WEAK : PRINTED;
}

static void judge(StudyRun *run, ThreadSim sim, const Thread threads[CASES_MOST], int count)
{
    const int judged = judged_case(sim, threads);
    const Thread *printed = &threads[judged], *repaired = &threads[REPAIRED];
    const bool stretches = stretch_of(printed) >= STRETCHED && !is_dispersed(printed);
    char third[128] = "";
    const bool agrees = count <= COMPARED || compare(sim, threads, third, sizeof third);
    study_verdict(
        run, (sim <= THREAD_VISCOUS ? stretches : is_dispersed(printed)) && !is_dispersed(repaired) && agrees,
        "as printed, with a tension of %d kPa, the fluid is stretched to %.2f times its length with at most %.2f %% of the particles "
        "dispersed%s; repaired to %.2f times with %.2f %%%s%s",
        judged == PRINTED ? 2 : 1, stretch_of(printed), 100 * printed->dispersed_most,
        printed->unstable ? " until it is unstable" : "", stretch_of(repaired), 100 * repaired->dispersed_most,
        repaired->unstable ? " until it is unstable" : "", third);
}

void thread_run(StudyRun *run, ThreadSim sim)
{
    static Thread threads[CASES_MOST];
    Case cases[CASES_MOST];
    const Figures figures = make_figures(run);
    const int count = make_cases(run, sim, cases);
    const int first = run->large && sim <= THREAD_VISCOUS ? PRINTED
                                                          : PRINTED_WEAK; /* 1 kPa does not stretch them far */
    double work = 0;
    for (int n = first; n < count; n++) {
        work += (cases[n].strength > 0 ? 0.5 : 2) * EXPECTED / cases[n].time_step;
    }
    study_plan(run, work);
    for (int n = first; n < count; n++) {
        threads[n] = (Thread){0};
        study_weigh(run, cases[n].strength > 0 ? 0.5 : 2);
        pull_thread(run, &cases[n], &figures, &threads[n]);
        add_row(figures.table, &cases[n], &threads[n]);
    }
    judge(run, sim, threads, count);
}
