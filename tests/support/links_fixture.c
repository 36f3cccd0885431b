#include "support/links_fixture.h"

#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

LinksFluid links_fluid(void)
{
    LinksFluid fluid = {.def = dlp_default_material_def()};
    dlp_params_default(&dlp__links_material_params, &fluid.own);
    return fluid;
}

void set_links_fluid(dlp_World *world, dlp_MaterialId id, const LinksFluid *fluid)
{
    assert_int_equal(dlp_world_set_material(world, id, &fluid->def), DLP_OK);
    assert_int_equal(dlp_world_set_material_params(world, id, &fluid->own, sizeof fluid->own), DLP_OK);
}

void add_links_fluid(dlp_World *world, const LinksFluid *fluid)
{
    dlp_MaterialId id = 0;
    assert_int_equal(dlp_world_add_material(world, &fluid->def, &id), DLP_OK);
    set_links_fluid(world, id, fluid);
}

dlp_World *make_links_in(dlp_Vec3 gravity, dlp_Vec3 periodic_size, const LinksFluid *fluid)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "links");
    def.spacing = LINKS_SPACING;
    def.gravity = gravity;
    def.periodic_size = periodic_size;
    def.threads = 2;
    dlp_World *world = make_world(&def);
    add_links_fluid(world, fluid);
    return world;
}

dlp_World *make_links(double gravity, const LinksFluid *fluid)
{
    return make_links_in((dlp_Vec3){0, 0, -gravity}, (dlp_Vec3){0, 0, 0}, fluid);
}

LinksFluid stretching_fluid(double rate)
{
    LinksFluid fluid = links_fluid();
    fluid.own.extension_rate = rate;
    return fluid;
}

void add_links_floor(dlp_World *world, double friction)
{
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = friction;
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
}

/* A cube of n particles along each side, standing on the floor. */
void add_links_cube(dlp_World *world, int n)
{
    add_lattice(world, 0, (const int[]){n, n, n},
                (dlp_Vec3){-0.5 * (n - 1) * LINKS_SPACING, -0.5 * (n - 1) * LINKS_SPACING, 0.5 * LINKS_SPACING});
}

void run_links(dlp_World *world, int steps, double dt)
{
    for (int n = 0; n < steps; n++) {
        step_or_fail(world, dt);
    }
}

dlp_WorldStats stats_of_links(const dlp_World *world)
{
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    return stats;
}

/* Root mean square distance (m) from the vertical axis. */
double links_width(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double sum = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double x = (double)p->position[0][i], y = (double)p->position[1][i];
        sum += x * x + y * y;
    }
    return sqrt(sum / (double)p->count);
}
