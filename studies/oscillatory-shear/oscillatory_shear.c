/* The moduli of a Maxwell fluid, measured as in a rheometer: a force F cos(wt) sin(kz) drives a periodic box, and amplitude and
 * phase of the velocity give G' and G''. Then a free wave gives viscosity and relaxation time. */
#include "studies/flow_box.h"
#include "studies/study_output.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

#define PI              3.14159265358979323846
#define WAVE            (2 * PI / FLOW_BOX) /* 1/m                                              */
#define MODULUS         5000.0 /* Pa, of the free wave                                                               */
#define INERTIA         0.25   /* rho w^2 over k^2 |G*|: keeps impulses small, which a step treats as velocities */
#define FREQUENCY       7.5    /* rad/s, w                                         */
#define STRAIN          0.02   /* amplitude                                        */
#define FREE_RELAXATION 0.05   /* s, relaxation time of the free wave              */
#define WANTED          0.01   /* RMS error of the moduli                          */
#define QUICK           0.006  /* of a quick run: 0.37 % measured                    */
#define WANTED_FIT      0.02   /* error of viscosity and relaxation time           */
enum {
    AUTOMATIC_EVERY = 8, /* of these steps from one measurement of the free wave to the next, if steps are automatic */
    STEPS_PER_PERIOD = 96, /* steps per period of the free wave                                   */
    RISE = 4,              /* periods over which the force is ramped up, to avoid transients     */
    PERIODS = 7,           /* in total; the last two are evaluated               */
    LOOKED = 2,
    FREE_PERIODS = 3, /* periods of the free wave */
    ALONG = 16,       /* particles along the wave */
    ACROSS = 8,
};

static const char *const names[] = {"lattice", "disordered"};  /* by seed */
static const double fluids[] = {0.03, 0.1, 0.3, 1, 3, 10, 30}; /* w tau */
enum { FLUIDS = sizeof fluids / sizeof fluids[0] };

static dlp_World *make_box(StudyRun *run, uint64_t seed, double modulus, double relaxation)
{
    const StudyValue material[] = {{"modulus", modulus}, {"relaxation_time", relaxation}};
    return flow_box(run, &(FlowBoxDef){.method = "physical",
                                       .counts = {ACROSS, ACROSS, ALONG},
                                       .spacing = FLOW_BOX / ALONG,
                                       .seed = seed,
                                       .material = material,
                                       .values = 2});
}

/* The frequency is constant and the fluid changes: relaxation time by w tau, modulus so that inertia is the same in all. */
static double modulus_of(double turns)
{
    return FLOW_DENSITY * FREQUENCY * FREQUENCY / (WAVE * WAVE * INERTIA) * sqrt(1 + turns * turns) / turns;
}

/* G* over G = i w tau / (1 + i w tau) */
static double complex exact_part(double turns)
{
    return I * turns / (1 + I * turns);
}

/* Incremental least squares of u = a cos(wt) + b sin(wt). */
typedef struct WaveFit {
    double cc, cs, ss, uc, us;
} WaveFit;

static void fit_add(WaveFit *fit, double phase, double u)
{
    const double c = cos(phase), s = sin(phase);
    fit->cc += c * c;
    fit->cs += c * s;
    fit->ss += s * s;
    fit->uc += u * c;
    fit->us += u * s;
}

/* The complex amplitude A with u = Re(A exp(iwt)). */
static double complex fit_amplitude(const WaveFit *fit)
{
    const double determinant = fit->cc * fit->ss - fit->cs * fit->cs;
    const double a = (fit->uc * fit->ss - fit->us * fit->cs) / determinant;
    const double b = (fit->us * fit->cc - fit->uc * fit->cs) / determinant;
    return a - I * b;
}

/* From 0 to 1, smooth to the second derivative at both ends. */
static double rise(double periods)
{
    const double x = fmin(periods / RISE, 1);
    return x - sin(2 * PI * x) / (2 * PI);
}

typedef struct StepsName {
    char text[32];
} StepsName;

