/* The work of a stage, from its descriptor: a lower bound of the memory traffic, and the pairs that it visits. */
#ifndef DLP_STAGES_STAGE_WORK_H
#define DLP_STAGES_STAGE_WORK_H

#include "stages/stage.h"

/* Bytes moved to pack the rows that a stage gathers, in one call over all parts. */
int64_t dlp__stage_packed_bytes(const dlp__Domains *domains, const dlp__Stage *stage, int rows);

/* Add the work of one call over all parts. `rows` is the number of rows that the stage gathers. */
void dlp__stage_add_work(const dlp__Domains *domains, const dlp__Stage *stage, int rows, dlp__StageProfile *work);

#endif
