/* The solids of a world: adding, changing and moving them. Sampling is in solid_samples.c, contact in contact.c. */
#include "solids/solids.h"

#include <string.h>

static const double TWO_PI = 6.28318530717958647692;

void dlp__solids_init(dlp__Solids *solids, dlp__Memory *memory, float spacing, const dlp__Kernel *kernel,
                      const dlp__MeshList *meshes)
{
    *solids = (dlp__Solids){.memory = memory, .spacing = spacing, .meshes = meshes};
    dlp__wall_table_init(&solids->table, kernel, (double)spacing);
}

void dlp__solids_release(dlp__Solids *solids)
{
    for (int k = 0; k < solids->count; k++) {
        dlp__pose_path_release(&solids->solid[k].path, solids->memory);
    }
    dlp__buffer_release(solids->memory, &solids->buffer);
    solids->solid = NULL;
    solids->count = 0;
}

/* Where the keys put a solid, before what its def adds. */
static void follow_keys(dlp__Solid *solid, double now)
{
    const dlp__Pose pose = dlp__pose_path_at(&solid->path, (dlp_PathKind)solid->def.path, now);
    solid->shape.position = pose.position;
    solid->shape.rotation = pose.rotation;
    solid->velocity = pose.velocity;
    solid->spin = pose.spin;
}

/* Starting pose, plus velocity * t, plus amplitude * sin(2 pi frequency t), turned by spin * t about its centre, where t
 * counts from when the solid was added or last changed. With keys, their pose stands for the starting pose. */
static void place(const dlp__Solids *solids, dlp__Solid *solid)
{
    double time = solids->now - solid->since;
    const dlp_SolidDef *def = &solid->def;
    double phase = TWO_PI * def->frequency * time;
    solid->shape = dlp__shape_place(&def->shape, solids->meshes);
    if (solid->path.count > 0) {
        follow_keys(solid, solids->now);
    }
    solid->shape.position = dlp__add(solid->shape.position,
                                     dlp__add(dlp__scale(def->velocity, time), dlp__scale(def->amplitude, sin(phase))));
    dlp__Rotation turned = dlp__rotation(dlp__scale(def->spin, time));
    solid->shape.rotation = dlp__rotation_product(&turned, &solid->shape.rotation);
    const dlp_Vec3 velocity = dlp__add(def->velocity, dlp__scale(def->amplitude, TWO_PI * def->frequency * cos(phase)));
    const bool keyed = solid->path.count > 0;
    solid->velocity = keyed ? dlp__add(velocity, solid->velocity) : velocity;
    solid->spin = keyed ? dlp__add(def->spin, dlp__rotate(&turned, solid->spin)) : def->spin;
}

static dlp_Result check(const dlp__Solids *solids, const dlp_SolidDef *def, dlp_Error *error)
{
    dlp_Result result = dlp_params_check(dlp_solid_params(), def, error);
    return result == DLP_OK ? dlp__mesh_list_check(solids->meshes, &def->shape, error) : result;
}

dlp_Result dlp__solids_add(dlp__Solids *solids, const dlp_SolidDef *def, dlp_SolidId *id, dlp_Error *error)
{
    dlp_Result result = check(solids, def, error);
    if (result != DLP_OK) {
        return result;
    }
    if (solids->count == INT32_MAX ||
        !dlp__buffer_grow(solids->memory, &solids->buffer, solids->count * (int64_t)sizeof *solids->solid,
                          (int64_t)solids->count + 1, sizeof *solids->solid)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for solid number %d", solids->count);
    }
    solids->solid = solids->buffer.data;
    dlp__Solid *solid = &solids->solid[solids->count];
    *solid = (dlp__Solid){.def = *def, .since = solids->now};
    place(solids, solid);
    if (id != NULL) {
        *id = solids->count;
    }
    solids->count++;
    return DLP_OK;
}

static dlp_Result check_id(const dlp__Solids *solids, dlp_SolidId id, dlp_Error *error)
{
    return id >= 0 && id < solids->count
               ? DLP_OK
               : dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no solid %d: the world has %d, counted from 0", id,
                           solids->count);
}

dlp_Result dlp__solids_set(dlp__Solids *solids, dlp_SolidId id, const dlp_SolidDef *def, dlp_Error *error)
{
    dlp_Result result = check_id(solids, id, error);
    if (result == DLP_OK) {
        result = check(solids, def, error);
    }
    if (result == DLP_OK) {
        solids->solid[id].def = *def;
        solids->solid[id].since = solids->now;
        place(solids, &solids->solid[id]);
    }
    return result;
}

dlp_Result dlp__solids_set_keys(dlp__Solids *solids, dlp_SolidId id, const dlp_PoseKey *keys, int count,
                                dlp_Error *error)
{
    dlp_Result result = check_id(solids, id, error);
    if (result == DLP_OK) {
        result = dlp__pose_path_set(&solids->solid[id].path, solids->memory, keys, count, error);
    }
    if (result == DLP_OK) {
        place(solids, &solids->solid[id]);
    }
    return result;
}

void dlp__solids_place(dlp__Solids *solids, double time)
{
    solids->now = time;
    for (int k = 0; k < solids->count; k++) {
        place(solids, &solids->solid[k]);
    }
}

dlp_Vec3 dlp__solid_velocity(const dlp__Solid *solid, dlp_Vec3 point)
{
    return dlp__add(solid->velocity, dlp__cross(solid->spin, dlp__sub(point, solid->shape.position)));
}
