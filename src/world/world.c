/* Creating a world, and adding and checking its definitions. */
#include "base/simd.h"
#include "materials/maxwell.h"
#include "world/emitters.h"
#include "world/world_state.h"

#include <stdlib.h>
#include <string.h>

/* A def must be made by its default function, which sets its size. */
dlp_Result dlp__check_def(const dlp_ParamTable *table, const void *def, dlp_Error *error)
{
    size_t size = 0;
    if (def == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the %s def is null", table->name);
    }
    memcpy(&size, def, sizeof size);
    if (size != table->size) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "the %s def has size %zu instead of %zu: start from dlp_default_%s_def()", table->name, size,
                         table->size, table->name);
    }
    return dlp_params_check(table, def, error);
}

static const double MIN_SUPPORT = 1.2; /* spacings: every radius must include the nearest neighbours */

/* The number of lanes to use: from the def, else from DOLLOP_SIMD, else the widest. */
static dlp_Result choose_width(int64_t asked, int *width, dlp_Error *error)
{
    int most = dlp__width_most();
    const char *forced = getenv("DOLLOP_SIMD");
    if (asked == 0 && forced != NULL && forced[0] != 0) {
        asked = strtol(forced, NULL, 10);
        asked = asked == 0 ? -1 : asked;
    }
    if (asked == 0) {
        asked = most;
    }
    if (asked != 1 && asked != 4 && asked != 8 && asked != 16) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "simd must be 1, 4, 8 or 16 lanes (or 0 for the widest)");
    }
    if (asked > most) {
        return dlp__fail(error, DLP_ERROR_UNSUPPORTED, "this machine supports SIMD of at most %d lanes, not %d", most,
                         (int)asked);
    }
    *width = (int)asked;
    return DLP_OK;
}

/* Check the def and fill in the default support of the method if none is given. */
static dlp_Result check_world_def(dlp_WorldDef *def, int *width, dlp__CellFrame *frame, dlp_Error *error)
{
    if ((def->hooks.allocator.allocate == NULL) != (def->hooks.allocator.release == NULL)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the allocator needs both allocate and release, or neither");
    }
    const dlp__Method *method = dlp__method_find(def->method);
    if (method == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no method '%s': `dollop methods` lists them",
                         def->method);
    }
    def->support = def->support == 0.0 ? method->support : def->support;
    const double least = MIN_SUPPORT * (method->short_support > 0.0 ? method->support / method->short_support : 1.0);
    if (def->support < least) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "world.support is %g, but must be at least %g, or 0 for the default of the method",
                         def->support, least);
    }
    if (def->subdomains != 1 && dlp__ranks_count(def->hooks.ranks) > 1) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "world.subdomains must be 1, not %d, in a world over %d ranks, each of which is a subdomain",
                         (int)def->subdomains, def->hooks.ranks->count);
    }
    if (def->subdomains != 1 && def->subdomains != 2 && def->subdomains != 4 && def->subdomains != 8) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "world.subdomains must be 1, 2, 4 or 8, not %d",
                         (int)def->subdomains);
    }
    const double lower[3] = {def->periodic_min.x, def->periodic_min.y, def->periodic_min.z};
    const double size[3] = {def->periodic_size.x, def->periodic_size.y, def->periodic_size.z};
    if (!dlp__cell_frame_init(frame, def->spacing * def->support, lower, size)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "the periodic box must be at least two kernel supports (%g m) and at most %d of them wide",
                         2.0 * def->spacing * def->support * 1.00002, DLP_CELL_LIMIT);
    }
    return choose_width(def->simd, width, error);
}

