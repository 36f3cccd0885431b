/* The physical solver against known answers, small enough for every run; the studies shear-wave, oscillatory-shear, slump,
 * huppert, abc-flow and free-spin do the same at full size.
 * ctest: timeout 300 */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;
static const double DENSITY = 1000.0; /* kg/m3 */

static void add_material(dlp_World *world, double viscosity, double relaxation_time, double modulus)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = DENSITY;
    material.viscosity = viscosity;
    material.relaxation_time = relaxation_time;
    material.modulus = modulus;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
}

/* A wave u_x = amplitude sin(k z) in a periodic box of n^3 particles, displaced at random by 0.15 spacings. */
typedef struct Wave {
    dlp_World *world;
    double k;         /* 1/m                                         */
    double amplitude; /* m/s, that a push adds, or sets if `sets`     */
    bool sets;
} Wave;

static void push_wave(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const Wave *wave = user;
    (void)id;
    double speed = wave->amplitude * sin(wave->k * (double)position[2]);
    velocity[0] = (float)(speed + (wave->sets ? 0.0 : (double)velocity[0]));
    velocity[1] = wave->sets ? 0.0f : velocity[1];
    velocity[2] = wave->sets ? 0.0f : velocity[2];
}

static Wave make_wave(int n, double size)
{
    uint64_t seed = 11;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = size / n;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){size, size, size};
    def.threads = 2;
    Wave wave = {.world = make_world(&def), .k = 2.0 * PI / size};
    add_material(wave.world, 0.0, 0.0, 0.0);
    add_lattice(wave.world, 0, (const int[]){n, n, n}, (dlp_Vec3){0, 0, 0});
    dlp__Particles *p = particles_of(wave.world);
    for (int64_t i = 0; i < p->count; i++) {
        for (int a = 0; a < 3; a++) {
            p->position[a][i] += (float)(0.3 * def.spacing * (random_number(&seed) - 0.5));
        }
    }
    for (int step = 0; step < 10; step++) { /* shifting makes the packing regular */
        step_or_fail(wave.world, 1e-6);
        wave.sets = true;
        assert_int_equal(dlp_world_push(wave.world, push_wave, &wave), DLP_OK);
    }
    return wave;
}

static double amplitude_of(const Wave *wave)
{
    const dlp__Particles *p = particles_of(wave->world);
    double along = 0.0, norm = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        double s = sin(wave->k * (double)p->position[2][i]);
        along += s * (double)p->velocity[0][i];
        norm += s * s;
    }
    return along / norm;
}

static void set_viscosity(dlp_World *world, double viscosity, double relaxation_time)
{
    dlp_MaterialDef material;
    assert_int_equal(dlp_world_get_material(world, 0, &material), DLP_OK);
    material.viscosity = viscosity;
    material.relaxation_time = relaxation_time;
    assert_int_equal(dlp_world_set_material(world, 0, &material), DLP_OK);
}

/* Driven by a force of nu k^2 U sin(k z), particles move past each other up to a strain of one and a half. In a step of
 * implicit Euler the amplitude falls by 1 + nu k^2 dt. */
static double delivered_viscosity(double viscosity)
{
    const double speed = 1.0, dt = 0.3 * 0.01 / speed;
    enum { STEPS = 14, COUNTED = 10 };
    Wave wave = make_wave(16, 0.16);
    set_viscosity(wave.world, viscosity, 0.0);
    wave.amplitude = speed;
    assert_int_equal(dlp_world_push(wave.world, push_wave, &wave), DLP_OK);
    wave.sets = false;
    wave.amplitude = viscosity / DENSITY * wave.k * wave.k * speed * dt;
    double sum = 0.0;
    for (int step = 0; step < STEPS; step++) {
        assert_int_equal(dlp_world_push(wave.world, push_wave, &wave), DLP_OK);
        double before = amplitude_of(&wave);
        step_or_fail(wave.world, dt);
        if (step >= STEPS - COUNTED) {
            sum += (before / amplitude_of(&wave) - 1.0) / (wave.k * wave.k * dt) * DENSITY / viscosity;
        }
    }
    dlp_world_destroy(wave.world);
    return sum / COUNTED;
}

