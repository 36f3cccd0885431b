/* Method mps against known answers inside the fluid: viscous and elastic shear waves against a solution in one dimension, conserved
 * quantities, rotation of stress, hydrostatic pressure and a breaking dam. Free surfaces, walls and threads: test_mps_surface.c.
 * ctest: slow
 * ctest: timeout 300 */
#include "methods/mps/mps_fields.h"
#include "methods/mps/mps_plan.h"
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

/* A wave u_x = amplitude sin(k z) in a periodic box of 8 x 8 x 16 spacings. */
enum { ACROSS = 8, ALONG = 16 };

typedef struct Wave {
    double k, amplitude; /* 1/m, m/s */
} Wave;

static void push_wave(void *user, uint64_t id, const float position[3], float velocity[3])
{
    const Wave *wave = user;
    (void)id;
    velocity[0] = (float)(wave->amplitude * sin(wave->k * (double)position[2]));
}

static dlp_World *make_wave(const dlp_MaterialDef *material, Wave *wave)
{
    dlp_WorldDef def = mps_def(SPACING);
    def.periodic_size = (dlp_Vec3){ACROSS * SPACING, ACROSS * SPACING, ALONG * SPACING};
    dlp_World *world = make_mps(&def, material);
    wave->k = 2.0 * PI / (ALONG * SPACING);
    add_lattice(world, 0, (const int[]){ACROSS, ACROSS, ALONG}, (dlp_Vec3){0, 0, 0});
    assert_int_equal(dlp_world_push(world, push_wave, wave), DLP_OK);
    return world;
}

static double amplitude_of(dlp_World *world, const Wave *wave)
{
    const dlp__Particles *p = particles_of(world);
    double along = 0.0, norm = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double s = sin(wave->k * (double)p->position[2][i]);
        along += s * (double)p->velocity[0][i];
        norm += s * s;
    }
    return along / norm;
}

/* Viscosity delivered over viscosity asked for. A step of implicit Euler divides the amplitude by 1 + nu k^2 dt, which is accounted
 * for: the rest is the operator on the lattice. */
static double delivered_viscosity(int form, double stabilization, double steps)
{
    const double viscosity = 10.0;
    const dlp_MaterialDef oil = simple_material(viscosity, 0.0, 0.0);
    Wave wave = {.amplitude = 0.2};
    dlp_World *world = make_wave(&oil, &wave);
    set_method(world, "form", form);
    set_method(world, "stabilization", stabilization);
    set_method(world, "integration", DLP_MPS_IMPLICIT);
    const double rate = viscosity / DENSITY * wave.k * wave.k, dt = 1.0 / (rate * steps);
    const int taken = (int)(0.1 * steps);
    const double before = amplitude_of(world, &wave);
    run_mps(world, taken, dt);
    const double after = amplitude_of(world, &wave);
    dlp_world_destroy(world);
    return (pow(before / after, 1.0 / taken) - 1.0) / (rate * dt);
}

static void a_shear_wave_decays_at_the_asked_viscosity(void **state)
{
    (void)state;
    static const struct {
        int form;
        double stabilization, least;
    } cases[] = {
        {DLP_MPS_STRESS_FORM, 0.0, 0.94}, {DLP_MPS_STRESS_FORM, 1.0, 0.98}, {DLP_MPS_LAPLACIAN_FORM, 0.0, 0.98}};
    for (int n = 0; n < 3; n++) {
        const double coarse = delivered_viscosity(cases[n].form, cases[n].stabilization, 50.0),
                     fine = delivered_viscosity(cases[n].form, cases[n].stabilization, 200.0);
        print_message("form %d, stabilization %g: %.4f of the viscosity in long steps, %.4f in short ones\n",
                      cases[n].form, cases[n].stabilization, coarse, fine);
        assert_true(coarse > cases[n].least && coarse < 1.01);
        assert_true(fine > cases[n].least && fine < 1.01);
    }
}

/* The same wave in one dimension: rho u_t = tau_z with tau = eta(g) g + 2 mu(g) e, the corotational strain e and N = e_xx - e_zz of
 * simple shear, e_t = (1 - N) g / 2 - rate e, N_t = 2 g e - rate N. */
enum { POINTS = 64 };
typedef struct Line {
    double u[POINTS], e[POINTS], n[POINTS]; /* velocities at points, strains half-way to the next */
} Line;

