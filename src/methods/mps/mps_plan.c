#include "methods/mps/mps_plan.h"

#include <math.h>
#include <stdio.h>

/* Fractions of the longest stable explicit steps on a lattice that are used: particles are not on a lattice. */
static const double VISCOUS_SAFETY = 0.85, TENSION_SAFETY = 0.3;
/* Implicit steps are used from this fraction of the explicit limit on: few neighbours, as at corners, make gradients stiffer. */
static const double EXPLICIT_SHARE = 0.05;

static const double LEAST_DISTANCE = 0.2; /* spacings: no two particles are taken to be nearer */

/* Call `add` for each lattice point other than the origin within `reach`. */
typedef struct LatticeSum {
    double reach, number, moment, closeness, checkerboard, stiffness, separation;
} LatticeSum;

static void add_point(LatticeSum *sum, int x, int y, int z)
{
    const double square = (double)(x * x + y * y + z * z), r = sqrt(square);
    if (square == 0.0 || r >= sum->reach) {
        return;
    }
    const double w = sum->reach / r - 1.0;
    sum->number += w;
    sum->moment += w * square;
    sum->closeness += w / square;
    sum->checkerboard += (x + y + z) % 2 != 0 ? 2.0 * w / square : 0.0;
    sum->stiffness += fabs(sum->reach + 1.0 - 2.0 * r) / 3.0;
    if (z > 0) { /* a pair at height z is cut by planes between z layers */
        sum->separation += z / 3.0 * (r - 1.5 + 0.5 * sum->reach) * (r - sum->reach) * (r - sum->reach);
    }
}

static LatticeSum sum_lattice(double reach)
{
    LatticeSum sum = {.reach = reach};
    const int most = (int)ceil(reach);
    for (int x = -most; x <= most; x++) {
        for (int y = -most; y <= most; y++) {
            for (int z = -most; z <= most; z++) {
                add_point(&sum, x, y, z);
            }
        }
    }
    return sum;
}

dlp__MpsLattice dlp__mps_lattice(double reach)
{
    const LatticeSum sum = sum_lattice(reach);
    return (dlp__MpsLattice){sum.number, sum.moment / sum.number, sum.closeness};
}

double dlp__mps_cohesion_coefficient(double reach)
{
    return 2.0 / sum_lattice(reach).separation;
}

static double near_reach(const dlp__StepContext *step)
{
    return (double)step->domains->short_support / (double)step->spacing;
}

static double far_reach(const dlp__StepContext *step)
{
    return (double)step->kernel->support / (double)step->spacing;
}

/* The largest viscosity of all materials in a step of dt, the elastic part included, over density. */
typedef struct Strongest {
    double viscous, attraction; /* m2/s, and N/m over kg/m3 */
    int viscous_material, attractive_material;
    bool elastic, flows;
} Strongest;

/* m/s2 */
static double gravity_of(const dlp__StepContext *step)
{
    const float *g = step->gravity;
    return sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]));
}

static void consider_law(Strongest *strongest, const dlp__MpsLaw *law, const dlp__StepContext *step, int material)
{
    const double density = step->materials[material].density;
    const double kinematic = dlp__mps_stabilizing(law, density, (double)step->spacing, gravity_of(step),
                                                  step->requested_dt) /
                             density;
    strongest->viscous_material = kinematic > strongest->viscous ? material : strongest->viscous_material;
    strongest->viscous = fmax(strongest->viscous, kinematic);
    strongest->elastic = strongest->elastic || law->modulus > 0.0;
    strongest->flows = strongest->flows || kinematic > 0.0;
}

static Strongest find_strongest(const dlp__StepContext *step)
{
    const dlp__MpsMaterial *own = step->material_params;
    static const double rates[] = {0.0, 1e9}; /* 1/s: laws are monotonic in the shear rate */
    Strongest strongest = {0};
    for (int m = 0; m < step->material_count; m++) {
        const dlp__HeatRange range = dlp__heat_range(step->heat, step->materials, m, step->domains);
        const double density = step->materials[m].density, attraction = step->materials[m].surface_tension / density;
        for (int n = 0; n < 2; n++) {
            const dlp__MpsLaw cold = dlp__mps_law(&range.cold, &own[m], rates[n]),
                              hot = dlp__mps_law(&range.hot, &own[m], rates[n]);
            consider_law(&strongest, &cold, step, m);
            consider_law(&strongest, &hot, step, m);
        }
        strongest.attractive_material = attraction > strongest.attraction ? m : strongest.attractive_material;
        strongest.attraction = fmax(strongest.attraction, attraction);
    }
    return strongest;
}