dlp_Result dlp_world_create(const dlp_WorldDef *def, dlp_World **result, dlp_Error *error)
{
    if (result == NULL) {
        return dlp__fail_null(error);
    }
    int width = 1;
    dlp__CellFrame frame;
    *result = NULL;
    dlp_Result checked = dlp__check_def(dlp_world_params(), def, error);
    if (checked != DLP_OK) {
        return checked;
    }
    dlp_WorldDef whole = *def; /* with the defaults of the method */
    def = &whole;
    checked = check_world_def(&whole, &width, &frame, error);
    if (checked != DLP_OK) {
        return checked;
    }
    dlp__Parallel parallel;
    checked = dlp__parallel_create(&parallel, (int)def->threads, &def->hooks, error);
    if (checked != DLP_OK) {
        return checked;
    }
    dlp__Memory memory;
    dlp__memory_init(&memory, &def->hooks.allocator);
    const dlp__Method *method = dlp__method_find(def->method);
    dlp_World *world = dlp__memory_get(&memory, 1, sizeof *world);
    void *params = dlp__memory_get(&memory, 1, method->params->size);
    if (world == NULL || params == NULL) {
        dlp__memory_release(&memory, params, 1, method->params->size);
        dlp__memory_release(&memory, world, 1, sizeof *world);
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for a world");
    }
    memset(world, 0, sizeof *world);
    world->def = *def;
    world->memory = memory;
    world->method = method;
    world->method_params = params;
    dlp_params_default(method->params, params);
    world->kernel = dlp__kernel((dlp_KernelKind)def->kernel, def->spacing * def->support);
    dlp__bonds_init(&world->bonds, &world->memory);
    world->parallel = parallel;
    dlp__FieldList fields = {0};
    method->fields(world->method_params, &fields);
    dlp__domains_init(&world->domains, &world->memory, &world->parallel, (int)def->subdomains, method->own_fields,
                      fields.field);
    world->domains.error = &world->error;
    world->domains.width = width;
    world->domains.support = (float)(def->spacing * def->support);
    world->domains.short_support = (float)(def->spacing * dlp__short_support(method, def->support));
    world->domains.ghost_layers = method->bond_reach > 1 ? method->bond_reach : 1;
    world->domains.frame = frame;
    /* Distances are needed up to the kernel support, and one spacing farther for contact. */
    dlp__mesh_list_init(&world->meshes, &world->memory, &world->parallel, 0.5 * def->spacing,
                        (def->support + 1.0) * def->spacing);
    dlp__solids_init(&world->solids, &world->memory, (float)def->spacing, &world->kernel, &world->meshes);
    if (method->own_walls) {
        dlp__wall_table_init_markers(&world->solids.table, &world->kernel, def->spacing);
    }
    dlp__companions_init(&world->companions, &world->memory);
    *result = world;
    return DLP_OK;
}

void dlp_world_destroy(dlp_World *world)
{
    if (world == NULL) {
        return;
    }
    dlp__solids_release(&world->solids);
    for (int e = 0; e < world->emitter_count; e++) {
        dlp__emitter_release(&world->emitters[e], &world->memory);
    }
    dlp__heat_release(&world->heat, &world->memory);
    dlp__companions_release(&world->companions);
    dlp__bonds_release(&world->bonds);
    dlp__domains_release(&world->domains);
    dlp__mesh_list_release(&world->meshes);
    dlp__sinks_release(&world->sink_shapes, &world->memory);
    dlp__buffer_release(&world->memory, &world->sink_buffer);
    dlp__buffer_release(&world->memory, &world->contact_buffer);
    dlp__probes_release(&world->probes, &world->memory);
    dlp__buffer_release(&world->memory, &world->camera_buffer);
    dlp__buffer_release(&world->memory, &world->nozzle_buffer);
    dlp__buffer_release(&world->memory, &world->nozzle_box_buffer);
    dlp__box_tree_release(&world->nozzle_tree, &world->memory);
    dlp__buffer_release(&world->memory, &world->emitter_buffer);
    dlp__buffer_release(&world->memory, &world->material_params_buffer);
    dlp__buffer_release(&world->memory, &world->material_buffer);
    dlp__memory_release(&world->memory, world->method_params, 1, world->method->params->size);
    dlp__Memory memory = world->memory;
    dlp__memory_release(&memory, world, 1, sizeof *world);
}

const char *dlp_world_error(const dlp_World *world)
{
    return world != NULL ? world->error.text : "";
}

/* Lists of definitions. */

dlp_Result dlp__world_fail_memory(dlp_World *world, const char *what)
{
    return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for another %s", what);
}

dlp_Result dlp__world_fail_id(const dlp_World *world, const char *what, int id, int count)
{
    return dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT, "there is no %s %d: the world has %d", what, id, count);
}

dlp_Result dlp__world_check_friction(dlp_World *world, double friction, bool is_free)
{
    return world->method->check_friction == NULL ? DLP_OK
                                                 : world->method->check_friction(friction, is_free, &world->error);
}

