#include "methods/mps/mps_stress.h"

#include "krylov/conjugate_gradients.h"
#include "methods/mps/mps_fields.h"
#include "methods/mps/mps_walls.h"

#include <math.h>

/* Upper limit of the fraction of errors that a step corrects. */
static const double REGULARIZED_MOST = 0.3;

/* Errors grow with strain: their rate of correction is at most this times the shear rate, so that fluid at rest is left alone. */
static const double REGULARIZED_PER_STRAIN = 50.0;

/* Viscosity beyond this times density spacing^2 / time step is rigid anyhow, and single precision cannot resolve more. */
static const double STIFFEST = 1e6;

/* Symmetric tensors are stored as xx yy zz xy xz yz. */
static const int PART[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

/* The rotation of a step with this velocity gradient: Cayley's form, which preserves lengths. */
static void rotation_of(const float gradient[9], float dt, float rotation[3][3])
{
    const float a[3] = {0.25f * dt * (gradient[7] - gradient[5]), 0.25f * dt * (gradient[2] - gradient[6]),
                        0.25f * dt * (gradient[3] - gradient[1])};
    const float square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], factor = 2.0f / (1.0f + square);
    const float cross[3][3] = {{0.0f, -a[2], a[1]}, {a[2], 0.0f, -a[0]}, {-a[1], a[0], 0.0f}};
    for (int n = 0; n < 9; n++) {
        const int r = n / 3, c = n % 3;
        const float dyad = a[r] * a[c] - (r == c ? square : 0.0f);
        rotation[r][c] = (r == c ? 1.0f : 0.0f) + factor * (cross[r][c] + dyad);
    }
}

/* R e R^T */
static void rotate(float rotation[3][3], const float e[6], float to[6])
{
    float left[3][3];
    for (int n = 0; n < 9; n++) {
        left[n / 3][n % 3] = rotation[n / 3][0] * e[PART[0][n % 3]] + rotation[n / 3][1] * e[PART[1][n % 3]] +
                             rotation[n / 3][2] * e[PART[2][n % 3]];
    }
    for (int r = 0; r < 3; r++) {
        for (int c = r; c < 3; c++) {
            to[PART[r][c]] = left[r][0] * rotation[c][0] + left[r][1] * rotation[c][1] + left[r][2] * rotation[c][2];
        }
    }
}

/* Deviatoric strain rate (1/s). */
static void strain_rate(const float gradient[9], float rate[6])
{
    const float third = (gradient[0] + gradient[4] + gradient[8]) / 3.0f;
    for (int r = 0; r < 3; r++) {
        for (int c = r; c < 3; c++) {
            rate[PART[r][c]] = 0.5f * (gradient[3 * r + c] + gradient[3 * c + r]) - (r == c ? third : 0.0f);
        }
    }
}

/* sqrt(2 D:D) */
static double shear_rate(const float rate[6])
{
    double sum = 0.0;
    for (int n = 0; n < 6; n++) {
        sum += (n < 3 ? 2.0 : 4.0) * (double)rate[n] * (double)rate[n];
    }
    return sqrt(sum);
}

static void load(float *const *field, int count, int64_t i, float *to)
{
    for (int n = 0; n < count; n++) {
        to[n] = field[n][i];
    }
}

/* Coefficients of the step at each particle's temperature and shear rate, and the stress of the strain it starts with. */
static void set_law(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    const double dt = (double)plan->dt;
    for (int64_t i = begin; i < end; i++) {
        float gradient[9], rate[6], strain[6], rotated[6], rotation[3][3];
        load(p->velocity_gradient, 9, i, gradient);
        strain_rate(gradient, rate);
        const dlp_MaterialDef material = dlp__heat_material(plan->heat, plan->materials, p, i);
        const dlp__MpsLaw law = dlp__mps_law(&material, &plan->own[p->material[0][i]], shear_rate(rate));
        const double full = (double)(f->fullness[0][i] * f->fullness[0][i]);
        const double kept = exp(-law.rate * dt), gain = law.rate > 0.0 ? -expm1(-law.rate * dt) / law.rate : dt;
        const double stiffest = STIFFEST * material.density * (double)plan->spacing * (double)plan->spacing / dt;
        const double viscosity = fmin(law.viscosity + law.modulus * gain, stiffest);
        const double stabilizing = plan->viscous_flux > 0.0f
                                       ? dlp__mps_stabilizing(&law, material.density, (double)plan->spacing,
                                                              plan->gravity, dt)
                                       : viscosity;
        f->viscosity[0][i] = (float)(full * viscosity);
        f->stabilizing[0][i] = (float)(full * fmin(stabilizing, stiffest));
        f->viscous[0][i] = (float)law.viscosity;
        f->modulus[0][i] = (float)law.modulus;
        f->memory[0][i] = (float)kept;
        f->memory[1][i] = (float)gain;
        const double damping = dlp__mps_steady(&law) /
                               (material.density * (double)plan->spacing * (double)plan->spacing);
        const double disorder = REGULARIZED_PER_STRAIN * shear_rate(rate);
        f->regularization[0][i] = (float)fmin(dt * fmin((double)plan->regularization * damping, disorder),
                                              REGULARIZED_MOST);
        load(f->strain, 6, i, strain);
        rotation_of(gradient, plan->dt, rotation);
        rotate(rotation, strain, rotated);
        for (int n = 0; n < 6; n++) {
            f->elastic_stress[n][i] = (float)(2.0 * full * law.modulus * kept) * rotated[n];
        }
        const double diagonal = 2.0 * fmax(stabilizing, viscosity) * (double)f->closeness[0][i] *
                                (double)plan->moment_factor;
        p->mobility[0][i] = (float)(1.0 / (material.density + dt * diagonal));
        for (int a = 0; a < 3; a++) {
            p->change[a][i] = 0.0f;
        }
    }
}

