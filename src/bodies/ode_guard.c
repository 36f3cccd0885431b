/* ODE keeps its user count, random numbers, message handlers and, in some builds, scratch memory in globals, and
 * reports a failed assertion by ending the process. */
#include "bodies/ode_guard.h"

#include "base/parallel.h"

#include <ode/ode.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

/* Where to jump when an ODE assertion fails, and its message. Thread-local, because a host may use ODE in another
 * thread. */
typedef struct Trap {
    jmp_buf jump;
    char text[256];
} Trap;
static _Thread_local Trap *trap;

static void ignore_message(int number, const char *format, va_list arguments)
{
    (void)number;
    (void)format;
    (void)arguments;
}

/* ODE expects this not to return. In a thread that is not ours it returns to ODE, which then ends the process as
 * usual. */
static void catch_failure(int number, const char *format, va_list arguments)
{
    (void)number;
    if (trap != NULL) {
        vsnprintf(trap->text, sizeof trap->text, format, arguments);
        longjmp(trap->jump, 1);
    }
}

typedef struct Handlers {
    dMessageFunction *error, *debug, *message;
} Handlers;

static Handlers handlers_now(void)
{
    return (Handlers){dGetErrorHandler(), dGetDebugHandler(), dGetMessageHandler()};
}

static void set_handlers(const Handlers *handlers)
{
    dSetErrorHandler(handlers->error);
    dSetDebugHandler(handlers->debug);
    dSetMessageHandler(handlers->message);
}

dlp_Result dlp__ode_open(dlp_Error *error)
{
    dlp__process_lock();
    bool open = dInitODE2(0) != 0;
    dlp__process_unlock();
    return open ? DLP_OK : dlp__fail(error, DLP_ERROR_MEMORY, "no memory for rigid bodies: ODE cannot be started");
}

void dlp__ode_close(void)
{
    dlp__process_lock();
    dCloseODE();
    dlp__process_unlock();
}

/* A separate function, so that no local variable lives across setjmp. */
static dlp_Result run_trapped(dlp__OdeWork work, void *context, bool *broken, dlp_Error *error)
{
    if (setjmp(trap->jump) != 0) {
        *broken = true;
        return dlp__fail(
            error, DLP_ERROR_NOT_FINITE,
            "the rigid bodies cannot continue, ODE failed: %s. Use a shorter time step, or look for bodies that "
            "are squeezed or differ greatly in mass",
            trap->text);
    }
    return work(context, error);
}

dlp_Result dlp__ode_run(dlp__OdeWork work, void *context, bool *broken, dlp_Error *error)
{
    if (*broken) {
        return dlp__fail(error, DLP_ERROR_NOT_FINITE,
                         "the rigid bodies failed in an earlier call: reload the last checkpoint");
    }
    Trap own;
    const Handlers handlers = {catch_failure, catch_failure, ignore_message};
    dlp__process_lock();
    const Handlers before = handlers_now();
    set_handlers(&handlers);
    trap = &own;
    dlp_Result result = DLP_ERROR_MEMORY;
    if (dAllocateODEDataForThread(dAllocateMaskAll) != 0) {
        result = run_trapped(work, context, broken, error);
    } else {
        dlp__fail(error, result, "no memory for rigid bodies: ODE needs some for each thread");
    }
    trap = NULL;
    set_handlers(&before);
    dlp__process_unlock();
    return result;
}
