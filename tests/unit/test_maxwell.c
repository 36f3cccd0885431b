/* Two of viscosity, relaxation time and modulus determine a Maxwell fluid; a step uses its compliance and retention. */
#include "methods/conformation/conformation_material.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dlp_MaterialDef material(double viscosity, double relaxation_time, double modulus)
{
    dlp_MaterialDef def = dlp_default_material_def();
    def.viscosity = viscosity;
    def.relaxation_time = relaxation_time;
    def.modulus = modulus;
    return def;
}

static void assert_step(dlp_MaterialDef def, double dt, double compliance, double retention)
{
    dlp__MaxwellStep step = dlp__maxwell_step(&def, dt);
    assert_true(fabs((double)step.compliance - compliance) <= 1e-6 * compliance);
    assert_true(fabs((double)step.retention - retention) <= 1e-6);
}

static void any_two_of_three_make_the_same_fluid(void **state)
{
    (void)state;
    double soft = (0.5 + 0.01) / 100.0, kept = 0.5 / 0.51; /* (tau + dt) / eta, tau / (tau + dt) */
    assert_step(material(100.0, 0.5, 0.0), 0.01, soft, kept);
    assert_step(material(100.0, 0.0, 200.0), 0.01, soft, kept);
    assert_step(material(0.0, 0.5, 200.0), 0.01, soft, kept);
}

static void one_alone_is_a_limiting_case(void **state)
{
    (void)state;
    assert_step(material(100.0, 0.0, 0.0), 0.01, 0.01 / 100.0, 0.0);               /* Newtonian */
    assert_step(material(0.0, 0.0, 200.0), 0.01, 1.0 / 200.0, 1.0);                /* elastic   */
    assert_step(material(0.0, 0.0, 0.0), 0.01, (double)DLP_MAXWELL_INVISCID, 0.0); /* inviscid  */
    assert_step(material(1e12, 1e9, 0.0), 1e-9, 1e-3, 1.0);
}

static void a_compliance_as_in_the_paper_is_used_directly(void **state)
{
    (void)state;
    const dlp__ConformationMaterial stiffest = {0.0}, soft = {0.015}, none = {-1.0};
    const dlp_MaterialDef plain = material(0.0, 0.0, 0.0), slow = material(0.0, 0.1, 0.0),
                          oil = material(5.0, 0.0, 0.0);
    const dlp__MaxwellStep first = dlp__conformation_maxwell(&plain, &stiffest, 0.01);
    assert_true(first.compliance == 0.0f && first.retention == 0.0f);
    const dlp__MaxwellStep second = dlp__conformation_maxwell(&slow, &soft, 0.01);
    assert_true(second.compliance == 0.015f && fabs((double)second.retention - 0.1 / 0.11) <= 1e-6);
    assert_true(dlp__conformation_maxwell(&oil, &none, 0.01).compliance == dlp__maxwell_step(&oil, 0.01).compliance);
}

static void contradictions_are_rejected_with_a_hint(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "springs");
    dlp_World *world = make_world(&def);
    dlp_MaterialDef three = material(1.0, 2.0, 3.0), idle = material(0.0, 1.0, 0.0), fine = material(1, 2, 0);
    assert_int_equal(dlp_world_add_material(world, &three, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "give two"));
    assert_int_equal(dlp_world_add_material(world, &idle, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_add_material(world, &fine, NULL), DLP_OK);
    assert_int_equal(dlp_world_set_material(world, 0, &three), DLP_ERROR_ARGUMENT);
    dlp_world_destroy(world);
}

static void assert_compliance_refused(dlp_World *world, double compliance, const char *word)
{
    const dlp__ConformationMaterial own = {compliance};
    assert_int_equal(dlp_world_set_material_params(world, 0, &own, sizeof own), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), word));
    assert_true(material_param(world, 0, "compliance") == -1.0);
}

/* A relaxation time alone may be completed by a compliance until the first step. */
static void a_compliance_replaces_viscosity_and_modulus(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "conformation");
    dlp_World *world = make_world(&def);
    dlp_MaterialDef three = material(1.0, 2.0, 3.0), viscous = material(1.0, 0.0, 0.0), idle = material(0.0, 1.0, 0.0);
    assert_int_equal(dlp_world_add_material(world, &three, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_add_material(world, &viscous, NULL), DLP_OK);
    assert_compliance_refused(world, 0.1, "replaces viscosity and modulus");
    assert_compliance_refused(world, -0.5, "-1 for none");
    assert_compliance_refused(world, -2.0, "compliance");
    assert_int_equal(dlp_world_add_material(world, &idle, NULL), DLP_OK);
    assert_int_equal(dlp_world_step(world, 0.001), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "nothing that relaxes"));
    set_material_param(world, 1, "compliance", 0.1);
    assert_int_equal(dlp_world_step(world, 0.001), DLP_OK);
    assert_int_equal(dlp_world_set_material(world, 1, &viscous), DLP_ERROR_ARGUMENT);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_two_of_three_make_the_same_fluid),
        cmocka_unit_test(one_alone_is_a_limiting_case),
        cmocka_unit_test(a_compliance_as_in_the_paper_is_used_directly),
        cmocka_unit_test(contradictions_are_rejected_with_a_hint),
        cmocka_unit_test(a_compliance_replaces_viscosity_and_modulus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
