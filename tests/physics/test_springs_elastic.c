/* Elastic, plastic, warm and freezing bodies of method springs.
 * ctest: slow
 * ctest: timeout 600 */
#include "methods/springs/springs_plan.h"
#include "support/scale.h"
#include "support/springs_fixture.h"
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

/* A cube is pressed to 0.7 of its height by a plate, held, and released: its heights (m). */
typedef struct Pressed {
    double before, held, freed, after;
} Pressed;

static Pressed press(const dlp_MaterialDef *material, double plasticity, double yield_ratio)
{
    const double side = 8 * SPRINGS_SPACING, dt = 1.0 / 240.0;
    dlp_World *world = make_springs(DLP_SPRINGS_GATHER, material);
    set_material_param(world, 0, "plasticity", plasticity);
    set_material_param(world, 0, "yield_ratio", yield_ratio);
    dlp_SolidDef floor = dlp_default_solid_def(), plate = floor;
    floor.friction = plate.friction = 0.0;
    dlp_SolidId id = -1;
    plate.shape.kind = DLP_SHAPE_BOX;
    plate.shape.size = (dlp_Vec3){1.0, 1.0, 0.1};
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &plate, &id), DLP_OK);
    const dlp_PoseKey keys[] = {{0.0, {0, 0, side + 0.06}, {0, 0, 0}},
                                {0.4, {0, 0, side + 0.06}, {0, 0, 0}},
                                {0.7, {0, 0, 0.7 * side + 0.05}, {0, 0, 0}},
                                {1.0, {0, 0, 0.7 * side + 0.05}, {0, 0, 0}},
                                {1.2, {0, 0, 2.0 * side + 0.05}, {0, 0, 0}}};
    assert_int_equal(dlp_world_set_solid_keys(world, id, keys, 5), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){side, side, side};
    fluid.shape.position.z = 0.5 * side;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    Pressed pressed = {0};
    run_springs(world, 96, dt);
    pressed.before = springs_height(world);
    run_springs(world, 144, dt);
    pressed.held = springs_height(world);
    run_springs(world, 60, dt);
    pressed.freed = springs_height(world);
    run_springs(world, 180, dt);
    pressed.after = springs_height(world);
    dlp_world_destroy(world);
    print_message("height %.4f m, pressed %.4f m, released %.4f m, later %.4f m\n", pressed.before, pressed.held,
                  pressed.freed, pressed.after);
    return pressed;
}

static void an_elastic_body_springs_back(void **state)
{
    (void)state;
    dlp_MaterialDef jelly = dlp_default_material_def();
    jelly.modulus = 1000.0;
    jelly.solvent_viscosity = 2.0;
    const Pressed pressed = press(&jelly, -1.0, 0.0);
    assert_true((pressed.after - pressed.held) / (pressed.before - pressed.held) > 0.95);
}

static void a_plastic_body_keeps_its_print(void **state)
{
    (void)state;
    dlp_MaterialDef clay = dlp_default_material_def();
    clay.modulus = 1000.0;
    clay.solvent_viscosity = 2.0;
    const Pressed pressed = press(&clay, 200.0, 0.02);
    /* The springs are still stretched by the yield ratio, and that strain is recovered; the rest is permanent. */
    assert_true((pressed.before - pressed.after) / (pressed.before - pressed.held) > 0.7);
    assert_true(fabs(pressed.after / pressed.freed - 1.0) < 0.05);
}

/* Elastic, then plastic, then without springs, by a change of parameters alone. */
static void springs_follow_a_change_of_material(void **state)
{
    (void)state;
    dlp_MaterialDef material = dlp_default_material_def();
    material.modulus = 500.0;
    dlp_World *world = make_springs(DLP_SPRINGS_AUTO, &material);
    add_fluid_ball(world, 0.04, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0});
    run_springs(world, 3, 0.004);
    const int64_t elastic = dlp__bonds_count(&world->bonds);
    assert_true(elastic > 20 * dlp_world_particle_count(world));
    run_springs(world, 20, 0.004);
    assert_int_equal(dlp__bonds_count(&world->bonds), elastic); /* no springs were added */
    set_material_param(world, 0, "plasticity", 50.0);
    run_springs(world, 20, 0.004);
    assert_true(dlp__bonds_count(&world->bonds) > 0);
    assert_true(dlp__bonds_count(&world->bonds) % 2 == 0);
    material.modulus = 0.0;
    set_material_param(world, 0, "plasticity", -1.0);
    assert_int_equal(dlp_world_set_material(world, 0, &material), DLP_OK);
    run_springs(world, 2, 0.004);
    assert_int_equal(dlp__bonds_count(&world->bonds), 0);
    dlp_world_destroy(world);
}

