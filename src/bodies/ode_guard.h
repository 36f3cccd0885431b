/* All calls to ODE go through here: one thread of the process at a time, its messages suppressed, its failed
 * assertions caught. */
#ifndef DLP_BODIES_ODE_GUARD_H
#define DLP_BODIES_ODE_GUARD_H

#include "base/error.h"

/* Increment and decrement the number of users of ODE. */
dlp_Result dlp__ode_open(dlp_Error *error);
void dlp__ode_close(void);

/* Run `work`, which may call ODE, and return its result. If an ODE assertion fails, the result is
 * DLP_ERROR_NOT_FINITE, `*broken` is set, and the ODE objects involved must not be used again. */
typedef dlp_Result (*dlp__OdeWork)(void *context, dlp_Error *error);
dlp_Result dlp__ode_run(dlp__OdeWork work, void *context, bool *broken, dlp_Error *error);

#endif