static void a_shear_wave_meets_the_asked_viscosity(void **state)
{
    (void)state;
    static const double viscosities[] = {1.0, 10.0, 100.0};
    for (int n = 0; n < (small_scale() ? 1 : 3); n++) {
        double part = delivered_viscosity(viscosities[n]);
        print_message("%g Pa.s: %.4f of it\n", viscosities[n], part);
        assert_true(fabs(part - 1.0) < 0.01);
    }
}

/* tau u'' + u' + nu k^2 u = 0: the wave oscillates at omega and decays with 2 tau. Velocities are those of half a step before. */
static void a_maxwell_fluid_oscillates_at_the_known_frequency(void **state)
{
    (void)state;
    const double viscosity = 100.0, tau = 0.02, fading = 0.5 / tau;
    Wave wave = make_wave(16, 0.16);
    set_viscosity(wave.world, viscosity, tau);
    const double omega = sqrt(viscosity / DENSITY * wave.k * wave.k / tau - fading * fading);
    const double dt = 2.0 * PI / omega / 96.0;
    wave.amplitude = 0.01;
    assert_int_equal(dlp_world_push(wave.world, push_wave, &wave), DLP_OK);
    double error = 0.0;
    enum { STEPS = 96 };
    for (int step = 0; step < STEPS; step++) {
        step_or_fail(wave.world, dt);
        double t = (step + 0.5) * dt;
        double known = exp(-fading * t) * (cos(omega * t) + fading / omega * sin(omega * t));
        error += (amplitude_of(&wave) / 0.01 - known) * (amplitude_of(&wave) / 0.01 - known);
    }
    print_message("RMS distance from the known curve: %.4f\n", sqrt(error / STEPS));
    assert_true(sqrt(error / STEPS) < 0.01);
    dlp_world_destroy(wave.world);
}

/* n^3 particles, `side` m, on a floor. */
static dlp_World *make_cube(int n, double side, double friction, double lift)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = side / n;
    def.threads = 2;
    dlp_World *world = make_world(&def);
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = friction;
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    add_material(world, 0.0, 0.0, 0.0);
    add_lattice(world, 0, (const int[]){n, n, n}, (dlp_Vec3){0, 0, lift});
    return world;
}

static double height(dlp_World *world)
{
    dlp_WorldStats stats;
    dlp_world_stats(world, &stats);
    return stats.center.z;
}

static double rate_of_sinking(dlp_World *world, double side)
{
    const double viscosity = 1000.0;
    set_viscosity(world, viscosity, 0.0);
    for (int step = 0; step < 5; step++) {
        step_or_fail(world, 1.0 / 240.0);
    }
    dlp_WorldStats stats;
    dlp_world_stats(world, &stats);
    dlp_world_destroy(world);
    return stats.momentum.z / (DENSITY * side * side * side) * viscosity / (DENSITY * 9.81 * side * side);
}

/* An independent grid solver gives v eta / (rho g H^2) = -0.0832 for the initial mean velocity of a sinking cube. */
static void a_cube_sinks_at_the_known_rate(void **state)
{
    (void)state;
    const double rate = rate_of_sinking(make_cube(10, 0.1, 1.0, 0.0), 0.1);
    print_message("sinks at %.4f\n", rate);
    assert_true(fabs(rate / -0.0832 - 1.0) < 0.02);
}

