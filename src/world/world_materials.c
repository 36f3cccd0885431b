/* Materials of a world: their physical definitions and the parameters of its method for each. */
#include "materials/maxwell.h"
#include "world/emitters.h"
#include "world/step_length.h"
#include "world/world_state.h"

#include <dollop/rheology.h>
#include <math.h>
#include <string.h>

dlp_Result dlp_material_check(const dlp_MaterialDef *material, dlp_Error *error)
{
    dlp_Result checked = dlp__check_def(dlp_material_params(), material, error);
    if (checked == DLP_OK) {
        checked = dlp__maxwell_check(material, error);
    }
    return checked == DLP_OK ? dlp__thermal_check(material, error) : checked;
}

/* `own` are the method's parameters of the material; null: they are set later. */
static dlp_Result check_material(dlp_World *world, const dlp_MaterialDef *def, const void *own)
{
    if (world->method->check_material == NULL) {
        return dlp_material_check(def, &world->error);
    }
    dlp_Result checked = dlp__check_def(dlp_material_params(), def, &world->error);
    if (checked == DLP_OK) {
        checked = world->method->check_material(def, own, &world->error);
    }
    return checked == DLP_OK ? dlp__thermal_check(def, &world->error) : checked;
}

/* 0 if the method has none. */
static size_t material_params_size(const dlp_World *world)
{
    return world->method->material_params != NULL ? world->method->material_params->size : 0;
}

/* The method's parameters of a material; null if the method has none. */
static void *material_params(const dlp_World *world, int id)
{
    char *first = world->material_params;
    return first != NULL ? first + (size_t)id * material_params_size(world) : NULL;
}

/* Memory for the method's parameters of one more material, filled with their defaults. */
static bool add_material_params(dlp_World *world)
{
    const size_t size = material_params_size(world);
    const int count = world->material_count;
    if (size == 0) {
        return true;
    }
    if (!dlp__buffer_grow(&world->memory, &world->material_params_buffer, count * (int64_t)size, count + 1, size)) {
        return false;
    }
    world->material_params = world->material_params_buffer.data;
    dlp_params_default(world->method->material_params, material_params(world, count));
    return true;
}

dlp_Result dlp__world_check_materials(dlp_World *world)
{
    dlp_Result checked = DLP_OK;
    for (int m = 0; m < world->material_count && world->method->check_material != NULL && checked == DLP_OK; m++) {
        checked = world->method->check_material(&world->materials[m], material_params(world, m), &world->error);
    }
    return checked;
}

/* Give all particles a temperature. */
static dlp_Result enable_heat(dlp_World *world)
{
    return dlp__heat_enable(&world->heat, &world->domains, &world->kernel, world->def.spacing, world->materials)
               ? DLP_OK
               : dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for the temperatures of %lld particles",
                           (long long)dlp_world_particle_count(world));
}

dlp_Result dlp_world_add_material(dlp_World *world, const dlp_MaterialDef *def, dlp_MaterialId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result checked = check_material(world, def, NULL);
    if (checked != DLP_OK) {
        return checked;
    }
    int count = world->material_count;
    if (count >= UINT16_MAX) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "a world has at most %d materials", UINT16_MAX);
    }
    if (!dlp__buffer_grow(&world->memory, &world->material_buffer, count * (int64_t)sizeof *def, count + 1,
                          sizeof *def) ||
        !add_material_params(world)) {
        return dlp__world_fail_memory(world, "material");
    }
    world->materials = world->material_buffer.data;
    world->materials[count] = *def;
    if (dlp__thermal_is_needed(def) && enable_heat(world) != DLP_OK) {
        return world->error.code;
    }
    world->material_count++;
    if (id != NULL) {
        *id = count;
    }
    return DLP_OK;
}

/* A change of a material's density changes the density of its particles at once. */
static void scale_densities(dlp_World *world, dlp_MaterialId id, double factor)
{
    for (int d = 0; d < world->domains.count; d++) {
        dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count && factor != 1.0; i++) {
            p->density[0][i] *= p->material[0][i] == id ? (float)factor : 1.0f;
        }
    }
}

