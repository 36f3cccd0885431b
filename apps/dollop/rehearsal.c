/* Rehearsals: the scene at coarser spacings, so that it takes seconds. The first is as coarse as the scene allows; if it finishes
 * early, a finer one follows and shows how costs grow with resolution. */
#include "apps/shared/signals.h"
#include "apps/shared/wall_clock.h"
#include "forecast.h"

#include <math.h>

#define PARTICLES_ACROSS 2.0   /* of the thinnest item; fewer than for a picture, because only costs matter */
#define PARTICLES_WANTED 300.0 /* at the end of the first rehearsal */
#define FACTOR_LEAST     1.2   /* closer to the real spacing a rehearsal costs nearly as much as the run */
#define RUN_SHARE \
    0.3 /* of the predicted time of the real run that a finer rehearsal may take, if the budget is used up */
#define BUDGETS_MOST  2.0 /* and of the budget */
#define COST_EXPONENT 4.0 /* cost of a run over 1 / spacing: three dimensions and the iterations */

/* Run the scene at a coarser spacing until `deadline`, or until a signal; whether it reached the end. */
static bool rehearse_at(StepTrace *trace, dlp_Scene *scene, const Schedule *schedule, double factor, double deadline)
{
    dlp_WorldDef *def = dlp_scene_world(scene);
    const dlp_WorldDef before = *def;
    dlp_World *world = NULL;
    dlp_Error error = {0};
    def->spacing *= factor;
    def->hooks.log = NULL; /* warnings of the real run only */
    dlp_Result result = dlp_scene_build(scene, &world, &error);
    *def = before;
    if (result != DLP_OK) {
        return false;
    }
    trace_begin(trace, schedule, world, factor);
    double now = clock_seconds();
    while (result == DLP_OK && now < deadline && !schedule_is_done(schedule, world) && !signals_stop_requested()) {
        const double start = now;
        result = schedule_step(schedule, world);
        now = clock_seconds();
        if (result == DLP_OK) {
            trace_add_step(trace, world, now - start);
        }
    }
    const bool is_done = schedule_is_done(schedule, world);
    dlp_world_destroy(world);
    return is_done;
}

static double coarsest_factor(const StepTrace *real, const dlp_Scene *scene, double spacing)
{
    if (*dlp_scene_first_points(scene).name) {
        return 1;
    }
    const double wanted = cbrt(real->expected[TRACE_BINS - 1] / PARTICLES_WANTED);
    return fmin(wanted, dlp_scene_thinnest(scene).extent / (PARTICLES_ACROSS * spacing));
}

bool forecast_rehearse(Forecast *forecast, dlp_Scene *scene, double budget)
{
    const Schedule *schedule = &forecast->real.schedule;
    const double start = clock_seconds(), deadline = start + budget;
    const double factor = coarsest_factor(&forecast->real, scene, dlp_scene_world(scene)->spacing);
    forecast->rehearsal_count = 0;
    if (factor < FACTOR_LEAST) {
        return true;
    }
    const bool is_done = rehearse_at(&forecast->rehearsals[0], scene, schedule, factor, deadline);
    if (trace_seconds(&forecast->rehearsals[0]) <= 0) {
        return true;
    }
    forecast->rehearsal_count = 1;
    const double share = fmin(RUN_SHARE * forecast_outlook(forecast).seconds, BUDGETS_MOST * budget);
    const double left = fmax(deadline - clock_seconds(), share), took = trace_seconds(&forecast->rehearsals[0]);
    const double finer = factor * pow(took / (0.8 * fmax(left, 1e-3)), 1 / COST_EXPONENT);
    if (!is_done || finer > factor / FACTOR_LEAST) {
        return false;
    }
    if (finer < FACTOR_LEAST) {
        return true;
    }
    rehearse_at(&forecast->rehearsals[1], scene, schedule, finer, clock_seconds() + left);
    forecast->rehearsal_count += trace_seconds(&forecast->rehearsals[1]) > 0;
    return false;
}