/* The same on a floor that is a mesh, a slab of twelve triangles. */
static void a_cube_sinks_at_the_same_rate_on_a_mesh(void **state)
{
    (void)state;
    dlp_World *world = make_cube(10, 0.1, 1.0, 0.0);
    dlp_SolidDef slab;
    assert_int_equal(dlp_world_get_solid(world, 0, &slab), DLP_OK);
    slab.shape.kind = DLP_SHAPE_MESH;
    slab.shape.mesh = add_box_mesh(world, (dlp_Vec3){0.3, 0.3, 0.1});
    slab.shape.position = (dlp_Vec3){0.05, 0.05, -0.05};
    assert_int_equal(dlp_world_set_solid(world, 0, &slab), DLP_OK);
    const double rate = rate_of_sinking(world, 0.1);
    print_message("on a mesh it sinks at %.4f\n", rate);
    assert_true(fabs(rate / -0.0832 - 1.0) < 0.03);
}

static double slump(double steps_a_second)
{
    dlp_World *world = make_cube(10, 0.1, 1.0, 0.0);
    set_viscosity(world, 1000.0, 0.0);
    for (int step = 0; step < (int)(0.25 * steps_a_second); step++) {
        step_or_fail(world, 1.0 / steps_a_second);
    }
    double sunk = 0.05 - height(world);
    dlp_world_destroy(world);
    return sunk;
}

static void a_slump_does_not_depend_on_the_time_step(void **state)
{
    (void)state;
    double coarse = slump(120.0), fine = slump(small_scale() ? 180.0 : 480.0);
    print_message("sunk by %.3f mm in long steps, %.3f mm in short ones\n", 1e3 * coarse, 1e3 * fine);
    assert_true(fabs(coarse / fine - 1.0) < 0.02);
}

static void set_modulus(dlp_World *world, double modulus)
{
    dlp_MaterialDef material;
    assert_int_equal(dlp_world_get_material(world, 0, &material), DLP_OK);
    material.modulus = modulus;
    assert_int_equal(dlp_world_set_material(world, 0, &material), DLP_OK);
}

/* A neo-Hookean bar of G = 5000 Pa under its own weight is 3.12 mm shorter at the height of the topmost particles. Compression adds G / (3 K):
 * 1.2 % in all, and 2.1 % without the least bulk modulus of solids. */
static void an_elastic_cube_sags_by_the_known_amount(void **state)
{
    (void)state;
    dlp_World *world = make_cube(10, 0.1, 0.0, 0.0);
    set_modulus(world, 5000.0);
    set_method(world, "damping", 1.0);
    for (int step = 0; step < 120; step++) {
        step_or_fail(world, 1.0 / 120.0);
    }
    const dlp__Particles *p = particles_of(world);
    double sag = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        sag += p->id[0][i] >= 900 ? (0.095 - (double)p->position[2][i]) / 100.0 : 0.0;
    }
    print_message("the top is %.3f mm lower\n", 1e3 * sag);
    assert_true(fabs(sag / 3.124e-3 - 1.0) < 0.017);
    dlp_world_destroy(world);
}

/* m, mean sag of the centre of mass from 1 s to 2 s of a cube of jelly that oscillates on a slippery floor, in steps of dt (s) or in automatic
 * ones. */
static double mean_sag_of_jelly(double dt)
{
    dlp_World *world = make_cube(6, 0.1, 0.0, 0.0);
    set_modulus(world, 5000.0);
    double sum = 0.0, duration = 0.0;
    for (int frame = 1; frame <= 48;) {
        dlp_WorldStats stats;
        assert_int_equal(dt > 0.0 ? dlp_world_step(world, dt) : dlp_world_advance(world, frame / 24.0), DLP_OK);
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        if (stats.time > 1.0) {
            sum += stats.step_length * (0.05 - stats.center.z);
            duration += stats.step_length;
        }
        frame += stats.time > frame / 24.0 - 1e-6 ? 1 : 0;
    }
    dlp_world_destroy(world);
    return sum / duration;
}

/* Automatic steps are shorter in some phases of an oscillation than in others. If the bulk modulus of the jelly depended on the step, it would
 * lose volume in every period: it sagged 7 % more then. */
