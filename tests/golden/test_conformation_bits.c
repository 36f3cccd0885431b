/* Conformation constraints give one result for any number of threads, any vector width, any number of subdomains and
 * across a checkpoint, and a value that is not finite is reported by name. All parameters that matter are set here, so
 * that tuned defaults do not change the golden hash.
 * ctest: threaded
 * ctest: timeout 300 */
#include "base/simd.h"
#include "support/kitchen.h"
#include "support/scale.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { PHYSICAL, JACOBI };
static const char *const METHODS[] = {"physical", "conformation"};

static const double DT = 0.004; /* s */

static int step_count(void)
{
    return small_scale() ? 8 : 60;
}

static KitchenDef kitchen_def(void)
{
    dlp_MaterialDef dough = dlp_default_material_def(), jelly = dough, water = dough;
    dough.viscosity = 20000.0; /* stiff enough for a coarse grid */
    dough.relaxation_time = 0.1;
    jelly.modulus = 5000.0;
    jelly.density = 1300.0;
    KitchenDef def = {{dough, jelly, water}, 1.0, dlp_default_solid_def()};
    def.ball.friction = 0.3; /* it swings through the fluid */
    def.ball.amplitude = (dlp_Vec3){0.08, 0.0, 0.0};
    def.ball.frequency = 3.0;
    return def;
}

/* Dough, jelly and water. */
static dlp_World *make_kitchen(int solver, int threads, int simd, int parts)
{
    const dlp_WorldDef def = kitchen_world(METHODS[solver], threads, simd, parts);
    dlp_World *world = make_world(&def);
    const struct {
        const char *name;
        double value;
    } settings[] = {{"velocity_iterations", 4}, {"position_iterations", 4}, {"beta", 4.5},
                    {"stress_keep", 1.0},       {"density_iterations", 6},  {"density_iterations_least", 4},
                    {"density_keep", 0.7},      {"density_recovery", 40.0}, {"density_tolerance", 0.0005}};
    for (size_t n = 0; solver == JACOBI && n < sizeof settings / sizeof settings[0]; n++) {
        set_method(world, settings[n].name, settings[n].value);
    }
    const KitchenDef kitchen = kitchen_def();
    fill_kitchen(world, &kitchen);
    return world;
}

