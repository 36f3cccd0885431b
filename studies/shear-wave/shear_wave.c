/* A shear wave u_x = U sin(kz) with disordered, moving particles: its decay per step gives the measured viscosity, over six
 * decades of specified viscosity and a factor of 16 in time step; without viscosity it gives the numerical viscosity. */
#include "studies/flow_box.h"
#include "studies/study_output.h"

#include <math.h>

#define SPEED   1.0                                     /* m/s, of the wave, unless it is varied                  */
#define LEFT    0.01                                    /* tolerance of the solver, unless it is varied: default  */
#define COURANT 0.4                                     /* of the longest steps, and of automatic ones            */
#define STRAIN  4.0                                     /* U k t at the end                                       */
#define WAVE    (2 * 3.14159265358979323846 / FLOW_BOX) /* 1/m                                    */
#define STIFF   0.3                                     /* nu k^2 dt beyond which the wave is reset in each step   */
#define WANTED  0.01                                    /* error of viscosity                                     */
#define QUICK   0.02  /* of a quick run, which has the coarsest waves: 1.01 % measured */
#define LONG    1.0   /* s, the end that automatic steps are given: far away      */
#define FLOOR   0.005 /* viscosity left, in spacing times speed                 */

enum {
    AUTOMATIC_MOST = 8, /* automatic steps, over the number of fixed ones */
    SEEDS = 2,          /* disorders                                      */
};

typedef struct Wave {
    const char *method;
    int n;
    uint64_t seed;
    double viscosity; /* Pa s, specified */
    double cfl;       /* U dt over spacing */
    double speed;     /* m/s, U            */
    double tolerance; /* of the solver     */
} Wave;

static double time_step(const Wave *wave)
{
    return wave->cfl * FLOW_BOX / wave->n / wave->speed;
}

static int step_count(const Wave *wave)
{
    return (int)ceil(STRAIN / (WAVE * wave->speed * time_step(wave)));
}

/* s, length of the next step. */
static double next_step(StudyRun *run, dlp_World *world, double dt)
{
    double length = dt;
    if (run->automatic && world && study_going(run)) {
        study_keep(run, world, dlp_world_next_step(world, dlp_world_time(world) + LONG, &length));
    }
    return length;
}

static bool take_step(StudyRun *run, dlp_World *world, double dt)
{
    if (!run->automatic) {
        return study_step(run, world, dt);
    }
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_advance(world, dlp_world_time(world) + LONG));
        study_advance(run, 1.0 / AUTOMATIC_MOST);
    }
    return world && study_going(run);
}

/* The measured viscosity (Pa s), from the balance of momentum over the last three quarters of the steps: the amplitude that is lost
 * over the time integral of the amplitude that is left. */
static double measured_viscosity(StudyRun *run, const Wave *wave)
{
    const double dt = time_step(wave), rate = wave->viscosity / FLOW_DENSITY * WAVE * WAVE;
    const double duration = step_count(wave) * dt;
    double lost = 0, left = 0, passed = 0; /* m/s, m, and s of all steps */
    study_case(run, "%s, %d per wavelength, %g Pa s, %g m/s, CFL %g", wave->method, wave->n, wave->viscosity,
               wave->speed, wave->cfl);
    dlp_World *world = flow_cube(run, wave->method, wave->n, wave->seed, wave->viscosity);
    if (wave->tolerance != LEFT) {
        study_set(run, world, "tolerance", wave->tolerance);
    }
    flow_set(run, world, flow_shear_wave, WAVE, wave->speed);
    /* Automatic steps resolve the decay of stiff waves, which here never ends: some of them are enough. */
    const int most = AUTOMATIC_MOST * step_count(wave);
    for (int step = 0; step < most && passed < duration * (1 - 1e-9); step++) {
        /* The loss of the step is restored, so that the flow continues at U. */
        const double last = run->automatic && world ? dlp_world_step_length(world) : dt;
        const double decay = rate * next_step(run, world, dt);
        if (decay > STIFF) {
            flow_set(run, world, flow_shear_wave, WAVE, wave->speed);
        } else {
            flow_add(run, world, flow_shear_wave, WAVE, decay * wave->speed);
        }
        const double before = flow_speed(run, world, flow_shear_wave, WAVE);
        if (!take_step(run, world, dt)) {
            break;
        }
        const double after = flow_speed(run, world, flow_shear_wave, WAVE);
        const double length = dlp_world_step_length(world);
        if (passed >= duration / 4 || step >= most / 4) {
            lost += before - after;
            left += after * (last + length) /
                    2; /* forces act from the middle of the last step to the middle of this one */
        }
        passed += length;
    }
    dlp_world_destroy(world);
    return FLOW_DENSITY * lost / (WAVE * WAVE * left);
}

