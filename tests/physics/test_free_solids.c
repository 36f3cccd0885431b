/* Free solids in fluid: they float where they should, sink, keep momentum, and come back from files.
 * ctest: timeout 300 */
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;
static const double SIDE = 0.16, DEPTH = 0.1, RADIUS = 0.035; /* m: of a tank, of the fluid in it, of a ball */

typedef struct Tank {
    dlp_World *world;
    dlp_SolidId ball;
    double fluid; /* m3 */
} Tank;

static bool is_near(dlp_Vec3 center, double x, double y, double z, double reach)
{
    const double dx = x - center.x, dy = y - center.y, dz = z - center.z;
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

/* A ball half in the fluid of a tank; without gravity there is no tank. */
static Tank make_tank(double density, double viscosity, double gravity, int threads, int parts)
{
    static float points[3 * 4000];
    const double spacing = 0.01;
    const dlp_Vec3 center = {0.003, 0.002, DEPTH};
    Tank tank;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "conformation");
    def.spacing = spacing;
    def.gravity.z = -gravity;
    def.threads = threads;
    def.subdomains = parts;
    tank.world = make_world(&def);
    dlp_MaterialDef fluid = dlp_default_material_def();
    fluid.viscosity = viscosity;
    assert_int_equal(dlp_world_add_material(tank.world, &fluid, NULL), DLP_OK);
    dlp_SolidDef walls = dlp_default_solid_def(), ball = walls;
    walls.shape.kind = DLP_SHAPE_CONTAINER;
    walls.shape.size = (dlp_Vec3){SIDE, SIDE, 1.0};
    walls.shape.position.z = 0.5;
    if (gravity > 0.0) {
        assert_int_equal(dlp_world_add_solid(tank.world, &walls, NULL), DLP_OK);
    }
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = RADIUS;
    ball.shape.position = center;
    ball.density = density;
    ball.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(tank.world, &ball, &tank.ball), DLP_OK);
    const int across = (int)lround(SIDE / spacing), up = (int)lround(DEPTH / spacing);
    int64_t count = 0;
    for (int n = 0; n < across * across * up; n++) {
        const int row = n / across % across, layer = n / across / across;
        const double x = (n % across + 0.5) * spacing - 0.5 * SIDE, y = (row + 0.5) * spacing - 0.5 * SIDE;
        const double z = (layer + 0.5) * spacing;
        if (!is_near(center, x, y, z, RADIUS + 0.4 * spacing)) {
            points[3 * count] = (float)x;
            points[3 * count + 1] = (float)y;
            points[3 * count++ + 2] = (float)z;
        }
    }
    assert_int_equal(dlp_world_add_points(tank.world, 0, points, count, (dlp_Vec3){0, 0, 0}), DLP_OK);
    tank.fluid = (double)count * spacing * spacing * spacing;
    return tank;
}

static const dlp__Solid *ball_of(const Tank *tank)
{
    return &tank->world->solids.solid[tank->ball];
}

/* m3 of the ball below a level. */
static double below(double level, double center)
{
    const double h = fmin(fmax(level - center + RADIUS, 0.0), 2.0 * RADIUS);
    return PI * h * h * (3.0 * RADIUS - h) / 3.0;
}

/* The part of the ball below the level to which it has raised the fluid. */
static double submerged(const Tank *tank)
{
    const double center = ball_of(tank)->state.position.z;
    double level = DEPTH;
    for (int n = 0; n < 100; n++) {
        level = (tank->fluid + below(level, center)) / (SIDE * SIDE);
    }
    return below(level, center) / (4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS);
}

static void a_ball_floats_by_its_density(void **state)
{
    (void)state;
    static const double densities[] = {300.0, 600.0, 900.0};
    for (int n = 0; n < 3; n++) {
        const int steps = small_scale() ? 6 : 240, late = steps / 2;
        Tank tank = make_tank(densities[n], 2.0, 9.81, 2, 1);
        double part = 0.0;
        for (int step = 0; step < steps; step++) {
            step_or_fail(tank.world, 1.0 / 240.0);
            part += step >= late ? submerged(&tank) / late : 0.0; /* it bobs */
        }
        print_message("density %g: %.3f of it is under the surface\n", densities[n], part);
        assert_true(small_scale() || fabs(part / (1e-3 * densities[n]) - 1.0) < 0.1);
        dlp_world_destroy(tank.world);
    }
}

