/* dollop check: validates a scene and estimates its size, run time and a safe time step. Builds the world, takes a few steps and
 * rehearses the scene at coarser spacings; no file is written. */
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/wall_clock.h"
#include "forecast.h"
#include "installed_scenes.h"
#include "json_report.h"
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
    Draft draft;
    Schedule schedule;
    double duration; /* s, of the whole scene */
    Forecast forecast;
    int probe_steps;
    dlp_WorldStats stats; /* after the probe */
    double probe_speed;   /* m/s, maximum of the probe */
    double particles_end; /* estimate for the last frame */
    double memory_end;    /* bytes, estimate at the end */
    double frame_seconds, total_seconds;
    ExpectedSpeed speed;
    double safe_step;     /* s */
    int64_t substeps;     /* most of them in a step of the probe */
    double expected_step; /* s, usual length of a step */
} Check;

enum { PROBE_STEPS_MIN = 3 };
#define PROBE_SECONDS     1.5 /* long enough to measure, short enough to wait for */
#define REHEARSAL_SECONDS 4.0 /* the same for the course of the whole scene at a coarser spacing */

static void log_warning(void *user, dlp_LogLevel level, const char *text)
{
    (void)user;
    if (level == DLP_LOG_WARNING) {
        message_warning("%s", text);
    }
}

