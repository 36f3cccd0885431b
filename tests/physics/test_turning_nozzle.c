/* A rotating nozzle moves the fluid in its guide like a rigid body, and the fluid keeps rotating when it leaves. Fluid
 * created with a spin has it.
 * ctest: timeout 200 */
#include "support/scale.h"
#include "support/world_fixture.h"
#include "world/emitters.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double SPACING = 0.002, SPEED = 0.2, GUIDE = 6.0, DT = 0.002; /* m, m/s, spacings, s */
static const double SPIN = 6.0;                                            /* rad/s */

/* A flat nozzle, 9 by 3 particles, that points down and rotates steadily about `axis`. */
static dlp_World *make_turning(const char *method, dlp_Vec3 axis)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.threads = 2;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = 5.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.nozzle = DLP_NOZZLE_RECTANGLE;
    nozzle.width = 9.0 * SPACING;
    nozzle.height = 3.0 * SPACING;
    nozzle.speed = SPEED;
    nozzle.guide = GUIDE;
    nozzle.path = DLP_PATH_LINEAR;
    assert_int_equal(dlp_world_add_emitter(world, &nozzle, NULL), DLP_OK);
    dlp_PoseKey keys[5];
    for (int k = 0; k < 5; k++) {
        keys[k] = (dlp_PoseKey){0.25 * k, {0.1 + 0.01 * k, 0.2, 0.3}, dlp__scale(axis, 0.25 * SPIN * k)};
    }
    assert_int_equal(dlp_world_set_emitter_keys(world, 0, keys, 5), DLP_OK);
    return world;
}

/* Position of particle i in the nozzle's frame: across (x, y) and along its flow (z). */
static dlp_Vec3 in_nozzle(const dlp__Particles *p, int64_t i, const dlp__Pose *pose)
{
    const dlp_Vec3 at = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
    const dlp_Vec3 local = dlp__unrotate(&pose->rotation, dlp__sub(at, pose->position));
    return dlp__vec3(local.x, -local.y, -local.z);
}

static double off_lattice(double x)
{
    return fabs(x / SPACING - floor(x / SPACING + 0.5));
}

static void fluid_in_the_guide_turns_with_the_nozzle(void **state)
{
    (void)state;
    static const char *const methods[] = {"physical", "conformation", "pbf"};
    const dlp_Vec3 axes[] = {{0, 0, 1}, {0.8, 0.6, 0}};
    for (int trial = 0; trial < 6; trial++) {
        dlp_World *world = make_turning(methods[trial / 2], axes[trial % 2]);
        const dlp__Emitter *emitter = &world->emitters[0];
        double worst = 0.0, slip = 0.0;
        int64_t guided = 0;
        for (int step = 0; step < (small_scale() ? 30 : 80); step++) {
            step_or_fail(world, DT);
            const dlp__Pose pose = dlp__pose_path_at(&emitter->path, DLP_PATH_LINEAR, world->time);
            const dlp__Particles *p = particles_of(world);
            for (int64_t i = 0; i < p->count; i++) {
                const dlp_Vec3 at = in_nozzle(p, i, &pose);
                if (at.z > (GUIDE - 0.5) * SPACING || !(fabs(at.x) < 4.6 * SPACING) || !(fabs(at.y) < 1.6 * SPACING)) {
                    continue;
                }
                worst = fmax(worst, fmax(off_lattice(at.x), off_lattice(at.y)));
                const dlp_Vec3 turned = dlp__cross(pose.spin,
                                                   dlp__rotate(&pose.rotation, dlp__vec3(at.x, -at.y, -at.z)));
                const dlp_Vec3 wanted = dlp__add(dlp__add(pose.velocity, turned), dlp__scale(pose.rotation.z, -SPEED));
                const dlp_Vec3 is = {(double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]};
                slip = fmax(slip, dlp__length(dlp__sub(is, wanted)));
                guided++;
            }
        }
        print_message("%s, about (%g, %g, %g): %.1e spacings off, %.1e m/s besides\n", methods[trial / 2],
                      axes[trial % 2].x, axes[trial % 2].y, axes[trial % 2].z, worst, slip);
        assert_true(guided > 2000);
        assert_true(worst < 0.002); /* floats near 0.3 m, some thirty steps */
        /* The mean over a step is that of half a step ago: 2 spin x flow, and spin^2 times the 15 mm that it reaches,
         * have acted. */
        assert_true(slip < 0.5 * DT * (2.0 * SPIN * SPEED + SPIN * SPIN * 0.015));
        dlp_world_destroy(world);
    }
}