static void line_step(Line *line, const dlp_MaterialDef *material, const dlp__MpsMaterial *own, double dz, double dt)
{
    double tau[POINTS];
    for (int i = 0; i < POINTS; i++) {
        const double g = (line->u[(i + 1) % POINTS] - line->u[i]) / dz;
        const dlp__MpsLaw law = dlp__mps_law(material, own, fabs(g));
        const double e = line->e[i], n = line->n[i];
        line->e[i] += dt * (0.5 * (1.0 - n) * g - law.rate * e);
        line->n[i] += dt * (2.0 * g * e - law.rate * n);
        tau[i] = law.viscosity * g + 2.0 * law.modulus * line->e[i];
    }
    for (int i = 0; i < POINTS; i++) {
        line->u[i] += dt / DENSITY * (tau[i] - tau[(i + POINTS - 1) % POINTS]) / dz;
    }
}

static double line_amplitude(const Line *line)
{
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++) {
        sum += 2.0 / POINTS * line->u[i] * sin(2.0 * PI * i / POINTS);
    }
    return sum;
}

typedef struct Comparison {
    double distance; /* RMS distance between the amplitudes, over the initial one */
    double last;     /* of the solution in one dimension, over the initial one    */
} Comparison;

static Comparison compare_with_line(const dlp_MaterialDef *material, const dlp__MpsMaterial *own, double amplitude,
                                    double time, int steps)
{
    Wave wave = {.amplitude = amplitude};
    dlp_World *world = make_wave(material, &wave);
    assert_int_equal(dlp_world_set_material_params(world, 0, own, sizeof *own), DLP_OK);
    Line line = {0};
    for (int i = 0; i < POINTS; i++) {
        line.u[i] = amplitude * sin(2.0 * PI * i / POINTS);
    }
    const double dz = ALONG * SPACING / POINTS, dt = time / steps;
    const dlp__MpsLaw rest = dlp__mps_law(material, own, 0.0), fast = dlp__mps_law(material, own, 1e3);
    const double eta = fmax(rest.viscosity, fast.viscosity), mu = fmax(rest.modulus, fast.modulus);
    const int parts = 1 + (int)(dt * (4.0 * eta / (DENSITY * dz * dz) + 2.0 * sqrt(mu / DENSITY) / dz));
    double square = 0.0;
    for (int step = 0; step < steps; step++) {
        step_or_fail(world, dt);
        for (int n = 0; n < parts; n++) {
            line_step(&line, material, own, dz, dt / parts);
        }
        const double off = (amplitude_of(world, &wave) - line_amplitude(&line)) / amplitude;
        square += off * off / steps;
    }
    dlp_world_destroy(world);
    return (Comparison){sqrt(square), line_amplitude(&line) / amplitude};
}

/* Small waves: Newtonian, elastic, Maxwell with and without a solvent; and waves with shear rates up to 24 1/s and the paper's fluid in
 * each of its stresses. */
static void each_stress_follows_its_formula(void **state)
{
    (void)state;
    const double omega = PI / 4.0;
    dlp_MaterialDef paper = simple_material(28.0, 0.0, 350.0), oldroyd = simple_material(10.0, 0.05, 0.0);
    oldroyd.solvent_viscosity = 2.0;
    const struct {
        const char *name;
        dlp_MaterialDef material;
        dlp__MpsMaterial own;
        double amplitude, time;
        int steps;
        double most;
    } cases[] = {
        {"auto, Newtonian", simple_material(10.0, 0.0, 0.0), {DLP_MPS_AUTO, omega}, 0.01, 0.1, 100, 0.02},
        {"auto, elastic", simple_material(0.0, 0.0, 500.0), {DLP_MPS_AUTO, omega}, 0.05, 0.2, 400, 0.1},
        {"auto, Maxwell", simple_material(40.0, 0.02, 0.0), {DLP_MPS_AUTO, omega}, 0.01, 0.15, 400, 0.1},
        {"auto, Maxwell and solvent", oldroyd, {DLP_MPS_AUTO, omega}, 0.01, 0.3, 400, 0.1},
        {"viscous", paper, {DLP_MPS_VISCOUS, omega}, 0.6, 0.03, 50, 0.05},
        {"elastic", paper, {DLP_MPS_ELASTIC, omega}, 0.6, 0.06, 200, 0.1},
        {"blend", paper, {DLP_MPS_BLEND, omega}, 0.6, 0.03, 100, 0.05},
        {"complex", paper, {DLP_MPS_COMPLEX, 10.0}, 0.6, 0.03, 100, 0.05},
        {"complex_printed", paper, {DLP_MPS_COMPLEX_PRINTED, omega}, 0.1, 0.3, 100, 0.05},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const Comparison c = compare_with_line(&cases[n].material, &cases[n].own, cases[n].amplitude, cases[n].time,
                                               cases[n].steps);
        print_message("%s: %.4f from the solution in one dimension, which ends at %.3f\n", cases[n].name, c.distance,
                      c.last);
        assert_true(c.distance < cases[n].most);
    }
}

