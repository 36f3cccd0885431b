/* Method mps at free surfaces and walls: surface tension and wetting, adhesion, reaction on free bodies, and a thread that is pulled.
 * ctest: slow
 * ctest: timeout 300 */
#include "methods/mps/mps_plan.h"
#include "support/mps_fixture.h"
#include "support/scale.h"
#include "support/tank_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

/* Sum of x^4 + y^4 + z^4 over that of r^4 about the centre: 0.474 of a cube, 0.6 of a ball. */
static double roundness(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    const dlp_Vec3 center = stats_of(world).center;
    double along = 0.0, all = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double x = (double)p->position[0][i] - center.x, y = (double)p->position[1][i] - center.y,
                     z = (double)p->position[2][i] - center.z, square = x * x + y * y + z * z;
        along += x * x * x * x + y * y * y * y + z * z * z * z;
        all += square * square;
    }
    return along / all;
}

/* Water-like surface tension at a millimetre. */
static dlp_World *make_drop(double angle, int cohesion)
{
    const dlp_WorldDef def = mps_def(1e-3);
    dlp_MaterialDef syrup = simple_material(0.05, 0.0, 0.0);
    syrup.surface_tension = 0.07;
    syrup.contact_angle = angle * PI / 180.0;
    dlp_World *world = make_mps(&def, &syrup);
    set_method(world, "cohesion", cohesion);
    return world;
}

/* The paper's scheme alone (cohesion: potential) ejects particles here, and stays finite. */
static void a_cube_becomes_round(void **state)
{
    (void)state;
    for (int cohesion = DLP_MPS_BY_PRESSURE; cohesion <= DLP_MPS_BY_POTENTIAL; cohesion++) {
        dlp_World *world = make_drop(90.0, cohesion);
        add_lattice(world, 0, (const int[]){8, 8, 8}, (dlp_Vec3){0, 0, 0});
        const double first = roundness(world);
        run_mps(world, small_scale() ? 20 : 200, 5e-4);
        const double last = roundness(world), speed = stats_of(world).speed_max;
        print_message("cohesion %d: from %.3f to %.3f, %.4f m/s; a ball has 0.6\n", cohesion, first, last, speed);
        assert_true(first < 0.49);
        if (cohesion == DLP_MPS_BY_PRESSURE) {
            assert_true(last > (small_scale() ? first + 0.01 : 0.55) && last < 0.62);
        }
        dlp_world_destroy(world);
    }
}

static double height_of_drop(double angle)
{
    dlp_World *world = make_drop(angle, DLP_MPS_BY_PRESSURE);
    add_plate(world, 0.0, false, 0.0, 0.0);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.kind = DLP_SHAPE_SPHERE;
    fluid.shape.radius = 6e-3;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK); /* the half above the floor */
    run_mps(world, 400, 5e-4);
    const dlp_WorldStats stats = stats_of(world);
    dlp_world_destroy(world);
    return (stats.upper.z - stats.lower.z) / 6e-3;
}

/* Heights of a cap of the same volume, over the radius of the half ball: 0.448 for 30, 1 for 90 and 1.56 for 150 degrees. */
static double height_of_cap(double angle)
{
    const double c = cos(angle * PI / 180.0), volume = 2.0 / 3.0; /* over pi and the half ball's radius^3 */
    const double radius = cbrt(volume * 3.0 / ((1.0 - c) * (1.0 - c) * (2.0 + c)));
    return radius * (1.0 - c);
}

static void a_drop_spreads_where_it_wets(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    static const double angles[] = {30.0, 90.0, 150.0};
    double heights[3];
    for (int n = 0; n < 3; n++) {
        heights[n] = height_of_drop(angles[n]);
        print_message("contact angle %g: height %.3f, theory %.3f\n", angles[n], heights[n], height_of_cap(angles[n]));
    }
    assert_true(heights[0] < 0.8 * heights[1]);
    assert_true(heights[2] > 1.15 * heights[1]);
}

