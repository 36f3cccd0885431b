/* A sheared periodic box (Lees-Edwards boundary conditions): the flow stays homogeneous, and its stresses are those of the material.
 * ctest: timeout 300 */
#include "support/world_fixture.h"

#include "base/simd.h"

#include <dollop/files.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { XX = 0, YY = 1, ZZ = 2, XY = 3, YZ = 4, XZ = 5, EDGE = 8, PARTICLES = EDGE * EDGE * EDGE };

static const double PI = 3.14159265358979323846, SPACING = 0.01, SIZE = EDGE * 0.01, MIDDLE = 0.5 * EDGE * 0.01,
                    DENSITY = 1000.0;

/* What the machine may change. */
typedef struct Host {
    int threads, simd, subdomains;
} Host;

static const Host ONE_PART = {2, 0, 1};

static dlp_WorldDef box_def(const Host *host)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){SIZE, SIZE, SIZE};
    def.threads = host->threads;
    def.simd = host->simd < dlp__width_most() ? host->simd : dlp__width_most();
    def.subdomains = host->subdomains;
    return def;
}

static dlp_MaterialDef fluid(double viscosity, double relaxation_time)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = DENSITY;
    material.viscosity = viscosity;
    material.relaxation_time = relaxation_time;
    return material;
}

static void stop(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user;
    (void)id;
    (void)position;
    velocity[0] = velocity[1] = velocity[2] = 0.0f;
}

/* A box of disordered fluid at rest: each particle of a lattice is displaced by up to 0.3 spacings along each axis, then particles are
 * shifted apart. The first layers lie on the faces of the box, so particles cross these all the time. */
