/* The density constraint of position-based fluids (Macklin and Mueller 2013): particles are moved until the kernel
 * sum n_i = sum V W, fluid and solids together, is at most that of the lattice at rest.
 *
 * Its multiplier is stored as a pressure, lambda_i = -p_i dt^2, because the moves of one step are those of the force
 * -grad p, so the initial guess carries over from one time step to the next. It is not exactly the pressure: kernel
 * sums over disordered particles turn p into the momentum flux p sum V |W'| r / 3, some 4 % less; that flux is what
 * `pressure` shows. All particles have the same volume V = spacing^3; materials of different density differ in mass. */
#ifndef DLP_PRESSURE_DENSITY_CONSTRAINT_H
#define DLP_PRESSURE_DENSITY_CONSTRAINT_H

#include "stages/stage_runner.h"
#include "sph/kernel.h"

typedef struct dlp__DensitySolver {
    dlp__Kernel kernel;
    float spacing;    /* m */
    float dt;         /* s */
    float dt_last;    /* s, of the previous step; 0 in the first */
    float relaxation; /* fraction of the Jacobi step applied */
    /* added to each constraint's stiffness, as a fraction of a full neighbourhood's (epsilon, eq. 11) */
    float softness;
    float tensile; /* Pa, the artificial pressure against clustering (eq. 13) */
    float keep;    /* fraction of the last step's pressure used as initial guess */
    /* 1/s, rate at which compression from before the step is corrected: a correction becomes velocity, so correcting
     * it all at once makes a resting fluid boil and a nozzle spray */
    float recovery;
    double tolerance;    /* mean compression beyond the allowed at which to stop */
    int64_t least, most; /* iterations */
    bool walls;          /* include boundary samples */
} dlp__DensitySolver;

/* The fields needed besides position, velocity and density. */
#define DLP_DENSITY_FIELDS \
    DLP_FIELD_pressure, DLP_FIELD_multiplier, DLP_FIELD_multiplier_change, DLP_FIELD_start, DLP_FIELD_allowed, \
        DLP_FIELD_specific_volume, DLP_FIELD_correction

/* Called after each move, to keep particles out of solids and to alternate with other constraints: after the initial
 * guess with 0, then with the number of the iteration. False ends the solve. */
typedef void (*dlp__AfterMoveFunction)(void *context, int64_t iteration);

/* Iterate. Positions must be predicted with the current velocities, plus `correction`; `specific_volume`, neighbour
 * lists and boundary samples must be current. Returns the number of iterations, or -1 without memory. Updates
 * position and correction; density and pressure are those at the end. */
int64_t dlp__density_solve(dlp__Domains *domains, const dlp__DensitySolver *solver, dlp__AfterMoveFunction after_move,
                           void *context);

/* The constraint's settings as part of a method's parameters, and their lines in its parameter table: `type` has
 * them as the member `member`, and their names begin with `prefix`. `iterations_when`: condition under which the number of
 * iterations follows from them (dlp_Param.when), or null. */
typedef struct dlp__DensityParams {
    int64_t iterations, iterations_least;
    double tolerance, relaxation, softness, tensile, keep, recovery;
    bool walls;
} dlp__DensityParams;

/* clang-format off */
#define DLP_DENSITY_PARAM(type, member, prefix, name, kind, value, least, most, unit, ...) \
    {prefix #name, kind, offsetof(type, member.name), unit, {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}
#define DLP_DENSITY_PARAMS(type, member, prefix, iterations_when) \
    DLP_DENSITY_PARAM(type, member, prefix, iterations, DLP_PARAM_INT, 30, 1, 10000, "", \
                      "of the density constraint in a step, at most", .when = iterations_when), \
    DLP_DENSITY_PARAM(type, member, prefix, iterations_least, DLP_PARAM_INT, 2, 0, 10000, "", \
                      "of the density constraint in a step, at least", .when = iterations_when), \
    DLP_DENSITY_PARAM(type, member, prefix, tolerance, DLP_PARAM_REAL, 0.0005, 0, 1, "", \
                      "mean compression beyond the allowed at which iterations stop", .when = iterations_when), \
    DLP_DENSITY_PARAM(type, member, prefix, relaxation, DLP_PARAM_REAL, 0.5, 0.01, 1.5, "", \
                      "fraction of the Jacobi step applied"), \
    DLP_DENSITY_PARAM(type, member, prefix, softness, DLP_PARAM_REAL, 0.05, 0, 100, "", \
                      "weakens the constraint of particles with few neighbours (epsilon)"), \
    DLP_DENSITY_PARAM(type, member, prefix, tensile, DLP_PARAM_REAL, 1, 0, 1000, "", \
                      "artificial pressure against clustering, in weights of one layer of particles"), \
    DLP_DENSITY_PARAM(type, member, prefix, keep, DLP_PARAM_REAL, 0.7, 0, 1, "", \
                      "fraction of the last step's pressure used as initial guess"), \
    DLP_DENSITY_PARAM(type, member, prefix, recovery, DLP_PARAM_REAL, 40, 0, 1e6, "1/s", \
                      "rate at which compression from before the step is corrected"), \
    DLP_DENSITY_PARAM(type, member, prefix, walls, DLP_PARAM_BOOL, 1, 0, 1, "", \
                      "count as filled with fluid; false: they only keep particles out, which then accumulate there")
/* clang-format on */

#endif
