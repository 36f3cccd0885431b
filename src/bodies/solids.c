/* The solids of a world: adding, changing and moving them. Boundary samples and contact are in src/boundary. */
#include "bodies/solids.h"

#include <string.h>

enum { TREE_LEAST = 33 }; /* solids; up to 32 a distance to each is faster than the tree */

static const double TWO_PI = 6.28318530717958647692;

void dlp__solids_init(dlp__Solids *solids, dlp__Memory *memory, float spacing, const dlp__Kernel *kernel,
                      dlp__MeshList *meshes)
{
    *solids = (dlp__Solids){.memory = memory, .spacing = spacing, .meshes = meshes};
    dlp__wall_table_init(&solids->table, kernel, (double)spacing);
}

void dlp__solids_release(dlp__Solids *solids)
{
    dlp__bodies_destroy(solids->bodies);
    dlp__contact_laws_release(&solids->laws, solids->memory);
    dlp__wall_impulses_release(&solids->impulses, solids->memory);
    for (int k = 0; k < solids->count; k++) {
        dlp__pose_path_release(&solids->solid[k].path, solids->memory);
    }
    dlp__buffer_release(solids->memory, &solids->joint_buffer);
    dlp__buffer_release(solids->memory, &solids->body_buffer);
    dlp__buffer_release(solids->memory, &solids->box_buffer);
    dlp__box_tree_release(&solids->tree, solids->memory);
    dlp__buffer_release(solids->memory, &solids->buffer);
    solids->bodies = NULL;
    solids->solid = NULL;
    solids->count = 0;
}

/* The pose from the keys, before the motion of the def is added. */
static void follow_keys(dlp__Solid *solid, double now)
{
    const dlp__Pose pose = dlp__pose_path_at(&solid->path, (dlp_PathKind)solid->def.path, now);
    solid->shape.position = pose.position;
    solid->shape.rotation = pose.rotation;
    solid->velocity = pose.velocity;
    solid->spin = pose.spin;
}

/* Initial pose, plus velocity * t, plus amplitude * sin(2 pi frequency t), rotated by spin * t about its centre,
 * where t is the time since the solid was added or last changed. With keys, their pose replaces the initial pose. */
static void place(const dlp__Solids *solids, dlp__Solid *solid, double now)
{
    if (solid->body >= 0) {
        solid->shape = dlp__shape_place(&solid->def.shape, solids->meshes);
        solid->shape.position = solid->state.position;
        solid->shape.rotation = dlp__body_rotation(&solid->state);
        solid->velocity = solid->state.velocity;
        solid->spin = solid->state.spin;
        return;
    }
    double time = now - solid->since;
    const dlp_SolidDef *def = &solid->def;
    double phase = TWO_PI * def->frequency * time;
    solid->shape = dlp__shape_place(&def->shape, solids->meshes);
    if (solid->path.count > 0) {
        follow_keys(solid, now);
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

/* The solid was placed here and has not moved yet. */
static void reset_displacement(dlp__Solid *solid)
{
    solid->shape_before = solid->shape;
    solid->turn = dlp__vec3(0.0, 0.0, 0.0);
    solid->moved = 0.0;
    solid->deforming = 0.0;
}

/* Two poses do not determine whole turns, so the spin is used where it agrees with them. */
void dlp__solid_measure_displacement(dlp__Solid *solid, double elapsed)
{
    const dlp__Shape *before = &solid->shape_before, *after = &solid->shape;
    const dlp_Vec3 spun = dlp__scale(solid->spin, elapsed);
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
    solid->deforming = 0.0;
    if (after->frames != NULL) {
        solid->moved += dlp__deforming_mesh_max_displacement(after->frames, before->time, after->time);
        solid->deforming = dlp__deforming_mesh_max_speed(after->frames, before->time, after->time) *
                           (after->time - before->time);
    }
}

static dlp_Result refuse_free(dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_ARGUMENT,
                     "a mesh that deforms is kinematic: leave out the density of its solid, or its frames");
}

static dlp_Result check(const dlp__Solids *solids, const dlp_SolidDef *def, dlp_Error *error)
{
    dlp_Result result = dlp_params_check(dlp_solid_params(), def, error);
    if (result == DLP_OK && def->density > 0.0 &&
        (def->shape.kind == DLP_SHAPE_PLANE || def->shape.kind == DLP_SHAPE_CONTAINER)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a plane or container is infinite and has no mass: leave out its density, or give it another shape");
    }
    result = result == DLP_OK ? dlp__mesh_list_check(solids->meshes, &def->shape, error) : result;
    const dlp__MeshItem *mesh = dlp__mesh_list_find(solids->meshes, &def->shape);
    if (result == DLP_OK && def->density > 0.0 && mesh != NULL && mesh->frames != NULL) {
        return refuse_free(error);
    }
    return result;
}

/* Start a solid at the state given by its def. */
static void start_solid(dlp__Solids *solids, dlp__Solid *solid, const dlp_SolidDef *def)
{
    solid->def = *def;
    solid->since = solids->now;
    solid->temperature = def->temperature;
    solid->body = def->density > 0.0 ? 0 : -1; /* the number is assigned when bodies are created */
    solid->state = dlp__body_at_rest(def->shape.position, def->shape.rotation);
    solid->state.velocity = def->velocity;
    solid->state.spin = def->spin;
    solids->stale = true;
    solids->laws.columns = 0; /* out of date */
    place(solids, solid, solids->now);
    reset_displacement(solid);
    solids->tree.count = 0; /* out of date */
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
    *solid = (dlp__Solid){.body = -1};
    start_solid(solids, solid, def);
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
        result = dlp__joints_check_solid(solids, id, def, error);
    }
    if (result == DLP_OK) {
        start_solid(solids, &solids->solid[id], def);
        dlp__joints_reset_solid(solids, id);
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
        place(solids, &solids->solid[id], solids->now);
        reset_displacement(&solids->solid[id]);
        solids->tree.count = 0;
    }
    return result;
}

