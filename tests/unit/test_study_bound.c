/* Quick runs of a study may be judged by bounds of their own, and then their verdict says so. */
#include "studies/study_host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ERROR 0.05 /* of the made-up studies below */

static void no_progress(void *user, double part, const char *what)
{
    (void)user, (void)part, (void)what;
}

static bool never_stopped(void *user)
{
    (void)user;
    return false;
}

static dlp_Result no_files(void *user, const char *name, const char *text, dlp_Error *error)
{
    (void)user, (void)name, (void)text, (void)error;
    return DLP_OK;
}

static StudyOutcome perform(void (*run)(StudyRun *run), bool quick)
{
    const Study study = {.name = "made-up", .run = run};
    const StudyHost host = {.progress = no_progress, .stop_asked = never_stopped, .save = no_files};
    StudyOutcome outcome;
    study_perform(&study, &host, (StudyWish){.quick = quick}, &outcome);
    return outcome;
}

static void one_bound(StudyRun *run)
{
    study_verdict(run, ERROR <= study_bound(run, 0.03, 0.06), "off by %g", ERROR);
}

static void two_bounds(StudyRun *run)
{
    const bool first = ERROR <= study_bound(run, 0.01, 0.02), second = ERROR <= study_bound(run, 0.03, 0.06);
    study_verdict(run, first && second, "off by %g", ERROR);
}

static void same_bound(StudyRun *run)
{
    study_verdict(run, ERROR <= study_bound(run, 0.06, 0.06), "off by %g", ERROR);
}

static void a_full_run_is_judged_by_its_own_bound(void **state)
{
    (void)state;
    const StudyOutcome outcome = perform(one_bound, false);
    assert_int_equal(outcome.result, DLP_OK);
    assert_false(outcome.holds);
    assert_string_equal(outcome.text, "off by 0.05");
}

static void a_quick_run_names_the_coarser_bounds_it_is_judged_by(void **state)
{
    (void)state;
    const StudyOutcome one = perform(one_bound, true), two = perform(two_bounds, true);
    assert_true(one.holds);
    assert_string_equal(one.text, "off by 0.05 (quick run, judged by coarser bounds: 0.06 instead of 0.03)");
    assert_false(two.holds);
    assert_non_null(strstr(two.text, "coarser bounds: 0.02 instead of 0.01, 0.06 instead of 0.03)"));
}

static void a_quick_run_without_own_bounds_says_only_that_it_is_quick(void **state)
{
    (void)state;
    const StudyOutcome outcome = perform(same_bound, true);
    assert_true(outcome.holds);
    assert_string_equal(outcome.text, "off by 0.05 (quick run)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_run_is_judged_by_its_own_bound),
        cmocka_unit_test(a_quick_run_names_the_coarser_bounds_it_is_judged_by),
        cmocka_unit_test(a_quick_run_without_own_bounds_says_only_that_it_is_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