static void a_heavy_ball_sinks_to_the_bottom(void **state)
{
    (void)state;
    Tank tank = make_tank(1200.0, 1.0, 9.81, 2, 1);
    for (int step = 0; step < (small_scale() ? 5 : 200); step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    print_message("its centre is %.3f m up\n", ball_of(&tank)->state.position.z);
    assert_true(small_scale() || fabs(ball_of(&tank)->state.position.z - RADIUS) < 0.003);
    dlp_world_destroy(tank.world);
}

/* Ten times lighter than what it floats on, and that is honey: where pushes lag behind by a step, it would be thrown out. */
static void a_light_ball_in_honey_is_calm(void **state)
{
    (void)state;
    Tank tank = make_tank(100.0, 10.0, 9.81, 2, 1);
    double fastest = 0.0;
    for (int step = 0; step < (small_scale() ? 5 : 120); step++) {
        step_or_fail(tank.world, 1.0 / 120.0);
        fastest = fmax(fastest, dlp__length(ball_of(&tank)->state.velocity));
    }
    print_message("at most %.3f m/s\n", fastest);
    assert_true(fastest < 0.5);
    dlp_world_destroy(tank.world);
}

static void push_down(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    velocity[2] = position[2] > 0.07f ? 0.3f : -0.1f;
    velocity[0] = 0.2f;
}

/* Fluid that strikes a ball in free space: what it loses the ball gets. */
static void momentum_is_kept(void **state)
{
    (void)state;
    Tank tank = make_tank(500.0, 5.0, 0.0, 2, 1);
    assert_int_equal(dlp_world_push(tank.world, push_down, NULL), DLP_OK);
    dlp_WorldStats stats;
    dlp_world_stats(tank.world, &stats);
    const dlp_Vec3 before = stats.momentum;
    for (int step = 0; step < 40; step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    dlp_world_stats(tank.world, &stats);
    const double mass = 500.0 * 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
    const dlp_Vec3 ball = dlp__scale(ball_of(&tank)->state.velocity, mass);
    const double gain = dlp__length(dlp__sub(dlp__add(stats.momentum, ball), before));
    print_message("the ball has %.4f of the momentum; %.2g of it came from nothing\n",
                  dlp__length(ball) / dlp__length(before), gain / dlp__length(before));
    assert_true(dlp__length(ball) > 0.01 * dlp__length(before));
    assert_true(gain < 1e-4 * dlp__length(before));
    dlp_world_destroy(tank.world);
}

static uint64_t hash_after(int threads, int parts, int steps)
{
    Tank tank = make_tank(400.0, 2.0, 9.81, threads, parts);
    for (int step = 0; step < steps; step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    const uint64_t hash = dlp_world_hash(tank.world);
    dlp_world_destroy(tank.world);
    return hash;
}

static void bits_do_not_depend_on_threads_or_parts(void **state)
{
    (void)state;
    const uint64_t hash = hash_after(1, 1, 8);
    assert_true(hash_after(2, 1, 8) == hash);
    assert_true(hash_after(8, 1, 8) == hash);
    assert_true(hash_after(2, 4, 8) == hash);
}

static void a_checkpoint_holds_the_bodies(void **state)
{
    (void)state;
    Tank tank = make_tank(400.0, 2.0, 9.81, 2, 1);
    dlp_World *loaded = NULL;
    dlp_Error error;
    for (int step = 0; step < 8; step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    assert_int_equal(dlp_world_save(tank.world, "ball.dollop"), DLP_OK);
    assert_int_equal(dlp_world_load("ball.dollop", NULL, &loaded, &error), DLP_OK);
    for (int step = 0; step < 8; step++) {
        assert_true(dlp_world_hash(tank.world) == dlp_world_hash(loaded));
        step_or_fail(tank.world, 1.0 / 240.0);
        step_or_fail(loaded, 1.0 / 240.0);
    }
    assert_true(dlp_world_hash(tank.world) == dlp_world_hash(loaded));
    dlp_world_destroy(loaded);
    dlp_world_destroy(tank.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_floats_by_its_density),           cmocka_unit_test(a_heavy_ball_sinks_to_the_bottom),
        cmocka_unit_test(a_light_ball_in_honey_is_calm),          cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(bits_do_not_depend_on_threads_or_parts), cmocka_unit_test(a_checkpoint_holds_the_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