typedef struct Figures {
    StudyTable *table;
    StudyPlot *plot;
    double worst; /* error of viscosity         */
    Wave hardest; /* the wave with this error   */
} Figures;

/* Both disorders of one wave; the error is that of their mean. */
static void try_wave(StudyRun *run, Figures *figures, StudySeries *series, Wave wave, int seeds)
{
    double least = HUGE_VAL, most = 0, sum = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        wave.seed = (uint64_t)seed;
        const double part = measured_viscosity(run, &wave) / wave.viscosity;
        least = fmin(least, part);
        most = fmax(most, part);
        sum += part / seeds;
        if (fabs(part - 1) > figures->worst) {
            figures->worst = fabs(part - 1);
            figures->hardest = wave;
        }
    }
    study_number(figures->table, wave.n);
    study_number(figures->table, wave.cfl);
    study_number(figures->table, wave.viscosity);
    study_number(figures->table, wave.viscosity / FLOW_DENSITY * WAVE * WAVE * time_step(&wave));
    study_number(figures->table, sum);
    study_number(figures->table, most - least);
    study_point(series, wave.viscosity, sum);
}

/* One curve: all viscosities at one number of particles and one time step. */
typedef struct Curve {
    int n;
    double cfl;
    int seeds;
    bool quick;
} Curve;

static const Curve curves[] = {{16, 0.4, SEEDS, true},
                               {16, 0.1, SEEDS, false},
                               {16, 0.025, SEEDS, false},
                               {24, 0.4, SEEDS, false},
                               {32, 0.4, 1, false}};
enum { CURVES = sizeof curves / sizeof curves[0] };

static const double viscosities[] = {0.1, 1, 10, 100, 1e3, 1e4, 1e5}; /* Pa s */
enum { VISCOSITIES = sizeof viscosities / sizeof viscosities[0] };

static void try_curve(StudyRun *run, Figures *figures, const Curve *curve)
{
    StudySeries *series = study_series(figures->plot, "%d per wavelength, CFL %g", curve->n, curve->cfl);
    study_style(series, (int)(curve - curves), STUDY_DOTS);
    study_weigh(run, pow(curve->n / 16.0, 3));
    for (int i = 0; i < VISCOSITIES; i++) {
        try_wave(run, figures, series,
                 (Wave){.method = "physical",
                        .n = curve->n,
                        .viscosity = viscosities[i],
                        .cfl = curve->cfl,
                        .speed = SPEED,
                        .tolerance = LEFT},
                 curve->seeds);
    }
}

static double work_of(bool quick, bool automatic)
{
    double work = 0;
    for (int i = 0; i < CURVES; i++) {
        const Wave wave = {.n = curves[i].n, .cfl = curves[i].cfl, .speed = SPEED};
        work += (quick && !curves[i].quick) || (automatic && curves[i].cfl != COURANT)
                    ? 0
                    : pow(wave.n / 16.0, 3) * VISCOSITIES * curves[i].seeds * step_count(&wave);
    }
    return work;
}

static const double speeds[] = {1, 0.3, 0.1}, speed_steps[] = {0.4, 0.1}, tolerances[] = {LEFT, LEFT / 100};
enum { SPEEDS = 3, SPEED_STEPS = 2, TOLERANCES = 2 };

