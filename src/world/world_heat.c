/* The heat of a world: initial temperatures, temperatures set by the host, and viscosity as a function of temperature. */
#include "world/world_state.h"

dlp__HeatStep dlp__world_heat_step(dlp_World *world, double dt)
{
    return (dlp__HeatStep){.heat = &world->heat,
                           .domains = &world->domains,
                           .solids = &world->solids,
                           .kernel = &world->kernel,
                           .materials = world->materials,
                           .material_count = world->material_count,
                           .kind = (dlp_HeatKind)world->def.heat,
                           .air = world->def.air_temperature,
                           .spacing = world->def.spacing,
                           .dt = dt};
}

void dlp__world_warm_new(dlp_World *world, int64_t first, int64_t count, double temperature)
{
    dlp__Particles *p = &world->domains.part[0].particles;
    for (int64_t i = first; i < first + count && world->heat.active; i++) {
        const dlp_MaterialDef *material = &world->materials[p->material[0][i]];
        dlp__heat_set_temperature(p, i, material, temperature > 0.0 ? temperature : material->temperature);
    }
}

dlp_Result dlp_world_warm(dlp_World *world, dlp_WarmFunction warm, void *user)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    if (warm == NULL) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "dlp_world_warm: the function is null");
    }
    if (!world->heat.active) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "no particle has a temperature: give a material a heat_capacity first");
    }
    for (int d = 0; d < world->domains.count; d++) {
        dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const float position[3] = {p->position[0][i], p->position[1][i], p->position[2][i]};
            const double temperature = warm(user, p->id[0][i], position, (double)p->temperature[0][i]);
            if (!(temperature >= 0.0 && temperature <= 1e5)) {
                return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                                 "the function returned a temperature of %g K: it must be between 0 and 1e5 K",
                                 temperature);
            }
            dlp__heat_set_temperature(p, i, &world->materials[p->material[0][i]], temperature);
        }
    }
    return DLP_OK;
}

static dlp_Result check_material_id(const dlp_World *world, dlp_MaterialId id)
{
    return id >= 0 && id < world->material_count
               ? DLP_OK
               : dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT, "there is no material %d: the world has %d", id,
                           world->material_count);
}

/* Allocate a viscosity curve for each material; most have no keys. */
static bool reserve_curves(dlp_World *world)
{
    dlp__Heat *heat = &world->heat;
    const int count = world->material_count;
    if (!dlp__buffer_grow(&world->memory, &heat->curve_buffer, heat->curve_count * (int64_t)sizeof *heat->curves, count,
                          sizeof *heat->curves)) {
        return false;
    }
    heat->curves = heat->curve_buffer.data;
    for (; heat->curve_count < count; heat->curve_count++) {
        heat->curves[heat->curve_count] = (dlp__ViscosityCurve){NULL, 0};
    }
    return true;
}

dlp_Result dlp_world_set_material_viscosities(dlp_World *world, dlp_MaterialId id, const dlp_ViscosityKey *keys,
                                              int count)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result result = check_material_id(world, id);
    if (result != DLP_OK || (count == 0 && id >= world->heat.curve_count)) {
        return result;
    }
    if (!reserve_curves(world) || (count > 0 && !dlp__heat_enable(&world->heat, &world->domains, &world->kernel,
                                                                  world->def.spacing, world->materials))) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for the viscosities of material %d", id);
    }
    return dlp__viscosity_curve_set(&world->heat.curves[id], &world->memory, keys, count, &world->error);
}

dlp_Result dlp_world_get_material_viscosities(const dlp_World *world, dlp_MaterialId id, const dlp_ViscosityKey **keys,
                                              int *count)
{
    if (world == NULL || keys == NULL || count == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_material_id(world, id);
    if (result == DLP_OK) {
        const dlp__ViscosityCurve *curve = dlp__heat_curve(&world->heat, id);
        *keys = curve != NULL ? curve->keys : NULL;
        *count = curve != NULL ? curve->count : 0;
    }
    return result;
}
