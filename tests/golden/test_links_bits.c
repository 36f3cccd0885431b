/* Links give one result for any number of threads, any vector width and any number of subdomains, and across a
 * checkpoint with links alive and some of them frozen.
 * ctest: threaded
 * ctest: timeout 300 */
#include "methods/links/links_fields.h"
#include "support/kitchen.h"
#include "support/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const dlp__LinksFields *links_fields_of(const dlp__Particles *p)
{
    return dlp__own_fields(p);
}

/* Gives a material fast heat conduction. */
static void add_heat(dlp_MaterialDef *material, double temperature)
{
    material->temperature = temperature;
    material->heat_capacity = 2.0;
    material->conductivity = 5.0;
}

/* Chocolate, jelly and honey; with `rigid` nothing is elastic, and other loops pull the links. Otherwise some of it
 * freezes and melts. */
static KitchenDef kitchen_def(bool rigid)
{
    dlp_MaterialDef chocolate = dlp_default_material_def(), jelly = chocolate, honey = chocolate;
    jelly.modulus = rigid ? 0.0 : 2000.0;
    jelly.density = 1300.0;
    honey.viscosity = 10.0;
    if (!rigid) {
        add_heat(&chocolate, 331.0);
        add_heat(&jelly, 300.0);
        add_heat(&honey, 360.0);
        chocolate.melting_point = 330.0;
        chocolate.latent_heat = 5.0;
        chocolate.convection = 100.0; /* freezes its surface */
        chocolate.frozen_modulus = 5000.0;
        honey.activation_energy = 5e4;
    }
    KitchenDef def = {{chocolate, jelly, honey}, 0.5, dlp_default_solid_def()};
    def.ball.temperature = rigid ? 0.0 : 280.0;
    def.ball.friction = 0.3; /* it swings through the fluid */
    def.ball.amplitude = (dlp_Vec3){0.08, 0.0, 0.0};
    def.ball.frequency = 3.0;
    return def;
}

static dlp_World *make_kitchen(int rigid, int threads, int simd, int parts)
{
    const dlp_WorldDef def = kitchen_world("links", threads, simd, parts);
    dlp_World *world = make_world(&def);
    const KitchenDef kitchen = kitchen_def(rigid > 0);
    fill_kitchen(world, &kitchen);
    set_material_param(world, 0, "extension_rate", 3.0);
    set_material_param(world, 1, "extension_rate", rigid > 0 ? 0.5 : -1.0);
    set_material_param(world, 2, "link_stiffness", 0.7);
    return world;
}

/* The frozen fraction of the first material. */
static double frozen_chocolate(const dlp__Particles *p)
{
    double frozen = 0.0, all = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        all += p->material[0][i] == 0;
        frozen += p->material[0][i] == 0 && links_fields_of(p)->frozen[0][i] > 0.0f;
    }
    return frozen / all;
}

static void check_links(dlp_World *world, int rigid)
{
    const double frozen = rigid > 0 ? 0.5 : frozen_chocolate(particles_of(world));
    assert_true(dlp__bonds_count(&world->bonds) > 1000);
    assert_true(frozen > 0.0 && frozen < 1.0);
}

int main(void)
{
    const KitchenTest test = {.make = make_kitchen,
                              .check = check_links,
                              .variants = 2,
                              .divisible = 2,
                              .steps = small_scale() ? 20 : 60,
                              .dt = 0.002,
                              .file = "links.dollop"};
    return run_kitchen_tests(&test);
}
