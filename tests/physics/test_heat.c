/* Heat against known solutions; the study takahashi-heat does the same at full size.
 * ctest: threaded, timeout 300 */
#include "base/simd.h"
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

static const double PI = 3.14159265358979323846;

/* 1 mm2/s: heat crosses a few mm in seconds. */
static dlp_MaterialDef stuff(void)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = 1000.0;
    material.viscosity = 10.0;
    material.conductivity = 1.0;
    material.heat_capacity = 1000.0;
    material.temperature = 300.0;
    return material;
}

/* Without gravity, so that particles move only to reduce disorder. */
static dlp_WorldDef still_world(const char *method, double spacing, dlp_Vec3 periodic_size)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = periodic_size;
    def.threads = 1; /* these worlds are small */
    return def;
}

/* Steps of heat alone: particles do not move. */
static void heat_or_fail(dlp_World *world, double dt, int steps)
{
    step_or_fail(world, 1e-9); /* finds neighbours */
    for (int n = 0; n < steps; n++) {
        const dlp__HeatStep step = dlp__world_heat_step(world, dt);
        dlp__heat_step(&step);
        assert_int_equal(world->domains.failure, DLP_OK);
    }
}

static void disturb(dlp_World *world, double part)
{
    uint64_t seed = 11;
    dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        for (int a = 0; a < 3; a++) {
            p->position[a][i] += (float)(part * world->def.spacing * (random_number(&seed) - 0.5));
        }
    }
}

typedef struct Wave {
    double k;         /* 1/m */
    double amplitude; /* K   */
} Wave;

static double warm_wave(void *user, uint64_t id, const float position[3], double temperature)
{
    const Wave *wave = user;
    (void)id;
    (void)temperature;
    return 300.0 + wave->amplitude * cos(wave->k * (double)position[2]);
}

static double amplitude_of(dlp_World *world, double k)
{
    const dlp__Particles *p = particles_of(world);
    double along = 0.0, norm = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double c = cos(k * (double)p->position[2][i]);
        along += c * ((double)p->temperature[0][i] - 300.0);
        norm += c * c;
    }
    return along / norm;
}

/* Measured over requested diffusivity of a wave of 24 particles, in a box of disordered particles that move as the
 * method reduces the disorder. */
static double delivered_diffusivity(const char *method, int kernel, dlp_HeatKind kind, double step)
{
    /* Springs are stable with short steps only. */
    const bool springs = strcmp(method, "springs") == 0;
    const double d = 0.001, fast = springs ? 2000.0 : 1.0, alpha = 1e-6 * fast, height = 24 * d;
    dlp_WorldDef def = still_world(method, d, (dlp_Vec3){12 * d, 12 * d, height});
    def.heat = kind;
    def.kernel = kernel;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = stuff();
    material.conductivity *= fast;
    material.viscosity = springs ? 0.0 : material.viscosity;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){12, 12, 24}, (dlp_Vec3){0, 0, 0});
    disturb(world, 0.4);
    for (int n = 0; n < 10; n++) {
        step_or_fail(world, springs ? 2e-5 : 1e-4);
    }
    Wave wave = {2.0 * PI / height, 10.0};
    assert_int_equal(dlp_world_warm(world, warm_wave, &wave), DLP_OK);
    const double start = amplitude_of(world, wave.k), decay = alpha * wave.k * wave.k, dt = step / decay;
    double time = 0.0;
    for (; time < 0.5 / decay; time += dt) {
        step_or_fail(world, dt);
    }
    const double fallen = log(start / amplitude_of(world, wave.k)) / time;
    dlp_world_destroy(world);
    /* Implicit Euler decays more slowly by half a step. */
    return fallen / (kind == DLP_HEAT_IMPLICIT ? log1p(decay * dt) / dt : -log1p(-decay * dt) / dt);
}

static void a_cosine_wave_decays_at_the_requested_diffusivity(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        int kernel;
        dlp_HeatKind kind;
        double step;
    } cases[] = {{"pbf", DLP_KERNEL_CUBIC_SPLINE, DLP_HEAT_AUTO, 0.005},
                 {"physical", DLP_KERNEL_CUBIC_SPLINE, DLP_HEAT_AUTO, 0.005},
                 {"physical", DLP_KERNEL_WENDLAND_C2, DLP_HEAT_IMPLICIT, 0.05},
                 {"springs", DLP_KERNEL_CUBIC_SPLINE, DLP_HEAT_AUTO, 0.005},
                 {"physical", DLP_KERNEL_POLY6_SPIKY, DLP_HEAT_EXPLICIT, 0.02}};
    for (size_t n = 0; n < (small_scale() ? 2 : sizeof cases / sizeof cases[0]); n++) {
        const double part = delivered_diffusivity(cases[n].method, cases[n].kernel, cases[n].kind, cases[n].step);
        print_message("%s, kernel %d, heat %d: %.4f of the diffusivity\n", cases[n].method, cases[n].kernel,
                      (int)cases[n].kind, part);
        assert_true(fabs(part - 1.0) < 0.02);
    }
}

