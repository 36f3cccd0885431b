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
    dlp__buffer_release(solids->memory, &solids->buffer);
    solids->solid = NULL;
    solids->count = 0;
}

/* Starting pose, plus velocity * t, plus amplitude * sin(2 pi frequency t), turned by spin * t about its centre, where t
 * counts from when the solid was added or last changed. */
static void place(const dlp__Solids *solids, dlp__Solid *solid)
{
    double time = solids->now - solid->since;
    const dlp_SolidDef *def = &solid->def;
    double phase = TWO_PI * def->frequency * time;
    solid->shape = dlp__shape_place(&def->shape, solids->meshes);
    solid->shape.position = dlp__add(solid->shape.position,
                                     dlp__add(dlp__scale(def->velocity, time), dlp__scale(def->amplitude, sin(phase))));
    dlp__Rotation turned = dlp__rotation(dlp__scale(def->spin, time));
    solid->shape.rotation = dlp__rotation_product(&turned, &solid->shape.rotation);
    solid->velocity = dlp__add(def->velocity, dlp__scale(def->amplitude, TWO_PI * def->frequency * cos(phase)));
}

/* It has just come to where it is. */
static void settle(dlp__Solid *solid)
{
    solid->shape_before = solid->shape;
    solid->turn = dlp__vec3(0.0, 0.0, 0.0);
    solid->moved = 0.0;
}

/* How it came from where it was before, in `elapsed` (s). Two poses do not tell whole turns; the spin does. */
static void measure_way(dlp__Solid *solid, double elapsed)
{
    const dlp__Shape *before = &solid->shape_before, *after = &solid->shape;
    const dlp_Vec3 spun = dlp__scale(solid->def.spin, elapsed);
    const dlp__Rotation spin = dlp__rotation(spun), inverse = dlp__rotation_inverse(&before->rotation),
                        turned = dlp__rotation_product(&after->rotation, &inverse);
    const double off = dlp__length(dlp__sub(spin.x, turned.x)) + dlp__length(dlp__sub(spin.y, turned.y));
    solid->turn = off < 1e-6 ? spun : dlp__rotation_vector(&turned);
    const dlp_Vec3 tilt = dlp__sub(after->rotation.z, before->rotation.z);
    const bool turns = after->kind == DLP_SHAPE_PLANE ? dlp__length(tilt) > 1e-9 : dlp__length(solid->turn) > 0.0;
    solid->moved = dlp__length(dlp__sub(after->position, before->position));
    if (turns) {
        solid->moved += fmin(dlp__length(solid->turn), 2.0) * dlp__shape_radius(after);
    }
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
    solid->def = *def;
    solid->since = solids->now;
    place(solids, solid);
    settle(solid);
    if (id != NULL) {
        *id = solids->count;
    }
    solids->count++;
    return DLP_OK;
}

dlp_Result dlp__solids_set(dlp__Solids *solids, dlp_SolidId id, const dlp_SolidDef *def, dlp_Error *error)
{
    if (id < 0 || id >= solids->count) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no solid %d: the world has %d, counted from 0", id,
                         solids->count);
    }
    dlp_Result result = check(solids, def, error);
    if (result == DLP_OK) {
        solids->solid[id].def = *def;
        solids->solid[id].since = solids->now;
        place(solids, &solids->solid[id]);
        settle(&solids->solid[id]);
    }
    return result;
}

void dlp__solids_place(dlp__Solids *solids, double time)
{
    const double elapsed = time - solids->now;
    solids->now = time;
    for (int k = 0; k < solids->count; k++) {
        solids->solid[k].shape_before = solids->solid[k].shape;
        place(solids, &solids->solid[k]);
        measure_way(&solids->solid[k], elapsed);
    }
}

dlp_Vec3 dlp__solid_velocity(const dlp__Solid *solid, dlp_Vec3 point)
{
    return dlp__add(solid->velocity, dlp__cross(solid->def.spin, dlp__sub(point, solid->shape.position)));
}