/* A block under a ceiling: how far it falls (m) in 0.1 s. Free fall is 4.9 cm. */
static double fall_from_ceiling(double viscosity, double stickiness, double friction)
{
    const double d = 0.01;
    dlp_WorldDef def = mps_def(d);
    def.gravity.z = -9.81;
    const dlp_MaterialDef honey = simple_material(viscosity, 0.0, 0.0);
    dlp_World *world = make_mps(&def, &honey);
    add_plate(world, 0.0, true, friction, stickiness);
    add_lattice(world, 0, (const int[]){10, 10, 4}, (dlp_Vec3){0, 0, -4.0 * d});
    const double first = stats_of(world).center.z;
    run_mps(world, 100, 1e-3);
    const double fallen = first - stats_of(world).center.z;
    dlp_world_destroy(world);
    return fallen;
}

static void only_a_sticky_ceiling_holds_fluid(void **state)
{
    (void)state;
    const double loose = fall_from_ceiling(1e-3, 0.0, 0.0), stuck = fall_from_ceiling(100.0, 1e4, 1.0);
    print_message("falls by %.2f mm from a ceiling, by %.2f mm from a sticky one, in free fall by 49.05\n", 1e3 * loose,
                  1e3 * stuck);
    assert_true(loose > 0.045 && loose < 0.0505);
    assert_true(stuck < 0.01);
}

static void fluid_and_body_exchange_momentum(void **state)
{
    (void)state;
    static const double viscosities[] = {0.0, 20.0}, frictions[] = {0.0, 1.0};
    for (int n = 0; n < 4; n++) {
        const TankDef def = {"mps", 500.0, viscosities[n % 2], 0.0, frictions[n / 2], 1, 1};
        Tank tank = make_tank(&def);
        const dlp_Vec3 first = collide(&tank);
        double worst = 0.0;
        for (int step = 0; step < (small_scale() ? 10 : 40); step++) {
            step_or_fail(tank.world, 1.0 / 400.0);
            worst = fmax(worst, dlp__length(dlp__sub(momentum_of(&tank, &def), first)) / dlp__length(first));
        }
        const double speed = dlp__length(ball_of(&tank)->state.velocity);
        print_message("%g Pa.s, friction %g: momentum off by %.2g, the body reaches %.3f m/s\n", viscosities[n % 2],
                      frictions[n / 2], worst, speed);
        assert_true(speed > 0.01);
        assert_true(worst < (viscosities[n % 2] > 0.0 ? 2e-3 : 1e-6)); /* drag: to the tolerance of the solver */
        dlp_world_destroy(tank.world);
    }
}

/* A thread between plates, the upper one pulled as in Mukai et al. */
typedef struct Thread {
    dlp_World *world;
    dlp_SolidId upper;
    double spacing, length; /* m, of the thread at first */
} Thread;

static Thread make_thread(void)
{
    const double d = small_scale() ? 7e-3 : 3.5e-3, radius = 7.0 * 3.5e-3;
    const int rows = (int)lround(17.0 * 3.5e-3 / d), across = 2 * (int)lround(radius / d);
    dlp_WorldDef def = mps_def(d);
    def.gravity.z = -9.81;
    dlp_MaterialDef fluid = simple_material(28.0, 0.0, 0.0);
    fluid.density = 1160.0;
    Thread thread = {.world = make_mps(&def, &fluid), .spacing = d, .length = rows * d};
    add_plate(thread.world, 0.0, false, 1.0, 1e6);
    thread.upper = add_plate(thread.world, thread.length, true, 1.0, 1e6);
    float *points = malloc(sizeof *points * 3 * (size_t)across * (size_t)across * (size_t)rows);
    int64_t count = 0;
    assert_non_null(points);
    for (int n = 0; n < across * across * rows; n++) {
        const int row = n / across % across, layer = n / across / across;
        const double x = (n % across + 0.5) * d - radius, y = (row + 0.5) * d - radius;
        if (x * x + y * y < radius * radius) {
            points[3 * count] = (float)x;
            points[3 * count + 1] = (float)y;
            points[3 * count++ + 2] = (float)((layer + 0.5) * d);
        }
    }
    assert_int_equal(dlp_world_add_points(thread.world, 0, points, count, (dlp_Vec3){0, 0, 0}), DLP_OK);
    free(points);
    return thread;
}

