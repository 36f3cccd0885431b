#include "support/rank_fixture.h"

#include "base/rank_calls.h"

#include <stdio.h>

dlp_Ranks *ranks;

int start_ranks(void **state)
{
    dlp_Error error;
    (void)state;
    if (dlp_ranks_start(&ranks, &error) != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return -1;
    }
    return 0;
}

int end_ranks(void **state)
{
    (void)state;
    dlp_ranks_end(ranks);
    return 0;
}

bool is_first_rank(void)
{
    return dlp_ranks_number(ranks) == 0;
}

void wait_for_all_ranks(void)
{
    dlp__ranks_sum(ranks, 0);
}
