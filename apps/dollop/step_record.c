#include "step_record.h"

#include "apps/shared/human.h"

#include <math.h>

void step_record_add(StepRecord *record, const dlp_World *world)
{
    const double length = dlp_world_step_length(world);
    record->shortest = record->count > 0 ? fmin(record->shortest, length) : length;
    record->longest = fmax(record->longest, length);
    record->count++;
    record->limited[dlp_world_step_limit(world)]++;
}

/* The limit of most steps that has not been printed yet; DLP_LIMIT_COUNT if there is none. */
static int next_limit(const StepRecord *record, const bool printed[DLP_LIMIT_COUNT])
{
    int next = DLP_LIMIT_COUNT;
    for (int i = DLP_LIMIT_NONE + 1; i < DLP_LIMIT_COUNT; i++) {
        if (!printed[i] && record->limited[i] > 0 &&
            (next == DLP_LIMIT_COUNT || record->limited[i] > record->limited[next])) {
            next = i;
        }
    }
    return next;
}

void step_record_print(const StepRecord *record, FILE *file)
{
    bool printed[DLP_LIMIT_COUNT] = {false};
    const char *before = "; limited by";
    if (record->count == 0) {
        return;
    }
    fprintf(file, "steps: %s, %s", human_count(record->count).text, human_seconds(record->shortest).text);
    if (record->longest > 1.001 * record->shortest) {
        fprintf(file, " to %s", human_seconds(record->longest).text);
    }
    for (int i = next_limit(record, printed); i < DLP_LIMIT_COUNT; i = next_limit(record, printed)) {
        const double part = 100.0 * (double)record->limited[i] / (double)record->count;
        fprintf(file, "%s %s %.*f %%", before, dlp_step_limit_name((dlp_StepLimit)i), part < 0.95 ? 1 : 0, part);
        before = ",";
        printed[i] = true;
    }
}

void step_record_json(const StepRecord *record, Json *json)
{
    json_integer(json, "steps", record->count);
    json_real(json, "step_shortest", record->shortest);
    json_real(json, "step_longest", record->longest);
    json_key(json, "limited_by");
    Json limits = json_begin(json->file);
    for (int i = 0; i < DLP_LIMIT_COUNT; i++) {
        if (record->limited[i] > 0) {
            json_integer(&limits, dlp_step_limit_name((dlp_StepLimit)i), record->limited[i]);
        }
    }
    fputc('}', json->file);
}