/* The strain rotates with a ball that is too viscous to deform: its norm and its angle to the ball stay. */
static void strain_rotates_with_the_fluid(void **state)
{
    (void)state;
    const double spin = 5.0, dt = 1e-3, size = 0.3;
    const int steps = small_scale() ? 50 : 200; /* to 1 rad */
    dlp_MaterialDef gel = simple_material(0.0, 0.0, 1e-3);
    gel.solvent_viscosity = 100.0;
    const dlp_WorldDef def = mps_def(SPACING);
    dlp_World *world = make_mps(&def, &gel);
    add_fluid_ball(world, 5.0 * SPACING, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, spin});
    dlp__Particles *p = particles_of(world);
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = 0; i < p->count; i++) {
        f->strain[0][i] = (float)size;
        f->strain[1][i] = (float)-size;
    }
    run_mps(world, steps, dt);
    const double angle = 2.0 * spin * dt * steps;
    double worst = 0.0, norm = 0.0, inside = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double xx = (double)f->strain[0][i], yy = (double)f->strain[1][i], xy = (double)f->strain[3][i];
        const dlp_Vec3 x = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
        if (dlp__length(x) < 3.0 * SPACING) { /* centrifugal forces deform the surface */
            worst = fmax(worst, fmax(fabs(0.5 * (xx - yy) - size * cos(angle)), fabs(xy - size * sin(angle))));
            norm += sqrt(0.5 * (xx * xx + yy * yy) + xy * xy);
            inside += 1.0;
        }
    }
    norm /= inside;
    print_message("after %.2f rad: norm %.5f of the initial one, components off by %.4f of it\n", 0.5 * angle,
                  norm / size, worst / size);
    assert_true(fabs(norm / size - 1.0) < 0.01);
    assert_true(worst / size < 0.05);
    dlp_world_destroy(world);
}

/* Water at rest or in uniform motion, an elastic and a viscous one, alone in space: nothing happens to it. */
static void bodies_at_rest_stay_and_moving_ones_keep_their_velocity(void **state)
{
    (void)state;
    const dlp_MaterialDef materials[] = {simple_material(1e-3, 0.0, 0.0), simple_material(0.0, 0.0, 1e4),
                                         simple_material(28.0, 0.0, 0.0)};
    for (int n = 0; n < 6; n++) {
        const dlp_Vec3 velocity = n < 3 ? (dlp_Vec3){0, 0, 0} : (dlp_Vec3){1.0, -0.5, 0.25};
        const dlp_WorldDef def = mps_def(SPACING);
        dlp_World *world = make_mps(&def, &materials[n % 3]);
        add_fluid_ball(world, 5.0 * SPACING, (dlp_Vec3){0, 0, 0}, velocity, (dlp_Vec3){0, 0, 0});
        run_mps(world, 100, 2e-3);
        const dlp__Particles *p = particles_of(world);
        double off = 0.0;
        for (int64_t i = 0; i < p->count; i++) {
            const dlp_Vec3 v = {(double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]};
            off = fmax(off, dlp__length(dlp__sub(v, velocity)));
        }
        print_message("material %d at %g m/s: velocities change by %.2g m/s at most\n", n % 3, dlp__length(velocity),
                      off);
        assert_true(off == 0.0);
        dlp_world_destroy(world);
    }
}