dlp_Result dlp__solids_set_frames(dlp__Solids *solids, dlp_MeshId mesh, const dlp_MeshFrames *frames, dlp_Error *error)
{
    for (int k = 0; k < solids->count; k++) {
        const dlp_SolidDef *def = &solids->solid[k].def;
        if (def->density > 0.0 && def->shape.kind == DLP_SHAPE_MESH && def->shape.mesh == mesh) {
            return refuse_free(error);
        }
    }
    dlp_Result result = dlp__mesh_list_set_frames(solids->meshes, mesh, frames, error);
    for (int k = 0; k < solids->count && result == DLP_OK; k++) {
        if (solids->solid[k].shape.kind == DLP_SHAPE_MESH && solids->solid[k].def.shape.mesh == mesh) {
            place(solids, &solids->solid[k], solids->now);
            reset_displacement(&solids->solid[k]);
            solids->tree.count = 0;
        }
    }
    return result;
}

void dlp__solids_move_to(dlp__Solids *solids, double time)
{
    const double elapsed = time - solids->now;
    solids->now = time;
    for (int k = 0; k < solids->count; k++) {
        solids->solid[k].shape_before = solids->solid[k].shape;
        place(solids, &solids->solid[k], solids->now);
        dlp__solid_measure_displacement(&solids->solid[k], elapsed);
    }
    solids->tree.count = 0;
}

void dlp__solids_build_tree(dlp__Solids *solids)
{
    if (solids->tree.count > 0 || solids->count < TREE_LEAST ||
        !dlp__buffer_reserve(solids->memory, &solids->box_buffer, solids->count, sizeof(dlp__Box))) {
        return;
    }
    dlp__Box *boxes = solids->box_buffer.data;
    for (int k = 0; k < solids->count; k++) {
        boxes[k] = dlp__shape_box(&solids->solid[k].shape);
    }
    dlp__box_tree_build(&solids->tree, solids->memory, boxes, solids->count);
}

int dlp__solids_next(const dlp__Solids *solids, const dlp__Box *place, int after)
{
    return solids->tree.count > 0 ? dlp__box_tree_next(&solids->tree, place, after) : after + 1;
}

dlp_Vec3 dlp__solid_velocity(const dlp__Solid *solid, dlp_Vec3 point)
{
    const dlp_Vec3 rotation_velocity = dlp__cross(solid->spin, dlp__sub(point, solid->shape.position));
    return dlp__add(dlp__add(solid->velocity, rotation_velocity), dlp__shape_velocity(&solid->shape, point));
}

dlp__Solid dlp__solid_at(const dlp__Solids *solids, const dlp__Solid *solid, double time)
{
    dlp__Solid placed = *solid;
    place(solids, &placed, time);
    return placed;
}
