/* Debug builds run every stage behind a guard that enforces its description. The stage gets a copy of the store in which
 *
 *   - fields that it did not declare have no arrays: accessing one crashes at that line;
 *   - particles other than those it was called for are NaN, so that reading a neighbour other than through rows is detected;
 *   - fields that it declared as read only, and pair data, are compared afterwards: a change fails the step with the names of
 *     the stage and the field.
 *
 * Chunks run one after the other. The thread sanitizer needs them in parallel, so there the guard is off. */
#ifndef DLP_STAGES_STAGE_GUARD_H
#define DLP_STAGES_STAGE_GUARD_H

#include "stages/stage_runner.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DLP_THREAD_SANITIZER
#endif
#endif

#if defined(NDEBUG) || defined(DLP_THREAD_SANITIZER) || defined(__SANITIZE_THREAD__)
#define DLP_STAGE_GUARD false
#else
#define DLP_STAGE_GUARD true
#endif

typedef struct dlp__StageCall {
    const dlp__Stage *stage;
    dlp__StageContext context;
} dlp__StageCall;

/* Run a stage on all particles of one part. A violation fails the step. */
void dlp__stage_guard(dlp__Domains *domains, dlp__Domain *domain, const dlp__StageCall *call);

#endif