/* A world for columns along z, periodic to the sides. */
static dlp_World *make_column(dlp_WorldDef *def)
{
    def->periodic_size = (dlp_Vec3){6 * def->spacing, 6 * def->spacing, 0};
    return make_world(def);
}

static void add_layers(dlp_World *world, dlp_MaterialId material, int first, int count)
{
    const double d = world->def.spacing;
    add_lattice(world, material, (const int[]){6, 6, count}, (dlp_Vec3){0, 0, first * d});
}

/* K, between two heights. */
static double mean_at(dlp_World *world, double from, double to)
{
    const dlp__Particles *p = particles_of(world);
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const double z = (double)p->position[2][i];
        if (z > from && z < to) {
            sum += (double)p->temperature[0][i];
            count++;
        }
    }
    return sum / (double)count;
}

/* The interface of two half spaces in contact has at once the temperature given by their effusivities. */
static void the_interface_of_two_materials_has_the_known_temperature(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const double d = 0.001;
    dlp_WorldDef def = still_world("pbf", d, (dlp_Vec3){0, 0, 0});
    dlp_World *world = make_column(&def);
    dlp_MaterialDef cold = stuff(), hot = stuff();
    hot.temperature = 400.0;
    hot.conductivity = 5.0; /* 5 times as conductive, a third of the capacity */
    hot.heat_capacity = 330.0;
    assert_int_equal(dlp_world_add_material(world, &cold, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_material(world, &hot, NULL), DLP_OK);
    add_layers(world, 0, -40, 40);
    add_layers(world, 1, 0, 40);
    const double cold_effusivity = sqrt(1.0 * 1000.0), hot_effusivity = sqrt(5.0 * 330.0);
    const double known = (cold_effusivity * 300.0 + hot_effusivity * 400.0) / (cold_effusivity + hot_effusivity);
    heat_or_fail(world, 0.05, 400);
    /* Extrapolated from the second and third layers of each side to the plane between the first ones. */
    const double below = 2.5 * mean_at(world, -2 * d, -d) - 1.5 * mean_at(world, -3 * d, -2 * d);
    const double above = 2.5 * mean_at(world, d, 2 * d) - 1.5 * mean_at(world, 2 * d, 3 * d);
    print_message("between them: %.2f K from below, %.2f K from above, known %.2f K\n", below, above, known);
    assert_true(fabs(below - known) < 0.6 &&
                fabs(above - known) < 0.6); /* with the arithmetic mean of conductivities: 0.9 */
    dlp_world_destroy(world);
}

static void add_wall(dlp_World *world, double height, double temperature)
{
    dlp_SolidDef wall = dlp_default_solid_def();
    wall.friction = 0.0;
    wall.shape.position.z = height;
    wall.shape.rotation.x = height > 0.0 ? PI : 0.0;
    wall.temperature = temperature;
    assert_int_equal(dlp_world_add_solid(world, &wall, NULL), DLP_OK);
}

/* Between a cold and a hot wall the profile becomes a straight line. */
static void walls_hold_the_fluid_at_their_temperature(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const double d = 0.001;
    dlp_WorldDef def = still_world("physical", d, (dlp_Vec3){0, 0, 0});
    def.heat = DLP_HEAT_IMPLICIT;
    dlp_World *world = make_column(&def);
    const dlp_MaterialDef material = stuff();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_wall(world, 0.0, 300.0);
    add_wall(world, 10 * d, 400.0);
    add_layers(world, 0, 0, 10);
    heat_or_fail(world, 1.0, 200);
    double worst = 0.0;
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        const double known = 300.0 + 100.0 * (double)p->position[2][i] / (10 * d);
        worst = fmax(worst, fabs((double)p->temperature[0][i] - known));
    }
    print_message("off the straight line by at most %.3f of 100 K\n", worst);
    assert_true(worst < 1.5);
    dlp_world_destroy(world);
}

