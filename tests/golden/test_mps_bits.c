/* Method mps gives one result for any number of threads, any vector width and any number of subdomains, in both schemes, and across a
 * checkpoint with elastic strain.
 * ctest: threaded
 * ctest: timeout 300 */
#include "methods/mps/mps_plan.h"
#include "support/kitchen.h"
#include "support/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Jelly with surface tension, honey and a Maxwell fluid; the ball floats. */
static dlp_World *make_kitchen(int cohesion, int threads, int simd, int parts)
{
    dlp_MaterialDef jelly = dlp_default_material_def(), honey = jelly, dough = jelly;
    jelly.modulus = 1000.0;
    jelly.surface_tension = 0.5;
    jelly.contact_angle = 1.0471975511965976;
    honey.viscosity = 10.0;
    honey.density = 1300.0;
    dough.viscosity = 50.0;
    dough.relaxation_time = 0.1;
    KitchenDef kitchen = {{jelly, honey, dough}, 0.5, dlp_default_solid_def()};
    kitchen.ball.density = 500.0;
    const dlp_WorldDef def = kitchen_world("mps", threads, simd, parts);
    dlp_World *world = make_world(&def);
    set_method(world, "cohesion", cohesion);
    fill_kitchen(world, &kitchen);
    return world;
}

int main(void)
{
    const KitchenTest test = {.make = make_kitchen,
                              .variants = DLP_MPS_BY_POTENTIAL + 1,
                              .divisible = DLP_MPS_BY_POTENTIAL + 1,
                              .steps = small_scale() ? 6 : 20,
                              .dt = 0.002,
                              .file = "mps.dollop"};
    return run_kitchen_tests(&test);
}
