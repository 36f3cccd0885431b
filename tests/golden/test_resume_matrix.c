/* A run that is saved half-way and continued with other threads, vector lanes and subdomains ends in the same state as an
 * uninterrupted one, bit for bit, for every feature in every method. */
#include "base/simd.h"
#include "support/features.h"
#include "support/scale.h"

#include <dollop/files.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CHECKPOINT "resume_matrix.h5"
#define STEPS      10

/* What the machine may change. */
typedef struct Host {
    int threads, simd, subdomains;
} Host;

static dlp_WorldDef host_def(const FeatureCase *test, const Host *host)
{
    dlp_WorldDef def = feature_def(test->method, test->features, 0.025);
    const int widest = dlp__width_most();
    def.threads = host->threads;
    def.simd = host->simd < widest ? host->simd : widest;
    def.subdomains = host->subdomains;
    return def;
}

static dlp_World *start(const FeatureCase *test, const Host *host)
{
    const dlp_WorldDef def = host_def(test, host);
    return start_feature_case(test, &def);
}

static uint64_t run_straight(const FeatureCase *test, const Host *host)
{
    dlp_World *world = start(test, host);
    step_feature_case(world, test, STEPS);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static uint64_t run_resumed(const FeatureCase *test, const Host *before, const Host *after)
{
    const dlp_WorldDef def = host_def(test, after);
    dlp_Error error = {DLP_OK, ""};
    dlp_World *world = start(test, before);
    step_feature_case(world, test, STEPS / 2);
    assert_int_equal(dlp_world_save(world, CHECKPOINT), DLP_OK);
    dlp_world_destroy(world);
    if (dlp_world_load(CHECKPOINT, &def, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    step_feature_case(world, test, STEPS / 2);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static int failures;

static void compare(const FeatureCase *test, int number)
{
    static const Host straight = {1, 16, 1};
    static const Host hosts[] = {{2, 1, 2}, {1, 16, 4}, {3, 4, 1}, {2, 8, 8}, {1, 1, 1}, {2, 16, 2}, {3, 8, 4}};
    enum { HOSTS = sizeof hosts / sizeof hosts[0] };
    const Host *before = &hosts[number % HOSTS], *after = &hosts[(number + 1 + number / HOSTS % (HOSTS - 1)) % HOSTS];
    const uint64_t expected = run_straight(test, &straight), hash = run_resumed(test, before, after);
    if (hash != expected) {
        failures++;
        print_message("%s, %s: %016" PRIx64 " instead of %016" PRIx64
                      "; before and after with %d/%d threads, %d/%d lanes, "
                      "%d/%d subdomains\n",
                      test->method, test->name, hash, expected, before->threads, after->threads, before->simd,
                      after->simd, before->subdomains, after->subdomains);
    }
}

static void resuming_on_another_machine_changes_nothing(void **state)
{
    const int cases = feature_case_count();
    int tried = 0;
    (void)state;
    for (int number = 0; number < cases; number += small_scale() ? 13 : 1) {
        const FeatureCase test = feature_case(number);
        compare(&test, number);
        tried++;
    }
    print_message("%d of %d cases\n", tried, cases);
    remove(CHECKPOINT);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(resuming_on_another_machine_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
