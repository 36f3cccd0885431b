/* Method blend gives one result for any number of threads, any vector width and any number of subdomains, and across a checkpoint, while
 * objects tear, merge, melt, freeze and are emitted.
 * ctest: threaded
 * ctest: timeout 300 */
#include "support/kitchen.h"
#include "support/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Gives a material fast heat conduction. */
static void add_heat(dlp_MaterialDef *material, double temperature)
{
    material->temperature = temperature;
    material->heat_capacity = 2.0;
    material->conductivity = 5.0;
}

/* Gummy, chocolate that freezes, and dough; the ball floats. In the second variant dough is as in the paper, and merges. */
static dlp_World *make_kitchen(int variant, int threads, int simd, int parts)
{
    dlp_MaterialDef gummy = dlp_default_material_def(), chocolate = gummy, dough = gummy;
    gummy.modulus = 300.0;
    gummy.solvent_viscosity = 0.5;
    chocolate.viscosity = 2.0;
    chocolate.density = 1300.0;
    chocolate.melting_point = 330.0;
    chocolate.latent_heat = 5.0;
    chocolate.frozen_modulus = 500.0;
    chocolate.convection = 100.0;
    add_heat(&chocolate, 331.0);
    add_heat(&gummy, 300.0);
    add_heat(&dough, 320.0);
    dough.modulus = variant == 0 ? 100.0 : 0.0;
    KitchenDef kitchen = {{gummy, chocolate, dough}, 0.5, dlp_default_solid_def()};
    kitchen.ball.density = 500.0;
    const dlp_WorldDef def = kitchen_world("blend", threads, simd, parts);
    dlp_World *world = make_world(&def);
    set_method(world, "update_interval", 0.01);
    set_method(world, "sound_speed", 4.0);
    fill_kitchen(world, &kitchen);
    set_material_param(world, 0, "tear_stretch", 1.3);
    set_material_param(world, 2, "matching_time", variant == 0 ? 0.0 : 0.02);
    set_material_param(world, 2, "alpha", variant == 0 ? 0.5 : 0.85);
    return world;
}

/* Objects exist, and some particles have none. */
static void check_objects(dlp_World *world, int variant)
{
    const dlp__Particles *p = particles_of(world);
    int64_t held = 0;
    (void)variant;
    for (int64_t i = 0; i < p->count; i++) {
        held += p->object[0][i] > 0.0f;
    }
    print_message("%lld of %lld particles in objects, %lld bonds\n", (long long)held, (long long)p->count,
                  (long long)dlp__bonds_count(&world->bonds));
    assert_true(held > 100 && held < p->count);
    assert_true(dlp__bonds_count(&world->bonds) > 1000);
}

int main(void)
{
    const KitchenTest test = {.make = make_kitchen,
                              .check = check_objects,
                              .variants = 2,
                              .divisible = 2,
                              .steps = small_scale() ? 20 : 40,
                              .dt = 0.002,
                              .file = "blend.dollop"};
    return run_kitchen_tests(&test);
}
