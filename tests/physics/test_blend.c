/* Method blend against known answers: rest, uniform motion, rotation, elastic and viscous shear waves, a cube under its weight, a
 * fallen one with half the time step, and pieces that separate and merge.
 * ctest: slow
 * ctest: timeout 300 */
#include "support/mps_fixture.h"
#include "support/scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;
static const double SPACING = 0.01, DENSITY = 1000.0; /* m, kg/m3 */

static dlp_WorldDef blend_def(void)
{
    dlp_WorldDef def = mps_def(SPACING);
    snprintf(def.method, sizeof def.method, "blend");
    return def;
}

/* A block as in the paper: alpha, and shape matching in a time of tau. */
static dlp_World *make_block(double alpha, double tau, int side, double gravity)
{
    dlp_WorldDef def = blend_def();
    def.gravity.z = -gravity;
    const dlp_MaterialDef material = simple_material(0.0, 0.0, 0.0);
    dlp_World *world = make_mps(&def, &material);
    set_material_param(world, 0, "matching_time", tau);
    set_material_param(world, 0, "alpha", alpha);
    add_lattice(world, 0, (const int[]){side, side, side}, (dlp_Vec3){-0.5 * side * SPACING, -0.5 * side * SPACING, 0});
    return world;
}

static const double alphas[] = {0.0, 0.3, 0.7, 1.0};

static void a_block_at_rest_does_not_move_at_all(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        dlp_World *world = make_block(alphas[n], 0.02, 8, 0.0);
        run_mps(world, 30, 0.002);
        const dlp__Particles *p = particles_of(world);
        float fastest = 0.0f;
        for (int64_t i = 0; i < p->count; i++) {
            for (int a = 0; a < 3; a++) {
                fastest = fmaxf(fastest, fabsf(p->velocity[a][i]));
            }
        }
        print_message("alpha %g: fastest %g m/s\n", alphas[n], (double)fastest);
        assert_true(fastest == 0.0f);
        dlp_world_destroy(world);
    }
}

static void drift(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    (void)position;
    velocity[0] = 0.3f;
    velocity[1] = -0.2f;
    velocity[2] = 0.1f;
}

static void uniform_motion_stays_uniform(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        dlp_World *world = make_block(alphas[n], 0.02, 8, 0.0);
        assert_int_equal(dlp_world_push(world, drift, NULL), DLP_OK);
        run_mps(world, 100, 0.002);
        const dlp__Particles *p = particles_of(world);
        double most = 0.0;
        for (int64_t i = 0; i < p->count; i++) {
            const double x = (double)p->velocity[0][i] - 0.3, y = (double)p->velocity[1][i] + 0.2,
                         z = (double)p->velocity[2][i] - 0.1;
            most = fmax(most, sqrt(x * x + y * y + z * z));
        }
        print_message("alpha %g: velocity changes by at most %g m/s\n", alphas[n], most);
        assert_true(most < 1e-4);
        dlp_world_destroy(world);
    }
}

static void spin(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const double *rate = user;
    (void)id;
    velocity[0] = (float)(-*rate * (double)position[1]);
    velocity[1] = (float)(*rate * (double)position[0]);
}

typedef struct Motion {
    double kinetic, angular; /* per particle mass: m2/s2, m2/s about the z axis */
    double momentum[3];
} Motion;

static Motion motion_of(dlp_World *world)
{
    Motion motion = {0};
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        for (int a = 0; a < 3; a++) {
            const double v = (double)p->velocity[a][i];
            motion.kinetic += 0.5 * v * v;
            motion.momentum[a] += v;
        }
        motion.angular += (double)p->position[0][i] * (double)p->velocity[1][i] -
                          (double)p->position[1][i] * (double)p->velocity[0][i];
    }
    return motion;
}

/* The paper's unit of time: its steps of 0.15 units are as long as the matching time here. */
static void an_elastic_block_keeps_spinning(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        const double tau = 0.02, unit = tau / 0.15;
        double rate = 0.3 / unit;
        dlp_World *world = make_block(alphas[n], tau, 8, 0.0);
        assert_int_equal(dlp_world_push(world, spin, &rate), DLP_OK);
        const Motion before = motion_of(world);
        run_mps(world, (int)(60.0 * unit / 0.004), 0.004);
        const Motion after = motion_of(world);
        print_message("alpha %g: kinetic energy %.4f, angular momentum %.5f of the initial\n", alphas[n],
                      after.kinetic / before.kinetic, after.angular / before.angular);
        assert_true(fabs(after.kinetic / before.kinetic - 1.0) < 0.1);
        assert_true(fabs(after.angular / before.angular - 1.0) < 0.01);
        dlp_world_destroy(world);
    }
}