/* m, of particles of two worlds of the same ids, at most. */
static double farthest(dlp_World *one, dlp_World *other)
{
    const dlp__Particles *p = particles_of(one), *q = particles_of(other);
    double most = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        assert_true(p->id[0][i] == q->id[0][i]);
        for (int a = 0; a < 3; a++) {
            most = fmax(most, fabs((double)p->position[a][i] - (double)q->position[a][i]));
        }
    }
    return most;
}

/* A drop with a temperature-dependent law is stretched like one of a constant material with the same properties:
 * viscous at a low temperature, with plastic springs, or frozen. */
static void a_warm_drop_moves_like_its_material_at_that_temperature(void **state)
{
    (void)state;
    dlp_MaterialDef oil = dlp_default_material_def(), clay = oil, ice = oil;
    oil.viscosity = 0.5;
    clay.modulus = 300.0;
    ice.modulus = 800.0;
    dlp_MaterialDef hot_oil = oil, hot_clay = clay, water = dlp_default_material_def();
    hot_oil.activation_energy = hot_clay.activation_energy = 8.314462618 * log(2.0) / (1.0 / 300.0 - 1.0 / 350.0);
    hot_oil.reference_temperature = hot_clay.reference_temperature = 350.0;
    hot_oil.viscosity = 0.25;
    water.melting_point = 320.0;
    water.frozen_modulus = 800.0;
    const dlp_MaterialDef pairs[3][2] = {{oil, hot_oil}, {clay, hot_clay}, {ice, water}};
    const double plasticity[3][2] = {{-1.0, -1.0}, {20.0, 40.0}, {-1.0, -1.0}};
    float rate = 3.0f; /* 1/s */
    for (int n = 0; n < 6; n++) {
        dlp_World *world[2];
        for (int k = 0; k < 2; k++) {
            dlp_MaterialDef material = pairs[n / 2][k];
            material.temperature = 300.0;
            world[k] = make_springs(n % 2 == 0 ? DLP_SPRINGS_GATHER : DLP_SPRINGS_SEQUENCE, &material);
            set_material_param(world[k], 0, "plasticity", plasticity[n / 2][k]);
            add_fluid_ball(world[k], 0.04, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0});
            assert_int_equal(dlp_world_push(world[k], stretch_drop, &rate), DLP_OK);
            run_springs(world[k], 25, 0.004);
        }
        const double off = farthest(world[0], world[1]);
        print_message("drop %d: particles are %.2g m apart at most\n", n, off);
        assert_true(off < 1e-3 * SPRINGS_SPACING);
        dlp_world_destroy(world[0]);
        dlp_world_destroy(world[1]);
    }
}

static double half_frozen(void *user, uint64_t id, const float position[3], double temperature)
{
    (void)user, (void)id, (void)temperature;
    return position[2] < 0.0f ? 300.0 : 340.0;
}

static double all_frozen(void *user, uint64_t id, const float position[3], double temperature)
{
    (void)user, (void)id, (void)position, (void)temperature;
    return 300.0;
}

/* One half freezes after the other: at the end every pair of neighbours has a spring, also across the interface. */
static void parts_that_freeze_one_after_another_become_one_body(void **state)
{
    (void)state;
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = 1.0;
    material.melting_point = 320.0;
    material.liquidus = 360.0;
    material.frozen_modulus = 500.0;
    material.temperature = 340.0;
    dlp_World *world = make_springs(DLP_SPRINGS_GATHER, &material);
    add_fluid_ball(world, 0.04, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0});
    run_springs(world, 3, 0.004);
    assert_int_equal(dlp_world_warm(world, half_frozen, NULL), DLP_OK);
    run_springs(world, 3, 0.004);
    assert_int_equal(dlp_world_warm(world, all_frozen, NULL), DLP_OK);
    run_springs(world, 3, 0.004);
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    const double bonds = (double)dlp__bonds_count(&world->bonds) / (double)stats.particles;
    print_message("%.1f springs of a particle, %.1f neighbours\n", bonds, stats.neighbors);
    assert_true(bonds > 0.9 * stats.neighbors);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_elastic_body_springs_back),
        cmocka_unit_test(a_plastic_body_keeps_its_print),
        cmocka_unit_test(springs_follow_a_change_of_material),
        cmocka_unit_test(a_warm_drop_moves_like_its_material_at_that_temperature),
        cmocka_unit_test(parts_that_freeze_one_after_another_become_one_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