static void a_spinning_drop_keeps_energy_and_momenta(void **state)
{
    (void)state;
    const dlp_MaterialDef water = simple_material(1e-3, 0.0, 0.0);
    const dlp_WorldDef def = mps_def(SPACING);
    dlp_World *world = make_mps(&def, &water);
    add_fluid_ball(world, (small_scale() ? 5.0 : 8.0) * SPACING, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.3, 0.2, -0.1},
                   (dlp_Vec3){0.4, 0, 2.0});
    const dlp_WorldStats first = stats_of(world);
    run_mps(world, small_scale() ? 100 : 1000, 1e-3);
    const dlp_WorldStats last = stats_of(world);
    const dlp_Vec3 spin = dlp__sub(first.angular, dlp__cross(first.center, first.momentum));
    const dlp_Vec3 spin_last = dlp__sub(last.angular, dlp__cross(last.center, last.momentum));
    const double moved = dlp__length(dlp__sub(last.momentum, first.momentum)) / dlp__length(first.momentum);
    const double turned = dlp__length(dlp__sub(spin_last, spin)) / dlp__length(spin);
    print_message("%lld particles: energy %.4f, momentum off by %.2g, angular momentum by %.2g\n",
                  (long long)last.particles, last.kinetic_energy / first.kinetic_energy, moved, turned);
    assert_true(last.kinetic_energy < 1.0005 * first.kinetic_energy);
    assert_true(last.kinetic_energy > 0.99 * first.kinetic_energy);
    assert_true(moved < 1e-4);
    assert_true(turned < 2e-3);
    dlp_world_destroy(world);
}

typedef struct Tank {
    dlp_Vec3 box, fluid; /* m, both from the origin on */
    double spacing;
} Tank;