/* A wave u_x = amplitude sin(k z) in a periodic box of 8 x 8 x 16 spacings. */
enum { ACROSS = 8, ALONG = 16 };

static double wave_number(void)
{
    return 2.0 * PI / (ALONG * SPACING);
}

static void push_wave(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const double *amplitude = user;
    (void)id;
    velocity[0] = (float)(*amplitude * sin(wave_number() * (double)position[2]));
}

static double amplitude_of(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double along = 0.0, norm = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double s = sin(wave_number() * (double)p->position[2][i]);
        along += s * (double)p->velocity[0][i];
        norm += s * s;
    }
    return along / norm;
}

static dlp_World *make_wave(const dlp_MaterialDef *material, dlp_KernelKind kernel, double alpha, double amplitude)
{
    dlp_WorldDef def = blend_def();
    def.kernel = kernel;
    def.periodic_size = (dlp_Vec3){ACROSS * SPACING, ACROSS * SPACING, ALONG * SPACING};
    dlp_World *world = make_mps(&def, material);
    set_material_param(world, 0, "alpha", alpha);
    set_method(world, "damping", 0.0);
    add_lattice(world, 0, (const int[]){ACROSS, ACROSS, ALONG}, (dlp_Vec3){0, 0, 0});
    assert_int_equal(dlp_world_push(world, push_wave, &amplitude), DLP_OK);
    return world;
}

/* Modulus from the first two zeros of the velocity: half a period. */
static double delivered_modulus(double alpha, double modulus)
{
    const dlp_MaterialDef jelly = simple_material(0.0, 0.0, modulus);
    dlp_World *world = make_wave(&jelly, DLP_KERNEL_CUBIC_SPLINE, alpha, 0.02);
    const double k = wave_number(), expected = PI / (k * sqrt(modulus / DENSITY)), dt = expected / 200.0;
    double last = amplitude_of(world), first_zero = 0.0, second_zero = 0.0;
    for (int n = 1; n < 600 && second_zero == 0.0; n++) {
        run_mps(world, 1, dt);
        const double now = amplitude_of(world);
        if (now * last < 0.0) {
            const double at = dt * (n - 1 + last / (last - now));
            second_zero = first_zero > 0.0 ? at : 0.0;
            first_zero = first_zero > 0.0 ? first_zero : at;
        }
        last = now;
    }
    dlp_world_destroy(world);
    return pow(expected / (second_zero - first_zero), 2.0);
}

static void an_elastic_wave_has_the_frequency_of_the_modulus(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        const double ratio = delivered_modulus(alphas[n], 1000.0);
        print_message("alpha %g: %.4f of the modulus\n", alphas[n], ratio);
        assert_true(fabs(ratio - 1.0) < 0.05);
    }
}

/* From the decay of a wave, after that strained the lattice so much that particles have left it. */
static double delivered_viscosity(double viscosity, dlp_KernelKind kernel)
{
    const dlp_MaterialDef oil = simple_material(viscosity, 0.0, 0.0);
    dlp_World *world = make_wave(&oil, kernel, 1.0, 0.5);
    const double rate = viscosity / DENSITY * wave_number() * wave_number(), time = 0.5 / rate;
    run_mps(world, 200, time / 200.0);
    const double before = amplitude_of(world);
    run_mps(world, 200, time / 200.0);
    const double after = amplitude_of(world);
    dlp_world_destroy(world);
    return log(before / after) / (rate * time);
}