/* Dough and jelly that fall through a box without walls, in any number of subdomains and at any vector width. */
static uint64_t run_periodic(int solver, int simd, int parts)
{
    dlp_WorldDef def = kitchen_world(METHODS[solver], 2, simd, parts);
    def.periodic_size = (dlp_Vec3){0.24, 0.24, 0.24};
    dlp_World *world = make_world(&def);
    const KitchenDef kitchen = kitchen_def();
    for (int m = 0; m < 3; m++) {
        assert_int_equal(dlp_world_add_material(world, &kitchen.material[m], NULL), DLP_OK);
    }
    add_lattice(world, 0, (const int[]){12, 12, 6}, (dlp_Vec3){0.0, 0.0, 0.0});
    add_lattice(world, 1, (const int[]){12, 6, 5}, (dlp_Vec3){0.0, 0.05, 0.121});
    for (int step = 0; step < 20; step++) {
        step_or_fail(world, DT);
    }
    uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void a_box_without_walls_gives_the_same_bits_in_parts(void **state)
{
    const int solver = *(const int *)*state;
    uint64_t whole = run_periodic(solver, 1, 1);
    for (int parts = 1; parts <= 4; parts *= 2) {
        assert_true(run_periodic(solver, dlp__width_most(), parts) == whole);
    }
}

typedef struct Hashes {
    uint64_t world, motion;
} Hashes;

static Hashes run_both(int solver, int threads, int simd, int parts)
{
    dlp_World *world = make_kitchen(solver, threads, simd, parts);
    for (int step = 0; step < step_count(); step++) {
        step_or_fail(world, DT);
    }
    const Hashes hashes = {dlp_world_hash(world), motion_hash(world)};
    dlp_world_destroy(world);
    return hashes;
}

static uint64_t run(int solver, int threads, int simd, int parts)
{
    return run_both(solver, threads, simd, parts).world;
}

/* The reference is width 1 on one thread in one subdomain. */
static uint64_t oracle(int solver)
{
    static uint64_t hash[2];
    static bool known[2];
    if (!known[solver]) {
        hash[solver] = run(solver, 1, 1, 1);
        known[solver] = true;
    }
    return hash[solver];
}

static void threads_widths_and_parts_give_the_same_bits(void **state)
{
    const int solver = *(const int *)*state, most = dlp__width_most();
    for (int threads = 1; threads <= 8; threads *= 2) {
        assert_true(run(solver, threads == 4 ? 3 : threads, most, 1) == oracle(solver));
    }
    for (int width = 4; width < most; width *= 2) {
        assert_true(run(solver, 2, width, 1) == oracle(solver));
    }
    for (int parts = 2; parts <= 4; parts *= 2) {
        assert_true(run(solver, 2, most, parts) == oracle(solver));
    }
}

static void a_checkpoint_goes_on_bit_for_bit(void **state)
{
    const int solver = *(const int *)*state;
    dlp_World *world = step_across_checkpoint(make_kitchen(solver, 2, dlp__width_most(), 1), "kitchen.dollop",
                                              step_count(), DT);
    assert_true(dlp_world_hash(world) == oracle(solver));
    dlp_world_destroy(world);
}

static void a_bad_number_is_named(void **state)
{
    const int solver = *(const int *)*state;
    static const char *const names[] = {"conformation", "stress"};
    for (int n = 0; n < 2; n++) {
        dlp_World *world = make_kitchen(solver, 1, 1, 1);
        step_or_fail(world, DT);
        dlp__Particles *p = particles_of(world);
        int field = 1;
        while (strcmp(dlp__field_info(p, field)->name, names[n]) != 0) {
            field++;
        }
        ((float *)dlp__field_array(p, field, 4))[17] = NAN;
        assert_int_equal(dlp_world_step(world, DT), DLP_ERROR_NOT_FINITE);
        assert_non_null(strstr(dlp_world_error(world), names[n]));
        dlp_world_destroy(world);
    }
}

/* Renew these only when the physics is meant to change: run this test in the release build, check that gcc and clang print
 * the same, and copy them here. The first of a method is of the short run under sanitizers. The hash of a world also changes
 * with the fields that its method saves; that of its motion does not. */
static const Hashes GOLDEN[2][2] = {
    [PHYSICAL] = {{0xbac0b7deae63d402u, 0x352d17374c3b493au}, {0x607d5039cafe30acu, 0xc03cb69391a48ec8u}},
    [JACOBI] = {{0xef2e2879d4d66099u, 0xceb8fe432d482053u}, {0x1524397b49ef75beu, 0x8f6fe8b96cd9e7aeu}},
};

static void the_bits_are_the_golden_ones(void **state)
{
    const int solver = *(const int *)*state;
    const Hashes golden = GOLDEN[solver][small_scale() ? 0 : 1], found = run_both(solver, 1, 1, 1);
    if (found.world != golden.world || found.motion != golden.motion) {
        fail_msg("world %016" PRIx64 " instead of %016" PRIx64 ", motion %016" PRIx64 " instead of %016" PRIx64,
                 found.world, golden.world, found.motion, golden.motion);
    }
}

int main(void)
{
    static int physical = PHYSICAL, jacobi = JACOBI;
#define OF_BOTH(test) cmocka_unit_test_prestate(test, &physical), cmocka_unit_test_prestate(test, &jacobi)
    const struct CMUnitTest tests[] = {
        OF_BOTH(threads_widths_and_parts_give_the_same_bits),
        OF_BOTH(a_box_without_walls_gives_the_same_bits_in_parts),
        OF_BOTH(a_checkpoint_goes_on_bit_for_bit),
        OF_BOTH(a_bad_number_is_named),
        OF_BOTH(the_bits_are_the_golden_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
