#include "support/null_calls.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    char call[256]; /* the present one */
    int count, failures;
} calls;

static void print_call(int number)
{
    (void)!write(STDERR_FILENO, calls.call, strlen(calls.call));
    signal(number, SIG_DFL);
    raise(number);
}

void null_calls_prepare(void)
{
    signal(SIGSEGV, print_call);
    signal(SIGABRT, print_call);
    signal(SIGFPE, print_call);
}

void null_calls_begin(const char *function, const char *nulls)
{
    calls.count++;
    snprintf(calls.call, sizeof calls.call, "crashed: %s() with null: %s\n", function, nulls);
}

void null_calls_refused(dlp_Result result)
{
    if (result != DLP_ERROR_ARGUMENT) {
        printf("returned '%s', %s", dlp_result_name(result), calls.call + strlen("crashed: "));
        calls.failures++;
    }
}

int null_calls_finish(void)
{
    printf("%d calls with null pointers\n", calls.count);
    return calls.failures;
}
