/* The guard around ODE: a failed assertion must not end the process, and the host's own handlers are restored. */
#include "bodies/ode_guard.h"

#include <ode/ode.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static int host_calls;

static void host_handler(int number, const char *format, va_list arguments)
{
    (void)number;
    (void)format;
    (void)arguments;
    host_calls++;
}

static dlp_Result fine(void *context, dlp_Error *error)
{
    (void)error;
    dMessage(1, "nobody hears this");
    *(int *)context = 1;
    return DLP_OK;
}

static dlp_Result failing(void *context, dlp_Error *error)
{
    (void)error;
    dDebug(2, "assertion \"%s\" failed", (const char *)context);
}

static void a_failed_assertion_is_returned_as_an_error(void **state)
{
    (void)state;
    dlp_Error error = {0};
    bool broken = false;
    int done = 0;
    char words[] = "length > 0";
    assert_int_equal(dlp__ode_open(&error), DLP_OK);
    dSetMessageHandler(host_handler);
    assert_int_equal(dlp__ode_run(fine, &done, &broken, &error), DLP_OK);
    assert_true(done == 1 && !broken);
    assert_int_equal(dlp__ode_run(failing, words, &broken, &error), DLP_ERROR_NOT_FINITE);
    assert_true(broken);
    assert_non_null(strstr(error.text, "length > 0"));
    assert_int_equal(dlp__ode_run(fine, &done, &broken, &error), DLP_ERROR_NOT_FINITE); /* rejected after a failure */
    broken = false;
    assert_int_equal(dlp__ode_run(fine, &done, &broken, &error), DLP_OK); /* others continue */
    assert_int_equal(host_calls, 0);
    dMessage(1, "the host hears this");
    assert_int_equal(host_calls, 1);
    assert_true(dGetDebugHandler() == NULL && dGetErrorHandler() == NULL);
    dSetMessageHandler(NULL);
    dlp__ode_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failed_assertion_is_returned_as_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