static dlp_World *make_box(const dlp_MaterialDef *material, const Host *host)
{
    const dlp_WorldDef def = box_def(host);
    dlp_World *world = make_world(&def);
    float points[PARTICLES][3];
    uint64_t state = 7;
    for (int i = 0; i < PARTICLES; i++) {
        const int place[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
        for (int a = 0; a < 3; a++) {
            points[i][a] = (float)(SPACING * (place[a] + random_between(&state, -0.3, 0.3)));
        }
    }
    assert_int_equal(dlp_world_add_material(world, material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_points(world, 0, points[0], PARTICLES, (dlp_Vec3){0, 0, 0}), DLP_OK);
    for (int n = 0; n < 30; n++) {
        step_or_fail(world, 1e-6);
        assert_int_equal(dlp_world_push(world, stop, NULL), DLP_OK);
    }
    return world;
}

static void set_shear(dlp_World *world, double rate)
{
    if (dlp_world_set_shear(world, rate) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

/* Of all particles, with velocities relative to u_x = rate (z - middle). */
typedef struct Flow {
    double most;      /* m/s, the largest velocity */
    double layer;     /* m/s, the largest mean velocity along x of a layer of one spacing */
    double mean[3];   /* m/s */
    double stress[6]; /* Pa, mean */
} Flow;

static void add_part(Flow *flow, const dlp_ParticleView *view, double rate, double layers[EDGE], int counts[EDGE])
{
    for (int64_t i = 0; i < view->count; i++) {
        const double z = (double)view->position[2][i];
        const double u[3] = {(double)view->velocity[0][i] - rate * (z - MIDDLE), (double)view->velocity[1][i],
                             (double)view->velocity[2][i]};
        const int layer = ((int)floor(z / SPACING) + EDGE) % EDGE;
        layers[layer] += u[0];
        counts[layer]++;
        flow->most = fmax(flow->most, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        for (int a = 0; a < 3; a++) {
            flow->mean[a] += u[a] / PARTICLES;
        }
        for (int n = 0; n < 6; n++) {
            flow->stress[n] += (double)view->stress[n][i] / PARTICLES;
        }
    }
}

static Flow measure(dlp_World *world)
{
    Flow flow = {0};
    double rate = 0.0, strain = 0.0, layers[EDGE] = {0};
    int counts[EDGE] = {0};
    assert_int_equal(dlp_world_get_shear(world, &rate, &strain), DLP_OK);
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_STRESS), DLP_OK);
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        add_part(&flow, &view, rate, layers, counts);
    }
    for (int n = 0; n < EDGE; n++) {
        assert_true(counts[n] > 0);
        flow.layer = fmax(flow.layer, fabs(layers[n] / counts[n]));
    }
    return flow;
}

static double strain_of(const dlp_World *world)
{
    double rate = 0.0, strain = 0.0;
    assert_int_equal(dlp_world_get_shear(world, &rate, &strain), DLP_OK);
    return strain;
}

/* Single particles deviate more than layers, because they push each other: up to 2.6e-3, a fiftieth of the difference to a neighbour. */
static void a_newtonian_fluid_flows_linearly_with_the_stress_of_its_viscosity(void **state)
{
    (void)state;
    enum { STEPS = 150, BETWEEN = 10 };
    const double viscosity = 10.0, rate = 10.0, speed = rate * SIZE;
    const dlp_MaterialDef material = fluid(viscosity, 0.0);
    dlp_World *world = make_box(&material, &ONE_PART);
    double layer = 0.0, most = 0.0, mean = 0.0, error = 0.0;
    set_shear(world, rate);
    for (int n = 1; n <= STEPS; n++) {
        step_or_fail(world, 0.002);
        if (n % BETWEEN != 0) {
            continue;
        }
        const Flow flow = measure(world);
        layer = fmax(layer, flow.layer / speed);
        most = fmax(most, flow.most / speed);
        for (int a = 0; a < 3; a++) {
            mean = fmax(mean, fabs(flow.mean[a]) / speed);
        }
        for (int k = 0; k < 6; k++) {
            error = fmax(error, fabs(flow.stress[k] / (viscosity * rate) - (k == XZ ? 1.0 : 0.0)));
        }
    }
    print_message(
        "strain %.3f: a layer deviates by %.1e of rate times height, a particle by %.1e, the mean by %.1e; stress by "
        "%.1e of viscosity times rate\n",
        strain_of(world), layer, most, mean, error);
    assert_true(fabs(strain_of(world) - 3.0) < 1e-5); /* steps are rounded to single precision */
    assert_true(layer < 1e-3 && most < 5e-3);
    assert_true(mean < 1e-7); /* momentum is conserved but for rounding */
    assert_true(error < 0.01);
    dlp_world_destroy(world);
}

/* The upper-convected Maxwell fluid after a sudden start: shear stress eta rate (1 - exp(-t/tau)), first normal stress difference
 * 2 eta tau rate^2 (1 - (1 + t/tau) exp(-t/tau)), and no second one. */
static void a_maxwell_fluid_has_its_stresses_from_the_start_to_steady_shear(void **state)
{
    (void)state;
    enum { STEPS = 700, BETWEEN = 50 };
    const double viscosity = 10.0, tau = 0.1, dt = 0.001;
    const dlp_MaterialDef material = fluid(viscosity, tau);
    for (int n = 1; n <= 2; n++) {
        const double rate = 0.5 * n / tau, shear = viscosity * rate, normal = 2.0 * viscosity * tau * rate * rate;
        double shear_error = 0.0, normal_error = 0.0, other = 0.0, layer = 0.0;
        dlp_World *world = make_box(&material, &ONE_PART);
        set_shear(world, rate);
        for (int step = 1; step <= STEPS; step++) {
            step_or_fail(world, dt);
            if (step % BETWEEN != 0) {
                continue;
            }
            const double t = step * dt / tau;
            const Flow flow = measure(world);
            shear_error = fmax(shear_error, fabs(flow.stress[XZ] / shear - (1.0 - exp(-t))));
            normal_error = fmax(normal_error,
                                fabs((flow.stress[XX] - flow.stress[ZZ]) / normal - (1.0 - (1.0 + t) * exp(-t))));
            other = fmax(other, fmax(fabs(flow.stress[ZZ] - flow.stress[YY]) / normal,
                                     fmax(fabs(flow.stress[XY]), fabs(flow.stress[YZ])) / shear));
            layer = fmax(layer, flow.layer / (rate * SIZE));
        }
        print_message(
            "rate tau %.1f: errors of shear stress %.4f, normal stress %.4f, others %.4f; a layer deviates by %.1e\n",
            rate * tau, shear_error, normal_error, other, layer);
        assert_true(shear_error < 0.01 && normal_error < 0.02 && other < 0.005 && layer < 1e-3);
        dlp_world_destroy(world);
    }
}

/* Strain A sin(wt) with w tau = 1: the shear stress is A (G' sin(wt) + G'' cos(wt)), and both moduli are half the modulus. The rate changes
 * in every step. The start is forgotten after three periods, 19 relaxation times. */
static void an_oscillation_measures_the_moduli(void **state)
{
    (void)state;
    enum { STEPS = 96, PERIODS = 4 };
    const double viscosity = 100.0, tau = 0.1, amplitude = 0.05, dt = 2.0 * PI * tau / STEPS, modulus = viscosity / tau;
    const dlp_MaterialDef material = fluid(viscosity, tau);
    dlp_World *world = make_box(&material, &ONE_PART);
    double storage = 0.0, loss = 0.0;
    for (int n = 0; n < PERIODS * STEPS; n++) {
        const double phase = 2.0 * PI * (n + 1) / STEPS, before = 2.0 * PI * n / STEPS;
        set_shear(world, amplitude * (sin(phase) - sin(before)) / dt);
        step_or_fail(world, dt);
        if (n >= (PERIODS - 1) * STEPS) {
            const double stress = measure(world).stress[XZ] / (0.5 * STEPS * amplitude);
            storage += stress * sin(phase);
            loss += stress * cos(phase);
        }
    }
    print_message("over the modulus: G' %.4f, G'' %.4f\n", storage / modulus, loss / modulus);
    assert_true(fabs(storage / modulus - 0.5) < 0.005 && fabs(loss / modulus - 0.5) < 0.005);
    dlp_world_destroy(world);
}

/* The sum of velocities, counted in the box. */
static void a_change_of_rate_keeps_the_momentum_and_acts_at_once(void **state)
{
    (void)state;
    static const double rates[] = {10.0, -5.0, 0.0, 20.0, 0.0};
    const dlp_MaterialDef material = fluid(10.0, 0.0);
    dlp_World *world = make_box(&material, &ONE_PART);
    for (int n = 0; n < 5; n++) {
        const Flow before = measure(world);
        set_shear(world, rates[n]);
        const Flow at_once = measure(world);
        for (int a = 0; a < 3; a++) {
            assert_true(fabs(at_once.mean[a] - before.mean[a]) < 1e-7);
        }
        assert_true(fabs(at_once.stress[XZ] - 10.0 * rates[n]) < 0.01 * 200.0);
        for (int step = 0; step < 20; step++) {
            step_or_fail(world, 0.001);
        }
        const Flow after = measure(world);
        assert_true(after.layer < 1e-3 * 20.0 * SIZE);
    }
    /* images stay displaced at a rate of 0, and the fluid at rest */
    assert_true(fabs(strain_of(world) - 0.5) < 1e-5);
    assert_true(measure(world).most < 1e-3 * 20.0 * SIZE);
    dlp_world_destroy(world);
}

/* A sudden start, a change of rate and some automatic steps. */
static void shear_first_half(dlp_World *world)
{
    set_shear(world, 30.0);
    for (int n = 0; n < 15; n++) {
        step_or_fail(world, 0.002);
    }
}

static void shear_second_half(dlp_World *world)
{
    for (int n = 0; n < 5; n++) {
        step_or_fail(world, 0.002);
    }
    set_shear(world, -20.0);
    for (int n = 0; n < 5; n++) {
        if (dlp_world_advance(world, dlp_world_time(world) + 0.002) != DLP_OK) {
            fail_msg("%s", dlp_world_error(world));
        }
    }
}

static uint64_t run_on(const dlp_MaterialDef *material, const Host *host)
{
    dlp_World *world = make_box(material, host);
    shear_first_half(world);
    shear_second_half(world);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static uint64_t resume_on(const dlp_MaterialDef *material, const Host *first, const Host *second)
{
    const dlp_WorldDef def = box_def(second);
    dlp_Error error = {DLP_OK, ""};
    dlp_World *world = make_box(material, first);
    shear_first_half(world);
    if (dlp_world_save(world, "sheared.h5") != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    const double strain = strain_of(world);
    const uint64_t saved = dlp_world_hash(world);
    dlp_world_destroy(world);
    if (dlp_world_load("sheared.h5", &def, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(strain_of(world) == strain);
    assert_true(dlp_world_hash(world) == saved);
    shear_second_half(world);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void bits_do_not_depend_on_threads_lanes_subdomains_and_checkpoints(void **state)
{
    (void)state;
    static const Host hosts[] = {{2, 1, 1}, {1, 4, 2}, {2, 8, 4}, {1, 16, 8}};
    const dlp_MaterialDef material = fluid(10.0, 0.05);
    const uint64_t expected = run_on(&material, &(Host){1, 1, 1});
    for (int n = 0; n < 4; n++) {
        assert_true(run_on(&material, &hosts[n]) == expected);
        assert_true(resume_on(&material, &hosts[n], &hosts[(n + 1) % 4]) == expected);
    }
}

static void expect_refusal(dlp_World *world, dlp_Result result, dlp_Result expected, const char *part)
{
    assert_int_equal(result, expected);
    if (strstr(dlp_world_error(world), part) == NULL) {
        fail_msg("'%s' does not mention '%s'", dlp_world_error(world), part);
    }
}

static void rates_that_are_too_large_or_not_finite_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, 2e9};
    const dlp_WorldDef def = box_def(&ONE_PART);
    dlp_World *world = make_world(&def);
    for (int n = 0; n < 4; n++) {
        expect_refusal(world, dlp_world_set_shear(world, bad[n]), DLP_ERROR_ARGUMENT, "shear rate");
    }
    assert_true(strain_of(world) == 0.0);
    dlp_world_destroy(world);
}

static void other_methods_and_open_boxes_are_refused(void **state)
{
    (void)state;
    for (int m = 0; m < dlp_method_count(); m++) {
        dlp_WorldDef def = box_def(&ONE_PART);
        snprintf(def.method, sizeof def.method, "%s", dlp_method_name(m));
        dlp_World *world = make_world(&def);
        if (strcmp(def.method, "physical") == 0) {
            set_shear(world, 1.0);
        } else {
            expect_refusal(world, dlp_world_set_shear(world, 1.0), DLP_ERROR_UNSUPPORTED, def.method);
        }
        dlp_world_destroy(world);
    }
    for (int axis = 0; axis < 3; axis++) {
        dlp_WorldDef def = box_def(&ONE_PART);
        *(axis == 0 ? &def.periodic_size.x : axis == 1 ? &def.periodic_size.y : &def.periodic_size.z) = 0.0;
        dlp_World *world = make_world(&def);
        expect_refusal(world, dlp_world_set_shear(world, 1.0), DLP_ERROR_ARGUMENT, "periodic_size");
        dlp_world_destroy(world);
    }
}

/* Before the rate is set, and after. */
static void solids_and_probes_in_a_sheared_box_are_refused(void **state)
{
    (void)state;
    const dlp_MaterialDef material = fluid(10.0, 0.0);
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.shape.kind = DLP_SHAPE_SPHERE;
    solid.shape.radius = SPACING;
    dlp_ProbeDef probe = dlp_default_probe_def();
    probe.kind = DLP_PROBE_POINT;
    for (int n = 0; n < 4; n++) {
        dlp_World *world = make_box(&material, &ONE_PART);
        const char *part = n % 2 == 0 ? "solids" : "probes";
        if (n >= 2) {
            set_shear(world, 1.0);
        }
        assert_int_equal(
            n % 2 == 0 ? dlp_world_add_solid(world, &solid, NULL) : dlp_world_add_probe(world, &probe, NULL), DLP_OK);
        const uint64_t hash = dlp_world_hash(world);
        expect_refusal(world, n >= 2 ? dlp_world_step(world, 0.001) : dlp_world_set_shear(world, 1.0),
                       DLP_ERROR_UNSUPPORTED, part);
        assert_true(dlp_world_hash(world) == hash);
        dlp_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newtonian_fluid_flows_linearly_with_the_stress_of_its_viscosity),
        cmocka_unit_test(a_maxwell_fluid_has_its_stresses_from_the_start_to_steady_shear),
        cmocka_unit_test(an_oscillation_measures_the_moduli),
        cmocka_unit_test(a_change_of_rate_keeps_the_momentum_and_acts_at_once),
        cmocka_unit_test(bits_do_not_depend_on_threads_lanes_subdomains_and_checkpoints),
        cmocka_unit_test(rates_that_are_too_large_or_not_finite_are_refused),
        cmocka_unit_test(other_methods_and_open_boxes_are_refused),
        cmocka_unit_test(solids_and_probes_in_a_sheared_box_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
