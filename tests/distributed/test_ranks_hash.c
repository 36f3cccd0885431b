/* A world over several ranks is the same as one in a single process, bit for bit, for every feature in every method. All ranks compare.
 * DOLLOP_CASE=N tries only one case.
 * ctest: full, timeout 900 */
#include "base/simd.h"
#include "support/features.h"
#include "support/rank_fixture.h"
#include "support/scale.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STEPS 10

static dlp_World *start(const FeatureCase *test, dlp_Ranks *over)
{
    dlp_WorldDef def = feature_def(test->method, test->features, 0.025);
    def.hooks.ranks = over;
    def.threads = over != NULL ? 2 : 1;
    return start_feature_case(test, &def);
}

static int failures;

/* Both at once, so that the first step that differs is found. */
static void compare(const FeatureCase *test)
{
    dlp_World *alone = start(test, NULL), *shared = start(test, ranks);
    for (int n = 0; n < STEPS; n++) {
        step_feature_case(alone, test, 1);
        step_feature_case(shared, test, 1);
        const uint64_t expected = dlp_world_hash(alone), hash = dlp_world_hash(shared);
        if (hash != expected) {
            failures++;
            print_message("%s, %s: %016" PRIx64 " instead of %016" PRIx64 " after step %d\n", test->method, test->name,
                          hash, expected, n + 1);
            break;
        }
    }
    assert_int_equal(dlp_world_particle_count(shared), dlp_world_particle_count(alone));
    dlp_world_destroy(shared);
    dlp_world_destroy(alone);
}

static void ranks_change_no_bit(void **state)
{
    const int cases = feature_case_count();
    const char *only = getenv("DOLLOP_CASE");
    int tried = 0;
    (void)state;
    for (int number = only != NULL ? atoi(only) : 0; number < cases; number += small_scale() ? 2 : 1) {
        const FeatureCase test = feature_case(number);
        if (only != NULL) {
            print_message("case %d: %s, %s\n", number, test.method, test.name);
        }
        compare(&test);
        tried++;
        if (only != NULL) {
            break;
        }
    }
    print_message("%d of %d cases over %d ranks\n", tried, cases, dlp_ranks_count(ranks));
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_change_no_bit)};
    return cmocka_run_group_tests(tests, start_ranks, end_ranks);
}