static void an_oscillating_jelly_keeps_its_volume_in_automatic_steps(void **state)
{
    (void)state;
    const double fixed = mean_sag_of_jelly(0.001), automatic = mean_sag_of_jelly(0.0);
    print_message("mean sag %.3f mm in steps of 1 ms, %.3f mm in automatic ones\n", 1e3 * fixed, 1e3 * automatic);
    assert_true(fabs(automatic / fixed - 1.0) < 0.03);
}

/* It detaches from the floor and comes down again. */
static void a_rubber_cube_bounces(void **state)
{
    (void)state;
    dlp_World *world = make_cube(8, 1.0, 0.5, 0.3);
    set_modulus(world, 1e5);
    double lowest = 1.0, rebound = 0.0;
    for (int step = 0; step < 200; step++) {
        step_or_fail(world, 0.004);
        lowest = fmin(lowest, height(world));
        rebound = lowest < 0.5 ? fmax(rebound, height(world)) : 0.0;
    }
    print_message("falls from 0.8 m, is pressed down to %.3f m and rebounds to %.3f m\n", lowest, rebound);
    assert_true(rebound > 0.56 && rebound < 0.8);
    dlp_world_destroy(world);
}

/* A jelly that hits the floor with a large strain per step, rubber, and a solid whose waves the step cannot resolve:
 * none gains energy, loses particles, or moves without a force. Single particles at the edge of the softest jelly reach 1.2 to 3 times the
 * speed of the impact, depending on rounding. */
static void a_solid_that_lands_gains_no_energy(void **state)
{
    (void)state;
    static const double moduli[] = {1e3, 2e3, 1e5, 3e7};
    for (int n = 0; n < (small_scale() ? 1 : 4); n++) {
        const double side = 0.1, drop = 0.1, dt = 1.0 / 240;
        dlp_World *world = make_cube(10, side, 1.0, drop);
        set_modulus(world, moduli[n]);
        double highest = 0.0, fastest = 0.0;
        for (int step = 0; step < 120; step++) {
            step_or_fail(world, dt);
            dlp_WorldStats stats;
            assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
            highest = fmax(highest, stats.kinetic_energy / (DENSITY * side * side * side) + 9.81 * stats.center.z);
            fastest = fmax(fastest, stats.speed_max);
        }
        print_message("%g Pa: %.3f J/kg at most, %.2f m/s\n", moduli[n], highest, fastest);
        assert_true(highest < 9.81 * (drop + 0.5 * side) * 1.01);
        assert_true(fastest < (n == 0 ? 3.5 : 1.5) * sqrt(2.0 * 9.81 * drop));
        dlp_world_destroy(world);
    }
}

/* A layer between plates that slide past each other, 10 particles high; the fluid sticks to them. */
static dlp_World *make_couette(double rate, double viscosity, double relaxation_time, double extensibility, double cfl)
{
    const double height = 0.1;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = height / 10.0;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){height, height, 0};
    def.cfl = cfl;
    def.threads = 2;
    dlp_World *world = make_world(&def);
    for (int n = 0; n < 2; n++) {
        dlp_SolidDef plate = dlp_default_solid_def();
        plate.friction = 1.0;
        plate.velocity.x = (n == 0 ? -0.5 : 0.5) * rate * height;
        plate.shape.position.z = n == 0 ? 0.0 : height;
        plate.shape.rotation.x = n == 0 ? 0.0 : PI;
        assert_int_equal(dlp_world_add_solid(world, &plate, NULL), DLP_OK);
    }
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = viscosity;
    material.relaxation_time = relaxation_time;
    material.extensibility = extensibility;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){10, 10, 10}, (dlp_Vec3){0, 0, 0});
    dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        p->velocity[0][i] = (float)(rate * ((double)p->position[2][i] - 0.5 * height));
    }
    return world;
}

/* Steady shear of a FENE-P fluid: with f as in maxwell.h, viscosity is eta / f and N1 is 2 eta tau rate^2 / f^2; without a limit
 * f is 1. */
