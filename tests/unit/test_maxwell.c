/* Two of viscosity, relaxation time and modulus make a Maxwell fluid; a step sees its compliance and what it remembers. */
#include "materials/maxwell.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static dlp_MaterialDef material(double viscosity, double relaxation_time, double modulus, double compliance)
{
    dlp_MaterialDef def = dlp_default_material_def();
    def.viscosity = viscosity;
    def.relaxation_time = relaxation_time;
    def.modulus = modulus;
    def.compliance = compliance;
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
    assert_step(material(100.0, 0.5, 0.0, -1.0), 0.01, soft, kept);
    assert_step(material(100.0, 0.0, 200.0, -1.0), 0.01, soft, kept);
    assert_step(material(0.0, 0.5, 200.0, -1.0), 0.01, soft, kept);
}

static void one_alone_is_a_limit(void **state)
{
    (void)state;
    assert_step(material(100.0, 0.0, 0.0, -1.0), 0.01, 0.01 / 100.0, 0.0);               /* Newtonian */
    assert_step(material(0.0, 0.0, 200.0, -1.0), 0.01, 1.0 / 200.0, 1.0);                /* elastic   */
    assert_step(material(0.0, 0.0, 0.0, -1.0), 0.01, (double)DLP_MAXWELL_INVISCID, 0.0); /* inviscid  */
    assert_step(material(1e12, 1e9, 0.0, -1.0), 1e-9, 1e-3, 1.0);
}

static void the_compliance_of_the_paper_is_taken_as_it_is(void **state)
{
    (void)state;
    assert_step(material(0.0, 0.0, 0.0, 0.0), 0.01, 0.0, 0.0);
    assert_step(material(0.0, 0.1, 0.0, 0.015), 0.01, 0.015, 0.1 / 0.11);
}

static void contradictions_are_refused_with_a_way_out(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = make_world(&def);
    dlp_MaterialDef three = material(1.0, 2.0, 3.0, -1.0), both = material(1.0, 0.0, 0.0, 0.1),
                    fine = material(1, 2, 0, -1);
    assert_int_equal(dlp_world_add_material(world, &three, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "give two"));
    assert_int_equal(dlp_world_add_material(world, &both, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "compliance"));
    dlp_MaterialDef idle = material(0.0, 1.0, 0.0, -1.0), odd = material(0.0, 0.0, 0.0, -0.5);
    assert_int_equal(dlp_world_add_material(world, &idle, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_add_material(world, &odd, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_add_material(world, &fine, NULL), DLP_OK);
    assert_int_equal(dlp_world_set_material(world, 0, &three), DLP_ERROR_ARGUMENT);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_two_of_three_make_the_same_fluid),
        cmocka_unit_test(one_alone_is_a_limit),
        cmocka_unit_test(the_compliance_of_the_paper_is_taken_as_it_is),
        cmocka_unit_test(contradictions_are_refused_with_a_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
