/* Writing and reading the materials, solids, meshes and cameras of a frame. */
#include "io/frame_items.h"

#include "base/error.h"
#include "geometry/mesh_copy.h"
#include "io/checkpoint.h"
#include "io/hdf5_meshes.h"

#include <string.h>

/* The def of a solid is within the ranges of its table, but its current pose may not be, and a frame must be
 * readable. */
static void clamp_to_ranges(dlp_SolidDef *def)
{
    const dlp_ParamTable *table = dlp_solid_params();
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (param->type != DLP_PARAM_VEC3) {
            continue;
        }
        double *xyz = (double *)(void *)((char *)def + param->offset);
        for (int a = 0; a < 3; a++) {
            xyz[a] = fmin(fmax(xyz[a], param->least), param->most);
        }
    }
}

/* A solid with its current pose and velocities. */
static void get_current_solid(const dlp_World *world, int index, dlp__Item *item)
{
    const dlp__Solid solid = world->solids.solid[index];
    item->solid.def = solid.def;
    item->solid.def.shape.position = solid.shape.position;
    item->solid.def.shape.rotation = dlp__rotation_vector(&solid.shape.rotation);
    item->solid.def.velocity = solid.velocity;
    item->solid.def.spin = solid.spin;
    item->solid.def.amplitude = dlp__vec3(0.0, 0.0, 0.0);
    clamp_to_ranges(&item->solid.def);
}

static int current_solid_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){dlp_solid_params(), &item->solid.def};
    return 1;
}

static const dlp__ItemList current_solids = {"solids", dlp_world_solid_count, get_current_solid, NULL,
                                             current_solid_records};

static const dlp__ItemList *const lists[DLP_FRAME_LISTS] = {&dlp__item_lists[DLP_ITEMS_MATERIALS], &current_solids,
                                                            &dlp__item_lists[DLP_ITEMS_CAMERAS]};

dlp_Result dlp__frame_items_write(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < DLP_FRAME_LISTS && result == DLP_OK; n++) {
        result = dlp__hdf5_write_items(file, lists[n], world, error);
    }
    if (result == DLP_OK && world->meshes.count > 0) {
        result = dlp__hdf5_write_meshes(file, world, error);
    }
    return result;
}

typedef struct Reader {
    dlp__FrameItems *items;
    int list;
    dlp_Error *error;
} Reader;

static dlp_Result add_item(void *context, const dlp__ItemList *list, int index, const dlp__Item *item)
{
    const Reader *reader = context;
    dlp__FrameItems *items = reader->items;
    dlp__Buffer *buffer = &items->list[reader->list];
    dlp__Item copy = *item;
    dlp__Record records[DLP_RECORDS_MOST];
    list->records(NULL, &copy, records);
    const size_t size = records[0].table->size;
    if (dlp_params_check(records[0].table, records[0].def, reader->error) != DLP_OK) {
        dlp__error_prefix(reader->error, "%s/%d: ", list->name, index);
        return DLP_ERROR_FORMAT;
    }
    if (!dlp__buffer_grow(items->memory, buffer, index * (int64_t)size, (int64_t)index + 1, size)) {
        return dlp__fail(reader->error, DLP_ERROR_MEMORY, "out of memory for %s/%d", list->name, index);
    }
    memcpy((char *)buffer->data + (size_t)index * size, records[0].def, size);
    items->count[reader->list] = index + 1;
    return DLP_OK;
}

static dlp_Result add_mesh(void *context, int index, const dlp_MeshDef *def, const dlp_Mesh *mesh)
{
    const Reader *reader = context;
    dlp__FrameItems *items = reader->items;
    (void)def;
    if (!dlp__buffer_grow(items->memory, &items->meshes, index * (int64_t)sizeof *mesh, (int64_t)index + 1,
                          sizeof *mesh)) {
        return dlp__fail(reader->error, DLP_ERROR_MEMORY, "out of memory for meshes/%d", index);
    }
    dlp_Mesh *copy = (dlp_Mesh *)items->meshes.data + index;
    items->mesh_count = index + 1;
    return dlp__mesh_copy(mesh, items->memory, copy, reader->error);
}

dlp_Result dlp__frame_items_read(hid_t file, int64_t file_bytes, dlp__FrameItems *items, dlp__Memory *memory,
                                 dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    items->memory = memory;
    for (int n = 0; n < DLP_FRAME_LISTS && result == DLP_OK; n++) {
        if (dlp__hdf5_has(file, lists[n]->name)) {
            result = dlp__hdf5_read_items(file, lists[n], NULL, add_item, &(Reader){items, n, error}, error);
        }
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_read_meshes(file, file_bytes, memory, add_mesh, &(Reader){items, 0, error}, error);
    }
    return result;
}

void dlp__frame_items_release(dlp__FrameItems *items)
{
    for (int n = 0; n < items->mesh_count; n++) {
        dlp__mesh_release((dlp_Mesh *)items->meshes.data + n, items->memory);
    }
    dlp__buffer_release(items->memory, &items->meshes);
    for (int n = 0; n < DLP_FRAME_LISTS; n++) {
        dlp__buffer_release(items->memory, &items->list[n]);
    }
}

dlp_FrameScene dlp__frame_items_scene(const dlp__FrameItems *items)
{
    return (dlp_FrameScene){.material_count = items->count[0],
                            .materials = items->list[0].data,
                            .solid_count = items->count[1],
                            .solids = items->list[1].data,
                            .camera_count = items->count[2],
                            .cameras = items->list[2].data,
                            .mesh_count = items->mesh_count,
                            .meshes = items->meshes.data};
}
