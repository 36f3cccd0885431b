/* Springs give one result for any number of threads and any vector width in both forms, for any number of subdomains in
 * gather form, and across a checkpoint with springs alive.
 * ctest: threaded
 * ctest: timeout 300 */
#include "methods/springs/springs_plan.h"
#include "support/kitchen.h"
#include "support/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static KitchenDef kitchen_def(void)
{
    dlp_MaterialDef clay = dlp_default_material_def(), jelly = clay, water = clay;
    clay.modulus = 1000.0;
    jelly.modulus = 500.0;
    jelly.density = 1300.0;
    water.viscosity = 0.1;
    KitchenDef def = {{clay, jelly, water}, 0.5, dlp_default_solid_def()};
    def.ball.friction = 0.0;
    def.ball.density = 500.0; /* it floats */
    return def;
}

/* Clay, jelly and water; in gather form, then in sequence. */
static dlp_World *make_kitchen(int variant, int threads, int simd, int parts)
{
    dlp_WorldDef def = kitchen_world("springs", threads, simd, parts);
    def.support = 2.57;
    dlp_World *world = make_world(&def);
    set_method(world, "form", DLP_SPRINGS_GATHER + variant);
    set_method(world, "beta", 1.0);
    set_method(world, "sound_speed", 4.0);
    const KitchenDef kitchen = kitchen_def();
    fill_kitchen(world, &kitchen);
    set_material_param(world, 0, "plasticity", 30.0);
    set_material_param(world, 0, "yield_ratio", 0.05);
    set_material_param(world, 0, "compress_yield_ratio", 0.0);
    return world;
}

static void check_springs(dlp_World *world, int variant)
{
    (void)variant;
    assert_true(dlp__bonds_count(&world->bonds) > 1000);
}

int main(void)
{
    const KitchenTest test = {.make = make_kitchen,
                              .check = check_springs,
                              .variants = 2,
                              .divisible = 1,
                              .steps = small_scale() ? 20 : 60,
                              .dt = 0.004,
                              .file = "springs.dollop"};
    return run_kitchen_tests(&test);
}