static double stiffening(double weissenberg, double extensibility)
{
    const double limit = extensibility * extensibility;
    double low = 1.0, high = 1e3;
    for (int n = 0; n < 100 && extensibility > 0.0; n++) {
        const double f = 0.5 * (low + high), trace = 3.0 / f + 2.0 * weissenberg * weissenberg / (f * f * f);
        const bool more = trace >= limit || (limit - 3.0) / (limit - trace) > f;
        low = more ? f : low;
        high = more ? high : f;
    }
    return low;
}

static void try_shear(double weissenberg, double extensibility)
{
    const double viscosity = 100.0, tau = 0.1, rate = weissenberg / tau, dt = 0.003 / weissenberg;
    const double f = stiffening(weissenberg, extensibility);
    dlp_World *world = make_couette(rate, viscosity, tau, extensibility, 0.0);
    dlp__Particles *p = particles_of(world);
    for (int step = 0; step < (int)(10.0 * tau / dt); step++) {
        for (int64_t i = 0; i < p->count; i++) {
            p->detached[0][i] = 0.0f; /* walls release fluid under tension */
        }
        step_or_fail(world, dt);
    }
    double shear = 0.0, normal = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        shear += (double)p->stress[4][i] / (double)p->count;
        normal += (double)(p->stress[0][i] - p->stress[2][i]) / (double)p->count;
    }
    shear *= f / (viscosity * rate);
    normal *= f * f / (2.0 * viscosity * tau * rate * rate);
    print_message("Wi %g, extensibility %g: viscosity and N1 are %.4f and %.4f of the known values\n", weissenberg,
                  extensibility, shear, normal);
    assert_true(fabs(shear - 1.0) < 0.02 && fabs(normal - 1.0) < 0.02);
    dlp_world_destroy(world);
}

/* At a Weissenberg number of 10 the shear is no longer uniform, but with steps limited by their CFL number nothing diverges. */
static void fast_shear_stays_bounded(void **state)
{
    (void)state;
    const double rate = 100.0;
    dlp_World *world = make_couette(rate, 100.0, 0.1, 0.0, 0.4);
    double fastest = 0.0;
    for (int step = 0; step < (small_scale() ? 60 : 600); step++) {
        dlp_WorldStats stats;
        step_or_fail(world, 0.001);
        dlp_world_stats(world, &stats);
        fastest = fmax(fastest, stats.speed_max);
    }
    print_message("fastest: %.1f times a plate\n", fastest / (0.05 * rate));
    assert_true(fastest < 4.0 * 0.05 * rate);
    dlp_world_destroy(world);
}

static void stress_in_shear_is_as_known(void **state)
{
    (void)state;
    if (!small_scale()) {
        try_shear(0.3, 0.0);
        try_shear(1.0, 0.0);
    }
    try_shear(3.0, 5.0);
}

/* 16 layers of a fluid of low viscosity on a floor, with steps so long that a free fall from its top crosses two spacings. */
static void a_fluid_of_low_viscosity_rests_in_long_steps(void **state)
{
    (void)state;
    const double spacing = 0.0025, dt = 0.008;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = spacing;
    def.periodic_size = (dlp_Vec3){8.0 * spacing, 8.0 * spacing, 0};
    dlp_World *world = make_world(&def);
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 0.0;
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    add_material(world, 0.5, 0.0, 0.0);
    add_lattice(world, 0, (const int[]){8, 8, 16}, (dlp_Vec3){0, 0, 0});
    for (int step = 0; step < 100; step++) {
        step_or_fail(world, dt);
    }
    dlp_WorldStats stats;
    dlp_world_stats(world, &stats);
    print_message("it stands at %.4f of its height, at most %.4f too dense\n", stats.center.z / (8.0 * spacing),
                  stats.density_worst);
    assert_true(stats.center.z > 0.99 * 8.0 * spacing && stats.density_worst < 0.02 && stats.speed_max < 0.01);
    dlp_world_destroy(world);
}

static void throw_down(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user, (void)id, (void)position;
    velocity[2] = -1.0f;
}