static dlp_Result check_solid(dlp_World *world, const dlp_SolidDef *def)
{
    const dlp_Result checked = dlp__check_def(dlp_solid_params(), def, &world->error);
    return checked == DLP_OK ? dlp__world_check_friction(world, def->friction, def->density > 0.0) : checked;
}

dlp_Result dlp_world_add_solid(dlp_World *world, const dlp_SolidDef *def, dlp_SolidId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result checked = check_solid(world, def);
    return checked == DLP_OK ? dlp__solids_add(&world->solids, def, id, &world->error) : checked;
}

dlp_Result dlp_world_set_solid(dlp_World *world, dlp_SolidId id, const dlp_SolidDef *def)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result checked = check_solid(world, def);
    return checked == DLP_OK ? dlp__solids_set(&world->solids, id, def, &world->error) : checked;
}

dlp_Result dlp_world_get_solid(const dlp_World *world, dlp_SolidId id, dlp_SolidDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->solids.count)) {
        return dlp__world_fail_id(world, "solid", id, world->solids.count);
    }
    *def = world->solids.solid[id].def;
    return DLP_OK;
}

dlp_Result dlp_world_solid_state(const dlp_World *world, dlp_SolidId id, dlp_SolidState *state)
{
    if (world == NULL || state == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->solids.count)) {
        return dlp__world_fail_id(world, "solid", id, world->solids.count);
    }
    const dlp__Solid *solid = &world->solids.solid[id];
    *state = (dlp_SolidState){solid->shape.position, dlp__rotation_vector(&solid->shape.rotation), solid->velocity,
                              solid->spin, solid->temperature};
    return DLP_OK;
}

int dlp_world_solid_count(const dlp_World *world)
{
    return world != NULL ? world->solids.count : 0;
}

dlp_Result dlp_world_add_emitter(dlp_World *world, const dlp_EmitterDef *def, dlp_EmitterId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    int count = world->emitter_count;
    if (!dlp__buffer_grow(&world->memory, &world->emitter_buffer, count * (int64_t)sizeof(dlp__Emitter), count + 1,
                          sizeof(dlp__Emitter))) {
        return dlp__world_fail_memory(world, "emitter");
    }
    world->emitters = world->emitter_buffer.data;
    memset(&world->emitters[count], 0, sizeof world->emitters[count]);
    dlp_Result result = dlp__emitter_set(world, &world->emitters[count], def);
    if (result != DLP_OK) {
        return result;
    }
    world->emitter_count++;
    if (id != NULL) {
        *id = count;
    }
    return DLP_OK;
}

dlp_Result dlp_world_set_emitter(dlp_World *world, dlp_EmitterId id, const dlp_EmitterDef *def)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->emitter_count)) {
        return dlp__world_fail_id(world, "emitter", id, world->emitter_count);
    }
    return dlp__emitter_set(world, &world->emitters[id], def);
}

dlp_Result dlp_world_get_emitter(const dlp_World *world, dlp_EmitterId id, dlp_EmitterDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->emitter_count)) {
        return dlp__world_fail_id(world, "emitter", id, world->emitter_count);
    }
    *def = world->emitters[id].def;
    return DLP_OK;
}

int dlp_world_emitter_count(const dlp_World *world)
{
    return world != NULL ? world->emitter_count : 0;
}

dlp_Result dlp_world_add_sink(dlp_World *world, const dlp_SinkDef *def, dlp_SinkId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result checked = dlp__check_def(dlp_sink_params(), def, &world->error);
    if (checked != DLP_OK) {
        return checked;
    }
    checked = dlp__mesh_list_check(&world->meshes, &def->shape, &world->error);
    if (checked != DLP_OK) {
        return checked;
    }
    int count = world->sink_count;
    if (!dlp__buffer_grow(&world->memory, &world->sink_buffer, count * (int64_t)sizeof *def, count + 1, sizeof *def)) {
        return dlp__world_fail_memory(world, "sink");
    }
    world->sinks = world->sink_buffer.data;
    world->sinks[count] = *def;
    world->sink_count++;
    if (id != NULL) {
        *id = count;
    }
    return DLP_OK;
}

int dlp_world_sink_count(const dlp_World *world)
{
    return world != NULL ? world->sink_count : 0;
}

