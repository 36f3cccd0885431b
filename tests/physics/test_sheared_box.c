/* A sheared periodic box (Lees-Edwards boundary conditions): the flow stays homogeneous, and its stresses are those of the material.
 * ctest: threaded, timeout 300 */
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

enum { XX = 0, YY = 1, ZZ = 2, XY = 3, YZ = 4, XZ = 5, EDGE = 8 };

static const double SPACING = 0.01, SIZE = EDGE * 0.01, MIDDLE = 0.5 * EDGE * 0.01, DENSITY = 1000.0;

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
 * shifted apart. */
static dlp_World *make_box(const dlp_MaterialDef *material, const Host *host)
{
    const dlp_WorldDef def = box_def(host);
    dlp_World *world = make_world(&def);
    float points[EDGE * EDGE * EDGE][3];
    uint64_t state = 7;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        const int place[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
        for (int a = 0; a < 3; a++) {
            points[i][a] = (float)(SPACING * (place[a] + 0.5 + random_between(&state, -0.3, 0.3)));
        }
    }
    assert_int_equal(dlp_world_add_material(world, material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_points(world, 0, points[0], EDGE * EDGE * EDGE, (dlp_Vec3){0, 0, 0}), DLP_OK);
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

/* Relative to u_x = rate (z - middle). */
typedef struct Flow {
    double most;    /* m/s, the largest velocity */
    double layer;   /* m/s, the largest mean velocity of a layer of one spacing */
    double mean[3]; /* m/s */
    double stress[6];
} Flow;

static Flow measure(dlp_World *world)
{
    Flow flow = {0};
    double rate = 0.0, strain = 0.0, layers[EDGE] = {0}; int counts[EDGE] = {0};
    assert_int_equal(dlp_world_get_shear(world, &rate, &strain), DLP_OK);
    assert_int_equal(dlp_world_derive(world, DLP_DERIVED_STRESS), DLP_OK);
    const double share = 1.0 / (double)dlp_world_particle_count(world);
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        for (int64_t i = 0; i < view.count; i++) {
            const double u[3] = {(double)view.velocity[0][i] - rate * ((double)view.position[2][i] - MIDDLE),
                                 (double)view.velocity[1][i], (double)view.velocity[2][i]};
            for (int a = 0; a < 3; a++) {
                flow.mean[a] += share * u[a];
            }
            flow.most = fmax(flow.most, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
            int layer = ((int)floor((double)view.position[2][i] / SPACING) + EDGE) % EDGE;
            layers[layer] += u[0]; counts[layer]++;
            for (int n = 0; n < 6; n++) {
                flow.stress[n] += share * (double)view.stress[n][i];
            }
        }
    }
    for (int l = 0; l < EDGE; l++) {
        flow.layer = fmax(flow.layer, fabs(layers[l] / counts[l]));
    }
    return flow;
}

static double strain_of(const dlp_World *world)
{
    double rate = 0.0, strain = 0.0;
    assert_int_equal(dlp_world_get_shear(world, &rate, &strain), DLP_OK);
    return strain;
}

static void a_newtonian_fluid_keeps_its_linear_profile_and_stress(void **state)
{
    (void)state;
    const double viscosity = 10.0, rate = 10.0, dt = 0.002;
    const dlp_MaterialDef material = fluid(viscosity, 0.0);
    dlp_World *world = make_box(&material, &ONE_PART);
    set_shear(world, rate);
    for (int n = 0; n < 150; n++) {
        step_or_fail(world, dt);
        if (n % 10 == 9) {
            const Flow flow = measure(world);
            dlp_WorldStats stats;
            assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
            print_message("strain %.2f: most %.2e layer %.2e mean %.1e %.1e %.1e of rate L; stress/eta rate %.4f %.4f %.4f %.4f %.4f %.4f; it %d dens %.4f\n", strain_of(world),
                          flow.most / (rate * SIZE), flow.layer / (rate * SIZE), flow.mean[0] / (rate * SIZE), flow.mean[1] / (rate * SIZE),
                          flow.mean[2] / (rate * SIZE), flow.stress[0] / (viscosity * rate), flow.stress[1] / (viscosity * rate), flow.stress[2] / (viscosity * rate), flow.stress[3] / (viscosity * rate), flow.stress[4] / (viscosity * rate), flow.stress[5] / (viscosity * rate), (int)stats.iterations, stats.density_error);
        }
    }
    dlp_world_destroy(world);
}

static void a_maxwell_fluid_reaches_its_stresses(void **state)
{
    (void)state;
    const double viscosity = 10.0, tau = 0.1;
    for (int n = 1; n <= 2; n++) {
        const double rate = 0.5 * n / tau, dt = 0.0005;
        const dlp_MaterialDef material = fluid(viscosity, tau);
        dlp_World *world = make_box(&material, &ONE_PART);
        set_shear(world, rate);
        for (int step = 0; step < 1400; step++) {
            step_or_fail(world, dt);
            if (step % 100 == 99) {
                const Flow flow = measure(world);
                print_message("strain %.2f: most %.2e layer %.2e mean %.1e; stress/eta rate %.4f, N1 %.4f, N2 %.4f, others %.4f %.4f\n", strain_of(world),
                              flow.most / (rate * SIZE), flow.layer / (rate * SIZE), flow.mean[0] / (rate * SIZE),
                              flow.stress[XZ] / (viscosity * rate),
                              (flow.stress[XX] - flow.stress[ZZ]) / (2 * viscosity * tau * rate * rate),
                              (flow.stress[ZZ] - flow.stress[YY]) / (2 * viscosity * tau * rate * rate),
                              flow.stress[XY] / (viscosity * rate), flow.stress[YZ] / (viscosity * rate));
            }
        }
        dlp_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newtonian_fluid_keeps_its_linear_profile_and_stress),
        cmocka_unit_test(a_maxwell_fluid_reaches_its_stresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
