/* Method physical with surface tension and with material laws gives one result for any number of threads, any vector width and any number of subdomains, and
 * across a checkpoint.
 * ctest: threaded
 * ctest: timeout 300 */
#include "support/kitchen.h"
#include "support/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A paste, a thixotropic paint and a spectrum: the fields and loops of material laws. */
static void use_laws(dlp_MaterialDef *jelly, dlp_MaterialDef *honey, dlp_MaterialDef *slime)
{
    jelly->flow_law = DLP_FLOW_HERSCHEL_BULKLEY;
    jelly->yield_stress = 100.0;
    jelly->consistency = 10.0;
    jelly->flow_index = 0.4;
    honey->flow_law = DLP_FLOW_CARREAU;
    honey->infinite_viscosity = 0.1;
    honey->thinning_time = 1.0;
    honey->flow_index = 0.5;
    honey->recovery_time = 1.0;
    honey->breakdown = 0.5;
    slime->viscosity = slime->relaxation_time = 0.0;
    slime->elastic_law = DLP_ELASTIC_GIESEKUS;
    slime->mobility = 0.2;
    slime->modes = (dlp_RelaxationModes){3, {{0.01, 1000.0}, {0.1, 200.0}, {1.0, 20.0}}};
}

/* Jelly, honey that wets the tank, and a Maxwell fluid that does not; the ball floats. */
static dlp_World *make_kitchen(int variant, int threads, int simd, int parts)
{
    dlp_MaterialDef jelly = dlp_default_material_def(), honey = jelly, slime = jelly;
    jelly.modulus = 1000.0;
    honey.viscosity = 10.0;
    honey.density = 1300.0;
    honey.surface_tension = 5.0;
    honey.contact_angle = 0.7;
    slime.viscosity = 50.0;
    slime.relaxation_time = 0.1;
    slime.surface_tension = 2.0;
    slime.contact_angle = 2.1;
    if (variant == 2) {
        use_laws(&jelly, &honey, &slime);
    }
    KitchenDef kitchen = {{jelly, honey, slime}, variant == 0 ? 1.0 : 0.0, dlp_default_solid_def()};
    kitchen.ball.density = 500.0;
    const dlp_WorldDef def = kitchen_world("physical", threads, simd, parts);
    dlp_World *world = make_world(&def);
    fill_kitchen(world, &kitchen);
    return world;
}

int main(void)
{
    const KitchenTest test = {.make = make_kitchen,
                              .variants = 3,
                              .divisible = 3,
                              .steps = small_scale() ? 6 : 20,
                              .dt = 0.002,
                              .file = "physical.dollop"};
    return run_kitchen_tests(&test);
}
