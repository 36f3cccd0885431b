/* Force and torque of the fluid on a solid: the impulses that the method has collected (wall_impulses.h), over the time. */
#include "probes/probes.h"

#include <string.h>

static dlp_Vec3 center_of(const dlp_ProbeDef *def, const dlp__Solid *solid)
{
    if (def->solid < 0 || def->about == DLP_TORQUE_ABOUT_POSITION) {
        return def->position;
    }
    return solid->body >= 0 ? solid->mass_properties.center : solid->shape.position;
}

void dlp__force_probe_end(dlp__Probe *probe, const dlp__ProbeInput *input)
{
    const dlp_ProbeDef *def = &probe->def;
    const int first = def->solid < 0 ? 0 : def->solid, last = def->solid < 0 ? input->solids->count : first + 1;
    for (int k = first; k < last; k++) {
        const dlp__WallImpulse impulse = dlp__wall_impulses_of(&input->solids->impulses, k);
        const dlp_Vec3 center = center_of(def, &input->solids->solid[k]);
        for (int part = 0; part < DLP_IMPULSE_PARTS; part++) {
            dlp_Vec3 *linear = &probe->state.impulse[2 * part], *angular = linear + 1;
            const dlp_Vec3 about = dlp__sub(impulse.angular[part], dlp__cross(center, impulse.linear[part]));
            *linear = dlp__add(*linear, impulse.linear[part]);
            *angular = dlp__add(*angular, about);
        }
    }
}

static void put(double *values, dlp_Vec3 vector)
{
    values[0] = vector.x;
    values[1] = vector.y;
    values[2] = vector.z;
}

void dlp__force_probe_sample(dlp__Probe *probe)
{
    dlp_Vec3 *impulse = probe->state.impulse, mean[4];
    for (int n = 0; n < 4; n++) {
        mean[n] = dlp__scale(impulse[n], 1.0 / probe->state.elapsed);
    }
    put(probe->values + 1, dlp__add(mean[0], mean[2]));
    put(probe->values + 4, dlp__add(mean[1], mean[3]));
    put(probe->values + 7, mean[0]);
    put(probe->values + 10, mean[2]);
    put(probe->values + 13, mean[1]);
    put(probe->values + 16, mean[3]);
    memset(impulse, 0, sizeof probe->state.impulse);
}
