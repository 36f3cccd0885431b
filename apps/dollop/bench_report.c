/* Prints figures of the benchmark, one line or one JSON object each. */
#include "bench_report.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "json_out.h"

#include <dollop/dollop.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

ExitCode bench_complete_options(BenchOptions *options)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_WorldStats stats;
    dlp_Error error = {0};
    def.simd = options->lanes;
    def.threads = options->threads;
    dlp_Result result = dlp_world_create(&def, &world, &error);
    if (result == DLP_OK) {
        result = dlp_world_stats(world, &stats);
    }
    if (result == DLP_OK) {
        options->lanes = stats.simd;
        options->threads = stats.threads;
    }
    dlp_world_destroy(world);
    return result == DLP_OK ? EXIT_DONE : bench_failed(result, error.text);
}

bool bench_measures_lanes(const BenchOptions *options, int64_t lanes)
{
    return options->compare ? lanes <= options->lanes : lanes == options->lanes;
}

/* The name of the processor as Linux reports it, or an empty text. */
static void find_processor(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    name[0] = 0;
    while (file && !name[0] && fgets(line, sizeof line, file)) {
        const char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (value) {
            snprintf(name, size, "%s", value + 1 + strspn(value + 1, " "));
            name[strcspn(name, "\n")] = 0;
        }
    }
    if (file) {
        fclose(file);
    }
}

static void print_machine(const BenchOptions *options, FILE *file)
{
    char processor[128], date[32];
    const time_t now = time(NULL);
    struct tm utc;
    find_processor(processor, sizeof processor);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    Json json = json_begin(file);
    json_text(&json, "case", "run");
    json_text(&json, "version", dlp_version());
    json_text(&json, "compiler", __VERSION__);
    json_text(&json, "processor", processor[0] ? processor : NULL);
    json_integer(&json, "processors", sysconf(_SC_NPROCESSORS_ONLN));
    json_integer(&json, "threads", options->threads);
    json_integer(&json, "simd", options->lanes);
    json_bool(&json, "quick", options->quick);
    json_text(&json, "date", date);
    json_end(&json);
}

void bench_print_machine(const BenchOptions *options)
{
    if (options->json) {
        print_machine(options, stdout);
    }
    if (options->record) {
        print_machine(options, options->record);
    }
}

void bench_print_head(const BenchOptions *options, const char *bench, int64_t particles)
{
    if (!options->json) {
        bench_progress_clear(options->progress);
        printf("%s: %s particles\n", bench, human_count(particles).text);
    }
}

static void positive(Json *json, const char *key, double value)
{
    json_real(json, key, value > 0 ? value : NAN);
}

static void print_object(FILE *file, const BenchRow *row)
{
    Json json = json_begin(file);
    json_text(&json, "case", row->bench);
    json_text(&json, "name", row->name);
    json_integer(&json, "particles", row->particles);
    json_integer(&json, "threads", row->threads);
    json_integer(&json, "simd", row->simd);
    positive(&json, "seconds", row->seconds);
    json_real(&json, "rate", row->rate);
    json_text(&json, "unit", row->unit);
    positive(&json, "over_one_lane", row->over_one_lane);
    positive(&json, "over_one_thread", row->over_one_thread);
    if (row->calls > 0) {
        json_real(&json, "calls_per_step", row->calls);
        json_real(&json, "of_step", row->of_step);
        positive(&json, "bytes_per_particle", row->bytes);
        positive(&json, "flops_per_particle", row->flops);
        positive(&json, "of_bandwidth", row->of_bandwidth);
        positive(&json, "of_flops", row->of_flops);
    }
    json_end(&json);
}

/* A stage: time per particle and call, share of the step, work and what limits it. */
static void print_stage(const BenchRow *row)
{
    printf("  %-30s %6.3g x %7.3g ns  %5.1f %%", row->name, row->calls, 1e9 * row->seconds / (double)row->particles,
           100 * row->of_step);
    if (row->bytes > 0) {
        printf("  %6.0f B  %3.0f %%", row->bytes, 100 * row->of_bandwidth);
    } else {
        printf("  %8s  %5s", "", "");
    }
    if (row->flops > 0) {
        printf("  %6.0f flop", row->flops);
        if (row->of_flops > 0) {
            printf("  %3.0f %%", 100 * row->of_flops);
        }
    }
    fputc('\n', stdout);
}

static void print_figure(const BenchRow *row)
{
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
}

void bench_print_row(const BenchOptions *options, const BenchRow *row)
{
    bench_progress_clear(options->progress);
    if (options->record) {
        print_object(options->record, row);
    }
    if (options->json) {
        print_object(stdout, row);
    } else if (row->calls > 0) {
        print_stage(row);
    } else {
        print_figure(row);
    }
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
