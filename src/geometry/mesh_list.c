/* The meshes of a world: adding, deforming and finding them. */
#include "geometry/mesh_list.h"

#include "geometry/mesh_copy.h"

#include <math.h>
#include <string.h>

enum { MAX_MESHES = 65535 };

void dlp__mesh_list_init(dlp__MeshList *list, dlp__Memory *memory, const dlp__Parallel *parallel, double cell,
                         double band)
{
    *list = (dlp__MeshList){.memory = memory, .parallel = parallel, .cell = cell, .band = band};
}

static void release_item(dlp__Memory *memory, dlp__MeshItem *item)
{
    if (item->frames != NULL) {
        dlp__deforming_mesh_release(item->frames);
        dlp__memory_release(memory, item->frames, 1, sizeof *item->frames);
    }
    dlp__distance_field_release(&item->field);
    dlp__mesh_release(&item->mesh, memory);
    dlp__memory_release(memory, item, 1, sizeof *item);
}

void dlp__mesh_list_release(dlp__MeshList *list)
{
    for (int k = 0; k < list->count; k++) {
        release_item(list->memory, list->item[k]);
    }
    dlp__buffer_release(list->memory, &list->buffer);
    list->item = NULL;
    list->count = 0;
}

/* A thin sheet needs a finer grid to be resolved. */
static dlp__DistanceDef distance_def(const dlp__MeshList *list, const dlp_MeshDef *def)
{
    return (dlp__DistanceDef){.cell = def->sheet > 0.0 ? fmin(list->cell, 0.5 * def->sheet) : list->cell,
                              .band = list->band,
                              .sheet = def->sheet};
}

dlp_Result dlp__mesh_list_add(dlp__MeshList *list, const dlp_MeshDef *def, const dlp_Mesh *mesh, dlp_Error *error)
{
    dlp_Result result = dlp__mesh_check(mesh, error);
    if (result != DLP_OK) {
        return result;
    }
    if (list->count == MAX_MESHES) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a world has at most %d meshes", MAX_MESHES);
    }
    dlp__MeshItem *item = dlp__memory_get(list->memory, 1, sizeof *item);
    if (item == NULL || !dlp__buffer_grow(list->memory, &list->buffer, list->count * (int64_t)sizeof(void *),
                                          list->count + 1, sizeof(void *))) {
        dlp__memory_release(list->memory, item, 1, sizeof *item);
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for mesh number %d", list->count);
    }
    *item = (dlp__MeshItem){.def = *def};
    const dlp__DistanceDef distances = distance_def(list, def);
    result = dlp__mesh_copy(mesh, list->memory, &item->mesh, error);
    if (result == DLP_OK && !dlp__mesh_is_opening(def)) {
        result = dlp__distance_field_make(&item->field, &item->mesh, &distances, list->memory, list->parallel, error);
    }
    if (result != DLP_OK) {
        release_item(list->memory, item);
        return result;
    }
    list->item = list->buffer.data;
    list->item[list->count++] = item;
    return DLP_OK;
}

bool dlp__mesh_is_opening(const dlp_MeshDef *def)
{
    return def->opening || (def->form == DLP_FORM_STAR && !(def->sheet > 0.0));
}

/* m, largest displacement between two keys: one spacing. That is less than the distance kept from walls, and cells are
 * half of it. */
static double key_spacing(const dlp__MeshList *list)
{
    return 2.0 * list->cell;
}

/* The band is wider by the distance that the mesh may approach until the next key. */
static dlp_Result cache_fields(const dlp__MeshList *list, const dlp__MeshItem *item, dlp__DeformingMesh *frames,
                               double from, double to, dlp_Error *error)
{
    dlp__DistanceDef distances = distance_def(list, &item->def);
    distances.band += key_spacing(list);
    distances.checked = true;
    return dlp__deforming_mesh_cache_fields(frames, &item->mesh, &distances, from, to, list->parallel, error);
}

static void update_vertices(const dlp__MeshList *list, dlp__MeshItem *item)
{
    dlp__deforming_mesh_vertices(item->frames, list->now, (float *)(uintptr_t)item->mesh.position);
}

dlp_Result dlp__mesh_list_set_frames(dlp__MeshList *list, int index, const dlp_MeshFrames *frames, dlp_Error *error)
{
    dlp__MeshItem *item = list->item[index];
    dlp__DeformingMesh set,
        *target = item->frames != NULL ? item->frames : dlp__memory_get(list->memory, 1, sizeof *target);
    if (target == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the frames of mesh %d", index);
    }
    dlp_Result result = dlp__deforming_mesh_init(&set, frames, item->mesh.vertex_count, key_spacing(list), list->memory,
                                                 error);
    result = result == DLP_OK ? cache_fields(list, item, &set, list->now, list->now, error) : result;
    if (result != DLP_OK) {
        dlp__deforming_mesh_release(&set);
        if (item->frames == NULL) {
            dlp__memory_release(list->memory, target, 1, sizeof *target);
        }
        return result;
    }
    if (item->frames != NULL) {
        dlp__deforming_mesh_release(item->frames);
    }
    dlp__distance_field_release(&item->field);
    memcpy(target, &set, sizeof set);
    item->frames = target;
    update_vertices(list, item);
    return DLP_OK;
}

bool dlp__mesh_list_deforms(const dlp__MeshList *list)
{
    bool any = false;
    for (int k = 0; k < list->count && !any; k++) {
        any = list->item[k]->frames != NULL;
    }
    return any;
}

dlp_Result dlp__mesh_list_advance(dlp__MeshList *list, double from, double to, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int k = 0; k < list->count && result == DLP_OK; k++) {
        if (list->item[k]->frames != NULL) {
            result = cache_fields(list, list->item[k], list->item[k]->frames, from, to, error);
        }
    }
    list->now = result == DLP_OK ? to : list->now;
    for (int k = 0; k < list->count && result == DLP_OK; k++) {
        if (list->item[k]->frames != NULL) {
            update_vertices(list, list->item[k]);
        }
    }
    return result;
}

const dlp__MeshItem *dlp__mesh_list_find(const dlp__MeshList *list, const dlp_ShapeDef *shape)
{
    const bool exists = list != NULL && shape->kind == DLP_SHAPE_MESH && shape->mesh >= 0 && shape->mesh < list->count;
    return exists ? list->item[shape->mesh] : NULL;
}

dlp_Result dlp__mesh_list_check(const dlp__MeshList *list, const dlp_ShapeDef *shape, dlp_Error *error)
{
    const dlp__MeshItem *mesh = dlp__mesh_list_find(list, shape);
    if (mesh != NULL && dlp__mesh_is_opening(&mesh->def)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "mesh %d is an opening, which has no inside: only emitters can use it; without 'opening' it must be "
            "closed, or have a 'sheet' thickness",
            shape->mesh);
    }
    if (shape->kind != DLP_SHAPE_MESH || mesh != NULL) {
        return DLP_OK;
    }
    return dlp__fail(error, DLP_ERROR_ARGUMENT,
                     shape->mesh < 0 ? "the shape is a mesh, but 'mesh' does not say which"
                                     : "there is no mesh %d: the world has %d",
                     shape->mesh, list->count);
}