/* The least viscosity by the speed of the wave and the tolerance of the solver, which tells the errors of the two apart. */
static void try_speeds(StudyRun *run)
{
    StudyTable *table = study_table(run, "speeds", "The least viscosity, by the speed of the wave");
    study_column(table, "speed", "m/s");
    study_column(table, "CFL", "");
    study_column(table, "tolerance", "");
    study_column(table, "measured over specified", "");
    study_weigh(run, 1);
    for (int n = 0; n < SPEEDS * SPEED_STEPS * TOLERANCES; n++) {
        Wave wave = {.method = "physical",
                     .n = curves[0].n,
                     .viscosity = viscosities[0],
                     .speed = speeds[n / (SPEED_STEPS * TOLERANCES)],
                     .cfl = speed_steps[n / TOLERANCES % SPEED_STEPS],
                     .tolerance = tolerances[n % TOLERANCES]};
        double sum = 0;
        for (wave.seed = 1; wave.seed <= SEEDS; wave.seed++) {
            sum += measured_viscosity(run, &wave) / wave.viscosity;
        }
        study_number(table, wave.speed);
        study_number(table, wave.cfl);
        study_number(table, wave.tolerance);
        study_number(table, sum / SEEDS);
    }
}

/* The numerical viscosity, in spacing times speed. */
static double numerical_viscosity(StudyRun *run, StudyTable *table, const char *method, int n, double cfl)
{
    const Wave wave = {.method = method, .n = n, .seed = 1, .cfl = cfl, .speed = SPEED, .tolerance = LEFT};
    study_weigh(run, pow(n / 16.0, 3));
    const double left = measured_viscosity(run, &wave) / FLOW_DENSITY / (FLOW_BOX / n * SPEED);
    study_word(table, "%s", method);
    study_number(table, n);
    study_number(table, cfl);
    study_number(table, left);
    return left;
}

static void make_figures(StudyRun *run, Figures *figures)
{
    figures->table = study_table(run, "viscosity", "Measured viscosity of a shear wave");
    study_column(figures->table, "particles per wavelength", "");
    study_column(figures->table, "CFL", "");
    study_column(figures->table, "specified viscosity", "Pa s");
    study_column(figures->table, "nu k^2 dt", "");
    study_column(figures->table, "measured over specified", "");
    study_column(figures->table, "difference between seeds", "");
    figures->plot = study_plot(run, "viscosity_plot", "Measured viscosity of a shear wave", "specified viscosity, Pa s",
                               "measured over specified");
    study_scales(figures->plot, STUDY_LOG, STUDY_LINEAR);
    study_range_y(figures->plot, 0.95, 1.05);
}

static void run(StudyRun *run)
{
    static const char *const methods[] = {"physical", "pbf"};
    static const double steps[] = {0.4, 0.1};
    Figures figures = {0};
    double floors[2] = {0, 0};
    make_figures(run, &figures);
    study_plan(run, work_of(run->quick, run->automatic) + (run->quick ? 52 : 256) +
                        (run->quick || run->automatic ? 0 : SPEEDS * TOLERANCES * SEEDS * 128));
    for (int i = 0; i < CURVES; i++) {
        if ((!run->quick || curves[i].quick) && (!run->automatic || curves[i].cfl == COURANT)) {
            try_curve(run, &figures, &curves[i]);
        }
    }
    if (!run->quick && !run->automatic) {
        try_speeds(run);
    }
    StudyTable *table = study_table(run, "floor", "Numerical viscosity");
    study_column(table, "method", "");
    study_column(table, "particles per wavelength", "");
    study_column(table, "CFL", "");
    study_column(table, "viscosity over spacing times speed", "");
    for (int method = 0; method < 2; method++) {
        for (int i = 0; i < (run->quick || run->automatic ? 1 : 2); i++) {
            floors[method] = fmax(floors[method], numerical_viscosity(run, table, methods[method], 16, steps[i]));
        }
    }
    study_verdict(
        run, figures.worst <= study_bound(run, WANTED, QUICK) && floors[0] <= FLOOR,
        "viscosity is off by at most %.2f %%, at %g Pa s, %d particles per wavelength, CFL %g; the numerical viscosity is "
        "%.4f spacings times speed (pbf: %.3f)",
        100 * figures.worst, figures.hardest.viscosity, figures.hardest.n, figures.hardest.cfl, floors[0], floors[1]);
}

const Study shear_wave_study = {
    .name = "shear-wave",
    .paper = "known answer",
    .claim =
        "A shear wave decays at the specified viscosity, within 1 % from 0.1 to 100,000 Pa s, at any time step; without "
        "viscosity hardly at all.",
    .run = run,
    .automatic = true,
};
