/* The length of an automatic step: the shortest of all limits, divided so that steps end at the given time. */
#include "world/step_length.h"

#include "world/emitters.h"

#include <math.h>

/* Courant number unless the world has its own: the value that `dollop check` has always called safe. */
static const double COURANT = 0.4;

/* A step is at most this many times as long as the one before, so that what drives the flow shows before steps are long again. */
static const double GROWTH = 1.25;

/* Fraction of the other limits in the first step: nothing is known of the forces yet. */
static const double FIRST = 0.1;

const char *dlp_step_limit_name(dlp_StepLimit limit)
{
    static const char *const names[DLP_LIMIT_COUNT] = {
        [DLP_LIMIT_NONE] = "none",         [DLP_LIMIT_END] = "frame times",   [DLP_LIMIT_SPEED] = "speed",
        [DLP_LIMIT_SOLIDS] = "solids",     [DLP_LIMIT_EMITTERS] = "emitters", [DLP_LIMIT_METHOD] = "method",
        [DLP_LIMIT_ACCURACY] = "accuracy", [DLP_LIMIT_GROWTH] = "growth",     [DLP_LIMIT_LONGEST] = "longest step",
    };
    return (int)limit >= 0 && (int)limit < DLP_LIMIT_COUNT ? names[limit] : NULL;
}

static bool is_soft(const void *companions, const dlp__Particles *p, int64_t i)
{
    return dlp__companion_is_soft(companions, p, i);
}

double dlp__world_max_speed(const dlp_World *world, bool soft_only)
{
    return dlp__domains_max_speed(&world->domains, soft_only ? is_soft : NULL, &world->companions);
}

/* The box around all particles; false if there are none. */
static bool find_bounds(const dlp_World *world, dlp_Vec3 *lower, dlp_Vec3 *upper)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Particles *p = &world->domains.part[d].particles;
        for (int a = 0; a < 3; a++) {
            for (int64_t i = 0; i < p->count; i++) {
                low[a] = fmin(low[a], (double)p->position[a][i]);
                high[a] = fmax(high[a], (double)p->position[a][i]);
            }
        }
    }
    dlp__ranks_reduce(world->parallel.ranks, DLP_REDUCE_LEAST, low, 3);
    dlp__ranks_reduce(world->parallel.ranks, DLP_REDUCE_MOST, high, 3);
    *lower = dlp__vec3(low[0], low[1], low[2]);
    *upper = dlp__vec3(high[0], high[1], high[2]);
    return low[0] <= high[0];
}

static void restrict_to(dlp__StepChoice *choice, double dt, dlp_StepLimit limit)
{
    if (dt < choice->dt) {
        choice->dt = dt;
        choice->limit = limit;
    }
}

/* s, in which something that starts at `speed` (m/s) and gains `acceleration` (m/s2) moves by `distance` (m):
 * (speed + acceleration dt) dt = distance. */
static double time_to_move(double speed, double acceleration, double distance)
{
    const double sum = speed + sqrt(speed * speed + 4.0 * acceleration * distance);
    return sum > 0.0 ? 2.0 * distance / sum : INFINITY;
}

static void restrict_by_particles(const dlp_World *world, double distance, dlp__StepChoice *choice)
{
    const double g = dlp__length(world->def.gravity);
    restrict_to(choice, time_to_move(dlp__world_max_speed(world, false), g, distance), DLP_LIMIT_SPEED);
    if (world->companions.count > world->companions.rigid) {
        restrict_to(choice, time_to_move(dlp__world_max_speed(world, true), g, DLP_SOFT_CFL * world->def.spacing),
                    DLP_LIMIT_SPEED);
    }
}

/* m/s, of surfaces near the box until `end`. */
static double solid_speed(const dlp_World *world, double end, dlp_Vec3 lower, dlp_Vec3 upper)
{
    return dlp__solids_surface_speed(&world->solids, world->time, end, world->def.gravity, lower, upper,
                                     (double)world->kernel.support);
}