/* Rate at which two walls stop a particle that has come as near as a quarter of a spacing, in viscosity / (density spacing^2). */
static const double WALL_RATE = 32.0;

/* s, the longest explicit step: the fastest mode of the viscous operator on a lattice is a checkerboard. */
static double explicit_limit(const dlp__StepContext *step, const Strongest *strongest, bool at_walls)
{
    const LatticeSum sum = sum_lattice(near_reach(step));
    const double d = (double)step->spacing, rate = 6.0 * sum.checkerboard / sum.number + (at_walls ? WALL_RATE : 0.0);
    return VISCOUS_SAFETY * 2.0 * d * d / (rate * strongest->viscous);
}

static double tension_limit(const dlp__StepContext *step, const Strongest *strongest)
{
    const LatticeSum sum = sum_lattice(far_reach(step));
    const double d = (double)step->spacing;
    const double stiffness = 2.0 / sum.separation * sum.stiffness * strongest->attraction; /* m3/s2 */
    return TENSION_SAFETY * sqrt(d * d * d / stiffness);
}

static bool is_implicit(const dlp__StepContext *step, const Strongest *strongest)
{
    const dlp__MpsParams *own = step->params;
    return own->integration == DLP_MPS_IMPLICIT ||
           (own->integration == DLP_MPS_CHOOSE &&
            step->requested_dt > EXPLICIT_SHARE * explicit_limit(step, strongest, false));
}

dlp__LongestStep dlp__mps_limit(const dlp__StepContext *step)
{
    const Strongest strongest = find_strongest(step);
    const double viscous = is_implicit(step, &strongest) ? INFINITY
                                                         : explicit_limit(step, &strongest, step->solids->count > 0);
    const double tension = tension_limit(step, &strongest);
    dlp__LongestStep limit = {.longest = fmin(fmin(viscous, tension), step->requested_dt)};
    if (limit.longest == viscous && step->material_count > 0) {
        snprintf(limit.cause, sizeof limit.cause,
                 "explicit integration of the stress of material '%.64s' (method.integration: implicit has no limit)",
                 step->materials[strongest.viscous_material].name);
    } else if (limit.longest == tension && step->material_count > 0) {
        snprintf(limit.cause, sizeof limit.cause, "the surface tension of material '%.64s'",
                 step->materials[strongest.attractive_material].name);
    }
    return limit;
}

bool dlp__mps_plan(dlp__StepContext *step, dlp__MpsPlan *plan)
{
    const dlp__MpsParams *own = step->params;
    const Strongest strongest = find_strongest(step);
    const double d = (double)step->spacing, dt = (double)step->dt, near = near_reach(step), far = far_reach(step);
    const dlp__MpsLattice rest = dlp__mps_lattice(near);
    const bool laplacian = own->form == DLP_MPS_LAPLACIAN_FORM;
    /* the gradients of the paper's scheme are no least-squares fit, whose residual the stabilization is: it would add energy */
    const bool by_pressure = own->cohesion == DLP_MPS_BY_PRESSURE, fits = !laplacian && by_pressure;
    *plan = (dlp__MpsPlan){
        .rest = rest,
        .spacing = step->spacing,
        .gravity = gravity_of(step),
        .reach = (float)(near * d),
        .far_reach = (float)(far * d),
        .least = (float)(LEAST_DISTANCE * d),
        .dt = step->dt,
        .moment_factor = (float)(3.0 / rest.number_density),
        .pair_factor = fits ? (float)(3.0 / rest.number_density * own->stabilization) : 0.0f,
        .laplacian_factor = laplacian ? (float)(3.0 / (rest.lambda * d * d * rest.number_density)) : 0.0f,
        .viscous_flux = laplacian ? 0.0f : 1.0f,
        .own_flux = laplacian && !by_pressure ? -1.0f : 1.0f,
        .laplacian_model = (float)(6.0 / (rest.lambda * d * d * rest.number_density)),
        .recovered = (float)-expm1(-own->recovery * dt),
        .regularization = (float)own->regularization,
        .implicit = is_implicit(step, &strongest),
        .elastic = strongest.elastic,
        .flows = strongest.flows,
        .has_tension = strongest.attraction > 0.0,
        .by_pressure = by_pressure,
        .has_walls = step->solids->count > 0,
        .cohesion = dlp__mps_cohesion_coefficient(far) / d,
        .materials = step->materials,
        .own = step->material_params,
        .heat = step->heat,
        .solids = step->solids,
    };
    return dlp__step_is_ok(step->domains);
}
