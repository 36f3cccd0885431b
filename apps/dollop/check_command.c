/* dollop check: validates a scene and estimates its size, run time and a safe time step. Builds the world and takes a few steps; no
 * file is written. */
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/wall_clock.h"
#include "json_out.h"
#include "open_scene.h"
#include "safe_step.h"
#include "schedule.h"
#include "subcommands.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct CheckOptions {
    SceneOptions scene;
    bool json;
} CheckOptions;

typedef struct Check {
    const char *scene_path;
    dlp_Scene *scene;
    dlp_World *world;
    Schedule schedule;
    double duration; /* s, of the whole scene */
    Pace pace;
    int probe_steps;
    dlp_WorldStats stats; /* after the probe */
    double probe_speed;   /* m/s, maximum of the probe */
    double particles_end; /* estimate for the last frame */
    double memory_end;    /* bytes, estimate at the end */
    double frame_seconds, total_seconds;
    ExpectedSpeed speed;
    double safe_step; /* s */
    int warnings;
} Check;

enum { PROBE_STEPS_MIN = 3, PROBE_STEPS_MAX = 40, FEW_PARTICLES = 1000 };
#define PROBE_SECONDS 2.0 /* long enough to measure, short enough to wait for */

static void log_warning(void *user, dlp_LogLevel level, const char *text)
{
    Check *check = user;
    if (level != DLP_LOG_WARNING) {
        return;
    }
    ++check->warnings;
    message_warning("%s", text);
}

static ExitCode build(Check *check, const CheckOptions *options)
{
    const dlp_Hooks hooks = {.log = log_warning, .log_user = check};
    dlp_Error error = {0};
    const ExitCode code = scene_open(check->scene_path, &options->scene, &hooks, &check->scene);
    if (code != EXIT_DONE) {
        return code;
    }
    check->schedule = schedule_of(dlp_scene_run(check->scene));
    check->duration = (double)schedule_last_step(&check->schedule) * check->schedule.time_step;
    const dlp_Result result = dlp_scene_build(check->scene, &check->world, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
    }
    return exit_code_of(result);
}

/* Take a few steps and measure them; the first is a warm-up. */
static ExitCode probe(Check *check)
{
    const double start = clock_seconds();
    const int64_t last = schedule_last_step(&check->schedule);
    dlp_world_stats(check->world, &check->stats);
    check->probe_speed = check->stats.speed_max;
    for (int i = 0; i < PROBE_STEPS_MAX && dlp_world_step_count(check->world) < last; i++) {
        if (i >= PROBE_STEPS_MIN && clock_seconds() - start > PROBE_SECONDS) {
            break;
        }
        const double step_start = clock_seconds();
        const dlp_Result result = dlp_world_step(check->world, check->schedule.time_step);
        if (result != DLP_OK) {
            message_error("after %d steps: %s", i, dlp_world_error(check->world));
            return exit_code_of(result);
        }
        if (i > 0) {
            pace_add_step(&check->pace, &check->schedule, clock_seconds() - step_start,
                          dlp_world_particle_count(check->world));
        }
        dlp_world_stats(check->world, &check->stats);
        check->probe_speed = fmax(check->probe_speed, check->stats.speed_max);
        ++check->probe_steps;
    }
    return EXIT_DONE;
}

static void predict(Check *check)
{
    const double end = fmax(check->duration, check->stats.time);
    check->particles_end = forecast_particles(check->world, &check->stats, end);
    check->memory_end = (double)check->stats.memory_peak;
    if (check->stats.particles > 0) {
        check->memory_end *= fmax(1, check->particles_end / (double)check->stats.particles);
    }
    check->total_seconds = pace_remaining(&check->pace, &check->schedule, check->world, &check->stats) +
                           (double)check->stats.step / fmax(pace_steps_per_second(&check->pace), 1e-9);
    check->frame_seconds = check->total_seconds / fmax(1, (double)check->schedule.last_frame);
    check->speed = expected_speed(check->world, check->probe_speed, check->duration);
    check->safe_step = safe_time_step(&check->speed, dlp_world_def(check->world).spacing);
}

static void warn(Check *check)
{
    /* The estimate is rough, so a few percent do not matter. With a Courant limit, long steps are split and safe. */
    if (check->schedule.time_step > 1.05 * check->safe_step && dlp_world_def(check->world).cfl == 0.0) {
        ++check->warnings;
        message_warning(
            "the time step of %s is longer than the estimated safe step of %s: at %.3g m/s (%s) a particle moves "
            "%.2g spacings per step; set run.time_step=%.2g, or world.cfl=0.4 to split steps when necessary",
            human_seconds(check->schedule.time_step).text, human_seconds(check->safe_step).text, check->speed.maximum,
            check->speed.cause, check->speed.maximum * check->schedule.time_step / dlp_world_def(check->world).spacing,
            check->safe_step);
    }
    if (check->stats.particles == 0 && dlp_world_emitter_count(check->world) == 0) {
        ++check->warnings;
        message_warning("the scene has no fluid and no emitter, so there is nothing to simulate");
    }
}