/* The freezing front at a cold wall in one dimension (Stefan): s = 2 lambda sqrt(alpha t), where
 *     sqrt(pi) lambda exp(lambda^2) erf(lambda) = c (melting point - wall) / latent heat. */
static double stefan_lambda(double number)
{
    double low = 0.0, high = 5.0;
    for (int n = 0; n < 60; n++) {
        const double x = 0.5 * (low + high);
        if (sqrt(PI) * x * exp(x * x) * erf(x) < number) {
            low = x;
        } else {
            high = x;
        }
    }
    return low;
}

/* The position of the front when it should be at 20 spacings, relative to that. */
static double stefan_front(dlp_HeatKind kind, double dt, double liquidus)
{
    const double d = 0.001, alpha = 1e-6, latent = 5e4;
    dlp_WorldDef def = still_world("pbf", d, (dlp_Vec3){0, 0, 0});
    def.heat = kind;
    dlp_World *world = make_column(&def);
    dlp_MaterialDef material = stuff();
    material.melting_point = 350.0;
    material.liquidus = liquidus;
    material.latent_heat = latent;
    material.temperature = liquidus;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_wall(world, 0.0, 300.0);
    add_layers(world, 0, 0, 40);
    const double lambda = stefan_lambda(1000.0 * 50.0 / latent), far = 20 * d;
    const double end = far * far / (4.0 * lambda * lambda * alpha);
    const int steps = (int)lround(end / dt);
    heat_or_fail(world, end / steps, steps);
    const dlp__Particles *p = particles_of(world);
    double frozen = 0.0; /* m */
    for (int64_t i = 0; i < p->count; i++) {
        frozen += d / 36.0 * (1.0 - dlp__thermal_molten(&material, dlp__heat_enthalpy(p, i)));
    }
    dlp_world_destroy(world);
    return frozen / far;
}

static void a_freezing_front_follows_the_stefan_solution(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const double explicit = stefan_front(DLP_HEAT_EXPLICIT, 0.25, 350.0);
    const double implicit = stefan_front(DLP_HEAT_IMPLICIT, 1.0, 350.0);
    const double wide = stefan_front(DLP_HEAT_IMPLICIT, 1.0, 351.0);
    print_message("front over Stefan's: %.4f explicit, %.4f implicit, %.4f with a range of 1 K\n", explicit, implicit,
                  wide);
    assert_true(fabs(explicit - 1.0) < 0.05 && fabs(implicit - 1.0) < 0.05 && fabs(wide - 1.0) < 0.05);
    assert_true(fabs(explicit - implicit) < 0.01);
}

