/* Chooses the spacing of a draft. Each fluid, companion and nozzle keeps a few particles across; within that limit the factor is the
 * one given, or the one that leaves about two thousand particles. */
#include "draft.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTICLES_ACROSS 3.0    /* of the thinnest item: fewer form a string of beads, not a jet */
#define PARTICLES_WANTED 2000.0 /* at the end: seconds with every method */
#define TRIAL_FACTOR     3.0    /* of the world that is built to count particles: 27 times fewer */
#define PARTICLES_COUNTED \
    200e3 /* scenes below this are counted at their own spacing, too: it takes less than a second */
#define FACTOR_MOST 100.0
#define FACTOR_STEP 0.5 /* of factors that are chosen: round numbers are easy to remember */

static ExitCode read_factor(const char *option, double *factor)
{
    char *end = NULL;
    *factor = strtod(option, &end);
    if (end == option || *end || !(*factor >= 1 && *factor <= FACTOR_MOST)) {
        message_error("--draft=%s is not a factor on the spacing: give a number from 1 to %g, such as --draft=2",
                      option, FACTOR_MOST);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* The particles at the end of the scene at this spacing. */
static ExitCode count_particles(dlp_Scene *scene, double spacing, double *count)
{
    dlp_WorldDef *def = dlp_scene_world(scene);
    const dlp_WorldDef before = *def;
    const dlp_RunDef *run = dlp_scene_run(scene);
    dlp_World *world = NULL;
    dlp_Error error = {0};
    def->spacing = spacing;
    def->hooks.log = NULL; /* the real world repeats all warnings */
    const dlp_Result result = dlp_scene_build(scene, &world, &error);
    *def = before;
    if (result != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(result);
    }
    dlp_WorldStats stats;
    dlp_world_stats(world, &stats);
    *count = forecast_particles(world, &stats, (double)run->frames / run->frame_rate);
    dlp_world_destroy(world);
    return EXIT_DONE;
}

static double chosen_factor(double particles)
{
    const double factor = cbrt(particles / PARTICLES_WANTED);
    return fmax(1 + FACTOR_STEP, ceil(factor / FACTOR_STEP) * FACTOR_STEP);
}

ExitCode draft_apply(const char *option, dlp_Scene *scene, Draft *draft)
{
    *draft = (Draft){0};
    if (!option) {
        return EXIT_DONE;
    }
    const bool is_auto = strcmp(option, DRAFT_AUTO) == 0;
    const dlp_SceneFeature points = dlp_scene_first_points(scene);
    const double spacing = dlp_scene_world(scene)->spacing;
    double factor = 0;
    ExitCode code = is_auto ? EXIT_DONE : read_factor(option, &factor);
    if (code == EXIT_DONE && *points.name) {
        message_error("a draft is not possible: %s is given as points, whose distances suit one spacing only",
                      points.name);
        code = EXIT_SCENE;
    }
    if (code != EXIT_DONE) {
        return code;
    }
    /* Rounded down, so that the factor that is printed gives the same spacing again. */
    const dlp_SceneFeature thinnest = dlp_scene_thinnest(scene);
    const double limit = fmax(1, floor(100 * thinnest.extent / (PARTICLES_ACROSS * spacing) * (1 + 1e-12)) / 100);
    const double trial = fmin(limit, TRIAL_FACTOR);
    code = count_particles(scene, trial * spacing, &draft->full_particles);
    draft->full_particles *= trial * trial * trial;
    if (code == EXIT_DONE && draft->full_particles < PARTICLES_COUNTED) {
        code = count_particles(scene, spacing, &draft->full_particles);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    draft->full_spacing = spacing;
    draft->factor = is_auto ? chosen_factor(draft->full_particles) : factor;
    if (draft->factor > limit) {
        draft->factor = limit;
        draft->limit = thinnest;
    }
    draft->spacing = draft->factor * spacing;
    dlp_scene_world(scene)->spacing = draft->spacing;
    return count_particles(scene, draft->spacing, &draft->particles);
}

/* Two significant digits: the count is an estimate. */
static HumanText human_estimate(double count)
{
    const double unit = pow(10, fmax(0, floor(log10(fmax(count, 1))) - 1));
    return human_count((int64_t)(round(count / unit) * unit));
}

void draft_print(const Draft *draft)
{
    if (draft->factor == 0) {
        return;
    }
    if (draft->factor == 1) {
        message_note("draft: the spacing remains %s%s%s%s", human_length(draft->spacing).text,
                     *draft->limit.name ? ", because " : "", draft->limit.name,
                     *draft->limit.name ? " has only three particles across" : "");
        return;
    }
    message_note(
        "draft: spacing %s -> %s, about %s -> %s particles at the end; threads, films and gaps thinner than %s "
        "are not resolved, and shapes and times are approximate: for a look, not for measurements",
        human_length(draft->full_spacing).text, human_length(draft->spacing).text,
        human_estimate(draft->full_particles).text, human_estimate(draft->particles).text,
        human_length(PARTICLES_ACROSS * draft->spacing).text);
    if (*draft->limit.name) {
        message_note("draft: %s is %s thick and keeps %g particles across, so the spacing is not coarsened further",
                     draft->limit.name, human_length(draft->limit.extent).text, PARTICLES_ACROSS);
    }
}