static ExitCode build(Check *check, const CheckOptions *options)
{
    const dlp_Hooks hooks = {.log = log_warning};
    ExitCode code = scene_open(check->scene_path, &options->scene, &hooks, &check->scene);
    if (code == EXIT_DONE) {
        code = draft_apply(options->scene.draft, check->scene, &check->draft);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    check->schedule = schedule_of(dlp_scene_run(check->scene));
    check->duration = schedule_frame_time(&check->schedule, check->schedule.last_frame);
    return scene_build(check->scene, &check->world);
}

/* Take steps for `seconds` and measure them. */
static ExitCode probe(Check *check, double seconds)
{
    const double start = clock_seconds();
    for (int i = 0; !schedule_is_done(&check->schedule, check->world); i++) {
        const double step_start = clock_seconds();
        if (i >= PROBE_STEPS_MIN && step_start - start > seconds) {
            break;
        }
        const dlp_Result result = schedule_step(&check->schedule, check->world);
        if (result != DLP_OK) {
            message_error("after %d steps: %s", check->probe_steps, dlp_world_error(check->world));
            return scene_step_exit_code(result);
        }
        forecast_add_step(&check->forecast, check->world, clock_seconds() - step_start);
        dlp_world_stats(check->world, &check->stats);
        check->probe_speed = fmax(check->probe_speed, check->stats.speed_max);
        check->substeps = check->stats.substeps > check->substeps ? check->stats.substeps : check->substeps;
        ++check->probe_steps;
    }
    return EXIT_DONE;
}

/* Measure the first steps, then the whole scene at coarser spacings, or all of it if it is that short. */
static ExitCode measure(Check *check)
{
    dlp_world_stats(check->world, &check->stats);
    check->probe_speed = check->stats.speed_max;
    forecast_begin(&check->forecast, &check->schedule, check->world);
    const double start = clock_seconds();
    const ExitCode code = probe(check, PROBE_SECONDS);
    if (code != EXIT_DONE || schedule_is_done(&check->schedule, check->world)) {
        return code;
    }
    const bool can_finish = forecast_rehearse(&check->forecast, check->scene, REHEARSAL_SECONDS);
    const double left = PROBE_SECONDS + REHEARSAL_SECONDS - (clock_seconds() - start);
    return can_finish && left > 0 ? probe(check, left) : EXIT_DONE;
}

static void predict(Check *check)
{
    const double end = fmax(check->duration, check->stats.time);
    const Outlook outlook = forecast_outlook(&check->forecast);
    const double steps = (double)check->stats.step + outlook.steps;
    check->speed = expected_speed(check->world, check->probe_speed, check->duration);
    check->safe_step = safe_time_step(&check->speed, dlp_world_def(check->world).spacing);
    if (!check->schedule.automatic && check->substeps > 1) {
        check->safe_step = fmin(check->safe_step, check->schedule.time_step / (double)check->substeps);
    }
    check->expected_step = check->schedule.time_step;
    if (check->schedule.automatic) {
        check->expected_step = steps > 0 ? end / steps : 1 / check->schedule.frame_rate;
    }
    check->particles_end = outlook.seconds > 0 ? outlook.particles_end : (double)check->stats.particles;
    check->memory_end = (double)check->stats.memory_peak;
    if (check->stats.particles > 0) {
        check->memory_end *= fmax(1, check->particles_end / (double)check->stats.particles);
    }
    check->total_seconds = trace_seconds(&check->forecast.real) + outlook.seconds;
    check->frame_seconds = check->total_seconds / fmax(1, (double)check->schedule.last_frame);
}

static void warn(const Check *check)
{
    warn_of_long_step(check->world, &check->speed, check->schedule.time_step);
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

/* What a material amounts to; false if the method does not know. */
static bool deliver(dlp_World *world, int m, dlp_MaterialDef *def, dlp_DeliveredMaterial *delivered)
{
    return dlp_world_get_material(world, m, def) == DLP_OK &&
           dlp_world_deliver_material(world, m, delivered) == DLP_OK && isfinite(delivered->modulus);
}

static void print_materials(dlp_World *world)
{
    for (int m = 0; m < dlp_world_material_count(world); m++) {
        dlp_DeliveredMaterial delivered;
        dlp_MaterialDef def;
        if (deliver(world, m, &def, &delivered)) {
            printf("  material     %s has a modulus of %.3g Pa and a viscosity of %.3g Pa s (%s)\n",
                   printable(def.name).text, delivered.modulus, delivered.viscosity, delivered.note);
        }
    }
}

/* An estimate if steps are automatic. */
static int64_t steps_per_frame(const Check *check)
{
    const double frame = 1 / check->schedule.frame_rate;
    return check->schedule.automatic ? (int64_t)fmax(1, ceil(fmin(frame / check->expected_step, 1e9) * (1 - 1e-9)))
                                     : check->schedule.steps_per_frame;
}

/* What the estimate of the run time is based on. */
static void print_measured(const Check *check)
{
    const Forecast *forecast = &check->forecast;
    if (schedule_is_done(&check->schedule, check->world)) {
        printf("               (measured: all %d steps", check->probe_steps);
    } else {
        printf("               (measured: the first %d steps", check->probe_steps);
    }
    for (int i = 0; i < forecast->rehearsal_count; i++) {
        const StepTrace *rehearsal = &forecast->rehearsals[i];
        printf("%s %.0f %% of the scene at %.2g times the spacing", i + 1 < forecast->rehearsal_count ? "," : " and",
               100 * rehearsal->time / rehearsal->end, rehearsal->factor);
    }
    printf("; %d thread%s, %d lanes)\n", check->stats.threads, check->stats.threads == 1 ? "" : "s", check->stats.simd);
}

static void print_text(const Check *check)
{
    const dlp_WorldDef world = dlp_world_def(check->world);
    draft_print(&check->draft);
    printf("%s is valid\n\n", printable(check->scene_path).text);
    printf("  method       %s, spacing %.4g m\n", world.method, world.spacing);
    print_contents(check->world);
    print_materials(check->world);
    printf("  frames       %" PRId64 " (%.4g s), %s%" PRId64 " steps per frame\n", check->schedule.last_frame,
           check->duration, check->schedule.automatic ? "about " : "", steps_per_frame(check));
    printf("  particles    %s", human_count(check->stats.particles).text);
    if (check->particles_end > 1.01 * (double)check->stats.particles) {
        printf(" now, about %s at the end", human_count((int64_t)check->particles_end).text);
    }
    printf("\n  memory       %s", human_bytes((double)check->stats.memory_peak).text);
    if (check->memory_end > 1.01 * (double)check->stats.memory_peak) {
        printf(" now, about %s at the end", human_bytes(check->memory_end).text);
    }
    printf("\n  time         about %s per frame", human_duration(check->frame_seconds).text);
    printf(", %s in total, without writing files\n", human_duration(check->total_seconds).text);
    print_measured(check);
    if (check->schedule.automatic) {
        printf("  time step    automatic, about %s; %s at the maximum speed of %.3g m/s (%s)\n",
               human_seconds(check->expected_step).text,
               isinf(check->safe_step) ? "any" : human_seconds(check->safe_step).text, check->speed.maximum,
               check->speed.cause);
        return;
    }
    printf("  time step    %s", human_seconds(check->schedule.time_step).text);
    if (check->substeps > 1) {
        printf(", split into %" PRId64 " substeps", check->substeps);
    }
    printf("; safe up to %s (max speed %.3g m/s: %s)\n",
           isinf(check->safe_step) ? "any" : human_seconds(check->safe_step).text, check->speed.maximum,
           check->speed.cause);
}

/* "rehearsals": [{"factor": 2.5, "fraction": 1}] */
static void print_json_rehearsals(Json *json, const Forecast *forecast)
{
    json_key(json, "rehearsals");
    fputc('[', json->file);
    for (int i = 0; i < forecast->rehearsal_count; i++) {
        const StepTrace *rehearsal = &forecast->rehearsals[i];
        fprintf(json->file, "%s{\"factor\": %.4g, \"fraction\": %.4g}", i > 0 ? ", " : "", rehearsal->factor,
                fmin(rehearsal->time / rehearsal->end, 1));
    }
    fputc(']', json->file);
}

/* "materials": [{"name": "jelly", "modulus": 1000, "viscosity": 0.5}] */
static void print_json_materials(Json *json, dlp_World *world)
{
    const char *separator = "";
    json_key(json, "materials");
    fputc('[', json->file);
    for (int m = 0; m < dlp_world_material_count(world); m++) {
        dlp_DeliveredMaterial delivered;
        dlp_MaterialDef def;
        if (deliver(world, m, &def, &delivered)) {
            fprintf(json->file, "%s{\"name\": ", separator);
            json_write_string(json->file, def.name);
            fprintf(json->file, ", \"modulus\": %.6g, \"viscosity\": %.6g}", delivered.modulus, delivered.viscosity);
            separator = ", ";
        }
    }
    fputc(']', json->file);
}

static void print_json(const Check *check)
{
    const dlp_WorldDef world = dlp_world_def(check->world);
    Json json = json_begin(stdout);
    json_bool(&json, "valid", true);
    json_text(&json, "scene", check->scene_path);
    json_hash(&json, "scene_hash", dlp_scene_hash(check->scene));
    json_text(&json, "method", world.method);
    json_real(&json, "spacing", world.spacing);
    if (check->draft.factor > 0) {
        json_real(&json, "draft", check->draft.factor);
    }
    print_json_materials(&json, check->world);
    json_integer(&json, "frames", check->schedule.last_frame);
    json_integer(&json, "steps_per_frame", steps_per_frame(check));
    json_integer(&json, "particles", check->stats.particles);
    json_real(&json, "particles_end", check->particles_end);
    json_integer(&json, "memory", check->stats.memory_peak);
    json_real(&json, "memory_end", check->memory_end);
    json_real(&json, "seconds_per_frame", check->frame_seconds);
    json_real(&json, "seconds", check->total_seconds);
    json_integer(&json, "measured_steps", check->probe_steps);
    print_json_rehearsals(&json, &check->forecast);
    json_bool(&json, "automatic_steps", check->schedule.automatic);
    json_real(&json, "time_step", check->expected_step);
    json_real(&json, "safe_time_step", check->safe_step);
    json_real(&json, "expected_speed", check->speed.maximum);
    json_text(&json, "expected_speed_cause", check->speed.cause);
    json_integer(&json, "threads", check->stats.threads);
    json_integer(&json, "simd", check->stats.simd);
    json_report_members(&json, EXIT_DONE);
    json_end(&json);
}

static void print_json_error(const Check *check, ExitCode code)
{
    Json json = json_begin(stdout);
    json_bool(&json, "valid", false);
    json_text(&json, "scene", check->scene_path);
    json_report_members(&json, code);
    json_end(&json);
}

static ExitCode check_scene(const char *const *operands, int count, const void *given)
{
    const CheckOptions *options = given;
    Check check = {.scene_path = installed_scene_find(operands[0])};
    (void)count;
    ExitCode code = build(&check, options);
    if (code == EXIT_DONE) {
        code = measure(&check);
    }
    if (code == EXIT_DONE) {
        predict(&check);
        warn(&check);
        if (options->json) {
            print_json(&check);
        } else {
            print_text(&check);
        }
    } else if (options->json) {
        print_json_error(&check, code);
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
        "Builds the scene, takes its first steps, and rehearses all of it at coarser spacings for a few seconds; no file is "
        "written. The rehearsals show how the number of particles, the length of automatic steps and the iterations of the "
        "solver develop, the first steps what they cost; the predicted run time is usually right within a factor of 2 on an "
        "otherwise idle machine. With the safe time step no particle moves "
        "more than 0.4 spacings per step at the expected maximum speed, which is estimated from the first steps, the speeds of "
        "emitters and solids, and a fall from the highest fluid to the lowest floor. Automatic steps (run.time_step: auto) are "
        "chosen that short when the flow is that fast.",
    .examples = check_examples,
    .options = check_options,
    .option_count = OPTION_COUNT(check_options),
    .least_operands = 1,
    .most_operands = 1,
    .options_size = sizeof(CheckOptions),
    .run = check_scene,
};
