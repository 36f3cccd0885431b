/* The probes of a world: adding and reading them. */
#include "world/world_state.h"

#include <math.h>
#include <string.h>

dlp__ProbeInput dlp__world_probe_input(dlp_World *world, double dt)
{
    const bool has_heat = world->heat.active && world->probes.has_energy;
    return (dlp__ProbeInput){
        .domains = &world->domains,
        .solids = &world->solids,
        .kernel = &world->kernel,
        .materials = world->materials,
        .method = world->method,
        .gravity = world->def.gravity,
        .periodic_size = world->def.periodic_size,
        .spacing = world->def.spacing,
        .time = world->time,
        .dt = dt,
        .heat = has_heat ? dlp__heat_total(&world->domains, &world->solids, world->materials, world->def.spacing) : NAN,
        .has_temperature = world->heat.active,
        .has_shear_rate = (world->derived & DLP_DERIVED_SHEAR_RATE) != 0,
    };
}

dlp_Result dlp_world_add_probe(dlp_World *world, const dlp_ProbeDef *def, dlp_ProbeId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result result = dlp__check_def(dlp_probe_params(), def, &world->error);
    if (result == DLP_OK && def->solid >= world->solids.count) {
        result = dlp__world_fail_id(world, "solid", def->solid, world->solids.count);
    }
    if (result == DLP_OK && def->material >= world->material_count) {
        result = dlp__world_fail_id(world, "material", def->material, world->material_count);
    }
    if (result == DLP_OK) {
        result = dlp__probes_add(&world->probes, &world->memory, def, world->time, &world->error);
    }
    if (result == DLP_OK && id != NULL) {
        *id = world->probes.count - 1;
    }
    return result;
}

static dlp_Result check_id(const dlp_World *world, dlp_ProbeId id)
{
    return dlp__is_valid_id(id, world->probes.count) ? DLP_OK
                                                     : dlp__world_fail_id(world, "probe", id, world->probes.count);
}

dlp_Result dlp_world_get_probe(const dlp_World *world, dlp_ProbeId id, dlp_ProbeDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, id);
    if (result == DLP_OK) {
        *def = world->probes.probe[id].def;
    }
    return result;
}

int dlp_world_probe_count(const dlp_World *world)
{
    return world != NULL ? world->probes.count : 0;
}

int dlp_world_probe_columns(const dlp_World *world, dlp_ProbeId id)
{
    if (world == NULL) {
        return 0;
    }
    return check_id(world, id) == DLP_OK ? world->probes.probe[id].columns : 0;
}

dlp_Result dlp_world_probe_column(const dlp_World *world, dlp_ProbeId id, int column, dlp_ProbeColumn *info)
{
    if (world == NULL || info == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result result = check_id(world, id);
    if (result == DLP_OK && !dlp__is_valid_id(column, world->probes.probe[id].columns)) {
        result = dlp__world_fail_id(world, "column", column, world->probes.probe[id].columns);
    }
    if (result == DLP_OK) {
        *info = dlp__probe_column(&world->probes.probe[id].def, column);
    }
    return result;
}

int64_t dlp_world_probe_samples(const dlp_World *world, dlp_ProbeId id)
{
    if (world == NULL) {
        return 0;
    }
    return check_id(world, id) == DLP_OK ? world->probes.probe[id].state.samples : 0;
}

dlp_Result dlp_world_read_probe(const dlp_World *world, dlp_ProbeId id, double *values, int count)
{
    if (world == NULL || values == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, id);
    if (result == DLP_OK && count > 0) {
        const dlp__Probe *probe = &world->probes.probe[id];
        const int copied = count < probe->columns ? count : probe->columns;
        memcpy(values, probe->values, (size_t)copied * sizeof *values);
    }
    return result;
}

void dlp_world_on_probe(dlp_World *world, dlp_ProbeFunction function, void *user)
{
    if (world == NULL) {
        return;
    }
    world->probes.function = function;
    world->probes.user = user;
}
