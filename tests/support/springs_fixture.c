#include "support/springs_fixture.h"

#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

dlp_WorldDef springs_def(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "springs");
    def.spacing = SPRINGS_SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.threads = 2;
    return def;
}

dlp_World *make_springs(int form, const dlp_MaterialDef *material)
{
    const dlp_WorldDef def = springs_def();
    dlp_World *world = make_world(&def);
    set_method(world, "form", form);
    assert_int_equal(dlp_world_add_material(world, material, NULL), DLP_OK);
    return world;
}

void run_springs(dlp_World *world, int steps, double dt)
{
    for (int n = 0; n < steps; n++) {
        step_or_fail(world, dt);
    }
}

double springs_height(const dlp_World *world)
{
    dlp_WorldStats stats;
    dlp_world_stats(world, &stats);
    return stats.upper.z - stats.lower.z;
}

void stretch_drop(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)id;
    const float rate = *(const float *)user;
    velocity[0] += rate * position[0];
    velocity[1] += rate * position[1];
    velocity[2] -= 2.0f * rate * position[2];
}