static void update_strain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        float gradient[9], rate[6], strain[6], rotated[6], rotation[3][3];
        load(p->velocity_gradient, 9, i, gradient);
        strain_rate(gradient, rate);
        load(f->strain, 6, i, strain);
        rotation_of(gradient, plan->dt, rotation);
        rotate(rotation, strain, rotated);
        for (int n = 0; n < 6; n++) {
            f->strain[n][i] = f->memory[0][i] * rotated[n] + f->memory[1][i] * f->fullness[0][i] * rate[n];
        }
    }
}

/* Stress moves no particle farther than this in a step, in spacings; a solver that diverged moves none. */
static const float FARTHEST = 2.0f;

/* u += change, with the positions predicted from it. */
static void accelerate(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const float volume = p->specific_volume[0][i], most = FARTHEST * plan->spacing / plan->dt;
        float change[3], square = 0.0f;
        for (int a = 0; a < 3; a++) {
            change[a] = plan->implicit ? p->change[a][i] : volume * p->residual[a][i];
            square += change[a] * change[a];
        }
        const float factor = square <= most * most ? 1.0f : isfinite(square) ? most / sqrtf(square) : 0.0f;
        for (int a = 0; a < 3 && factor > 0.0f; a++) {
            p->velocity[a][i] += factor * change[a];
            p->position[a][i] += factor * plan->dt * change[a];
        }
    }
}

typedef struct Solve {
    dlp__StepContext *step;
    const dlp__MpsPlan *plan;
    const dlp__MpsFlowStages *stages;
} Solve;

static bool apply_operator(void *context)
{
    const Solve *solve = context;
    dlp__mps_add_wall_rates(solve->step, solve->plan, true);
    dlp__run(solve->step->domains, &solve->stages->search_flux, solve->plan);
    dlp__run(solve->step->domains, &solve->stages->search_force, solve->plan);
    dlp__mps_add_wall_drag(solve->step, solve->plan, true);
    return dlp__step_is_ok(solve->step->domains);
}

/* (rho - dt div tau) change = dt f */
static void solve_implicitly(Solve *solve)
{
    dlp__StepContext *step = solve->step;
    const dlp__MpsParams *own = step->params;
    dlp__Krylov krylov = {.parallel = step->domains->parallel,
                          .parts = step->domains->count,
                          .width = step->domains->width,
                          .components = 3,
                          .apply = apply_operator,
                          .context = solve,
                          .max_iterations = own->iterations};
    for (int d = 0; d < step->domains->count; d++) {
        krylov.part[d] = &step->domains->part[d].particles;
    }
    if (!dlp__step_is_ok(step->domains)) {
        return;
    }
    double scale = 1.0;
    const double tolerance = fmax(own->tolerance, DLP_MPS_TIGHTEST);
    const double target = tolerance * tolerance * dlp__krylov_norm(&krylov, &scale);
    const dlp__KrylovReport report = dlp__conjugate_gradients(&krylov, target);
    step->iterations += report.iterations;
    step->unfinished = step->unfinished || report.iterations == own->iterations;
}

void dlp__mps_apply_stress(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsFlowStages *stages)
{
    static const dlp__Stage law = {.name = "mps law",
                                   .function = set_law,
                                   .reads = {DLP_FIELD_velocity_gradient, DLP_FIELD_material, DLP_FIELD_temperature,
                                             DLP_FIELD_enthalpy, OWN_strain, OWN_closeness, OWN_fullness},
                                   .writes = {OWN_viscosity, OWN_stabilizing, OWN_viscous, OWN_modulus, OWN_memory,
                                              OWN_elastic_stress, OWN_regularization, DLP_FIELD_mobility,
                                              DLP_FIELD_change}};
    static const dlp__Stage strain = {.name = "mps strain",
                                      .function = update_strain,
                                      .reads = {DLP_FIELD_velocity_gradient, OWN_memory, OWN_fullness},
                                      .writes = {OWN_strain}};
    static const dlp__Stage acceleration = {.name = "mps acceleration",
                                            .function = accelerate,
                                            .reads = {DLP_FIELD_change, DLP_FIELD_residual, DLP_FIELD_specific_volume},
                                            .writes = {DLP_FIELD_velocity, DLP_FIELD_position}};
    Solve solve = {step, plan, stages};
    if (!plan->flows) {
        return;
    }
    dlp__mps_add_wall_rates(step, plan, false);
    dlp__run(step->domains, &stages->gradient, plan);
    dlp__run(step->domains, &law, plan);
    dlp__run(step->domains, &stages->flux, plan);
    dlp__run(step->domains, &stages->force, plan);
    dlp__mps_add_wall_drag(step, plan, false);
    if (plan->implicit) {
        solve_implicitly(&solve);
    }
    dlp__run(step->domains, &acceleration, plan);
    if (plan->elastic || plan->has_walls) {
        dlp__mps_add_wall_rates(step, plan, false);
        dlp__run(step->domains, &stages->gradient, plan);
        dlp__run(step->domains, &stages->flux, plan);
        dlp__mps_record_wall_drag(step, plan);
        dlp__run(step->domains, &strain, plan);
    }
}
