/* The only door to ODE: one thread of the process at a time, its messages kept quiet, its failed assertions caught. */
#ifndef DLP_BODIES_ODE_GUARD_H
#define DLP_BODIES_ODE_GUARD_H

#include "base/error.h"

/* Count one more user of ODE, and one less. */
dlp_Result dlp__ode_open(dlp_Error *error);
void dlp__ode_close(void);

/* Run `work`, which may call ODE and which says what it came to. If ODE gives up in the middle, the result is
 * DLP_ERROR_NOT_FINITE, `*broken` is set, and what was being worked on must not be given to ODE again. */
typedef dlp_Result (*dlp__OdeWork)(void *context, dlp_Error *error);
dlp_Result dlp__ode_run(dlp__OdeWork work, void *context, bool *broken, dlp_Error *error);

#endif
