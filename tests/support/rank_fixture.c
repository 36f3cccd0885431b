#include "support/rank_fixture.h"

#include "base/rank_calls.h"

#include <stdio.h>

/* The modules of MPI leak, and have no names that could be suppressed once they are unloaded: what MPI allocates when it starts is not
 * looked at, and leaks are looked for before it ends. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECK_LEAKS
#endif
#endif
#ifdef CHECK_LEAKS
#include <sanitizer/lsan_interface.h>
#else
static void __lsan_disable(void)
{
}

static void __lsan_enable(void)
{
}

static int __lsan_do_recoverable_leak_check(void)
{
    return 0;
}
#endif

dlp_Ranks *ranks;

int start_ranks(void **state)
{
    dlp_Error error;
    (void)state;
    __lsan_disable();
    const dlp_Result started = dlp_ranks_start(&ranks, &error);
    __lsan_enable();
    if (started != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return -1;
    }
    return 0;
}

int end_ranks(void **state)
{
    (void)state;
    const int leaks = __lsan_do_recoverable_leak_check();
    dlp_ranks_end(ranks);
    return leaks != 0 ? -1 : 0;
}

bool is_first_rank(void)
{
    return dlp_ranks_number(ranks) == 0;
}

void wait_for_all_ranks(void)
{
    dlp__ranks_sum(ranks, 0);
}
