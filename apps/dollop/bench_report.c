/* Prints figures of the benchmark, one line or one JSON object each. */
#include "bench_report.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "json_out.h"

#include <dollop/dollop.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

int64_t bench_thread_count(const BenchOptions *options)
{
    const dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_WorldStats stats = {.threads = 1};
    if (!options->threads && dlp_world_create(&def, &world, NULL) == DLP_OK) {
        dlp_world_stats(world, &stats);
    }
    dlp_world_destroy(world);
    return options->threads ? options->threads : stats.threads;
}

bool bench_measures_lanes(const BenchOptions *options, int64_t lanes)
{
    return options->lanes == 0 || options->lanes == lanes;
}

ExitCode bench_check_lanes(const BenchOptions *options)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_Error error = {0};
    def.simd = options->lanes;
    const dlp_Result result = dlp_world_create(&def, &world, &error);
    dlp_world_destroy(world);
    return result == DLP_OK ? EXIT_DONE : bench_failed(result, error.text);
}

void bench_print_head(const BenchOptions *options, const char *bench, int64_t particles)
{
    if (!options->json) {
        printf("%s: %s particles\n", bench, human_count(particles).text);
    }
}

static double positive_or_nan(double value)
{
    return value > 0 ? value : NAN;
}

static void print_object(const BenchRow *row)
{
    Json json = json_begin(stdout);
    json_text(&json, "case", row->bench);
    json_text(&json, "name", row->name);
    json_integer(&json, "particles", row->particles);
    json_integer(&json, "threads", row->threads);
    json_integer(&json, "simd", row->simd);
    json_real(&json, "seconds", positive_or_nan(row->seconds));
    json_real(&json, "rate", row->rate);
    json_text(&json, "unit", row->unit);
    json_real(&json, "over_one_lane", positive_or_nan(row->over_one_lane));
    json_real(&json, "over_one_thread", positive_or_nan(row->over_one_thread));
    json_end(&json);
}

void bench_print_row(const BenchOptions *options, const BenchRow *row)
{
    if (options->json) {
        print_object(row);
        return;
    }
    printf("  %-20s %2" PRId64 " thread%s", row->name, row->threads, row->threads == 1 ? " " : "s");
    if (row->simd > 0) {
        printf("  %2" PRId64 " lane%s", row->simd, row->simd == 1 ? " " : "s");
    } else {
        printf("  %8s", "");
    }
    printf("  %9s", row->seconds > 0 ? human_seconds(row->seconds).text : "");
    printf("  %9s %s", human_rate(row->rate).text, row->unit);
    if (row->over_one_lane > 0 && row->simd > 1) {
        printf("  %.2f x 1 lane", row->over_one_lane);
    }
    if (row->over_one_thread > 0 && row->threads > 1) {
        printf("  %.2f x 1 thread", row->over_one_thread);
    }
    fputc('\n', stdout);
    fflush(stdout);
}

ExitCode bench_failed(dlp_Result result, const char *text)
{
    message_error("%s", text);
    return exit_code_of(result);
}

double bench_ratio(double before, double now)
{
    return before > 0 && now > 0 ? before / now : 0;
}
