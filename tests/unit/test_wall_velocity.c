/* Resolving wall contact before velocities are projected: the touching layer stops half a spacing from the wall and
 * records its contact, layers behind it do not, friction slows sliding, and all parts of a world agree. */
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double SPACING = 0.1, DT = 0.01; /* m, s */

/* Three layers over a solid, `gap` above z = 0, that move with `velocity`, with predicted positions and current
 * neighbour lists. */
static dlp_World *make_layers(const dlp_SolidDef *solid, double gap, dlp_Vec3 velocity)
{
    dlp_World *world = make_viscous_world(SPACING, (dlp_Vec3){0, 0, 0});
    dlp_MaterialDef material = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){4, 4, 3}, (dlp_Vec3){0, 0, gap - 0.5 * SPACING});
    step_or_fail(world, 1e-9); /* builds the lists; nothing has moved, and there was no solid */
    assert_int_equal(dlp_world_add_solid(world, solid, NULL), DLP_OK);
    dlp__Particles *p = particles_of(world);
    const double speed[3] = {velocity.x, velocity.y, velocity.z};
    for (int a = 0; a < 3; a++) {
        for (int64_t i = 0; i < p->count; i++) {
            p->velocity[a][i] = (float)speed[a];
            p->position[a][i] += (float)(DT * speed[a]);
        }
    }
    dlp__boundary_resolve_wall_velocity(&world->solids, &world->domains, (float)DT);
    return world;
}

static int64_t layer_of(const dlp__Particles *p, int64_t i)
{
    return (int64_t)p->id[0][i] / 16;
}

static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-3)) {
        fail_msg("%g instead of %g", value, expected);
    }
}

static void the_touching_layer_stops_half_a_spacing_from_the_wall(void **state)
{
    (void)state;
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 0.0;
    dlp_World *world = make_layers(&floor, 0.08, (dlp_Vec3){1.0, 0.0, -20.0}); /* two layers would enter the floor */
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        bool touches = layer_of(p, i) == 0;
        assert_close((double)p->velocity[2][i], touches ? -3.0 : -20.0); /* 0.03 m in 0.01 s */
        assert_close((double)p->velocity[0][i], 1.0);                    /* no friction */
        assert_close((double)p->contact[2][i], touches ? 1.0 : 0.0);
        assert_close((double)p->clearance[0][i], touches ? -17.0 : 0.0);
    }
    dlp_world_destroy(world);
}

static void a_leaving_layer_stops_along_a_no_slip_wall_and_is_not_held(void **state)
{
    (void)state;
    dlp_SolidDef belt = dlp_default_solid_def();
    belt.friction = 1.0;
    belt.velocity = (dlp_Vec3){2.0, 0.0, 0.0};
    dlp_World *world = make_layers(&belt, 0.05, (dlp_Vec3){-2.0, 0.0, 1.0});
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        assert_close((double)p->velocity[2][i], 1.0);
        assert_close((double)p->velocity[0][i], layer_of(p, i) == 0 ? 2.0 : -2.0);
        assert_close((double)p->contact[2][i], 0.0);
    }
    dlp_world_destroy(world);
}

static void an_approaching_wall_is_resolved(void **state)
{
    (void)state;
    dlp_SolidDef piston = dlp_default_solid_def();
    piston.friction = 0.0;
    piston.velocity = (dlp_Vec3){0.0, 0.0, 3.0};
    dlp_World *world = make_layers(&piston, 0.05, (dlp_Vec3){0.0, 0.0, 0.0});
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) { /* the wall is already at its position at the end of the step */
        assert_close((double)p->velocity[2][i], 0.0);
    }
    dlp__solids_move_to(&world->solids, world->time + DT);
    dlp__boundary_resolve_wall_velocity(&world->solids, &world->domains, (float)DT);
    for (int64_t i = 0; i < p->count; i++) {
        assert_close((double)p->velocity[2][i], layer_of(p, i) == 0 ? 3.0 : 0.0);
    }
    dlp_world_destroy(world);
}

/* A layer that slides over a small sphere touches it all around: its own neighbours do not shield it. */
static void a_small_sphere_is_in_contact_too(void **state)
{
    (void)state;
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.friction = 0.0;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.2;
    ball.shape.position = (dlp_Vec3){0.2, 0.2, -0.2};
    dlp_World *world = make_layers(&ball, 0.08, (dlp_Vec3){0.0, 0.0, -10.0});
    const dlp__Particles *p = particles_of(world);
    int stopped = 0;
    for (int64_t i = 0; i < p->count; i++) {
        stopped += p->clearance[0][i] < 0.0f;
        assert_true(p->clearance[0][i] == 0.0f || layer_of(p, i) == 0);
    }
    assert_true(stopped >= 4);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_touching_layer_stops_half_a_spacing_from_the_wall),
        cmocka_unit_test(a_leaving_layer_stops_along_a_no_slip_wall_and_is_not_held),
        cmocka_unit_test(an_approaching_wall_is_resolved),
        cmocka_unit_test(a_small_sphere_is_in_contact_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
