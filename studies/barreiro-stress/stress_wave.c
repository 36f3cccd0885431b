/* A standing shear wave u_x = a(t) U sin(k z) in a Maxwell fluid at rest obeys
 *     tau a'' + a' + (eta / rho) k^2 a = 0,   a(0) = 1, a'(0) = 0.
 * On a lattice SPH gradients represent the wave with the wave number k' = sum V sin(k z) W' z / r, slightly below k. The
 * solver has to match the theory with k'; k' converges to k as the lattice is refined. */
#include "stress_wave.h"

#include "stress_solver.h"

#include <math.h>

static const double LENGTH = 1.0, DENSITY = 1000.0, VISCOSITY = 1e4, RELAXATION = 0.015; /* m, kg/m3, Pa.s, s */
static const double DURATION = 0.06, SPEED = 1e-3; /* s, m/s; small, so that the wave is linear */
static const double TWO_PI = 6.28318530717958647692;

static double lattice_wave_number(const dlp__Kernel *kernel, double spacing, double k)
{
    double volume = spacing * spacing * spacing, sum = 0.0, moment = 0.0;
    int reach = (int)ceil((double)kernel->support / spacing);
    for (int x = -reach; x <= reach; x++) {
        for (int y = -reach; y <= reach; y++) {
            for (int z = -reach; z <= reach; z++) {
                double r = spacing * sqrt((double)(x * x + y * y + z * z)), up = spacing * z;
                double slope = r > 0.0 ? volume * dlp__kernel_slope(kernel, r) / r : 0.0;
                sum -= slope * up * sin(k * up);
                moment -= slope * up * up; /* the correction of the gradient */
            }
        }
    }
    return sum / moment;
}

/* a(t); the wave is underdamped. */
static double theory(double k, double time)
{
    double half_rate = 0.5 / RELAXATION;
    double turn = sqrt(VISCOSITY / DENSITY * k * k / RELAXATION - half_rate * half_rate);
    return exp(-half_rate * time) * (cos(turn * time) + half_rate / turn * sin(turn * time));
}

static double amplitude(const dlp__Particles *p, double k)
{
    double along = 0.0, square = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        double wave = sin(k * (double)p->position[2][i]);
        along += wave * (double)p->velocity[0][i];
        square += wave * wave;
    }
    return along / (square * SPEED);
}

static dlp_Result make_wave(dlp__StressSolver *solver, const StudyRun *run, int n)
{
    enum { ACROSS = 6 }; /* particles, enough for the support and the skin */
    dlp__StressDef def = dlp__stress_default_def();
    double spacing = LENGTH / n, across = ACROSS * spacing, k = TWO_PI / LENGTH;
    def.world.threads = run->threads;
    def.world.spacing = spacing;
    def.world.gravity = (dlp_Vec3){0, 0, 0};
    def.world.periodic_size = (dlp_Vec3){across, across, LENGTH};
    def.material.density = DENSITY;
    def.material.viscosity = VISCOSITY;
    def.material.relaxation_time = RELAXATION;
    dlp_Result result = dlp__stress_init(solver, &def);
    if (result != DLP_OK) {
        return result;
    }
    const dlp_ShapeDef box = {.kind = DLP_SHAPE_BOX,
                              .position = {0.5 * across, 0.5 * across, 0.5 * LENGTH},
                              .size = {across, across, LENGTH}};
    result = dlp__stress_add_fluid(solver, &box, (dlp_Vec3){0, 0, 0});
    dlp__Particles *p = dlp__stress_particles(solver);
    for (int64_t i = 0; i < p->count; i++) {
        p->velocity[0][i] = (float)(SPEED * sin(k * (double)p->position[2][i]));
    }
    return result;
}

/* The largest differences of the amplitude from the two theories. */
typedef struct WaveErrors {
    double exact, lattice;
} WaveErrors;

static WaveErrors run_wave(StudyRun *run, int n, double dt)
{
    static dlp__StressSolver solver; /* too large for the stack */
    WaveErrors errors = {0.0, 0.0};
    dlp_Result result = make_wave(&solver, run, n);
    double k = TWO_PI / LENGTH, slowed = lattice_wave_number(&solver.kernel, LENGTH / n, k);
    while (result == DLP_OK && study_going(run) && solver.time < DURATION - 0.5 * dt) {
        result = dlp__stress_step(&solver, dt);
        study_advance(run, 0.0);
        double a = amplitude(dlp__stress_particles(&solver), k);
        errors.exact = fmax(errors.exact, fabs(a - theory(k, solver.time)));
        errors.lattice = fmax(errors.lattice, fabs(a - theory(slowed, solver.time)));
    }
    if (result != DLP_OK) {
        study_fail(run, result, "the shear wave: %s", solver.error.text);
    }
    dlp__stress_release(&solver);
    return errors;
}

void stress_wave_check(StudyRun *run)
{
    static const struct {
        int n;
        double dt;
    } cases[] = {{16, 1e-4}, {16, 2.5e-5}, {32, 1e-4}, {32, 2.5e-5}};
    static const double MOST = 0.03; /* against the theory on the lattice; the rest is the error of the time step */
    StudyTable *table = study_table(run, "wave",
                                    "Shear wave of the stress solver against the theory of a Maxwell fluid");
    study_column(table, "particles per wavelength", "");
    study_column(table, "step", "ms");
    study_column(table, "error", "%");
    study_column(table, "error on a lattice", "%");
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]) && study_going(run); i++) {
        study_case(run, "shear wave, %d particles per wavelength", cases[i].n);
        WaveErrors errors = run_wave(run, cases[i].n, cases[i].dt);
        study_number(table, cases[i].n);
        study_number(table, 1e3 * cases[i].dt);
        study_number(table, 100.0 * errors.exact);
        study_number(table, 100.0 * errors.lattice);
        if (errors.lattice > MOST) {
            study_fail(run, DLP_ERROR_UNSUPPORTED,
                       "the stress solver's shear wave is off by %.1f %%: it is not a Maxwell fluid",
                       100.0 * errors.lattice);
        }
    }
}
