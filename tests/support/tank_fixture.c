#include "support/tank_fixture.h"

#include <dollop/files.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static bool is_near(dlp_Vec3 center, double x, double y, double z, double reach)
{
    const double dx = x - center.x, dy = y - center.y, dz = z - center.z;
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

static int64_t fill(dlp_World *world, dlp_Vec3 center, double spacing)
{
    static float points[3 * 4000];
    const int across = (int)lround(TANK_SIDE / spacing), up = (int)lround(TANK_DEPTH / spacing);
    int64_t count = 0;
    for (int n = 0; n < across * across * up; n++) {
        const int row = n / across % across, layer = n / across / across;
        const double x = (n % across + 0.5) * spacing - 0.5 * TANK_SIDE, y = (row + 0.5) * spacing - 0.5 * TANK_SIDE;
        const double z = (layer + 0.5) * spacing;
        if (!is_near(center, x, y, z, BALL_RADIUS + 0.4 * spacing)) {
            points[3 * count] = (float)x;
            points[3 * count + 1] = (float)y;
            points[3 * count++ + 2] = (float)z;
        }
    }
    assert_int_equal(dlp_world_add_points(world, 0, points, count, (dlp_Vec3){0, 0, 0}), DLP_OK);
    return count;
}

Tank make_tank(const TankDef *tank_def)
{
    const double spacing = 0.01;
    const dlp_Vec3 center = {0.003, 0.002, TANK_DEPTH};
    Tank tank;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", tank_def->method);
    def.spacing = spacing;
    def.gravity.z = -tank_def->gravity;
    def.threads = tank_def->threads;
    def.subdomains = tank_def->parts;
    tank.world = make_world(&def);
    dlp_MaterialDef fluid = dlp_default_material_def();
    fluid.viscosity = tank_def->viscosity;
    assert_int_equal(dlp_world_add_material(tank.world, &fluid, NULL), DLP_OK);
    dlp_SolidDef walls = dlp_default_solid_def(), ball = walls;
    walls.friction = ball.friction = 0.0;
    walls.shape.kind = DLP_SHAPE_CONTAINER;
    walls.shape.size = (dlp_Vec3){TANK_SIDE, TANK_SIDE, 1.0};
    walls.shape.position.z = 0.5;
    if (tank_def->gravity > 0.0) {
        assert_int_equal(dlp_world_add_solid(tank.world, &walls, NULL), DLP_OK);
    }
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = BALL_RADIUS;
    ball.shape.position = center;
    ball.density = tank_def->density;
    ball.friction = tank_def->friction;
    assert_int_equal(dlp_world_add_solid(tank.world, &ball, &tank.ball), DLP_OK);
    tank.fluid = (double)fill(tank.world, center, spacing) * spacing * spacing * spacing;
    return tank;
}

const dlp__Solid *ball_of(const Tank *tank)
{
    return &tank->world->solids.solid[tank->ball];
}

double ball_mass(const TankDef *def)
{
    return def->density * 4.0 / 3.0 * PI * BALL_RADIUS * BALL_RADIUS * BALL_RADIUS;
}

/* m3 of the ball below a level. */
static double below(double level, double center)
{
    const double h = fmin(fmax(level - center + BALL_RADIUS, 0.0), 2.0 * BALL_RADIUS);
    return PI * h * h * (3.0 * BALL_RADIUS - h) / 3.0;
}

double submerged(const Tank *tank)
{
    const double center = ball_of(tank)->state.position.z;
    double level = TANK_DEPTH;
    for (int n = 0; n < 100; n++) {
        level = (tank->fluid + below(level, center)) / (TANK_SIDE * TANK_SIDE);
    }
    return below(level, center) / (4.0 / 3.0 * PI * BALL_RADIUS * BALL_RADIUS * BALL_RADIUS);
}

static void push_apart(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    velocity[2] = position[2] > 0.07f ? 0.3f : -0.1f;
    velocity[0] = 0.2f;
}

dlp_Vec3 momentum_of(const Tank *tank, const TankDef *def)
{
    dlp_WorldStats stats;
    dlp_world_stats(tank->world, &stats);
    return dlp__add(stats.momentum, dlp__scale(ball_of(tank)->state.velocity, ball_mass(def)));
}

dlp_Vec3 collide(const Tank *tank)
{
    assert_int_equal(dlp_world_push(tank->world, push_apart, NULL), DLP_OK);
    dlp_WorldStats stats;
    dlp_world_stats(tank->world, &stats);
    return stats.momentum;
}

uint64_t tank_hash(const TankDef *def, int steps)
{
    Tank tank = make_tank(def);
    for (int step = 0; step < steps; step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    const uint64_t hash = dlp_world_hash(tank.world);
    dlp_world_destroy(tank.world);
    return hash;
}

void resume_tank(const Tank *tank)
{
    dlp_World *loaded = NULL;
    dlp_Error error;
    assert_int_equal(dlp_world_save(tank->world, "tank.dollop"), DLP_OK);
    assert_int_equal(dlp_world_load("tank.dollop", NULL, &loaded, &error), DLP_OK);
    for (int step = 0; step < 8; step++) {
        assert_true(dlp_world_hash(tank->world) == dlp_world_hash(loaded));
        step_or_fail(tank->world, 1.0 / 240.0);
        step_or_fail(loaded, 1.0 / 240.0);
    }
    assert_true(dlp_world_hash(tank->world) == dlp_world_hash(loaded));
    dlp_world_destroy(loaded);
}
