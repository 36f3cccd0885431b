/* Random materials and time steps from their valid ranges: 20 steps of 2,000 particles in a closed box (432 by the
 * physical solver) end without a crash, without a NaN and without losing a particle; the motion itself is not checked.
 * A few worlds by default; more with
 *     DOLLOP_RANDOM_MATERIALS=10000 test_random_materials
 * and with DOLLOP_RANDOM_TENSION=1 all worlds of the physical solver have surface tension.
 * ctest: slow
 * ctest: timeout 600 */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* As DOLLOP_RANDOM_SOLVER counts them. */
enum { PHYSICAL, JACOBI, SPRINGS, LINKS };

static const char *method_of(int solver)
{
    static const char *const methods[] = {"physical", "conformation", "springs", "links"};
    return methods[solver];
}

static uint64_t seed;

static double uniform(double least, double most)
{
    return random_between(&seed, least, most);
}

static double log_uniform(double least, double most)
{
    return random_log_between(&seed, least, most);
}

static bool chance(double part)
{
    return uniform(0.0, 1.0) < part;
}

/* One of the ways to give a material: Newtonian, Maxwell by either pair, elastic, or by the method's own compliance, which is else
 * -1. */
static dlp_MaterialDef random_material(double *compliance)
{
    *compliance = -1.0;
    dlp_MaterialDef material = dlp_default_material_def();
    int way = (int)uniform(0.0, 5.0);
    material.density = log_uniform(1e-3, 1e6);
    if (way == 0 || way == 1) {
        material.viscosity = log_uniform(1e-6, 1e12);
    }
    if (way == 2 || way == 4 || (way == 1 && chance(0.3))) {
        material.modulus = log_uniform(1e-6, 1e12);
    }
    if (way == 3) {
        *compliance = chance(0.3) ? 0.0 : log_uniform(1e-12, 1e12);
    }
    if (way >= 3 || (way == 1 && material.modulus == 0.0)) {
        material.relaxation_time = log_uniform(1e-6, 1e9);
    }
    return material;
}

/* Random numbers are drawn for method physical too, which has none of these, so that world numbers mean the same for both. */
static void random_settings(dlp_World *world, int solver)
{
    static const char *const names[] = {"velocity_iterations", "position_iterations", "stress_keep",
                                        "corotation",          "gradient_correction", "density_iterations"};
    double values[6] = {floor(uniform(0.0, 12.0)), floor(uniform(0.0, 12.0))};
    values[2] = chance(0.5) ? 1.0 : uniform(0.0, 1.0);
    values[3] = chance(0.8);
    values[4] = chance(0.8);
    values[5] = 1.0 + floor(uniform(0.0, 10.0));
    for (int n = 0; n < 6 && solver == JACOBI; n++) {
        set_method(world, names[n], values[n]);
    }
}

/* The same for method springs, whose materials have more parameters. */
static void random_springs(dlp_World *world)
{
    static const double speeds[] = {0.0, 0.1, 3.0, 100.0};
    set_method(world, "form", floor(uniform(0.0, 3.0)));
    set_method(world, "sound_speed", chance(0.6) ? 0.0 : speeds[(int)uniform(0.0, 4.0)]);
    set_method(world, "beta", chance(0.5) ? 0.0 : log_uniform(1e-3, 1e6));
}

static void random_spring_law(dlp_World *world, dlp_MaterialId id)
{
    set_material_param(world, id, "sigma", chance(0.5) ? 0.0 : log_uniform(1e-3, 1e9));
    set_material_param(world, id, "plasticity", chance(0.5) ? -1.0 : chance(0.3) ? 0.0 : log_uniform(1e-3, 1e9));
    set_material_param(world, id, "yield_ratio", chance(0.5) ? 0.0 : uniform(0.0, 0.9));
    set_material_param(world, id, "compress_plasticity", chance(0.5) ? -1.0 : log_uniform(1e-3, 1e9));
    set_material_param(world, id, "compress_yield_ratio", chance(0.5) ? -1.0 : uniform(0.0, 0.9));
}

static void random_links(dlp_World *world)
{
    set_method(world, "iterations", 1.0 + floor(uniform(0.0, 12.0)));
    set_method(world, "slack", uniform(0.0, 0.9));
    set_method(world, "height", chance(0.5) ? 0.0 : log_uniform(1e-3, 1e6));
    set_method(world, "density_iterations", 1.0 + floor(uniform(0.0, 10.0)));
}

static void random_link_law(dlp_World *world, dlp_MaterialId id)
{
    set_material_param(world, id, "extension_rate", chance(0.5) ? -1.0 : chance(0.3) ? 0.0 : log_uniform(1e-3, 1e9));
    set_material_param(world, id, "link_stiffness", chance(0.5) ? 1.0 : uniform(0.0, 1.0));
}

/* Replaces the compliance, which only the Jacobi solver has: the physical solver gets the modulus that gives the same
 * stress in a step of dt (s), the other methods get no relaxation. */
