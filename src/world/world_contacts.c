/* The contacts of a world: boundary parameters for pairs of a solid and a material. */
#include "world/world_state.h"

static dlp_Result check_id(const dlp_World *world, const char *what, int id, int count)
{
    return id >= 0 && id < count ? DLP_OK
                                 : dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT,
                                             "there is no %s %d: the world has %d, counted from 0", what, id, count);
}

static dlp_Result check(dlp_World *world, const dlp_ContactDef *def)
{
    dlp_Result result = dlp__check_def(dlp_contact_params(), def, &world->error);
    if (result == DLP_OK) {
        result = check_id(world, "material", def->material, world->material_count);
    }
    if (result == DLP_OK && def->solid >= 0) {
        result = check_id(world, "solid", def->solid, world->solids.count);
    }
    for (int k = 0; k < world->solids.count && result == DLP_OK; k++) {
        if (def->solid < 0 || def->solid == k) {
            result = dlp__world_check_friction(world, def->friction, world->solids.solid[k].def.density > 0.0);
        }
    }
    return result;
}

dlp_Result dlp_world_add_contact(dlp_World *world, const dlp_ContactDef *def, dlp_ContactId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result checked = check(world, def);
    const int count = world->contact_count;
    if (checked != DLP_OK) {
        return checked;
    }
    if (count >= DLP_CONTACTS_MOST) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "a world has at most %d contacts: set common values in the solids instead", DLP_CONTACTS_MOST);
    }
    if (!dlp__buffer_grow(&world->memory, &world->contact_buffer, count * (int64_t)sizeof *def, count + 1,
                          sizeof *def)) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for another contact");
    }
    world->contacts = world->contact_buffer.data;
    world->contacts[count] = *def;
    world->contact_count++;
    if (id != NULL) {
        *id = count;
    }
    return DLP_OK;
}

dlp_Result dlp_world_set_contact(dlp_World *world, dlp_ContactId id, const dlp_ContactDef *def)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result result = check_id(world, "contact", id, world->contact_count);
    result = result == DLP_OK ? check(world, def) : result;
    if (result == DLP_OK) {
        world->contacts[id] = *def;
    }
    return result;
}

dlp_Result dlp_world_get_contact(const dlp_World *world, dlp_ContactId id, dlp_ContactDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "contact", id, world->contact_count);
    if (result == DLP_OK) {
        *def = world->contacts[id];
    }
    return result;
}

int dlp_world_contact_count(const dlp_World *world)
{
    return world != NULL ? world->contact_count : 0;
}
