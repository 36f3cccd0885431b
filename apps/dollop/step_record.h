/* A record of the steps of a run: how long they were and what limited them. */
#ifndef DOLLOP_STEP_RECORD_H
#define DOLLOP_STEP_RECORD_H

#include "json_out.h"

#include <dollop/world.h>

typedef struct StepRecord {
    int64_t count;
    double shortest, longest; /* s */
    int64_t limited[DLP_LIMIT_COUNT];
} StepRecord;

/* Add the last step of the world. */
void step_record_add(StepRecord *record, const dlp_World *world);

/* "steps: 1,204, 0.8 ms to 4.2 ms; limited by speed 71 %, frame times 29 %", without a newline; nothing before the first step. */
void step_record_print(const StepRecord *record, FILE *file);

/* The members steps, step_shortest, step_longest and limited_by, an object with the number of steps by limit. */
void step_record_json(const StepRecord *record, Json *json);

#endif