/* Temperatures stay the same when the heat capacity or the melting of a material changes. */
static void keep_temperatures(dlp_World *world, dlp_MaterialId id, const dlp_MaterialDef *before)
{
    const dlp_MaterialDef *now = &world->materials[id];
    const bool same = before->heat_capacity == now->heat_capacity && before->latent_heat == now->latent_heat &&
                      before->melting_point == now->melting_point && before->liquidus == now->liquidus;
    for (int d = 0; d < world->domains.count && world->heat.active && !same; d++) {
        dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            if (p->material[0][i] == id) {
                dlp__heat_set_temperature(p, i, now, (double)p->temperature[0][i]);
            }
        }
    }
}

dlp_Result dlp_world_set_material(dlp_World *world, dlp_MaterialId id, const dlp_MaterialDef *def)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->material_count)) {
        return dlp__world_fail_id(world, "material", id, world->material_count);
    }
    dlp_Result checked = check_material(world, def, material_params(world, id));
    if (checked == DLP_OK) {
        const dlp_MaterialDef before = world->materials[id];
        world->materials[id] = *def;
        if (dlp__thermal_is_needed(def) && enable_heat(world) != DLP_OK) {
            world->materials[id] = before;
            return world->error.code;
        }
        scale_densities(world, id, def->density / before.density);
        keep_temperatures(world, id, &before);
        dlp__emitters_material_changed(world, id);
    }
    return checked;
}

dlp_Result dlp_world_get_material(const dlp_World *world, dlp_MaterialId id, dlp_MaterialDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->material_count)) {
        return dlp__world_fail_id(world, "material", id, world->material_count);
    }
    *def = world->materials[id];
    return DLP_OK;
}

/* Checks that the material exists and that `size` is the size of the method's material parameters. */
static dlp_Result check_material_params(const dlp_World *world, dlp_MaterialId id, size_t size)
{
    if (!dlp__is_valid_id(id, world->material_count)) {
        return dlp__world_fail_id(world, "material", id, world->material_count);
    }
    if (world->method->material_params == NULL) {
        return dlp__fail(dlp__error_of(world), DLP_ERROR_UNSUPPORTED, "method %s adds no parameters to materials",
                         world->method->name);
    }
    if (size != material_params_size(world)) {
        return dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT,
                         "the material parameters of %s have %zu bytes, not %zu: take the size from "
                         "dlp_method_material_params()",
                         world->method->name, material_params_size(world), size);
    }
    return DLP_OK;
}

dlp_Result dlp_world_get_material_params(const dlp_World *world, dlp_MaterialId id, void *params, size_t size)
{
    if (world == NULL || params == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result checked = check_material_params(world, id, size);
    if (checked == DLP_OK) {
        memcpy(params, material_params(world, id), size);
    }
    return checked;
}

dlp_Result dlp_world_set_material_params(dlp_World *world, dlp_MaterialId id, const void *params, size_t size)
{
    if (world == NULL || params == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result checked = check_material_params(world, id, size);
    if (checked == DLP_OK) {
        checked = dlp_params_check(world->method->material_params, params, &world->error);
    }
    if (checked == DLP_OK) {
        checked = check_material(world, &world->materials[id], params);
    }
    if (checked == DLP_OK) {
        memcpy(material_params(world, id), params, size);
    }
    return checked;
}

int dlp_world_material_count(const dlp_World *world)
{
    return world != NULL ? world->material_count : 0;
}

dlp_Result dlp_world_deliver_material(dlp_World *world, dlp_MaterialId id, dlp_DeliveredMaterial *delivered)
{
    if (world == NULL || delivered == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->material_count)) {
        return dlp__world_fail_id(world, "material", id, world->material_count);
    }
    *delivered = (dlp_DeliveredMaterial){.modulus = NAN, .viscosity = NAN};
    if (world->method->deliver != NULL) {
        const dlp__StepContext step = dlp__world_step_context(world, DLP_MAX_STEP, DLP_MAX_STEP);
        world->method->deliver(&step, id, delivered);
    }
    return DLP_OK;
}
