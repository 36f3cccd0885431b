/* What the first rank tells the process that started mpirun, in shared memory, because mpirun adds lines of its own to every exit code
 * but 0, and a rank that is killed says nothing. Without such a process the functions pass on what they are given. */
#ifndef DOLLOP_RANK_REPORT_H
#define DOLLOP_RANK_REPORT_H

#include "apps/shared/exit_codes.h"

#include <stdint.h>

typedef struct RankReport {
    int64_t step; /* that was done last; -1: none */
    int64_t code; /* with which all ranks ended; -1: they have not */
} RankReport;

/* In the process that starts mpirun: the environment of its children names the report. Null without shared memory. */
const RankReport *rank_report_create(void);
void rank_report_remove(void);

/* On the ranks. rank_report_end() returns the code for mpirun. */
void rank_report_step(int64_t step);
ExitCode rank_report_end(bool is_first, ExitCode code);

#endif
