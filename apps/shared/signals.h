/* Ctrl-C and its kin: the first asks the run to stop after the current step, the second ends the process at once. */
#ifndef DOLLOP_SIGNALS_H
#define DOLLOP_SIGNALS_H

#include <stdbool.h>

/* `notice` is written to standard error when the first signal comes; null says nothing. It must stay alive. */
void signals_install(const char *notice);
bool signals_stop_asked(void);

#endif