static StepsName steps_name(const StudyRun *run, int steps_per_period)
{
    StepsName name = {"automatic steps"};
    if (!run->automatic) {
        snprintf(name.text, sizeof name.text, "%d steps per period", steps_per_period);
    }
    return name;
}

/* The driving of the box. */
typedef struct Drive {
    uint64_t seed;
    double turns;         /* w tau            */
    int steps_per_period; /* steps per period */
} Drive;

/* s, of the next automatic step, which ends at the next quarter of a period at the latest. */
static double next_step(StudyRun *run, dlp_World *world, double begin, double period)
{
    double length = period;
    if (world && study_going(run)) {
        const double quarters = 4 * (dlp_world_time(world) - begin) / period;
        study_keep(run, world, dlp_world_next_step(world, begin + period / 4 * (floor(quarters + 1e-6) + 1), &length));
    }
    return length;
}

/* Measured G* over G. F and u are amplitudes along sin(kz): (i w rho + k^2 eta*) u = F, G* = i w eta*. */
static double complex measured_part(StudyRun *run, const Drive *drive)
{
    const double modulus = modulus_of(drive->turns), dt = 2 * PI / FREQUENCY / drive->steps_per_period;
    const double complex exact = modulus * exact_part(drive->turns), turn = I * FREQUENCY;
    const double speed = STRAIN * FREQUENCY / WAVE;                                      /* m/s */
    const double force = speed * cabs(turn * FLOW_DENSITY + WAVE * WAVE * exact / turn); /* N/m3 */
    WaveFit fit = {0};
    study_case(run, "%s, w tau = %g, %s", names[drive->seed], drive->turns,
               steps_name(run, drive->steps_per_period).text);
    dlp_World *world = make_box(run, drive->seed, modulus, drive->turns / FREQUENCY);
    const double begin = world ? dlp_world_time(world) : 0, period = 2 * PI / FREQUENCY;
    double periods = 0;
    for (int64_t step = 0; periods < PERIODS * (1 - 1e-9); step++) {
        const double phase = 2 * PI * periods, length = run->automatic ? next_step(run, world, begin, period) : dt;
        /* Automatic steps vary: the force acts from the middle of the last one to the middle of this one. */
        const double acting = run->automatic ? (length + dlp_world_step_length(world)) / 2 : dt;
        flow_add(run, world, flow_shear_wave, WAVE, force / FLOW_DENSITY * acting * cos(phase) * rise(periods));
        study_weigh(run, length / dt); /* automatic steps count by their length */
        if (!study_step(run, world, length)) {
            break;
        }
        if (periods >= PERIODS - LOOKED) {
            /* Velocities are half a step later than the positions at which the force was applied. */
            fit_add(&fit, phase + FREQUENCY * length / 2, flow_speed(run, world, flow_shear_wave, WAVE));
        }
        periods = run->automatic ? (dlp_world_time(world) - begin) / period
                                 : (double)(step + 1) / drive->steps_per_period;
    }
    study_weigh(run, 1);
    dlp_world_destroy(world);
    return turn * (force / fit_amplitude(&fit) - turn * FLOW_DENSITY) / (WAVE * WAVE * modulus);
}

typedef struct Figures {
    StudyTable *table, *sums, *free_wave;
    StudyPlot *plot;
} Figures;