static void replace_compliance(dlp_MaterialDef *material, int solver, double compliance, double dt)
{
    if (solver == PHYSICAL) {
        const double tau = material->relaxation_time, modulus = dt / (compliance * -expm1(-dt / tau) * tau);
        material->modulus = fmin(fmax(modulus, 1e-12), 1e12);
    } else if (solver != JACOBI) {
        material->relaxation_time = 0.0;
    }
}

static void random_method(dlp_World *world, int solver)
{
    if (solver == SPRINGS) {
        random_springs(world);
    } else if (solver == LINKS) {
        random_links(world);
    } else {
        random_settings(world, solver);
    }
}

/* Particles along a side of a block. */
static int side_of(int solver)
{
    return solver == PHYSICAL ? 6 : solver >= SPRINGS ? 8 : 10;
}

/* Two moving blocks in a box. */
static dlp_World *random_world(int solver, double *dt)
{
    const int side = side_of(solver);
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method_of(solver));
    double d = def.spacing = log_uniform(1e-6, 1e3);
    def.support = uniform(1.2, 4.0);
    def.kernel = (int32_t)uniform(0.0, 4.0);
    def.threads = 1;
    dlp_World *world = make_world(&def);
    random_method(world, solver);
    *dt = log_uniform(1e-9, 1.0);
    dlp_SolidDef box = dlp_default_solid_def();
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = (dlp_Vec3){20 * d, 16 * d, 30 * d};
    box.friction = chance(0.3) ? 1.0 : uniform(0.0, 1.0);
    assert_int_equal(dlp_world_add_solid(world, &box, NULL), DLP_OK);
    for (int m = 0; m < 2; m++) {
        double compliance = -1.0;
        dlp_MaterialDef material = random_material(&compliance);
        dlp_FluidDef fluid = dlp_default_fluid_def();
        double speed = log_uniform(1e-3, 10.0);
        if (compliance >= 0.0) {
            replace_compliance(&material, solver, compliance, *dt);
        }
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
        if (solver == SPRINGS) {
            random_spring_law(world, m);
        } else if (solver == LINKS) {
            random_link_law(world, m);
        } else if (solver == JACOBI) {
            set_material_param(world, m, "compliance", compliance);
        }
        fluid.material = m;
        fluid.shape.size = (dlp_Vec3){side * d, side * d, side * d};
        fluid.shape.position = (dlp_Vec3){m == 0 ? -5 * d : 5 * d, 0.0, -7 * d};
        fluid.velocity = (dlp_Vec3){speed * uniform(-1, 1), speed * uniform(-1, 1), speed * uniform(-1, 1)};
        assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    }
    return world;
}

/* Parameters of the physical solver only; drawn last, so that world numbers mean the same for both. */
static void random_physical_settings(dlp_World *world)
{
    set_method(world, "iterations", floor(log_uniform(1.0, 300.0)));
    set_method(world, "tolerance", log_uniform(1e-3, 0.1));
    set_method(world, "damping", chance(0.5) ? 0.03 : uniform(0.0, 1.0));
    for (int m = 0; m < 2; m++) {
        dlp_MaterialDef material = world->materials[m];
        material.extensibility = chance(0.3) ? log_uniform(2.0, 1e3) : 0.0;
        material.cohesive_strength = chance(0.3) ? log_uniform(1.0, 1e6) : 0.0;
        assert_int_equal(dlp_world_set_material(world, m, &material), DLP_OK);
    }
}

static bool is_compliant(const dlp_World *world, int m)
{
    return strcmp(world->def.method, "conformation") == 0 && material_param(world, m, "compliance") >= 0.0;
}

/* Heat in half of the worlds: two temperatures, and materials that conduct, flow by it, melt and freeze. Also drawn last. */
static void random_heat(dlp_World *world)
{
    const bool heated = chance(0.5);
    for (int m = 0; m < 2 && heated; m++) {
        dlp_MaterialDef material = world->materials[m];
        material.temperature = log_uniform(1.0, 1e4);
        material.heat_capacity = log_uniform(1e-3, 1e6);
        material.conductivity = chance(0.2) ? 0.0 : log_uniform(1e-6, 1e6);
        material.activation_energy = chance(0.5) ? 0.0 : log_uniform(1.0, 1e7);
        if (chance(0.6)) {
            material.melting_point = log_uniform(1.0, 1e4);
            material.liquidus = chance(0.5) ? 0.0 : material.melting_point + log_uniform(1e-3, 1e3);
            material.latent_heat = chance(0.3) ? 0.0 : log_uniform(1e-3, 1e9);
            material.frozen_modulus = is_compliant(world, m) || chance(0.3) ? 0.0 : log_uniform(1e-6, 1e12);
        }
        material.emissivity = chance(0.5) ? 0.0 : uniform(0.0, 1.0);
        material.convection = chance(0.5) ? 0.0 : log_uniform(1e-3, 1e6);
        assert_int_equal(dlp_world_set_material(world, m, &material), DLP_OK);
    }
}

/* Surface tension in half of the worlds, or in all, with steps of at most 64 substeps. Drawn last as well. */
static bool always_tense;

