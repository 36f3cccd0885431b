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

/* Contents of a world. */
typedef struct Case {
    const char *method;
    int features;
    bool automatic; /* the library chooses the time steps */
} Case;

/* What the machine may change. */
typedef struct Host {
    int threads, simd, subdomains;
} Host;

static dlp_WorldDef host_def(const Case *test, const Host *host)
{
    dlp_WorldDef def = feature_def(test->method, test->features, 0.025);
    const int widest = dlp__width_most();
    def.threads = host->threads;
    def.simd = host->simd < widest ? host->simd : widest;
    def.subdomains = host->subdomains;
    return def;
}

static void take_steps(dlp_World *world, const Case *test, int first, int last)
{
    for (int step = first; step < last; step++) {
        if (!test->automatic) {
            step_or_fail(world, 0.004);
        } else if (dlp_world_advance(world, 1.0) != DLP_OK) {
            fail_msg("%s", dlp_world_error(world));
        }
    }
}

static dlp_World *start(const Case *test, const Host *host)
{
    const dlp_WorldDef def = host_def(test, host);
    dlp_World *world = make_world(&def);
    if (strcmp(test->method, "springs") == 0) {
        set_method(world, "form", 1); /* gather: a sequence needs a single subdomain */
    }
    add_features(world, test->features);
    return world;
}

static uint64_t run_straight(const Case *test, const Host *host)
{
    dlp_World *world = start(test, host);
    take_steps(world, test, 0, STEPS);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static uint64_t run_resumed(const Case *test, const Host *before, const Host *after)
{
    const dlp_WorldDef def = host_def(test, after);
    dlp_Error error = {DLP_OK, ""};
    dlp_World *world = start(test, before);
    take_steps(world, test, 0, STEPS / 2);
    assert_int_equal(dlp_world_save(world, CHECKPOINT), DLP_OK);
    dlp_world_destroy(world);
    if (dlp_world_load(CHECKPOINT, &def, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    take_steps(world, test, STEPS / 2, STEPS);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static int failures;

static void compare(const Case *test, const char *name, int number)
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
                      test->method, name, hash, expected, before->threads, after->threads, before->simd, after->simd,
                      before->subdomains, after->subdomains);
    }
}

/* Nothing but fluid in a tank, each feature alone, all that go together, and automatic steps. */
static Case make_case(int number, char name[32])
{
    const int kind = number % (FEATURE_COUNT + 3);
    const int together = (1 << FEATURE_COUNT) - 1 - FEATURE_PERIODIC - FEATURE_DEFORMING;
    Case test = {.method = dlp_method_name(number / (FEATURE_COUNT + 3))};
    snprintf(name, 32, "%s", kind < FEATURE_COUNT ? feature_name(kind) : "plain");
    if (kind < FEATURE_COUNT) {
        test.features = 1 << kind;
    } else if (kind == FEATURE_COUNT + 1) {
        /* In method links, subdomains change the contact of companions with free bodies. */
        test.features = strcmp(test.method, "links") == 0 ? together - FEATURE_COMPANION : together;
        snprintf(name, 32, "all features");
    } else if (kind == FEATURE_COUNT + 2) {
        test.automatic = true;
        test.features = FEATURE_EMITTER | FEATURE_KEYS;
        snprintf(name, 32, "automatic steps");
    }
    return test;
}

static void resuming_on_another_machine_changes_nothing(void **state)
{
    const int cases = dlp_method_count() * (FEATURE_COUNT + 3);
    int tried = 0;
    (void)state;
    for (int number = 0; number < cases; number += small_scale() ? 13 : 1) {
        char name[32];
        const Case test = make_case(number, name);
        compare(&test, name, number);
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