/* Under gravity: layers in the guide of a star-shaped nozzle are complete, aligned and at the prescribed speed, and
 * below it they fall faster. */
static void a_star_leads_its_fluid_through_its_guide(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = SPACING;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = 1.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.nozzle = DLP_NOZZLE_MESH;
    nozzle.mesh = add_star_mesh(world, 6.0 * SPACING);
    nozzle.speed = SPEED;
    nozzle.guide = GUIDE;
    assert_int_equal(dlp_world_add_emitter(world, &nozzle, NULL), DLP_OK);
    for (int step = 0; step < 60; step++) {
        step_or_fail(world, DT);
    }
    const dlp__FlatOpening *opening = &world->emitters[0].opening;
    const dlp__Particles *p = particles_of(world);
    int64_t guided = 0;
    double lowest = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double along = -(double)p->position[2][i];
        lowest = fmin(lowest, (double)p->velocity[2][i]);
        if (along < (GUIDE - 0.5) * SPACING) {
            assert_true(dlp__flat_opening_contains(opening, (double)p->position[0][i], -(double)p->position[1][i]));
            assert_true(fabs((double)p->velocity[2][i] + SPEED) < 1e-6 && fabs((double)p->velocity[0][i]) < 1e-6);
            guided++;
        }
    }
    print_message("%d layers of %d move with the nozzle, then the fluid falls at up to %.2f m/s\n",
                  (int)(guided / opening->count), (int)opening->count, -lowest);
    assert_true(guided % opening->count == 0 && guided >= 5 * opening->count);
    assert_true(lowest < -1.2 * SPEED);
    dlp_world_destroy(world);
}

/* Angular velocity of the fluid outside the nozzle about the axis of the flow, from its angular momentum over its inertia. */
static void what_comes_out_goes_on_turning(void **state)
{
    (void)state;
    dlp_World *world = make_turning("physical", (dlp_Vec3){0, 0, 1});
    const dlp__Emitter *emitter = &world->emitters[0];
    for (int step = 0; step < 80; step++) {
        step_or_fail(world, DT);
    }
    const dlp__Pose pose = dlp__pose_path_at(&emitter->path, DLP_PATH_LINEAR, world->time);
    const dlp__Particles *p = particles_of(world);
    double angular = 0.0, inertia = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const dlp_Vec3 at = in_nozzle(p, i, &pose);
        if (at.z < (GUIDE + 0.5) * SPACING || at.z > (GUIDE + 3.5) * SPACING) {
            continue;
        }
        const double x = (double)p->position[0][i] - pose.position.x, y = (double)p->position[1][i] - pose.position.y;
        angular += x * ((double)p->velocity[1][i] - pose.velocity.y) -
                   y * ((double)p->velocity[0][i] - pose.velocity.x);
        inertia += x * x + y * y;
    }
    print_message("just past the guide it turns at %.2f of %.2f rad/s\n", angular / inertia, SPIN);
    assert_true(fabs(angular / inertia - SPIN) < 0.1 * SPIN);
    dlp_world_destroy(world);
}

static void fluid_begins_with_its_spin(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = 0.01;
    dlp_World *world = make_world(&def);
    const dlp_MaterialDef material = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.kind = DLP_SHAPE_CYLINDER;
    fluid.shape.position = (dlp_Vec3){1.0, 2.0, 3.0};
    fluid.shape.rotation = (dlp_Vec3){0.5, 0.0, 0.0};
    fluid.shape.radius = 0.05;
    fluid.shape.length = 0.2;
    fluid.velocity = (dlp_Vec3){0.3, 0.0, -0.1};
    fluid.spin = (dlp_Vec3){1.0, -2.0, 5.0};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        const dlp_Vec3 r = {(double)p->position[0][i] - 1.0, (double)p->position[1][i] - 2.0,
                            (double)p->position[2][i] - 3.0};
        const dlp_Vec3 wanted = {0.3 - 2.0 * r.z - 5.0 * r.y, 5.0 * r.x - r.z, -0.1 + r.y + 2.0 * r.x};
        const dlp_Vec3 is = {(double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]};
        assert_true(dlp__length(dlp__sub(is, wanted)) < 1e-6);
    }
    const int64_t before = dlp_world_particle_count(world);
    fluid.spin.x = 1e6;
    fluid.shape.length = 100.0;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_particle_count(world), before);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluid_in_the_guide_turns_with_the_nozzle),
        cmocka_unit_test(a_star_leads_its_fluid_through_its_guide),
        cmocka_unit_test(what_comes_out_goes_on_turning),
        cmocka_unit_test(fluid_begins_with_its_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