static dlp_World *make_tank(const char *method, const Tank *tank)
{
    dlp_WorldDef def = mps_def(tank->spacing);
    snprintf(def.method, sizeof def.method, "%s", method);
    def.gravity.z = -9.81;
    const dlp_MaterialDef water = dlp_default_material_def();
    dlp_World *world = make_mps(&def, &water);
    dlp_SolidDef box = dlp_default_solid_def();
    box.friction = 0.0;
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = tank->box;
    box.shape.position = dlp__scale(tank->box, 0.5);
    assert_int_equal(dlp_world_add_solid(world, &box, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = tank->fluid;
    fluid.shape.position = dlp__scale(tank->fluid, 0.5);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    return world;
}

/* Slope of pressure over depth, by least squares over particles and moments, over rho g; and mean over theory. */
typedef struct Column {
    double slope, mean, speed; /* speed: m/s */
    double depth;              /* m, fluid */
} Column;

static Column settle_column(const char *method, const Tank *tank)
{
    dlp_World *world = make_tank(method, tank);
    const int settling = 200, watching = 50;
    double z = 0.0, zz = 0.0, p = 0.0, pz = 0.0, count = 0.0, energy = 0.0;
    for (int step = 0; step < settling + watching; step++) {
        step_or_fail(world, 1.0 / 400.0);
        dlp_ParticleView view;
        dlp_world_view(world, 0, &view);
        for (int64_t i = 0; i < view.count && step >= settling; i++) {
            const double height = (double)view.position[2][i], pressure = (double)view.pressure[i];
            count += 1.0;
            z += height;
            zz += height * height;
            p += pressure;
            pz += pressure * height;
        }
        energy += step >= settling ? stats_of(world).kinetic_energy / watching : 0.0;
    }
    const dlp_WorldStats stats = stats_of(world);
    const double mass = (double)stats.particles * DENSITY * pow(tank->spacing, 3.0), weight = DENSITY * 9.81;
    const double slope = (pz - p * z / count) / (zz - z * z / count), depth = 2.0 * stats.center.z;
    dlp_world_destroy(world);
    return (Column){-slope / weight, p / count / (weight * 0.5 * depth), sqrt(2.0 * energy / mass), depth};
}

static void a_column_at_rest_has_hydrostatic_pressure(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const Tank tank = {{0.3, 0.3, 1.0}, {0.3, 0.3, 0.4}, 0.025};
    static const char *const methods[] = {"mps", "pbf"};
    for (int n = 0; n < 2; n++) {
        const Column column = settle_column(methods[n], &tank);
        print_message("%s: pressure over depth %.4f of theory, mean pressure %.4f, depth %.4f m, mean speed %.4f m/s\n",
                      methods[n], column.slope, column.mean, column.depth, column.speed);
        assert_true(fabs(column.slope - 1.0) < 0.1);
        assert_true(fabs(column.mean - 1.0) < 0.1);
        assert_true(fabs(column.depth / 0.4 - 1.0) < 0.03);
        assert_true(column.speed < 0.05 * sqrt(2.0 * 9.81 * 0.4)); /* mps damps waves less: 2 % after 1.5 s */
    }
}

/* m, of the front of a breaking dam, which has at least 8 particles ahead of it: single ones that fly off do not count. */
static double front_of(dlp_World *world, double spacing)
{
    enum { BINS = 400 };
    int count[BINS] = {0}, ahead = 0, bin = BINS - 1;
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        count[(int)fmin(fmax((double)p->position[0][i] / (0.5 * spacing), 0.0), BINS - 1.0)]++;
    }
    while (bin > 0 && ahead + count[bin] < 8) {
        ahead += count[bin--];
    }
    return (bin + 1.5) * 0.5 * spacing;
}

enum { FRONTS = 4 };
static void break_dam(const char *method, double front[FRONTS])
{
    const double side = 0.4;
    const Tank tank = {{2.5, 0.2, 1.0}, {side, 0.2, side}, 0.025};
    dlp_World *world = make_tank(method, &tank);
    const double unit = sqrt(side / 9.81), dt = 0.5 * unit / 80.0;
    for (int n = 0; n < FRONTS; n++) {
        run_mps(world, 80, dt);
        front[n] = front_of(world, tank.spacing) / side;
    }
    dlp_world_destroy(world);
}

/* In shallow water theory (Ritter) the front moves at 2 sqrt(g h) at once, an upper bound; a real one accelerates first. */
static void a_dam_breaks_as_with_pbf_and_below_the_bound_of_theory(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    double mps[FRONTS], pbf[FRONTS];
    break_dam("mps", mps);
    break_dam("pbf", pbf);
    for (int n = 0; n < FRONTS; n++) {
        const double time = 0.5 * (n + 1);
        print_message("t sqrt(g/h) = %.1f: front at %.3f h, pbf %.3f, at most %.3f\n", time, mps[n], pbf[n],
                      1.0 + 2.0 * time);
        assert_true(mps[n] < 1.0 + 2.0 * time);
        assert_true(fabs(mps[n] / pbf[n] - 1.0) < 0.1);
        assert_true(n == 0 || mps[n] > mps[n - 1]);
    }
}

/* A ball that falls on a no-slip floor: explicit steps as long as the method allows. */
static void explicit_steps_are_stable_at_walls(void **state)
{
    (void)state;
    const dlp_MaterialDef syrup = simple_material(20.0, 0.0, 0.0);
    for (int form = 0; form < 2; form++) {
        dlp_WorldDef def = mps_def(SPACING);
        def.gravity.z = -9.81;
        dlp_World *world = make_mps(&def, &syrup);
        dlp_SolidDef floor = dlp_default_solid_def();
        floor.shape.kind = DLP_SHAPE_PLANE;
        floor.shape.position.z = -6.0 * SPACING;
        floor.friction = 1.0;
        assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
        set_method(world, "integration", DLP_MPS_EXPLICIT);
        set_method(world, "form", form);
        add_fluid_ball(world, 5.0 * SPACING, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, -1}, (dlp_Vec3){0, 0, 0});
        double fastest = 0.0;
        for (int step = 0; step < (small_scale() ? 5 : 40); step++) {
            run_mps(world, 1, 5e-3);
            fastest = fmax(fastest, stats_of(world).speed_max);
        }
        print_message("form %d: at most %.2f m/s\n", form, fastest);
        assert_true(fastest < 3.0); /* 24 where only the lattice limits the step */
        dlp_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shear_wave_decays_at_the_asked_viscosity),
        cmocka_unit_test(each_stress_follows_its_formula),
        cmocka_unit_test(strain_rotates_with_the_fluid),
        cmocka_unit_test(bodies_at_rest_stay_and_moving_ones_keep_their_velocity),
        cmocka_unit_test(explicit_steps_are_stable_at_walls),
        cmocka_unit_test(a_spinning_drop_keeps_energy_and_momenta),
        cmocka_unit_test(a_column_at_rest_has_hydrostatic_pressure),
        cmocka_unit_test(a_dam_breaks_as_with_pbf_and_below_the_bound_of_theory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