static void random_tension(dlp_World *world, double *dt)
{
    const double d = world->def.spacing;
    const bool tense = chance(0.5) || always_tense;
    for (int m = 0; m < 2 && tense; m++) {
        dlp_MaterialDef material = world->materials[m];
        material.surface_tension = chance(0.2) ? 0.0 : log_uniform(1e-6, 1e3);
        /* within the shortest step that a world takes */
        material.surface_tension = fmin(material.surface_tension, 1e18 * material.density * d * d * d);
        material.contact_angle = uniform(0.0, 3.14);
        assert_int_equal(dlp_world_set_material(world, m, &material), DLP_OK);
        *dt = fmin(*dt, fmax(1e-9, 6.0 * sqrt(material.density * d * d * d / fmax(material.surface_tension, 1e-30))));
    }
}

static bool survives(int solver, int number)
{
    double dt = 0.0;
    seed = (uint64_t)number * 0x9e3779b97f4a7c15u + 1;
    random_number(&seed);
    dlp_World *world = random_world(solver, &dt);
    if (solver == PHYSICAL) {
        random_physical_settings(world);
    }
    random_heat(world);
    if (solver == PHYSICAL) {
        random_tension(world, &dt);
    }
    bool fine = true;
    for (int step = 0; step < 20 && fine; step++) {
        fine = dlp_world_step(world, dt) == DLP_OK;
    }
    if (!fine && solver == SPRINGS && strstr(dlp_world_error(world), "would have to be split into") != NULL) {
        dlp_world_destroy(world); /* too stiff for the step, and rejected with a message */
        return true;
    }
    dlp_WorldStats stats = {0};
    dlp_world_stats(world, &stats);
    double d = world->def.spacing, reach = 1e-3 * d;
    const int64_t side = side_of(solver);
    fine = fine && stats.particles == 2 * side * side * side && stats.lower.x >= -10 * d - reach &&
           stats.upper.x <= 10 * d + reach && stats.lower.y >= -8 * d - reach && stats.upper.y <= 8 * d + reach &&
           stats.lower.z >= -15 * d - reach && stats.upper.z <= 15 * d + reach;
    if (!fine) {
        print_message(
            "world %d, solver %d: dt %g s, spacing %g m, support %g, kernel %d, fastest %g m/s, %lld particles: %s\n",
            number, solver, dt, d, world->def.support, world->def.kernel, stats.speed_max, (long long)stats.particles,
            dlp_world_error(world));
        for (int m = 0; m < 2; m++) {
            const dlp_MaterialDef *def = &world->materials[m];
            print_message("    density %g viscosity %g relaxation time %g modulus %g\n", def->density, def->viscosity,
                          def->relaxation_time, def->modulus);
        }
    }
    dlp_world_destroy(world);
    return fine;
}

/* Regressions: micrometres, whose fourth powers overflowed; forces passed on between neighbours without end; sequential springs
 * whose displacements grew from one to the next; lone particles that kept their pressure, and stresses whose squares overflow;
 * friction under a tiny pressure; and densities in a ratio of 10^8, whose search directions overflowed. */
static void worlds_that_once_broke_are_fine_now(void **state)
{
    (void)state;
    static const int numbers[] = {5154, 6134, 7899, 8838};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        assert_true(survives(JACOBI, numbers[n]));
    }
    assert_true(survives(PHYSICAL, 2363));
    assert_true(survives(SPRINGS, 910));
    always_tense = true;
    assert_true(survives(PHYSICAL, 747));
    assert_true(survives(PHYSICAL, 64));
    assert_true(survives(PHYSICAL, 216));
    assert_true(survives(PHYSICAL, 8023));
    always_tense = false;
}

static void no_material_breaks_a_world(void **state)
{
    const int solver = *(const int *)*state;
    const char *asked = getenv("DOLLOP_RANDOM_MATERIALS"), *from = getenv("DOLLOP_RANDOM_FROM");
    const char *only = getenv("DOLLOP_RANDOM_SOLVER"); /* 0: physical, 1: jacobi, 2: springs, 3: links */
    if (only != NULL && atoi(only) != solver) {
        skip();
    }
    always_tense = getenv("DOLLOP_RANDOM_TENSION") != NULL;
    const int count = asked != NULL ? atoi(asked) : small_scale() ? (solver == JACOBI ? 10 : 2) : 15;
    const int start = from != NULL ? atoi(from) : 0;
    int broken = 0;
    for (int number = start; number < start + count; number++) {
        broken += !survives(solver, number);
    }
    print_message("%d of %d worlds broke\n", broken, count);
    assert_int_equal(broken, 0);
}

int main(void)
{
    static int physical = PHYSICAL, jacobi = JACOBI, springs = SPRINGS, links = LINKS;
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_that_once_broke_are_fine_now),
                                       cmocka_unit_test_prestate(no_material_breaks_a_world, &jacobi),
                                       cmocka_unit_test_prestate(no_material_breaks_a_world, &physical),
                                       cmocka_unit_test_prestate(no_material_breaks_a_world, &springs),
                                       cmocka_unit_test_prestate(no_material_breaks_a_world, &links)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