/* Hot fluid falls into cold fluid and onto a cold floating ball in a closed box, while a material melts. */
static dlp_World *make_splash(const char *method, dlp_HeatKind kind, double dt_factor, int threads, int simd, int parts)
{
    const double d = 0.01;
    dlp_WorldDef def = still_world(method, d, (dlp_Vec3){0, 0, 0});
    def.gravity.z = -9.81;
    def.heat = kind;
    def.threads = threads;
    def.simd = simd;
    def.subdomains = parts;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef cold = stuff(), hot = stuff();
    cold.conductivity = 1000.0 * dt_factor; /* large, so that much happens in a second */
    cold.melting_point = 320.0;
    cold.latent_heat = 2e4;
    hot.conductivity = 3000.0 * dt_factor;
    hot.temperature = 500.0;
    hot.heat_capacity = 600.0;
    assert_int_equal(dlp_world_add_material(world, &cold, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_material(world, &hot, NULL), DLP_OK);
    dlp_SolidDef box = dlp_default_solid_def(), ball = dlp_default_solid_def();
    box.friction = ball.friction = 0.0;
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = (dlp_Vec3){0.12, 0.12, 0.4};
    box.shape.position.z = 0.2;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.025;
    ball.shape.position.z = 0.07;
    ball.density = 500.0;
    ball.temperature = 280.0;
    ball.heat_capacity = 400.0;
    assert_int_equal(dlp_world_add_solid(world, &box, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &ball, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){0.12, 0.12, 0.06};
    fluid.shape.position.z = 0.03;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    fluid.material = 1;
    fluid.shape.position.z = 0.16;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    return world;
}

static dlp_WorldStats stats_of(const dlp_World *world)
{
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    return stats;
}

/* Relative to the exchangeable energy, not to the energy from 0 K. */
static void a_closed_box_conserves_energy(void **state)
{
    (void)state;
    static const char *const methods[] = {"pbf", "physical"};
    for (int n = 0; n < (small_scale() ? 1 : 2); n++) {
        for (int kind = DLP_HEAT_EXPLICIT; kind <= DLP_HEAT_IMPLICIT; kind++) {
            dlp_World *world = make_splash(methods[n], (dlp_HeatKind)kind, 1.0, 2, 0, 1);
            step_or_fail(world, 1e-6); /* computes the mass of the ball */
            const dlp_WorldStats before = stats_of(world);
            for (int step = 0; step < (small_scale() || n > 0 ? 30 : 100); step++) {
                step_or_fail(world, 0.004);
            }
            const dlp_WorldStats after = stats_of(world);
            const double mass = 1000.0 * 0.12 * 0.12 * 0.12, exchanged = mass * 800.0 * 100.0;
            const double lost = fabs(after.heat - before.heat) / exchanged;
            print_message("%s, heat %d: %.2g of the energy lost; %.1f to %.1f K, ball %.1f K\n", methods[n], kind, lost,
                          after.temperature_min, after.temperature_max, world->solids.solid[1].temperature);
            assert_int_equal(after.particles, before.particles);
            assert_true(lost < 1e-5);
            assert_true(after.temperature_min > 279.0 && after.temperature_max < 501.0);
            assert_true(world->solids.solid[1].temperature > 281.0);
            dlp_world_destroy(world);
        }
    }
}

/* Both schemes converge to the same temperatures with small steps. */
static void explicit_and_implicit_agree(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    double ball[2], highest[2], lowest[2];
    for (int n = 0; n < 2; n++) {
        dlp_World *world = make_splash("pbf", n == 0 ? DLP_HEAT_EXPLICIT : DLP_HEAT_IMPLICIT, 0.02, 2, 0, 1);
        for (int step = 0; step < 80; step++) {
            step_or_fail(world, 0.002);
        }
        const dlp_WorldStats stats = stats_of(world);
        ball[n] = world->solids.solid[1].temperature;
        highest[n] = stats.temperature_max;
        lowest[n] = stats.temperature_min;
        dlp_world_destroy(world);
    }
    print_message("ball %.3f and %.3f K, from %.3f and %.3f to %.3f and %.3f K\n", ball[0], ball[1], lowest[0],
                  lowest[1], highest[0], highest[1]);
    assert_true(fabs(ball[0] - ball[1]) < 0.02 * (ball[0] - 280.0));
    assert_true(fabs(lowest[0] - lowest[1]) < 0.5 && fabs(highest[0] - highest[1]) < 0.5);
}

static uint64_t splash_hash(const char *method, dlp_HeatKind kind, int threads, int simd, int parts)
{
    dlp_World *world = make_splash(method, kind, 1.0, threads, simd, parts);
    for (int step = 0; step < (small_scale() ? 3 : 8); step++) {
        step_or_fail(world, 0.004);
    }
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void threads_widths_and_parts_give_the_same_bits(void **state)
{
    (void)state;
    const int most = dlp__width_most();
    for (int kind = DLP_HEAT_EXPLICIT; kind <= DLP_HEAT_IMPLICIT; kind++) {
        const uint64_t known = splash_hash("physical", (dlp_HeatKind)kind, 1, 1, 1);
        assert_true(splash_hash("physical", (dlp_HeatKind)kind, 2, most, 1) == known);
        assert_true(splash_hash("physical", (dlp_HeatKind)kind, 8, most, 1) == known);
        assert_true(splash_hash("physical", (dlp_HeatKind)kind, 2, most, 4) == known);
        assert_true(splash_hash("physical", (dlp_HeatKind)kind, 2, most, 8) == known);
    }
}

static void a_checkpoint_restores_heat(void **state)
{
    (void)state;
    dlp_World *world = make_splash("physical", DLP_HEAT_IMPLICIT, 1.0, 2, 0, 1), *loaded = NULL;
    for (int step = 0; step < 6; step++) {
        step_or_fail(world, 0.004);
    }
    dlp_Error error;
    assert_int_equal(dlp_world_save(world, "heat.h5"), DLP_OK);
    assert_int_equal(dlp_world_load("heat.h5", NULL, &loaded, &error), DLP_OK);
    assert_true(dlp_world_hash(world) == dlp_world_hash(loaded));
    for (int step = 0; step < 6; step++) {
        step_or_fail(world, 0.004);
        step_or_fail(loaded, 0.004);
    }
    assert_true(dlp_world_hash(world) == dlp_world_hash(loaded));
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

/* A layer on an insulating floor cools in air, by Newton's law and by the Stefan-Boltzmann law. */
static void a_free_surface_cools_in_air(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const double d = 0.002, height = 10 * d;
    for (int shines = 0; shines < 2; shines++) {
        dlp_WorldDef def = still_world("physical", d, (dlp_Vec3){0, 0, 0});
        dlp_World *world = make_column(&def);
        dlp_MaterialDef material = stuff();
        material.conductivity = 100.0; /* uniform temperature */
        material.temperature = 600.0;
        material.convection = shines ? 0.0 : 200.0;
        material.emissivity = shines ? 0.9 : 0.0;
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
        add_wall(world, 0.0, 0.0);
        add_layers(world, 0, 0, 10);
        const double before = mean_at(world, 0.0, height), dt = 0.02;
        heat_or_fail(world, dt, 100);
        const double flux = shines ? 0.9 * 5.670374e-8 * (pow(600.0, 4.0) - pow(293.15, 4.0))
                                   : 200.0 * (600.0 - 293.15); /* W/m2, almost constant */
        const double fallen = before - mean_at(world, -d, height + d), known = flux * 2.0 / (1e6 * height);
        print_message("cooled by %.4f K, of %.4f K\n", fallen, known);
        assert_true(fabs(fallen / known - 1.0) < 0.05);
        dlp_world_destroy(world);
    }
}

static void a_heat_source_heats_at_its_rate(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const double d = 0.01;
    dlp_WorldDef def = still_world("pbf", d, (dlp_Vec3){6 * d, 6 * d, 6 * d});
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = stuff();
    material.heat_source = 5e6;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){6, 6, 6}, (dlp_Vec3){0, 0, 0});
    for (int n = 0; n < 100; n++) {
        step_or_fail(world, 0.01);
    }
    assert_true(fabs(stats_of(world).temperature_max - 305.0) < 1e-3);
    assert_true(fabs(stats_of(world).temperature_min - 305.0) < 1e-3);
    dlp_world_destroy(world);
}

/* Without heat its fields do not exist. */
static void particles_without_heat_have_no_temperature(void **state)
{
    (void)state;
    dlp_WorldDef def = still_world("physical", 0.01, (dlp_Vec3){0, 0, 0});
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_ParticleView view;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){3, 3, 3}, (dlp_Vec3){0, 0, 0});
    step_or_fail(world, 0.01);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_null(view.temperature);
    assert_false(dlp__particles_have(particles_of(world), DLP_FIELD_temperature));
    assert_int_equal(dlp_world_warm(world, warm_wave, NULL), DLP_ERROR_ARGUMENT);
    material.heat_capacity = 4000.0; /* from now on */
    material.temperature = 310.0;
    assert_int_equal(dlp_world_set_material(world, 0, &material), DLP_OK);
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_true(view.temperature != NULL && view.temperature[26] == 310.0f);
    dlp_world_destroy(world);
}