/* The root mean square over the fluids of |G* - exact| / |exact|. */
static double sweep(StudyRun *run, const Figures *figures, uint64_t seed, int steps_per_period)
{
    StudySeries *storage = study_series(figures->plot, "G', %s, %s", names[seed],
                                        steps_name(run, steps_per_period).text);
    StudySeries *loss = study_series(figures->plot, "G'', %s, %s", names[seed], steps_name(run, steps_per_period).text);
    double square = 0;
    int count = 0;
    study_style(storage, seed ? steps_per_period > STEPS_PER_PERIOD ? 4 : 2 : 0, STUDY_DOTS);
    study_style(loss, seed ? steps_per_period > STEPS_PER_PERIOD ? 5 : 3 : 1, STUDY_DOTS);
    for (int i = 0; i < FLUIDS; i += run->quick ? 3 : 1) {
        const double complex exact = exact_part(fluids[i]),
                             found = measured_part(run, &(Drive){seed, fluids[i], steps_per_period});
        const double error = cabs(found - exact) / cabs(exact);
        square += error * error;
        count++;
        study_word(figures->table, "%s", names[seed]);
        study_number(figures->table, run->automatic ? NAN : steps_per_period);
        study_number(figures->table, fluids[i]);
        study_number(figures->table, creal(found));
        study_number(figures->table, creal(exact));
        study_number(figures->table, cimag(found));
        study_number(figures->table, cimag(exact));
        study_number(figures->table, error);
        study_point(storage, fluids[i], creal(found));
        study_point(loss, fluids[i], cimag(found));
    }
    study_word(figures->sums, "%s", names[seed]);
    study_number(figures->sums, run->automatic ? NAN : steps_per_period);
    study_number(figures->sums, sqrt(square / count));
    return sqrt(square / count);
}

/* The theory as lines. */
static void draw_theory(const Figures *figures)
{
    StudySeries *storage = study_series(figures->plot, "G', Maxwell"),
                *loss = study_series(figures->plot, "G'', Maxwell");
    study_style(storage, 6, STUDY_DASHED);
    study_style(loss, 6, STUDY_FINE);
    for (int i = 0; i <= 60; i++) {
        const double x = 0.03 * pow(1000, i / 60.0);
        const double complex exact = exact_part(x);
        study_point(storage, x, creal(exact));
        study_point(loss, x, cimag(exact));
    }
}

/* A free wave: u'' + u'/tau + (k^2 eta / (rho tau)) u = 0, u(0) = 1, u'(0) = 0. */
typedef struct FreeWave {
    double viscosity;  /* Pa s */
    double relaxation; /* s   */
} FreeWave;

static double free_wave_at(FreeWave free_wave, double t)
{
    const double damping = 0.5 / free_wave.relaxation;
    const double turn = sqrt(WAVE * WAVE * free_wave.viscosity / (FLOW_DENSITY * free_wave.relaxation) -
                             damping * damping);
    return exp(-damping * t) * (cos(turn * t) + damping / turn * sin(turn * t));
}

enum { SAMPLES = FREE_PERIODS * STEPS_PER_PERIOD };

/* Measured speeds of the wave over the initial one, and when. */
typedef struct Samples {
    double t[SAMPLES], u[SAMPLES];
    int count;
} Samples;

/* One Gauss-Newton step on the logarithms of both. */
static FreeWave refine_free_wave(FreeWave free_wave, const Samples *samples)
{
    const double nudge = 1e-5;
    const FreeWave more[2] = {{free_wave.viscosity * (1 + nudge), free_wave.relaxation},
                              {free_wave.viscosity, free_wave.relaxation * (1 + nudge)}};
    double aa = 0, ab = 0, bb = 0, ra = 0, rb = 0;
    for (int i = 0; i < samples->count; i++) {
        const double t = samples->t[i], here = free_wave_at(free_wave, t);
        const double a = (free_wave_at(more[0], t) - here) / nudge, b = (free_wave_at(more[1], t) - here) / nudge;
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ra += a * (samples->u[i] - here);
        rb += b * (samples->u[i] - here);
    }
    const double determinant = aa * bb - ab * ab;
    return (FreeWave){free_wave.viscosity * exp((ra * bb - rb * ab) / determinant),
                      free_wave.relaxation * exp((rb * aa - ra * ab) / determinant)};
}