/* The factor SHEARED of the method was fitted to the first of these cases. */
static void a_shear_wave_decays_at_the_asked_viscosity(void **state)
{
    (void)state;
    static const struct {
        double viscosity;
        dlp_KernelKind kernel;
    } cases[] = {{5.0, DLP_KERNEL_CUBIC_SPLINE},
                 {2.0, DLP_KERNEL_CUBIC_SPLINE},
                 {20.0, DLP_KERNEL_CUBIC_SPLINE},
                 {5.0, DLP_KERNEL_WENDLAND_C2},
                 {5.0, DLP_KERNEL_POLY6_SPIKY}};
    for (int n = 0; n < (small_scale() ? 1 : 5); n++) {
        const double ratio = delivered_viscosity(cases[n].viscosity, cases[n].kernel);
        print_message("%g Pa s, kernel %d: %.4f of the viscosity\n", cases[n].viscosity, (int)cases[n].kernel, ratio);
        assert_true(fabs(ratio - 1.0) < 0.1);
    }
}

/* m, height of the centre of mass. */
static double mean_height(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double sum = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        sum += (double)p->position[2][i];
    }
    return sum / (double)p->count;
}

static int64_t count_objects(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    float most = 0.0f;
    for (int64_t i = 0; i < p->count; i++) {
        most = fmaxf(most, p->object[0][i]);
    }
    return (int64_t)most;
}

/* m, mean height of the upper half of the particles over that of the lower: ids rise with z. */
static double half_distance(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double upper = 0.0, lower = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        *(2 * p->id[0][i] >= (uint64_t)p->count ? &upper : &lower) += (double)p->position[2][i];
    }
    return 2.0 * (upper - lower) / (double)p->count;
}

static void slow_down(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const float *part = user;
    (void)id;
    (void)position;
    for (int a = 0; a < 3; a++) {
        velocity[a] *= *part;
    }
}

typedef struct SaggingCube {
    int side; /* spacings */
    double alpha;
    double modulus; /* Pa, shear */
} SaggingCube;

static const double SOUND = 10.0; /* m/s */

/* Pa, Young's modulus from the sag of a cube under its weight, on a floor without friction: its halves approach by rho g H^2 / (4 E). */
static double delivered_young(const SaggingCube *cube)
{
    const double height = cube->side * SPACING, gravity = 9.81, dt = 5e-4;
    const double frequency = 0.5 * PI / height * sqrt(2.5 * cube->modulus / DENSITY);
    float part = (float)exp(-1.5 * frequency * dt); /* close to critical damping */
    const dlp_MaterialDef jelly = simple_material(0.0, 0.0, cube->modulus);
    dlp_WorldDef def = blend_def();
    def.gravity.z = -gravity;
    dlp_World *world = make_mps(&def, &jelly);
    set_method(world, "sound_speed", SOUND);
    set_material_param(world, 0, "alpha", cube->alpha);
    set_material_param(world, 0, "update_acceleration", 1e9);
    add_plate(world, 0.0, false, 0.0, 0.0);
    add_lattice(world, 0, (const int[]){cube->side, cube->side, cube->side},
                (dlp_Vec3){-0.5 * height, -0.5 * height, 0});
    const double before = half_distance(world);
    for (int n = 0; n * dt < 20.0 / frequency; n++) {
        run_mps(world, 1, dt);
        assert_int_equal(dlp_world_push(world, slow_down, &part), DLP_OK);
    }
    const double sag = before - half_distance(world);
    dlp_world_destroy(world);
    return DENSITY * gravity * height * height / (4.0 * sag);
}

/* Pa, Young's modulus of an isotropic solid: shape matching has a Poisson's ratio of 0, and SPH adds a bulk modulus. */
static double expected_young(const SaggingCube *cube)
{
    const double shear = cube->modulus, bulk = 2.0 / 3.0 * shear + cube->alpha * DENSITY * SOUND * SOUND;
    return 9.0 * bulk * shear / (3.0 * bulk + shear);
}

static void a_cube_sags_by_its_modulus(void **state)
{
    (void)state;
    static const SaggingCube cubes[] = {{10, 0.0, 5000.0}, {10, 0.1, 5000.0}, {10, 0.3, 5000.0},
                                        {10, 0.6, 5000.0}, {10, 0.9, 5000.0}, {14, 0.5, 7000.0}};
    for (int n = 0; n < (small_scale() ? 2 : 6); n++) {
        const double young = delivered_young(&cubes[n]), expected = expected_young(&cubes[n]);
        print_message("alpha %g, %d^3: E %.3f G, %.4f of the expected value\n", cubes[n].alpha, cubes[n].side,
                      young / cubes[n].modulus, young / expected);
        assert_true(fabs(young / expected - 1.0) < 0.04);
    }
}

