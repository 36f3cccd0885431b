/* Random material laws of every kind (support/random_law.h) in small worlds of the physical solver: a block of 80 particles falls into a box,
 * in steps of 10 us to 10 ms. No step fails, no value is not finite, no particle leaves the box.
 * 250 worlds by default, 10,000 at night; more or others with
 *     DOLLOP_RANDOM_LAWS=1000 DOLLOP_RANDOM_FROM=500 test_random_laws
 * ctest: full
 * ctest: timeout 900 */
#include "support/random_law.h"
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDE = 4, HIGH = 5, STEPS = 8 };

/* Nothing moves faster than this many times the start and the fall through the box. That leaves room for laws of 1e8 Pa s that lose nearly all
 * of it within a step: these reach 200. */
static const double FASTEST = 1000.0;

static uint64_t seed;

static dlp_MaterialId add_random_law(dlp_World *world)
{
    for (;;) {
        dlp_MaterialDef law = random_law(&seed);
        dlp_MaterialId id = -1;
        law.density = random_log_between(&seed, 100.0, 1e4);
        if (dlp_world_add_material(world, &law, &id) == DLP_OK) {
            return id;
        }
    }
}

static dlp_World *random_world(double *speed)
{
    dlp_WorldDef def = dlp_default_world_def();
    const double d = def.spacing = random_log_between(&seed, 1e-3, 0.1);
    snprintf(def.method, sizeof def.method, "physical");
    def.threads = 1;
    dlp_World *world = make_world(&def);
    dlp_SolidDef box = dlp_default_solid_def();
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = (dlp_Vec3){8 * d, 8 * d, 12 * d};
    box.friction = random_between(&seed, 0.0, 1.0) < 0.5 ? 1.0 : random_between(&seed, 0.0, 1.0);
    assert_int_equal(dlp_world_add_solid(world, &box, NULL), DLP_OK);
    dlp_FluidDef block = dlp_default_fluid_def();
    block.material = add_random_law(world);
    block.shape.size = (dlp_Vec3){WIDE * d, WIDE * d, HIGH * d};
    block.shape.position.z = -3.5 * d;
    *speed = random_log_between(&seed, 1e-2, 2.0);
    block.velocity = (dlp_Vec3){*speed * random_between(&seed, -1, 1), *speed * random_between(&seed, -1, 1), -*speed};
    assert_int_equal(dlp_world_add_fluid(world, &block, NULL), DLP_OK);
    *speed = sqrt(2.0) * *speed + sqrt(2.0 * 9.81 * 12.0 * d);
    return world;
}

static bool survives(int number)
{
    double speed = 0.0;
    seed = (uint64_t)number * 0x9e3779b97f4a7c15u + 1;
    random_number(&seed);
    dlp_World *world = random_world(&speed);
    const double dt = random_log_between(&seed, 1e-5, 1e-2), d = world->def.spacing, out = 1e-3 * d;
    bool fine = true;
    for (int step = 0; step < STEPS && fine; step++) {
        fine = dlp_world_step(world, dt) == DLP_OK;
    }
    dlp_WorldStats stats = {0};
    dlp_world_stats(world, &stats);
    fine = fine && stats.particles == WIDE * WIDE * HIGH && stats.speed_max < FASTEST * speed &&
           stats.lower.x >= -4 * d - out && stats.upper.x <= 4 * d + out && stats.lower.y >= -4 * d - out &&
           stats.upper.y <= 4 * d + out && stats.lower.z >= -6 * d - out && stats.upper.z <= 6 * d + out;
    if (!fine) {
        const dlp_MaterialDef *m = &world->materials[0];
        print_message("world %d: dt %g s, spacing %g m, %lld particles, fastest %g m/s (start and fall %g): %s\n",
                      number, dt, d, (long long)stats.particles, stats.speed_max, speed, dlp_world_error(world));
        print_message(
            "    density %g, flow law %d, yield stress %g, consistency %g, index %g, viscosity %g, modulus %g, "
            "solvent %g, elastic law %d, %lld modes, recovery time %g\n",
            m->density, m->flow_law, m->yield_stress, m->consistency, m->flow_index, m->viscosity, m->modulus,
            m->solvent_viscosity, m->elastic_law, (long long)m->modes.count, m->recovery_time);
    }
    dlp_world_destroy(world);
    return fine;
}

static void no_law_breaks_a_world(void **state)
{
    (void)state;
    const char *asked = getenv("DOLLOP_RANDOM_LAWS"), *from = getenv("DOLLOP_RANDOM_FROM");
    const int count = asked != NULL ? atoi(asked) : small_scale() ? 40 : full_scale() ? 10000 : 250;
    const int start = from != NULL ? atoi(from) : 0;
    int broken = 0;
    for (int number = start; number < start + count; number++) {
        broken += !survives(number);
    }
    print_message("%d of %d worlds broke\n", broken, count);
    assert_int_equal(broken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_law_breaks_a_world)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