/* The mean number of iterations while a block hits the floor, stiff as in bench/impact.yaml: nu dt / d^2 = 2000. */
static double iterations_of_impact(int n)
{
    dlp_World *world = make_cube(n, 0.05 * n, 1.0, 0.0);
    set_viscosity(world, 1e6, 0.0);
    assert_int_equal(dlp_world_push(world, throw_down, NULL), DLP_OK);
    double iterations = 0.0;
    for (int step = 0; step < 6; step++) {
        dlp_WorldStats stats;
        step_or_fail(world, 0.005);
        dlp_world_stats(world, &stats);
        iterations += (double)stats.iterations / 6.0;
    }
    dlp_world_destroy(world);
    return iterations;
}

static void iterations_do_not_grow_with_size(void **state)
{
    (void)state;
    double small = iterations_of_impact(8), large = iterations_of_impact(small_scale() ? 12 : 20);
    print_message("%.1f iterations a step for 8 a side, %.1f for more\n", small, large);
    assert_true(large < 12.0 && large < 1.3 * small); /* 13.3 without the blocks of physical_blocks_wide.c */
}

static void spin(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user, (void)id;
    velocity[0] = -3.0f * position[1] + sinf(7.0f * position[2]);
    velocity[1] = 3.0f * position[0];
    velocity[2] = cosf(5.0f * position[0]);
}

typedef struct Motion {
    double momentum[3], spin[3]; /* over the mass of a particle */
} Motion;

static Motion motion_of(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    Motion motion = {{0}, {0}};
    for (int64_t i = 0; i < p->count; i++) {
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            motion.momentum[a] += (double)p->velocity[a][i];
            motion.spin[a] += (double)p->position[b][i] * (double)p->velocity[c][i] -
                              (double)p->position[c][i] * (double)p->velocity[b][i];
        }
    }
    return motion;
}

/* A stiff block with random motion, solved with four iterations per step, far too few to converge. */
static void momentum_is_conserved_with_few_iterations(void **state)
{
    (void)state;
    dlp_World *world = make_cube(12, 0.6, 1.0, 1.0);
    dlp_world_set_gravity(world, (dlp_Vec3){0, 0, 0});
    set_viscosity(world, 1e6, 0.0);
    set_method(world, "iterations", 4.0);
    assert_int_equal(dlp_world_push(world, spin, NULL), DLP_OK);
    const Motion before = motion_of(world);
    step_or_fail(world, 0.005);
    const Motion after = motion_of(world);
    for (int a = 0; a < 3; a++) {
        double gain = after.momentum[a] - before.momentum[a], turn = after.spin[a] - before.spin[a];
        print_message("momentum %.4g gains %.2g, angular momentum %.4g gains %.2g\n", before.momentum[a], gain,
                      before.spin[a], turn);
        assert_true(fabs(gain) < 0.02 && fabs(turn) < 0.02);
    }
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_shear_wave_meets_the_asked_viscosity),
                                       cmocka_unit_test(a_maxwell_fluid_oscillates_at_the_known_frequency),
                                       cmocka_unit_test(a_cube_sinks_at_the_known_rate),
                                       cmocka_unit_test(a_cube_sinks_at_the_same_rate_on_a_mesh),
                                       cmocka_unit_test(a_slump_does_not_depend_on_the_time_step),
                                       cmocka_unit_test(an_elastic_cube_sags_by_the_known_amount),
                                       cmocka_unit_test(an_oscillating_jelly_keeps_its_volume_in_automatic_steps),
                                       cmocka_unit_test(a_rubber_cube_bounces),
                                       cmocka_unit_test(a_solid_that_lands_gains_no_energy),
                                       cmocka_unit_test(stress_in_shear_is_as_known),
                                       cmocka_unit_test(fast_shear_stays_bounded),
                                       cmocka_unit_test(a_fluid_of_low_viscosity_rests_in_long_steps),
                                       cmocka_unit_test(iterations_do_not_grow_with_size),
                                       cmocka_unit_test(momentum_is_conserved_with_few_iterations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
