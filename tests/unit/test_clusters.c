/* Clusters find the rotation of their neighbourhood whatever that is: after any rotation at once, for sheets and rows of particles, and for
 * bodies turned inside out. */
#include "clusters/nearest_rotation.h"
#include "support/mps_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double SPACING = 0.01, DT = 1e-4; /* m, s */

/* A block at rest whose clusters exist. */
static dlp_World *make_body(int x, int y, int z)
{
    dlp_WorldDef def = mps_def(SPACING);
    snprintf(def.method, sizeof def.method, "blend");
    const dlp_MaterialDef jelly = simple_material(0.0, 0.0, 1000.0);
    dlp_World *world = make_mps(&def, &jelly);
    set_method(world, "sound_speed", 10.0);
    add_lattice(world, 0, (const int[]){x, y, z}, (dlp_Vec3){0, 0, 0});
    run_mps(world, 2, DT);
    return world;
}

/* Move every particle to `map` times its position. */
static void transform(dlp_World *world, const dlp__Rotation *map)
{
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        const dlp_Vec3 at = dlp__rotate(
            map, dlp__vec3((double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]));
        p->position[0][i] = (float)at.x;
        p->position[1][i] = (float)at.y;
        p->position[2][i] = (float)at.z;
    }
}

static double fastest(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double most = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        for (int a = 0; a < 3; a++) {
            most = fmax(most, fabs((double)p->velocity[a][i]));
        }
    }
    return most;
}

static const int sides[][3] = {{5, 5, 5}, {6, 6, 1}, {8, 1, 1}, {2, 1, 1}, {1, 1, 1}};

static void a_body_rotated_at_once_stays_at_rest(void **state)
{
    (void)state;
    static const double angles[] = {0.1, 1.0, 2.0, 3.0, 3.14159265};
    for (size_t b = 0; b < sizeof sides / sizeof sides[0]; b++) {
        for (size_t n = 0; n < sizeof angles / sizeof angles[0]; n++) {
            dlp_World *world = make_body(sides[b][0], sides[b][1], sides[b][2]);
            const dlp__Rotation rotation = dlp__rotation(dlp__scale(dlp__vec3(0.6, 0.64, 0.48), angles[n]));
            transform(world, &rotation);
            run_mps(world, 5, DT);
            /* without the rotation it would be pulled back by about its size at 70 1/s squared: 0.1 m/s */
            assert_true(fastest(world) < 1e-4);
            dlp_world_destroy(world);
        }
    }
}

static void a_body_turned_inside_out_stays_finite(void **state)
{
    (void)state;
    static const dlp__Rotation mirror = {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, flat = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                               point = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    static const dlp__Rotation *const maps[] = {&mirror, &flat, &point};
    for (int n = 0; n < 3; n++) {
        dlp_World *world = make_body(4, 4, 4);
        transform(world, maps[n]);
        run_mps(world, 200, DT); /* fails if a value is not finite */
        assert_true(fastest(world) < 100.0);
        dlp_world_destroy(world);
    }
}

/* Of moments with known rotations, also where one direction is missing or reversed. */
static void the_nearest_rotation_is_the_known_one(void **state)
{
    (void)state;
    const dlp__Rotation rotation = dlp__rotation(dlp__vec3(0.7, -1.9, 0.4));
    static const double stretches[][3] = {{1, 1, 1}, {3, 2, 1}, {2, 1, 0}, {3, 2, -0.5}};
    for (int n = 0; n < 4; n++) {
        const double *s = stretches[n];
        const double moments[9] = {s[0] * rotation.x.x, s[1] * rotation.y.x, s[2] * rotation.z.x,
                                   s[0] * rotation.x.y, s[1] * rotation.y.y, s[2] * rotation.z.y,
                                   s[0] * rotation.x.z, s[1] * rotation.y.z, s[2] * rotation.z.z};
        const dlp__Rotation found = dlp__nearest_rotation(moments).matrix;
        assert_true(dlp__length(dlp__sub(found.x, rotation.x)) < 1e-9);
        assert_true(dlp__length(dlp__sub(found.y, rotation.y)) < 1e-9);
        assert_true(dlp__length(dlp__sub(found.z, rotation.z)) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_rotated_at_once_stays_at_rest),
        cmocka_unit_test(a_body_turned_inside_out_stays_finite),
        cmocka_unit_test(the_nearest_rotation_is_the_known_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
