/* Commands over several processes: all make the same calls in the same order; the first one leads. */
#ifndef DOLLOP_COMMAND_RANKS_H
#define DOLLOP_COMMAND_RANKS_H

#include "apps/shared/exit_codes.h"

#include <dollop/ranks.h>

/* Run so many ranks of the command line of this process under mpirun. A signal to stop is passed on to them. `advice`: what
 * to do if one of them is killed. */
ExitCode ranks_start_mpirun(int64_t count, const char *advice);

/* The ranks that mpirun started; null without it. What all but the first print is discarded, except errors of single ranks. */
ExitCode ranks_join(dlp_Ranks **ranks);

/* From here on this rank prints its own errors, too, because they may differ from those of the first. */
void ranks_print_errors(void);

/* After each step of a run. */
void ranks_note_step(dlp_Ranks *ranks, int64_t step);

/* At the end of a command that joined them; returns the exit code of this process. */
ExitCode ranks_leave(dlp_Ranks *ranks, ExitCode code);

/* The worst of the codes of all ranks. */
ExitCode ranks_agree(dlp_Ranks *ranks, ExitCode code);

#endif