/* Solids and emitters follow prescribed motions, whose speed depends on the length of the step: a few passes suffice, because
 * each one only shortens it. */
static void restrict_by_motions(const dlp_World *world, double distance, dlp__StepChoice *choice)
{
    enum { PASSES = 4 };
    for (int pass = 0; pass < PASSES; pass++) {
        const double end = world->time + choice->dt, before = choice->dt;
        const double emitted = dlp__emitters_speed(world, world->time, end);
        restrict_to(choice, emitted > 0.0 ? distance / emitted : INFINITY, DLP_LIMIT_EMITTERS);
        /* Whether a solid is near the fluid matters only if it is fast enough to shorten the step. */
        const dlp_Vec3 least = {-INFINITY, -INFINITY, -INFINITY}, most = {INFINITY, INFINITY, INFINITY};
        dlp_Vec3 lower, upper;
        if (distance / solid_speed(world, end, least, most) < choice->dt && find_bounds(world, &lower, &upper)) {
            restrict_to(choice, distance / solid_speed(world, end, lower, upper), DLP_LIMIT_SOLIDS);
        }
        if (choice->dt == before) {
            break;
        }
    }
}

static void restrict_by_method(dlp_World *world, dlp__StepChoice *choice)
{
    if (world->method->limit != NULL) {
        const dlp__StepContext step = dlp__world_step_context(world, choice->dt, choice->dt);
        restrict_to(choice, world->method->limit(&step).longest, DLP_LIMIT_METHOD);
    }
    if (world->dt_next > 0.0) {
        restrict_to(choice, fmax(world->dt_next, 2.0 * DLP_MIN_STEP), DLP_LIMIT_ACCURACY);
    }
}

/* Equal steps to the end; the last one lands on it. */
static void divide(const dlp_World *world, double left, dlp__StepChoice *choice)
{
    /* The factor keeps a rounding error from adding a step. */
    const double steps = fmax(ceil(left / choice->dt * (1.0 - 1e-9)), 1.0);
    choice->most = choice->dt;
    choice->lands = steps == 1.0;
    choice->dt = left / steps;
    if (choice->lands && choice->most >= left && !world->is_between_ends) {
        choice->limit =
            DLP_LIMIT_END; /* one step takes the whole time; otherwise it is the last of several equal ones */
    }
}

dlp_Result dlp__choose_step(dlp_World *world, double end, dlp__StepChoice *choice)
{
    const double left = end - world->time;
    const double distance = (world->def.cfl > 0.0 ? world->def.cfl : COURANT) * world->def.spacing;
    if (!(left >= DLP_MIN_STEP) || isinf(left)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "a step from %.9g s must end at least %g s later, at a finite time, not at %.9g s",
                         world->time, DLP_MIN_STEP, end);
    }
    *choice = (dlp__StepChoice){.dt = DLP_MAX_STEP, .limit = DLP_LIMIT_LONGEST};
    if (world->dt_most > 0.0) {
        restrict_to(choice, GROWTH * world->dt_most, DLP_LIMIT_GROWTH);
    } else {
        restrict_to(choice, left, DLP_LIMIT_END);
    }
    restrict_by_particles(world, distance, choice);
    restrict_by_motions(world, distance, choice);
    restrict_by_method(world, choice);
    if (world->dt_most == 0.0) {
        restrict_to(choice, FIRST * choice->dt, DLP_LIMIT_GROWTH);
    }
    if (!(choice->dt >= 2.0 * DLP_MIN_STEP)) {
        return dlp__fail(
            &world->error, DLP_ERROR_NOT_FINITE,
            "the next step would be shorter than %g s because of its limit '%s' (t = %g s, fastest particle %.3g "
            "m/s): the simulation has diverged; go back to the last checkpoint",
            2.0 * DLP_MIN_STEP, dlp_step_limit_name(choice->limit), world->time, dlp__world_max_speed(world, false));
    }
    divide(world, left, choice);
    return DLP_OK;
}