/* The velocity rises as a sine within 0.01 s, to 0.18 m/s. */
static void pull(Thread *thread)
{
    enum { KEYS = 41 };
    dlp_PoseKey keys[KEYS];
    const double ramp = 0.01, speed = 0.18;
    for (int n = 0; n < KEYS; n++) {
        const double t = n < 21 ? ramp * n / 20.0 : ramp + 0.05 * (n - 20), in = fmin(t, ramp);
        const double way = speed * (ramp * 2.0 / PI * (1.0 - cos(0.5 * PI * in / ramp)) + (t - in));
        keys[n] = (dlp_PoseKey){t, {0, 0, thread->length + way}, {PI, 0, 0}};
    }
    assert_int_equal(dlp_world_set_solid_keys(thread->world, thread->upper, keys, KEYS), DLP_OK);
}

/* The number of particles in the thinnest slice of a spacing between the plates. */
static int thinnest(const Thread *thread, double top)
{
    enum { SLICES = 100 };
    int count[SLICES] = {0}, least = 1 << 30;
    const int slices = (int)(top / thread->spacing);
    const dlp__Particles *p = particles_of(thread->world);
    assert_true(slices < SLICES);
    for (int64_t i = 0; i < p->count; i++) {
        const int n = (int)((double)p->position[2][i] / top * slices);
        count[n < 0 ? 0 : n >= slices ? slices - 1 : n]++;
    }
    for (int n = 0; n < slices; n++) {
        least = count[n] < least ? count[n] : least;
    }
    return least;
}

/* Particles with few neighbours. */
static int lost_particles(const Thread *thread)
{
    const dlp__Particles *p = particles_of(thread->world);
    const double reach = 1.8 * thread->spacing;
    int lost = 0;
    for (int64_t i = 0; i < p->count; i++) {
        int near = 0;
        for (int64_t j = 0; j < p->count && near < 4; j++) {
            const double x = (double)(p->position[0][i] - p->position[0][j]),
                         y = (double)(p->position[1][i] - p->position[1][j]),
                         z = (double)(p->position[2][i] - p->position[2][j]);
            near += j != i && x * x + y * y + z * z < reach * reach;
        }
        lost += near < 4;
    }
    return lost;
}

static void a_thread_stretches_to_twice_its_length(void **state)
{
    (void)state;
    Thread thread = make_thread();
    pull(&thread);
    const double dt = small_scale() ? 1e-3 : 5e-4;
    const int64_t count = dlp_world_particle_count(thread.world);
    const double first = surface_volume(thread.world), lattice = (double)count * pow(thread.spacing, 3.0);
    double stretch = 1.0, off = 0.0;
    print_message("%lld particles: %.4f of their volume within the surface\n", (long long)count, first / lattice);
    for (int step = 0; stretch < (small_scale() ? 1.1 : 2.05); step++) {
        step_or_fail(thread.world, dt);
        dlp_SolidState upper;
        assert_int_equal(dlp_world_solid_state(thread.world, thread.upper, &upper), DLP_OK);
        stretch = upper.position.z / thread.length;
        if (step % 60 == 59) {
            const int least = thinnest(&thread, upper.position.z), lost = lost_particles(&thread);
            const double volume = surface_volume(thread.world) / first - 1.0;
            off = fmax(off, fabs(volume));
            assert_true(least >= 4);
            assert_int_equal(lost, 0);
            print_message("stretch %.3f: %d particles in the thinnest slice, %d lost, volume %+.4f, %.3f m/s\n",
                          stretch, least, lost, volume, stats_of(thread.world).speed_max);
        }
    }
    print_message("largest change of volume %.4f\n", off);
    assert_true(off < 0.02);
    assert_int_equal(dlp_world_particle_count(thread.world), count);
    dlp_world_destroy(thread.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_becomes_round),
        cmocka_unit_test(a_drop_spreads_where_it_wets),
        cmocka_unit_test(only_a_sticky_ceiling_holds_fluid),
        cmocka_unit_test(fluid_and_body_exchange_momentum),
        cmocka_unit_test(a_thread_stretches_to_twice_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
