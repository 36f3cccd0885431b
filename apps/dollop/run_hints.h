/* How to continue a run: printed at its end, and by the signal handler. */
#ifndef DOLLOP_RUN_HINTS_H
#define DOLLOP_RUN_HINTS_H

#include "run_state.h"

/* The command line that resumes this run. */
void format_resume_command(const Run *run, char *line, size_t size);
void print_resume_hint(const Run *run);

/* What is printed if a signal has to end the process in the middle of a step, or before the first (no `checkpoint`). */
void make_report(const Run *run, const Checkpoint *checkpoint, SignalReport *report);
void set_report(const Run *run, const SignalReport *report);
void prepare_report(const Run *run, const Checkpoint *checkpoint); /* both */

#endif
