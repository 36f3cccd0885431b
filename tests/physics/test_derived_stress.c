/* Shear rate, stress and viscosity of particles against known flows.
 * ctest: timeout 300 */
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { ALL = DLP_DERIVED_SHEAR_RATE | DLP_DERIVED_STRESS | DLP_DERIVED_VISCOSITY, XZ = 5 };

static const double PI = 3.14159265358979323846, SPACING = 0.01, DENSITY = 1000.0;

static dlp_World *make_fluid(const char *method, const dlp_MaterialDef *material, dlp_Vec3 periodic)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = periodic;
    def.threads = 2;
    dlp_World *world = make_world(&def);
    assert_int_equal(dlp_world_add_material(world, material, NULL), DLP_OK);
    return world;
}

static dlp_MaterialDef fluid(double viscosity)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = DENSITY;
    material.viscosity = viscosity;
    return material;
}

static dlp_ParticleView derive(dlp_World *world, int fields)
{
    dlp_ParticleView view;
    assert_int_equal(dlp_world_derive(world, fields), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    return view;
}

/* Adds the velocity A x, at once in all particles. */
static void add_linear(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const double(*gradient)[3] = user;
    (void)id;
    for (int a = 0; a < 3; a++) {
        double sum = 0.0;
        for (int c = 0; c < 3; c++) {
            sum += gradient[a][c] * (double)position[c];
        }
        velocity[a] = (float)sum;
    }
}

static dlp_World *block_with(const char *method, const dlp_MaterialDef *material, double gradient[3][3])
{
    dlp_World *world = make_fluid(method, material, (dlp_Vec3){0, 0, 0});
    add_lattice(world, 0, (const int[]){8, 8, 8}, (dlp_Vec3){0, 0, 0});
    assert_int_equal(dlp_world_push(world, add_linear, gradient), DLP_OK);
    return world;
}

static void a_rigid_rotation_has_no_shear_rate_and_no_stress(void **state)
{
    (void)state;
    const dlp_MaterialDef material = fluid(10.0);
    double gradient[3][3] = {{0, -2, 1}, {2, 0, -3}, {-1, 3, 0}};
    dlp_World *world = block_with("physical", &material, gradient);
    const dlp_ParticleView view = derive(world, ALL);
    for (int64_t i = 0; i < view.count; i++) {
        assert_true(view.shear_rate[i] < 1e-4f); /* velocities near 0.3 m/s in single precision, over a spacing */
        for (int n = 0; n < 6; n++) {
            assert_true(fabsf(view.stress[n][i]) < 1e-3f);
        }
    }
    dlp_world_destroy(world);
}

/* On every particle, also at the faces and corners of the block. */
static void simple_shear_has_its_rate_and_the_stress_of_its_viscosity(void **state)
{
    (void)state;
    static const char *const methods[] = {"physical", "pbf", "springs", "conformation", "links"};
    const dlp_MaterialDef material = fluid(10.0);
    for (int m = 0; m < 5; m++) {
        double gradient[3][3] = {{0, 0, 4}, {0, 0, 0}, {0, 0, 0}};
        dlp_World *world = block_with(methods[m], &material, gradient);
        const dlp_ParticleView view = derive(world, m == 0 ? ALL : DLP_DERIVED_SHEAR_RATE);
        for (int64_t i = 0; i < view.count; i++) {
            assert_true(fabs((double)view.shear_rate[i] - 4.0) < 1e-4);
            for (int n = 0; m == 0 && n < 6; n++) {
                assert_true(fabs((double)view.stress[n][i] - (n == XZ ? 40.0 : 0.0)) < 1e-2);
            }
            assert_true(m > 0 || view.viscosity[i] == 10.0f);
        }
        dlp_world_destroy(world);
    }
}

/* Fluid between a plate at rest and one that moves, once the flow is steady: all of it has the rate U / H. */
static void couette_flow_has_a_uniform_stress(void **state)
{
    (void)state;
    enum { LAYERS = 10 };
    const double height = LAYERS * SPACING, speed = 0.2, viscosity = 20.0;
    const dlp_MaterialDef material = fluid(viscosity);
    dlp_World *world = make_fluid("physical", &material, (dlp_Vec3){0.08, 0.08, 0});
    dlp_SolidDef plate = dlp_default_solid_def();
    plate.friction = 1.0;
    plate.stickiness = 1e4; /* Pa: without weight, fluid would detach */
    assert_int_equal(dlp_world_add_solid(world, &plate, NULL), DLP_OK);
    plate.shape.position = (dlp_Vec3){0, 0, height};
    plate.shape.rotation = (dlp_Vec3){PI, 0, 0};
    plate.velocity = (dlp_Vec3){speed, 0, 0};
    assert_int_equal(dlp_world_add_solid(world, &plate, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){8, 8, LAYERS}, (dlp_Vec3){0.5 * SPACING, 0.5 * SPACING, 0.5 * SPACING});
    for (int n = 0; n < 200; n++) { /* six times H^2 / (pi^2 nu) */
        step_or_fail(world, 0.0015);
    }
    const dlp_ParticleView view = derive(world, ALL);
    double mean = 0.0, most = 0.0, off = 0.0;
    for (int64_t i = 0; i < view.count; i++) {
        const double stress = (double)view.stress[XZ][i];
        mean += stress / (double)view.count;
        most = fmax(most, fabs(stress / (viscosity * speed / height) - 1.0));
        off = fmax(off, fabs((double)view.shear_rate[i] * viscosity / stress - 1.0));
    }
    print_message("mean stress over eta U / H: %.4f, largest deviation %.4f; of eta times shear rate: %.4f\n",
                  mean / (viscosity * speed / height), most, off);
    assert_true(fabs(mean / (viscosity * speed / height) - 1.0) < 0.02);
    assert_true(most < 0.1 && off < 0.01);
    dlp_world_destroy(world);
}

/* u_x = speed sin(k z), held at that in every step. */
typedef struct Wave {
    double k, speed;
} Wave;

static void hold_wave(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const Wave *wave = user;
    (void)id;
    velocity[0] = (float)(wave->speed * sin(wave->k * (double)position[2]));
    velocity[1] = velocity[2] = 0.0f;
}

/* Part of cos(k z) in a component of stress. */
static double stress_wave(dlp_World *world, const Wave *wave)
{
    const dlp_ParticleView view = derive(world, ALL);
    double along = 0.0, norm = 0.0;
    for (int64_t i = 0; i < view.count; i++) {
        const double c = cos(wave->k * (double)view.position[2][i]);
        along += c * (double)view.stress[XZ][i];
        norm += c * c;
    }
    return along / norm;
}

static double rate_wave(dlp_World *world, const Wave *wave)
{
    const dlp_ParticleView view = derive(world, DLP_DERIVED_SHEAR_RATE);
    double along = 0.0, norm = 0.0;
    for (int64_t i = 0; i < view.count; i++) {
        const double c = fabs(cos(wave->k * (double)view.position[2][i]));
        along += c * (double)view.shear_rate[i];
        norm += c * c;
    }
    return along / norm;
}

static void step_held(dlp_World *world, Wave *wave, double dt)
{
    assert_int_equal(dlp_world_push(world, hold_wave, wave), DLP_OK);
    step_or_fail(world, dt);
    assert_int_equal(dlp_world_push(world, hold_wave, wave), DLP_OK);
}

/* A rate that starts at once gives eta rate (1 - exp(-t / tau)) and the solvent's stress; when it stops, the elastic part decays. */
static void the_stress_of_a_maxwell_fluid_grows_and_relaxes_with_its_time(void **state)
{
    (void)state;
    const double tau = 0.02, dt = 0.001, viscosity = 1.0, solvent = 0.25;
    dlp_MaterialDef material = fluid(viscosity);
    material.relaxation_time = tau;
    material.solvent_viscosity = solvent;
    dlp_World *world = make_fluid("physical", &material, (dlp_Vec3){0.08, 0.08, 0.16});
    add_lattice(world, 0, (const int[]){8, 8, 16}, (dlp_Vec3){0, 0, 0});
    Wave wave = {2.0 * PI / 0.16, 0.01};
    double reached = 0.0;
    for (int n = 1; n <= 80; n++) {
        wave.speed = n <= 40 ? 0.01 : 0.0;
        step_held(world, &wave, dt);
        const double stress = stress_wave(world, &wave);
        const double rate = n <= 40 ? rate_wave(world, &wave) : 0.0;
        reached = n <= 40 ? viscosity * rate * (1.0 - exp(-n * dt / tau)) : reached;
        const double known = n <= 40 ? reached + solvent * rate : reached * exp(-(n - 40) * dt / tau);
        assert_true(fabs(stress - known) < 0.01 * viscosity * 0.01 * wave.k);
        assert_true(n != 40 || fabs(rate / (0.01 * wave.k) - 1.0) < 0.05); /* a wave of 16 spacings */
    }
    const dlp_ParticleView view = derive(world, DLP_DERIVED_VISCOSITY);
    assert_true(view.viscosity[0] == (float)(viscosity + solvent));
    dlp_world_destroy(world);
}

/* A FENE-P fluid thins: its viscosity is the ratio of its stress to its rate, once that is steady. */
static void viscosity_is_the_ratio_of_steady_stress_to_shear_rate(void **state)
{
    (void)state;
    const double tau = 0.01, dt = 0.0005;
    dlp_MaterialDef material = fluid(1.0);
    material.relaxation_time = tau;
    material.extensibility = 3.0;
    dlp_World *world = make_fluid("physical", &material, (dlp_Vec3){0.08, 0.08, 0.16});
    add_lattice(world, 0, (const int[]){8, 8, 16}, (dlp_Vec3){0, 0, 0});
    Wave wave = {2.0 * PI / 0.16, 4.0};
    for (int n = 0; n < 120; n++) {
        step_held(world, &wave, dt);
    }
    const dlp_ParticleView view = derive(world, ALL);
    double error = 0.0, thinnest = 1.0;
    int64_t counted = 0;
    for (int64_t i = 0; i < view.count; i++) {
        if (fabs(cos(wave.k * (double)view.position[2][i])) > 0.9) {
            const double ratio = fabs((double)view.stress[XZ][i]) / (double)view.shear_rate[i];
            error += fabs(ratio / (double)view.viscosity[i] - 1.0);
            thinnest = fmin(thinnest, (double)view.viscosity[i]);
            counted++;
        }
    }
    print_message("viscosity down to %.3f of that at rest; mean error %.4f\n", thinnest, error / (double)counted);
    assert_true(counted > 100 && error / (double)counted < 0.05);
    assert_true(thinnest < 0.8);
    dlp_world_destroy(world);
}

static void viscosity_follows_temperature(void **state)
{
    (void)state;
    dlp_MaterialDef material = fluid(10.0);
    material.activation_energy = 50e3;
    material.reference_temperature = 300.0;
    material.temperature = 320.0;
    double gradient[3][3] = {{0, 0, 4}, {0, 0, 0}, {0, 0, 0}};
    dlp_World *world = block_with("physical", &material, gradient);
    const double known = 10.0 * exp(50e3 / 8.31446261815324 * (1.0 / 320.0 - 1.0 / 300.0));
    const dlp_ParticleView view = derive(world, ALL);
    for (int64_t i = 0; i < view.count; i++) {
        assert_true(fabs((double)view.viscosity[i] / known - 1.0) < 1e-5);
        assert_true(fabs((double)view.stress[XZ][i] / (4.0 * known) - 1.0) < 1e-3);
    }
    dlp_world_destroy(world);
}

static void an_elastic_solid_has_the_viscosity_of_a_solid_and_no_viscous_stress(void **state)
{
    (void)state;
    dlp_MaterialDef material = fluid(0.0);
    material.modulus = 1000.0;
    double gradient[3][3] = {{0, 0, 4}, {0, 0, 0}, {0, 0, 0}};
    dlp_World *world = block_with("physical", &material, gradient);
    const dlp_ParticleView view = derive(world, ALL);
    assert_true(view.viscosity[7] == 1e12f);
    assert_true(view.stress[XZ][7] == 0.0f); /* not strained yet */
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_rotation_has_no_shear_rate_and_no_stress),
        cmocka_unit_test(simple_shear_has_its_rate_and_the_stress_of_its_viscosity),
        cmocka_unit_test(couette_flow_has_a_uniform_stress),
        cmocka_unit_test(the_stress_of_a_maxwell_fluid_grows_and_relaxes_with_its_time),
        cmocka_unit_test(viscosity_is_the_ratio_of_steady_stress_to_shear_rate),
        cmocka_unit_test(viscosity_follows_temperature),
        cmocka_unit_test(an_elastic_solid_has_the_viscosity_of_a_solid_and_no_viscous_stress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
