#include "support/api_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("'%s' does not contain '%s'", text, part);
    }
}

dlp_World *empty_world(int subdomains)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    def.threads = 1;
    def.subdomains = subdomains;
    assert_int_equal(dlp_world_create(&def, &world, &error), DLP_OK);
    assert_non_null(world);
    return world;
}

dlp_World *full_world(int subdomains)
{
    dlp_World *world = empty_world(subdomains);
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 0.0;
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.position.z = 0.3;
    emitter.radius = 0.015;
    emitter.speed = 1.0;
    dlp_SinkDef sink = dlp_default_sink_def();
    sink.shape.position.x = 5.0;
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position.z = 0.03;
    fluid.shape.size = (dlp_Vec3){0.06, 0.06, 0.06};
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_sink(world, &sink, NULL), DLP_OK);
    const dlp_ContactDef contact = dlp_default_contact_def();
    assert_int_equal(dlp_world_add_contact(world, &contact, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    for (int step = 0; step < 5; step++) {
        assert_int_equal(dlp_world_step(world, API_TIME_STEP), DLP_OK);
    }
    return world;
}

dlp_World *lone_particle(void)
{
    dlp_World *world = empty_world(1);
    dlp_MaterialDef material = dlp_default_material_def();
    const float point[3] = {0.0f, 0.0f, 0.0f};
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_points(world, 0, point, 1, (dlp_Vec3){0, 0, 0}), DLP_OK);
    return world;
}
