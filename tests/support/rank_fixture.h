/* The ranks of a test that mpirun started, from a fixture of its group:
 *     cmocka_run_group_tests(tests, start_ranks, end_ranks) */
#ifndef DLP_TESTS_SUPPORT_RANK_FIXTURE_H
#define DLP_TESTS_SUPPORT_RANK_FIXTURE_H

#include <dollop/ranks.h>
#include <stdbool.h>

extern dlp_Ranks *ranks;

int start_ranks(void **state);
int end_ranks(void **state);

/* Whether this rank does what only one does. */
bool is_first_rank(void);
void wait_for_all_ranks(void);

#endif