static void contradictions_are_rejected(void **state)
{
    (void)state;
    dlp_WorldDef def = still_world("pbf", 0.01, (dlp_Vec3){0, 0, 0});
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.conductivity = 1.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_ERROR_ARGUMENT);
    material = stuff();
    material.latent_heat = 1.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_ERROR_ARGUMENT);
    material.melting_point = 300.0;
    material.liquidus = 299.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_ERROR_ARGUMENT);
    material.liquidus = 301.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    const dlp_ViscosityKey keys[] = {{300.0, 1.0}, {300.0, 2.0}};
    assert_int_equal(dlp_world_set_material_viscosities(world, 0, keys, 2), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_material_viscosities(world, 1, keys, 1), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_set_material_viscosities(world, 0, keys, 1), DLP_OK);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cosine_wave_decays_at_the_requested_diffusivity),
        cmocka_unit_test(the_interface_of_two_materials_has_the_known_temperature),
        cmocka_unit_test(walls_hold_the_fluid_at_their_temperature),
        cmocka_unit_test(a_freezing_front_follows_the_stefan_solution),
        cmocka_unit_test(a_closed_box_conserves_energy),
        cmocka_unit_test(explicit_and_implicit_agree),
        cmocka_unit_test(threads_widths_and_parts_give_the_same_bits),
        cmocka_unit_test(a_checkpoint_restores_heat),
        cmocka_unit_test(a_free_surface_cools_in_air),
        cmocka_unit_test(a_heat_source_heats_at_its_rate),
        cmocka_unit_test(particles_without_heat_have_no_temperature),
        cmocka_unit_test(contradictions_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
