/* Companions of a world: shapes filled with particles that are held together. */
#include "world/world_state.h"

#include <math.h>

enum { MAX_COMPANIONS = UINT16_MAX };

dlp_Result dlp__world_keep_companion(dlp_World *world, const dlp_CompanionDef *def)
{
    dlp_Result checked = dlp__check_def(dlp_companion_params(), def, &world->error);
    if (checked == DLP_OK) {
        checked = dlp__mesh_list_check(&world->meshes, &def->shape, &world->error);
    }
    if (checked != DLP_OK) {
        return checked;
    }
    if (def->material < 0 || def->material >= world->material_count) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "there is no material %d: the world has %d", def->material,
                         world->material_count);
    }
    if (world->companions.count >= MAX_COMPANIONS) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "a world has at most %d companions", MAX_COMPANIONS);
    }
    if (!dlp__companions_add(&world->companions, &world->domains, def)) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for another companion");
    }
    return DLP_OK;
}

/* Set the rest positions of new particles in the companion and add its spin to their velocities. Returns their largest
 * distance from its centre along each axis. */
static dlp_Vec3 place_particles(dlp_World *world, const dlp_CompanionDef *def, int64_t first, int64_t count)
{
    dlp__Particles *p = &world->domains.part[0].particles;
    double center[3] = {0, 0, 0}, extent[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        for (int64_t i = first; i < first + count; i++) {
            center[a] += (double)p->position[a][i] / (double)count;
        }
    }
    for (int64_t i = first; i < first + count; i++) {
        for (int a = 0; a < 3; a++) {
            p->rest[a][i] = (float)((double)p->position[a][i] - center[a]);
            extent[a] = fmax(extent[a], fabs((double)p->rest[a][i]));
        }
        const dlp_Vec3 from = {(double)p->rest[0][i], (double)p->rest[1][i], (double)p->rest[2][i]};
        const dlp_Vec3 turning = dlp__cross(def->spin, from);
        p->velocity[0][i] += (float)turning.x;
        p->velocity[1][i] += (float)turning.y;
        p->velocity[2][i] += (float)turning.z;
        p->companion[0][i] = (uint16_t)world->companions.count;
    }
    return dlp__vec3(extent[0], extent[1], extent[2]);
}

/* Particles refer to the nearest periodic image, so a companion must not come close to its own image. */
static dlp_Result check_size(dlp_World *world, dlp_Vec3 extent)
{
    const dlp_Vec3 size = world->def.periodic_size;
    const double margin = 2.0 * world->domains.support;
    if ((size.x > 0.0 && 4.0 * extent.x + margin > size.x) || (size.y > 0.0 && 4.0 * extent.y + margin > size.y) ||
        (size.z > 0.0 && 4.0 * extent.z + margin > size.z)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "the companion fills more than half of the periodic box: make it smaller or the box larger");
    }
    return DLP_OK;
}

/* All ranks have made the particles and bonds of a companion; the first keeps them. */
static void keep_on_first_rank(dlp_World *world, int64_t particles, int64_t bonds)
{
    dlp_Ranks *ranks = world->parallel.ranks;
    dlp__Domain *part = &world->domains.part[0];
    if (dlp_ranks_number(ranks) != 0) {
        world->domains.remote_count += part->particles.count - particles;
        part->particles.count = particles;
        world->companions.bonds.part[0].count = bonds;
    }
}

/* Remove a companion that was added only in part. */
static void remove_last(dlp_World *world, int64_t particles, int64_t bonds)
{
    dlp__Companions *companions = &world->companions;
    companions->count--;
    companions->rigid -= companions->def[companions->count].hold == DLP_HOLD_RIGID;
    companions->bonds.part[0].count = bonds;
    world->domains.part[0].particles.count = particles;
}

dlp_Result dlp_world_add_companion(dlp_World *world, const dlp_CompanionDef *def, dlp_CompanionId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp__Particles *particles = &world->domains.part[0].particles;
    const int64_t first = particles->count, bonds = world->companions.bonds.part[0].count;
    const uint64_t next_id = world->next_id;
    int64_t count = 0;
    dlp_Result result = dlp__world_keep_companion(world, def);
    if (result != DLP_OK) {
        return result;
    }
    result = dlp__fill_shape(world, def->material, &def->shape, def->velocity, &count);
    if (result == DLP_OK && count == 0) {
        result = dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "the companion lies completely inside solids: move it");
    }
    if (result == DLP_OK) {
        result = check_size(world, place_particles(world, def, first, count));
    }
    if (result == DLP_OK && def->hold == DLP_HOLD_SOFT &&
        !dlp__companions_add_bonds(&world->companions, &world->domains, first, count, world->def.spacing)) {
        result = dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for the bonds of %lld particles",
                           (long long)count);
    }
    if (result != DLP_OK) {
        remove_last(world, first, bonds);
        world->next_id = next_id;
        return result;
    }
    keep_on_first_rank(world, first, bonds);
    if (id != NULL) {
        *id = world->companions.count - 1;
    }
    return DLP_OK;
}

dlp_Result dlp_world_get_companion(const dlp_World *world, dlp_CompanionId id, dlp_CompanionDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    if (id < 0 || id >= world->companions.count) {
        return dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT, "there is no companion %d: the world has %d", id,
                         world->companions.count);
    }
    *def = world->companions.def[id];
    return DLP_OK;
}

int dlp_world_companion_count(const dlp_World *world)
{
    return world != NULL ? world->companions.count : 0;
}