/* Joints and companions are rare and printed only if there are any. */
static void print_contents(const dlp_World *world)
{
    const int joints = dlp_world_joint_count(world), companions = dlp_world_companion_count(world);
    printf("  contents     materials %d, solids %d, emitters %d, sinks %d", dlp_world_material_count(world),
           dlp_world_solid_count(world), dlp_world_emitter_count(world), dlp_world_sink_count(world));
    if (joints > 0) {
        printf(", joints %d", joints);
    }
    if (companions > 0) {
        printf(", companions %d", companions);
    }
    printf("\n");
}

static void print_text(const Check *check)
{
    const dlp_WorldDef world = dlp_world_def(check->world);
    printf("%s is valid\n\n", check->scene_path);
    printf("  method       %s, spacing %.4g m\n", world.method, world.spacing);
    print_contents(check->world);
    printf("  frames       %" PRId64 " (%.4g s), %" PRId64 " steps per frame\n", check->schedule.last_frame,
           check->duration, check->schedule.steps_per_frame);
    printf("  particles    %s", human_count(check->stats.particles).text);
    if (check->particles_end > 1.01 * (double)check->stats.particles) {
        printf(" now, %s %s at the end", dlp_world_sink_count(check->world) ? "at most" : "about",
               human_count((int64_t)check->particles_end).text);
    }
    printf("\n  memory       %s", human_bytes((double)check->stats.memory_peak).text);
    if (check->memory_end > 1.01 * (double)check->stats.memory_peak) {
        printf(" now, about %s at the end", human_bytes(check->memory_end).text);
    }
    printf("\n  time         about %s per frame", human_duration(check->frame_seconds).text);
    printf(", %s in total, without writing files (measured: %d steps, %d threads, %d lanes)\n",
           human_duration(check->total_seconds).text, check->probe_steps, check->stats.threads, check->stats.simd);
    if (check->stats.particles < FEW_PARTICLES && check->particles_end > 2 * FEW_PARTICLES) {
        printf("               this is a rough estimate, because there are few particles yet\n");
    }
    printf("  time step    %s; safe up to %s (max speed %.3g m/s: %s)\n", human_seconds(check->schedule.time_step).text,
           isinf(check->safe_step) ? "any" : human_seconds(check->safe_step).text, check->speed.maximum,
           check->speed.cause);
}

static void print_json(const Check *check)
{
    const dlp_WorldDef world = dlp_world_def(check->world);
    Json json = json_begin(stdout);
    json_text(&json, "scene", check->scene_path);
    json_hash(&json, "scene_hash", dlp_scene_hash(check->scene));
    json_text(&json, "method", world.method);
    json_real(&json, "spacing", world.spacing);
    json_integer(&json, "frames", check->schedule.last_frame);
    json_integer(&json, "steps_per_frame", check->schedule.steps_per_frame);
    json_integer(&json, "particles", check->stats.particles);
    json_real(&json, "particles_end", check->particles_end);
    json_integer(&json, "memory", check->stats.memory_peak);
    json_real(&json, "memory_end", check->memory_end);
    json_real(&json, "seconds_per_frame", check->frame_seconds);
    json_real(&json, "seconds", check->total_seconds);
    json_real(&json, "time_step", check->schedule.time_step);
    json_real(&json, "safe_time_step", check->safe_step);
    json_real(&json, "expected_speed", check->speed.maximum);
    json_text(&json, "expected_speed_cause", check->speed.cause);
    json_integer(&json, "threads", check->stats.threads);
    json_integer(&json, "simd", check->stats.simd);
    json_integer(&json, "warnings", check->warnings);
    json_end(&json);
}

static ExitCode check_scene(const char *const *operands, int count, const void *given)
{
    const CheckOptions *options = given;
    Check check = {.scene_path = operands[0]};
    (void)count;
    ExitCode code = build(&check, options);
    if (code == EXIT_DONE) {
        code = probe(&check);
    }
    if (code == EXIT_DONE) {
        predict(&check);
        warn(&check);
        if (options->json) {
            print_json(&check);
        } else {
            print_text(&check);
        }
    }
    dlp_world_destroy(check.world);
    dlp_scene_destroy(check.scene);
    return code;
}

static const Option check_options[] = {
    SCENE_OPTIONS(CheckOptions),
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(CheckOptions, json),
     .group = "Messages",
     .help = "print one JSON object instead of text"},
};

static const Example check_examples[] = {
    {"dollop check scenes/dam_break.yaml", "validate a scene, estimate its run time, check its time step"},
    {"dollop check honey.yaml --set world.spacing=2mm", "estimate the cost of a finer resolution"},
    {NULL, NULL},
};

const Command check_command = {
    .name = "check",
    .operands = "SCENE",
    .summary = "validate a scene and estimate its size, run time and a safe time step",
    .description =
        "Builds the scene and steps it for about two seconds; no file is written. With the safe time step no particle moves "
        "more than 0.4 spacings per step at the expected maximum speed, which is estimated from the first steps, the speeds of "
        "emitters and solids, and a fall from the highest fluid to the lowest floor.",
    .examples = check_examples,
    .options = check_options,
    .option_count = OPTION_COUNT(check_options),
    .least_operands = 1,
    .most_operands = 1,
    .options_size = sizeof(CheckOptions),
    .run = check_scene,
};
