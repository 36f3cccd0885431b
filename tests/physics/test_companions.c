/* ctest: timeout 600
 * Companions: rigid ones keep their shape and their momentum, soft ones have the requested stiffness, and both
 * interact with the fluid. */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double SPACING = 0.01; /* m */

static dlp_WorldDef world_def(const char *method, double gravity)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, -gravity};
    def.threads = 1;
    return def;
}

/* The methods that support companions. */
typedef enum Kind { PBF, CONFORMATION, PHYSICAL, KINDS } Kind;
static const char *const METHODS[KINDS] = {"pbf", "conformation", "physical"};

static dlp_World *make_kind(Kind kind, double gravity, int threads, int subdomains)
{
    dlp_WorldDef def = world_def(METHODS[kind], gravity);
    def.threads = threads;
    def.subdomains = subdomains;
    dlp_World *world = make_world(&def);
    return world;
}

static dlp_MaterialId add_material(dlp_World *world, double density)
{
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_MaterialId id = 0;
    material.density = density;
    assert_int_equal(dlp_world_add_material(world, &material, &id), DLP_OK);
    return id;
}

static void add_or_fail(dlp_World *world, const dlp_CompanionDef *def)
{
    if (dlp_world_add_companion(world, def, NULL) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

static dlp_CompanionDef box_companion(dlp_MaterialId material, int32_t hold, dlp_Vec3 position, dlp_Vec3 size)
{
    dlp_CompanionDef def = dlp_default_companion_def();
    def.material = material;
    def.shape.kind = DLP_SHAPE_BOX;
    def.shape.position = position;
    def.shape.size = size;
    def.hold = hold;
    return def;
}

static dlp_Vec3 position_of(const dlp__Particles *p, int64_t i)
{
    return (dlp_Vec3){(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
}

static dlp_Vec3 rest_of(const dlp__Particles *p, int64_t i)
{
    return (dlp_Vec3){(double)p->rest[0][i], (double)p->rest[1][i], (double)p->rest[2][i]};
}

/* Largest change of the distance between two particles of a companion since rest, m. */
static double worst_distance(dlp_World *world, int companion)
{
    const dlp__Particles *p = particles_of(world);
    double worst = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        for (int64_t j = 0; j < i; j++) {
            if (p->companion[0][i] == companion + 1 && p->companion[0][j] == companion + 1) {
                const double now = dlp__length(dlp__sub(position_of(p, i), position_of(p, j)));
                const double rest = dlp__length(dlp__sub(rest_of(p, i), rest_of(p, j)));
                worst = fmax(worst, fabs(now - rest));
            }
        }
    }
    return worst;
}

static dlp_Vec3 own_angular(const dlp_WorldStats *stats)
{
    return dlp__sub(stats->angular, dlp__cross(stats->center, stats->momentum));
}

/* A slab that tumbles about none of its principal axes: all three moments of inertia differ. */
static void a_rigid_companion_in_free_flight_keeps_shape_momentum_and_angular_momentum(void **state)
{
    (void)state;
    for (Kind kind = PBF; kind < KINDS; kind++) {
        dlp_World *world = make_kind(kind, 0.0, 1, 1);
        dlp_CompanionDef slab = box_companion(add_material(world, 700.0), DLP_HOLD_RIGID, (dlp_Vec3){0.3, -0.2, 0.5},
                                              (dlp_Vec3){0.12, 0.07, 0.03});
        slab.velocity = (dlp_Vec3){1.0, 0.5, -0.25};
        slab.spin = (dlp_Vec3){3.0, 8.0, 2.0};
        add_or_fail(world, &slab);
        dlp_WorldStats before, after;
        dlp_world_stats(world, &before);
        const int steps = small_scale() ? 60 : 480;
        for (int n = 0; n < steps; n++) {
            step_or_fail(world, 1.0 / 240.0);
        }
        dlp_world_stats(world, &after);
        const dlp_Vec3 turned = dlp__sub(own_angular(&after), own_angular(&before));
        print_message("%d: shape error %.3g spacings, momentum %.3g, angular momentum %.3g, energy %.3g\n", (int)kind,
                      worst_distance(world, 0) / SPACING,
                      dlp__length(dlp__sub(after.momentum, before.momentum)) / dlp__length(before.momentum),
                      dlp__length(turned) / dlp__length(own_angular(&before)),
                      after.kinetic_energy / before.kinetic_energy - 1.0);
        assert_true(worst_distance(world, 0) < 1e-3 * SPACING);
        assert_true(dlp__length(dlp__sub(after.momentum, before.momentum)) < 1e-4 * dlp__length(before.momentum));
        assert_true(dlp__length(turned) < 1e-4 * dlp__length(own_angular(&before)));
        assert_true(fabs(after.kinetic_energy / before.kinetic_energy - 1.0) < 0.01);
        dlp_world_destroy(world);
    }
}

enum { ACROSS = 4 }; /* particles */

/* The halves of a soft bar are pulled apart by opposite body forces, and slight damping brings them to rest: returns
 * its strain. */
static double stretch_of_bar(Kind kind, double stiffness, double dt)
{
    const int along = small_scale() ? 8 : 12;
    dlp_World *world = make_kind(kind, 0.0, 1, 1);
    const double length = along * SPACING;
    dlp_CompanionDef bar = box_companion(add_material(world, 1000.0), DLP_HOLD_SOFT, (dlp_Vec3){0, 0, 0},
                                         (dlp_Vec3){ACROSS * SPACING, ACROSS * SPACING, length});
    bar.stiffness = stiffness;
    add_or_fail(world, &bar);
    double mean = 0.0;
    const double seconds = small_scale() ? 0.5 : 1.0;
    int counted = 0;
    for (int n = 0; n < (int)(seconds / dt + 0.5); n++) {
        dlp__Particles *p = particles_of(world);
        for (int64_t i = 0; i < p->count; i++) {
            p->velocity[2][i] += (float)(dt * (p->rest[2][i] > 0.0f ? 9.81 : -9.81));
            for (int a = 0; a < 3; a++) {
                p->velocity[a][i] *= (float)exp(-dt * 15.0);
            }
        }
        step_or_fail(world, dt);
        if (n * dt > 0.8 * seconds) {
            double top = 0.0, bottom = 0.0, ends = 0.0;
            for (int64_t i = 0; i < p->count; i++) {
                const double z = (double)p->rest[2][i];
                top += z > 0.5 * length - SPACING ? (double)p->position[2][i] : 0.0;
                bottom += z < SPACING - 0.5 * length ? (double)p->position[2][i] : 0.0;
                ends += z > 0.5 * length - SPACING;
            }
            mean += (top - bottom) / ends / (length - SPACING) - 1.0;
            counted++;
        }
    }
    dlp_world_destroy(world);
    return mean / counted;
}

/* Springs k along the edges and face diagonals of a lattice of spacing d: a bar of n by n particles has, for each
 * layer, n^2 springs along it, 4 n (n - 1) diagonals that depend on its lateral strain e' as well as on its stretch
 * e, and 2 n (n - 1) edges and 2 (n - 1)^2 diagonals across. The energy n^2 e^2 + a (e + e')^2 + b e'^2, in units of
 * k d^2 / 2, has the minimum n^2 + a b / (a + b) for a unit of stretch; 5/2 n^2 for a thick bar, and 0.83 of that
 * for four particles. */
static double thin_bar(int n)
{
    const double a = 2.0 * n * (n - 1), b = a + 4.0 * (n - 1) * (n - 1);
    return (n * n + a * b / (a + b)) / (2.5 * n * n);
}

/* Each half pulls on the other: the strain at a distance z from an end is rho g z / E, and its mean rho g (L/2) / 2
 * / E. */
static void a_soft_bar_stretches_by_its_stiffness_at_any_time_step(void **state)
{
    (void)state;
    for (Kind kind = PBF; kind < KINDS; kind++) {
        const double length = (small_scale() ? 8 : 12) * SPACING, stiffness = 2e4;
        const double theory = 1000.0 * 9.81 * length / 4.0 / (stiffness * thin_bar(ACROSS));
        const double soft = stretch_of_bar(kind, stiffness, 1.0 / 240.0);
        const double stiff = stretch_of_bar(kind, 4.0 * stiffness, 1.0 / 240.0);
        const double fine = stretch_of_bar(kind, stiffness, 1.0 / 480.0);
        print_message("%d: stretch %.4g (theory %.4g), 4 times as stiff %.4g, half the step %.4g\n", (int)kind, soft,
                      theory, stiff, fine);
        assert_true(fabs(soft / theory - 1.0) < 0.1);
        assert_true(fabs(4.0 * stiff / soft - 1.0) < 0.1);
        assert_true(fabs(fine / soft - 1.0) < 0.1);
    }
}

/* A letter L that hits a freely floating drop: the drop gains the momentum that the letter loses. */
static void a_rigid_letter_and_fluid_exchange_momentum(void **state)
{
    (void)state;
    for (Kind kind = PBF; kind < KINDS; kind++) {
        dlp_World *world = make_kind(kind, 0.0, 1, 1);
        dlp_FluidDef fluid = dlp_default_fluid_def();
        fluid.material = add_material(world, 1000.0);
        fluid.shape.size = (dlp_Vec3){0.12, 0.12, 0.06};
        assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
        dlp_CompanionDef letter = box_companion(add_material(world, 800.0), DLP_HOLD_RIGID, (dlp_Vec3){0.02, 0, 0.07},
                                                (dlp_Vec3){0.06, 0.03, 0.03});
        letter.velocity = (dlp_Vec3){0, 0, -0.5};
        add_or_fail(world, &letter);
        dlp_WorldStats before, after;
        dlp_world_stats(world, &before);
        for (int n = 0; n < 60; n++) {
            step_or_fail(world, 1.0 / 240.0);
        }
        dlp_world_stats(world, &after);
        const dlp__Particles *p = particles_of(world);
        double speed = 0.0, count = 0.0;
        for (int64_t i = 0; i < p->count; i++) {
            speed += p->companion[0][i] == 1 ? (double)p->velocity[2][i] : 0.0;
            count += p->companion[0][i] == 1;
        }
        print_message("%d: speed of the letter %.3g, momentum gained %.3g of %.3g, shape error %.3g\n", (int)kind,
                      speed / count, dlp__length(dlp__sub(after.momentum, before.momentum)),
                      dlp__length(before.momentum), worst_distance(world, 0) / SPACING);
        assert_true(speed / count > -0.4);
        assert_true(dlp__length(dlp__sub(after.momentum, before.momentum)) < 1e-3 * dlp__length(before.momentum));
        assert_true(worst_distance(world, 0) < 1e-3 * SPACING);
        dlp_world_destroy(world);
    }
}

/* A block falls from ten spacings, more than two of them in each step, and comes to rest on the floor, not inside it
 * and in one piece. A soft one of 10 kPa is compressed by its own weight: 0.06 m high, mean strain 3 %. */
static void a_fast_falling_companion_lands_intact(void **state)
{
    (void)state;
    for (Kind kind = PBF; kind < KINDS; kind++) {
        for (int32_t hold = DLP_HOLD_RIGID; hold <= DLP_HOLD_SOFT; hold++) {
            dlp_World *world = make_kind(kind, 9.81, 1, 1);
            dlp_SolidDef floor = dlp_default_solid_def();
            floor.friction = 0.0;
            assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
            const int edge = small_scale() ? 4 : 6;
            const double size = edge * SPACING;
            dlp_CompanionDef block = box_companion(add_material(world, 1000.0), hold,
                                                   (dlp_Vec3){0, 0, 0.1 + 0.5 * size}, (dlp_Vec3){size, size, size});
            block.shape.rotation = (dlp_Vec3){0, 0.3, 0};
            add_or_fail(world, &block);
            for (int n = 0; n < 48; n++) {
                step_or_fail(world, 1.0 / 60.0);
            }
            dlp_WorldStats stats;
            dlp_world_stats(world, &stats);
            print_message("%d %d: from %.3g to %.3g spacings, %.3g m/s\n", (int)kind, (int)hold,
                          stats.lower.z / SPACING, stats.upper.z / SPACING, stats.speed_max);
            assert_true(stats.lower.z > 0.2 * SPACING && stats.lower.z < 0.7 * SPACING);
            assert_true(stats.upper.z > (edge - 1.2) * SPACING && stats.upper.z < (edge + 0.1) * SPACING);
            assert_true(stats.speed_max < 0.3);
            dlp_world_destroy(world);
        }
    }
}

/* A rigid and a soft body fall into a tray of fluid. */
static dlp_World *make_splash(Kind kind, int threads, int subdomains)
{
    dlp_World *world = make_kind(kind, 9.81, threads, subdomains);
    dlp_SolidDef tray = dlp_default_solid_def();
    tray.friction = 0.0;
    tray.shape.kind = DLP_SHAPE_CONTAINER;
    tray.shape.size = (dlp_Vec3){0.16, 0.12, 0.4};
    tray.shape.position = (dlp_Vec3){0, 0, 0.2};
    assert_int_equal(dlp_world_add_solid(world, &tray, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.material = add_material(world, 1000.0);
    fluid.shape.size = (dlp_Vec3){0.16, 0.12, 0.03};
    fluid.shape.position = (dlp_Vec3){0, 0, 0.015};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    dlp_CompanionDef slab = box_companion(add_material(world, 600.0), DLP_HOLD_RIGID, (dlp_Vec3){-0.04, 0, 0.06},
                                          (dlp_Vec3){0.06, 0.05, 0.02});
    slab.shape.rotation = (dlp_Vec3){0.3, 0.2, 0.0};
    add_or_fail(world, &slab);
    dlp_CompanionDef ball = box_companion(add_material(world, 900.0), DLP_HOLD_SOFT, (dlp_Vec3){0.04, 0, 0.07},
                                          (dlp_Vec3){1, 1, 1});
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.025;
    ball.velocity = (dlp_Vec3){-0.3, 0, -0.5};
    ball.spin = (dlp_Vec3){0, 5.0, 0};
    add_or_fail(world, &ball);
    return world;
}

static uint64_t hash_of_splash(Kind kind, int threads, int subdomains)
{
    dlp_World *world = make_splash(kind, threads, subdomains);
    for (int n = 0; n < (small_scale() ? 10 : 40); n++) {
        step_or_fail(world, 1.0 / 240.0);
    }
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void threads_and_subdomains_change_no_bit(void **state)
{
    (void)state;
    for (Kind kind = PBF; kind < KINDS; kind++) {
        const uint64_t hash = hash_of_splash(kind, 1, 1);
        assert_true(hash_of_splash(kind, 2, 1) == hash);
        assert_true(hash_of_splash(kind, 8, 2) == hash);
        assert_true(hash_of_splash(kind, 1, 4) == hash);
    }
}

static void a_resumed_run_continues_identically(void **state)
{
    (void)state;
    for (Kind kind = PBF; kind < KINDS; kind++) {
        dlp_World *world = make_splash(kind, 1, 2), *again = NULL;
        dlp_Error error = {.text = ""};
        for (int n = 0; n < 12; n++) {
            step_or_fail(world, 1.0 / 240.0);
        }
        assert_int_equal(dlp_world_save(world, "companions.dlp"), DLP_OK);
        if (dlp_world_load("companions.dlp", NULL, &again, &error) != DLP_OK) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(dlp_world_companion_count(again), 2);
        assert_true(dlp_world_hash(world) == dlp_world_hash(again));
        for (int n = 0; n < 12; n++) {
            step_or_fail(world, 1.0 / 240.0);
            step_or_fail(again, 1.0 / 240.0);
        }
        assert_true(dlp_world_hash(world) == dlp_world_hash(again));
        dlp_world_destroy(again);
        dlp_world_destroy(world);
    }
}

/* A body with parts on both sides of a periodic box is still one body. */
static void a_companion_crosses_a_periodic_boundary_intact(void **state)
{
    (void)state;
    for (int hold = DLP_HOLD_RIGID; hold <= DLP_HOLD_SOFT; hold++) {
        dlp_WorldDef def = world_def("pbf", 0.0);
        def.periodic_size = (dlp_Vec3){0.3, 0.3, 0};
        dlp_World *world = make_world(&def);
        dlp_CompanionDef box = box_companion(add_material(world, 1000.0), hold, (dlp_Vec3){0.15, 0.15, 0},
                                             (dlp_Vec3){0.05, 0.05, 0.05});
        box.velocity = (dlp_Vec3){1.0, 0.6, 0.0};
        box.spin = (dlp_Vec3){0, 0, 4.0};
        add_or_fail(world, &box);
        dlp_WorldStats before, after;
        dlp_world_stats(world, &before);
        for (int n = 0; n < 36; n++) { /* 15 cm along x: its centre is on the boundary */
            step_or_fail(world, 1.0 / 240.0);
        }
        dlp_world_stats(world, &after);
        assert_true(dlp__length(dlp__sub(after.momentum, before.momentum)) < 1e-4 * dlp__length(before.momentum));
        assert_true(fabs(after.kinetic_energy / before.kinetic_energy - 1.0) < 0.02);
        assert_true(after.upper.x - after.lower.x > 0.28); /* on both sides */
        dlp_world_destroy(world);
    }
}

static void invalid_companions_are_rejected_with_a_message(void **state)
{
    (void)state;
    dlp_WorldDef def = world_def("pbf", 9.81);
    def.periodic_size = (dlp_Vec3){0.2, 0, 0};
    dlp_World *world = make_world(&def);
    dlp_CompanionDef box = box_companion(0, DLP_HOLD_SOFT, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.05, 0.05, 0.05});
    assert_int_equal(dlp_world_add_companion(world, &box, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "there is no material 0"));
    box.material = add_material(world, 1000.0);
    box.shape.size.x = 0.19;
    assert_int_equal(dlp_world_add_companion(world, &box, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "half of the periodic box"));
    dlp_SolidDef block = dlp_default_solid_def();
    block.friction = 0.0;
    block.shape.kind = DLP_SHAPE_BOX;
    assert_int_equal(dlp_world_add_solid(world, &block, NULL), DLP_OK);
    box.shape.size.x = 0.05;
    assert_int_equal(dlp_world_add_companion(world, &box, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "completely inside solids"));
    box.stiffness = NAN;
    assert_int_equal(dlp_world_add_companion(world, &box, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_companion_count(world), 0);
    assert_int_equal(dlp_world_particle_count(world), 0);
    step_or_fail(world, 0.01);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_companion_in_free_flight_keeps_shape_momentum_and_angular_momentum),
        cmocka_unit_test(a_soft_bar_stretches_by_its_stiffness_at_any_time_step),
        cmocka_unit_test(a_rigid_letter_and_fluid_exchange_momentum),
        cmocka_unit_test(a_fast_falling_companion_lands_intact),
        cmocka_unit_test(threads_and_subdomains_change_no_bit),
        cmocka_unit_test(a_resumed_run_continues_identically),
        cmocka_unit_test(a_companion_crosses_a_periodic_boundary_intact),
        cmocka_unit_test(invalid_companions_are_rejected_with_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