/* Mean height of the centre of a cube of 8 spacings, over the second half of the time after its fall. */
static double fallen_height(double alpha, double dt)
{
    dlp_World *world = make_block(alpha, 0.006, 8, 9.81);
    add_plate(world, -0.02, false, 1.0, 0.0);
    double sum = 0.0;
    const int steps = (int)lround(0.6 / dt), first = steps / 2, counted = steps - first;
    for (int n = 0; n < steps; n++) {
        run_mps(world, 1, dt);
        sum += n >= first ? (mean_height(world) + 0.02) / counted : 0.0;
    }
    dlp_world_destroy(world);
    return sum;
}

static void half_the_time_step_repeats_a_fall(void **state)
{
    (void)state;
    static const double values[] = {0.0, 0.3, 0.7, 0.85, 0.9};
    double last = 1.0;
    for (int n = 0; n < (small_scale() ? 2 : 5); n++) {
        const double whole = fallen_height(values[n], 5e-4), half = fallen_height(values[n], 2.5e-4);
        print_message("alpha %g: height %.4f of the cube's; half the step changes it by %.2f %%\n", values[n],
                      whole / (4 * SPACING), 100.0 * (half / whole - 1.0));
        assert_true(fabs(half / whole - 1.0) < 0.02);
        assert_true(whole < last);
        last = whole;
    }
}

static void move_apart(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const float *speed = user;
    (void)id;
    velocity[0] = position[0] > 0.0f ? *speed : -*speed;
    velocity[1] = velocity[2] = 0.0f;
}

/* m, between the halves on both sides of x = 0. */
static double gap_of(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double left = -1.0, right = 1.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double x = (double)p->position[0][i];
        left = x < 0.0 ? fmax(left, x) : left;
        right = x > 0.0 ? fmin(right, x) : right;
    }
    return right - left;
}

static void pieces_stay_apart_until_they_touch(void **state)
{
    (void)state;
    dlp_WorldDef def = blend_def();
    const dlp_MaterialDef jelly = simple_material(0.0, 0.0, 500.0);
    dlp_World *world = make_mps(&def, &jelly);
    set_material_param(world, 0, "tear_stretch", 1.5);
    set_material_param(world, 0, "update_acceleration", 1.0);
    set_method(world, "update_interval", 0.01);
    add_lattice(world, 0, (const int[]){12, 6, 6}, (dlp_Vec3){-6 * SPACING, 0, 0});
    run_mps(world, 20, 0.001);
    assert_int_equal(count_objects(world), 1);
    float apart = 2.0f, together = -0.3f;
    assert_int_equal(dlp_world_push(world, move_apart, &apart), DLP_OK);
    run_mps(world, 30, 0.001);
    print_message("torn: %lld objects, gap %.2f spacings\n", (long long)count_objects(world), gap_of(world) / SPACING);
    assert_int_equal(count_objects(world), 2);
    assert_int_equal(dlp_world_push(world, move_apart, &together), DLP_OK);
    int merged = 0;
    for (int n = 1; n < 600 && merged == 0; n++) {
        const double gap = gap_of(world);
        run_mps(world, 1, 0.001);
        merged = count_objects(world) == 1 ? n : 0;
        assert_true(merged == 0 || gap < 1.7 * SPACING);
    }
    print_message("one object after %d ms, gap %.2f spacings\n", merged, gap_of(world) / SPACING);
    assert_true(merged > 0);
    run_mps(world, 200, 0.001);
    assert_int_equal(count_objects(world), 1);
    assert_true(gap_of(world) < 1.7 * SPACING);
    dlp_world_destroy(world);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_at_rest_does_not_move_at_all),
        cmocka_unit_test(uniform_motion_stays_uniform),
        cmocka_unit_test(an_elastic_block_keeps_spinning),
        cmocka_unit_test(an_elastic_wave_has_the_frequency_of_the_modulus),
        cmocka_unit_test(a_shear_wave_decays_at_the_asked_viscosity),
        cmocka_unit_test(a_cube_sags_by_its_modulus),
        cmocka_unit_test(half_the_time_step_repeats_a_fall),
        cmocka_unit_test(pieces_stay_apart_until_they_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
