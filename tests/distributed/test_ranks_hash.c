/* A world over several ranks is the same as one in a single process, bit for bit, for every feature in every method. All ranks compare.
 * DOLLOP_CASE=N tries only one case.
 * ctest: full, timeout 900 */
#include "base/simd.h"
#include "support/features.h"
#include "support/scale.h"

#include <dollop/ranks.h>
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

static dlp_Ranks *ranks;

/* Contents of a world. */
typedef struct Case {
    const char *method;
    int features;
    bool automatic; /* the library chooses the time steps */
    char name[48];
} Case;

static dlp_World *start(const Case *test, dlp_Ranks *over)
{
    dlp_WorldDef def = feature_def(test->method, test->features, 0.025);
    def.hooks.ranks = over;
    def.threads = over != NULL ? 2 : 1;
    dlp_World *world = make_world(&def);
    if (strcmp(test->method, "springs") == 0) {
        set_method(world, "form", 1); /* gather: a sequence needs a single subdomain */
    }
    add_features(world, test->features);
    return world;
}

static void step(dlp_World *world, const Case *test)
{
    if (!test->automatic) {
        step_or_fail(world, 0.004);
    } else if (dlp_world_advance(world, 1.0) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

static int failures;

/* Both at once, so that the first step that differs is found. */
static void compare(const Case *test)
{
    dlp_World *alone = start(test, NULL), *shared = start(test, ranks);
    for (int n = 0; n < STEPS; n++) {
        step(alone, test);
        step(shared, test);
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

/* Nothing but fluid in a tank, each feature alone, all that go together, and automatic steps. */
static Case make_case(int number)
{
    const int kind = number % (FEATURE_COUNT + 3);
    const int together = (1 << FEATURE_COUNT) - 1 - FEATURE_PERIODIC - FEATURE_DEFORMING;
    Case test = {.method = dlp_method_name(number / (FEATURE_COUNT + 3))};
    snprintf(test.name, sizeof test.name, "%s", kind < FEATURE_COUNT ? feature_name(kind) : "plain");
    if (kind < FEATURE_COUNT) {
        test.features = 1 << kind;
    } else if (kind == FEATURE_COUNT + 1) {
        /* In method links, subdomains change the contact of companions with free bodies. */
        test.features = strcmp(test.method, "links_") == 0 ? together - FEATURE_COMPANION : together;
        snprintf(test.name, sizeof test.name, "all features");
    } else if (kind == FEATURE_COUNT + 2) {
        test.automatic = true;
        test.features = FEATURE_EMITTER | FEATURE_KEYS;
        snprintf(test.name, sizeof test.name, "automatic steps");
    }
    return test;
}

static void ranks_change_no_bit(void **state)
{
    const int cases = dlp_method_count() * (FEATURE_COUNT + 3);
    const char *only = getenv("DOLLOP_CASE");
    int tried = 0;
    (void)state;
    for (int number = only != NULL ? atoi(only) : 0; number < cases; number += small_scale() ? 7 : 1) {
        const Case test = make_case(number);
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
    dlp_Error error;
    if (dlp_ranks_start(&ranks, &error) != DLP_OK) {
        fputs(error.text, stderr);
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dlp_ranks_end(ranks);
    return failed;
}