/* Returns the larger error of the two fitted values. */
static double measure_free_wave(StudyRun *run, const Figures *figures, uint64_t seed)
{
    const double turn = sqrt(WAVE * WAVE * MODULUS / FLOW_DENSITY - 0.25 / (FREE_RELAXATION * FREE_RELAXATION));
    const double dt = 2 * PI / turn / STEPS_PER_PERIOD, speed = STRAIN * turn / WAVE;
    const FreeWave exact = {MODULUS * FREE_RELAXATION, FREE_RELAXATION};
    const int every = run->automatic ? AUTOMATIC_EVERY : 1;
    Samples samples = {0};
    study_case(run, "%s, free wave", names[seed]);
    dlp_World *world = make_box(run, seed, MODULUS, FREE_RELAXATION);
    flow_set(run, world, flow_shear_wave, WAVE, speed);
    const double begin = world ? dlp_world_time(world) : 0;
    for (int i = 0; i < SAMPLES && study_step(run, world, every * dt); i += every) {
        samples.t[samples.count] = study_velocity_time(world) - begin;
        samples.u[samples.count++] = flow_speed(run, world, flow_shear_wave, WAVE) / speed;
    }
    dlp_world_destroy(world);
    FreeWave found = exact;
    for (int i = 0; i < 8; i++) {
        found = refine_free_wave(found, &samples);
    }
    study_word(figures->free_wave, "%s", names[seed]);
    study_number(figures->free_wave, found.viscosity);
    study_number(figures->free_wave, exact.viscosity);
    study_number(figures->free_wave, found.relaxation);
    study_number(figures->free_wave, exact.relaxation);
    return fmax(fabs(found.viscosity / exact.viscosity - 1), fabs(found.relaxation / exact.relaxation - 1));
}

static Figures make_figures(StudyRun *run)
{
    const Figures figures = {
        .table = study_table(run, "moduli", "Moduli of a Maxwell fluid"),
        .sums = study_table(run, "errors", "Root mean square of these errors"),
        .free_wave = study_table(run, "swing", "A free wave"),
        .plot = study_plot(run, "moduli_plot", "Moduli of a Maxwell fluid", "frequency times relaxation time",
                           "modulus over G"),
    };
    study_column(figures.table, "particles", "");
    study_column(figures.table, "steps per period", "");
    study_column(figures.table, "w tau", "");
    study_column(figures.table, "G' / G", "");
    study_column(figures.table, "exact", "");
    study_column(figures.table, "G'' / G", "");
    study_column(figures.table, "exact", "");
    study_column(figures.table, "error", "");
    study_column(figures.sums, "particles", "");
    study_column(figures.sums, "steps per period", "");
    study_column(figures.sums, "error", "RMS");
    study_column(figures.free_wave, "particles", "");
    study_column(figures.free_wave, "viscosity", "Pa s");
    study_column(figures.free_wave, "specified", "Pa s");
    study_column(figures.free_wave, "relaxation time", "s");
    study_column(figures.free_wave, "specified", "s");
    study_scales(figures.plot, STUDY_LOG, STUDY_LOG);
    draw_theory(&figures);
    return figures;
}

static void run(StudyRun *run)
{
    const Figures figures = make_figures(run);
    const int waves = run->quick ? (FLUIDS + 2) / 3 : FLUIDS;
    double error = 0, fit = 0;
    study_plan(run, 2.0 * SAMPLES + waves * PERIODS * STEPS_PER_PERIOD * (run->quick || run->automatic ? 2.0 : 6.0));
    for (uint64_t seed = 0; seed < 2; seed++) {
        error = fmax(error, sweep(run, &figures, seed, STEPS_PER_PERIOD));
        fit = fmax(fit, measure_free_wave(run, &figures, seed));
    }
    char more[64] = "";
    if (!run->quick && !run->automatic) {
        const double finer = sweep(run, &figures, 1, 4 * STEPS_PER_PERIOD);
        snprintf(more, sizeof more, "; %.2f %% at four times the steps", 100 * finer);
    }
    study_verdict(
        run, error <= study_bound(run, WANTED, QUICK) && fit <= WANTED_FIT,
        "moduli are off by %.2f %% (root mean square over three decades%s), viscosity and relaxation time of a free wave "
        "by at most %.2f %%",
        100 * error, more, 100 * fit);
}

const Study oscillatory_shear_study = {
    .name = "oscillatory-shear",
    .paper = "known answer",
    .claim =
        "The moduli of a Maxwell fluid in oscillatory shear match the theory within 1 % over three decades of frequency, and "
        "so does the decay of a free wave.",
    .run = run,
    .automatic = true,
};
