/* dollop info: verifies the checksum of frames and checkpoints and prints a summary. */
#include "apps/shared/folder_files.h"
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/run_folder.h"
#include "json_report.h"
#include "subcommands.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct InfoOptions {
    bool json;
} InfoOptions;

static const char *kind_name(dlp_FileKind kind)
{
    return kind == DLP_FILE_CHECKPOINT ? "checkpoint" : "frame";
}

static void print_text(const char *path, const dlp_FileInfo *info)
{
    printf("%s: %s, intact\n\n", printable(path).text, kind_name(info->kind));
    printf("  written by   dollop %s, method %s\n", printable(info->version).text, printable(info->method).text);
    printf("  size         %s\n", human_bytes((double)info->bytes).text);
    printf("  time         %.6g s, step %" PRId64 "\n", info->time, info->step);
    printf("  particles    %s, spacing %.4g m\n", human_count(info->particles).text, info->spacing);
    if (info->particles > 0) {
        printf("  box          (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m\n", info->lower.x, info->lower.y,
               info->lower.z, info->upper.x, info->upper.y, info->upper.z);
    }
    printf("  fields       ");
    human_wrap(stdout, printable(info->fields).text, 15, 15, human_columns(1));
}

static void print_json(const char *path, const dlp_FileInfo *info)
{
    Json json = json_begin(stdout);
    json_text(&json, "file", path);
    json_text(&json, "kind", kind_name(info->kind));
    json_text(&json, "version", info->version);
    json_text(&json, "method", info->method);
    json_integer(&json, "bytes", info->bytes);
    json_real(&json, "time", info->time);
    json_integer(&json, "step", info->step);
    json_integer(&json, "particles", info->particles);
    json_real(&json, "spacing", info->spacing);
    json_vec3(&json, "lower", info->lower);
    json_vec3(&json, "upper", info->upper);
    json_text(&json, "fields", info->fields);
    json_end(&json);
}

static void print_json_error(const InfoOptions *options, const char *path, ExitCode code)
{
    if (options->json) {
        Json json = json_begin(stdout);
        json_text(&json, "file", path);
        json_report_members(&json, code);
        json_end(&json);
    }
}

static ExitCode show_info(const char *const *operands, int count, const void *given)
{
    const InfoOptions *options = given;
    ExitCode worst = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        FolderPath path;
        struct stat status;
        dlp_FileInfo info;
        dlp_Error error = {0};
        const bool folder = stat(operands[i], &status) == 0 && S_ISDIR(status.st_mode);
        snprintf(path.text, sizeof path.text, "%s%s", operands[i], folder ? "/" CHECKPOINT_FILE : "");
        ExitCode code = folder ? file_check(path.text) : EXIT_DONE;
        if (code == EXIT_DONE && (code = exit_code_of(dlp_file_info(path.text, &info, &error))) != EXIT_DONE) {
            message_error("%s", error.text);
        }
        if (code != EXIT_DONE) {
            worst = code;
            print_json_error(options, path.text, worst);
        } else if (options->json) {
            print_json(path.text, &info);
        } else {
            print_text(path.text, &info);
        }
    }
    return worst;
}

static const Option info_options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(InfoOptions, json),
     .group = "Messages",
     .help = "print one JSON object per file instead of text"},
};

static const Example info_examples[] = {
    {"dollop info out/honey", "time and step of the latest checkpoint of a run"},
    {"dollop info out/honey/frame_*.vtkhdf --json",
     "time and number of particles of all frames; detects damaged files"},
    {NULL, NULL},
};

const Command info_command = {
    .name = "info",
    .operands = "FILE...",
    .summary = "show the contents of frames and checkpoints, and detect damage",
    .description = "For a folder, shows the checkpoint in it. The checksum of each file is verified first.",
    .examples = info_examples,
    .options = info_options,
    .option_count = OPTION_COUNT(info_options),
    .least_operands = 1,
    .most_operands = 1000000,
    .options_size = sizeof(InfoOptions),
    .run = show_info,
};