dlp_Result dlp_world_add_camera(dlp_World *world, const dlp_CameraDef *def, dlp_CameraId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result checked = dlp__check_def(dlp_camera_params(), def, &world->error);
    if (checked != DLP_OK) {
        return checked;
    }
    if (dlp__length(dlp__sub(def->target, def->position)) < 1e-9) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "the position and the target of the camera coincide: move one of them");
    }
    int count = world->camera_count;
    if (!dlp__buffer_grow(&world->memory, &world->camera_buffer, count * (int64_t)sizeof *def, count + 1,
                          sizeof *def)) {
        return dlp__world_fail_memory(world, "camera");
    }
    world->cameras = world->camera_buffer.data;
    world->cameras[count] = *def;
    world->camera_count++;
    if (id != NULL) {
        *id = count;
    }
    return DLP_OK;
}

dlp_Result dlp_world_get_camera(const dlp_World *world, dlp_CameraId id, dlp_CameraDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!dlp__is_valid_id(id, world->camera_count)) {
        return dlp__world_fail_id(world, "camera", id, world->camera_count);
    }
    *def = world->cameras[id];
    return DLP_OK;
}

int dlp_world_camera_count(const dlp_World *world)
{
    return world != NULL ? world->camera_count : 0;
}

dlp_Result dlp_world_set_gravity(dlp_World *world, dlp_Vec3 gravity)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_WorldDef def = world->def;
    def.gravity = gravity;
    dlp_Result checked = dlp_params_check(dlp_world_params(), &def, &world->error);
    if (checked == DLP_OK) {
        world->def = def;
    }
    return checked;
}

typedef struct Push {
    dlp_PushFunction push;
    void *user;
    dlp__Particles *p;
} Push;

static void push_range(void *context, int64_t begin, int64_t end)
{
    const Push *push = context;
    dlp__Particles *p = push->p;
    for (int64_t i = begin; i < end; i++) {
        const float position[3] = {p->position[0][i], p->position[1][i], p->position[2][i]};
        float velocity[3] = {p->velocity[0][i], p->velocity[1][i], p->velocity[2][i]};
        push->push(push->user, p->id[0][i], position, velocity);
        for (int a = 0; a < 3; a++) {
            p->velocity[a][i] = velocity[a];
        }
    }
}

dlp_Result dlp_world_push(dlp_World *world, dlp_PushFunction push, void *user)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    if (push == NULL) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "dlp_world_push: the function is null");
    }
    for (int d = 0; d < world->domains.count; d++) {
        Push context = {push, user, &world->domains.part[d].particles};
        push_range(&context, 0, context.p->count);
    }
    return DLP_OK;
}

static dlp_Result fail_size(const dlp_World *world, size_t size)
{
    return dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT,
                     "the parameters of %s have %zu bytes, not %zu: take the size from dlp_method_params()",
                     world->method->name, world->method->params->size, size);
}

dlp_Result dlp_world_get_method(const dlp_World *world, void *params, size_t size)
{
    if (world == NULL || params == NULL) {
        return dlp__world_fail_null(world);
    }
    if (size != world->method->params->size) {
        return fail_size(world, size);
    }
    memcpy(params, world->method_params, size);
    return DLP_OK;
}

dlp_Result dlp_world_set_method(dlp_World *world, const void *params, size_t size)
{
    if (world == NULL || params == NULL) {
        return dlp__world_fail_null(world);
    }
    if (size != world->method->params->size) {
        return fail_size(world, size);
    }
    dlp_Result checked = dlp_params_check(world->method->params, params, &world->error);
    if (checked != DLP_OK) {
        return checked;
    }
    dlp__FieldList fields = {0};
    world->method->fields(params, &fields);
    for (int d = 0; d < world->domains.count; d++) {
        if (!dlp__particles_add_fields(&world->domains.part[d].particles, fields.field)) {
            return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for the fields that these parameters need");
        }
    }
    memcpy(world->method_params, params, size);
    return DLP_OK;
}

double dlp_world_time(const dlp_World *world)
{
    return world != NULL ? world->time : 0.0;
}

double dlp_world_step_length(const dlp_World *world)
{
    return world != NULL ? world->step_length : 0.0;
}

dlp_StepLimit dlp_world_step_limit(const dlp_World *world)
{
    return world != NULL ? world->step_limit : DLP_LIMIT_LONGEST;
}

int64_t dlp_world_step_count(const dlp_World *world)
{
    return world != NULL ? world->step : 0;
}

dlp_WorldDef dlp_world_def(const dlp_World *world)
{
    return world != NULL ? world->def : (dlp_WorldDef){0};
}
