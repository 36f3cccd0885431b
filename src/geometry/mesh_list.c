#include "geometry/mesh_list.h"

#include "geometry/mesh_copy.h"

#include <math.h>
#include <string.h>

enum { MESHES_MOST = 65535 };

void dlp__mesh_list_init(dlp__MeshList *list, dlp__Memory *memory, const dlp__Parallel *parallel, double cell,
                         double band)
{
    *list = (dlp__MeshList){.memory = memory, .parallel = parallel, .cell = cell, .band = band};
}

static void release_item(dlp__Memory *memory, dlp__MeshItem *item)
{
    if (item->frames != NULL) {
        dlp__mesh_frames_release(item->frames);
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

/* A thin sheet needs a finer grid to be seen at all. */
static dlp__DistanceDef distances_of(const dlp__MeshList *list, const dlp_MeshDef *def)
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
    if (list->count == MESHES_MOST) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a world holds at most %d meshes", MESHES_MOST);
    }
    dlp__MeshItem *item = dlp__memory_get(list->memory, 1, sizeof *item);
    if (item == NULL || !dlp__buffer_grow(list->memory, &list->buffer, list->count * (int64_t)sizeof(void *),
                                          list->count + 1, sizeof(void *))) {
        dlp__memory_release(list->memory, item, 1, sizeof *item);
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for mesh number %d", list->count);
    }
    *item = (dlp__MeshItem){.def = *def};
    const dlp__DistanceDef distances = distances_of(list, def);
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

/* m: between two keys nothing moves farther. A spacing: less than what walls are kept apart by, and cells are half of it. */
static double reach_of(const dlp__MeshList *list)
{
    return 2.0 * list->cell;
}

/* The band is wider by what may come closer until the next key. */
static dlp_Result hold_fields(const dlp__MeshList *list, const dlp__MeshItem *item, dlp__MeshFrames *frames,
                              double from, double to, dlp_Error *error)
{
    dlp__DistanceDef distances = distances_of(list, &item->def);
    distances.band += reach_of(list);
    distances.checked = true;
    return dlp__mesh_frames_hold(frames, &item->mesh, &distances, from, to, list->parallel, error);
}

static void show_now(const dlp__MeshList *list, dlp__MeshItem *item)
{
    dlp__mesh_frames_vertices(item->frames, list->now, (float *)(uintptr_t)item->mesh.position);
}

dlp_Result dlp__mesh_list_set_frames(dlp__MeshList *list, int index, const dlp_MeshFrames *frames, dlp_Error *error)
{
    dlp__MeshItem *item = list->item[index];
    dlp__MeshFrames set, *kept = item->frames != NULL ? item->frames : dlp__memory_get(list->memory, 1, sizeof *kept);
    if (kept == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the frames of mesh %d", index);
    }
    dlp_Result result = dlp__mesh_frames_set(&set, frames, item->mesh.vertex_count, reach_of(list), list->memory,
                                             error);
    result = result == DLP_OK ? hold_fields(list, item, &set, list->now, list->now, error) : result;
    if (result != DLP_OK) {
        dlp__mesh_frames_release(&set);
        if (item->frames == NULL) {
            dlp__memory_release(list->memory, kept, 1, sizeof *kept);
        }
        return result;
    }
    if (item->frames != NULL) {
        dlp__mesh_frames_release(item->frames);
    }
    dlp__distance_field_release(&item->field);
    memcpy(kept, &set, sizeof set);
    item->frames = kept;
    show_now(list, item);
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

dlp_Result dlp__mesh_list_place(dlp__MeshList *list, double from, double to, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int k = 0; k < list->count && result == DLP_OK; k++) {
        if (list->item[k]->frames != NULL) {
            result = hold_fields(list, list->item[k], list->item[k]->frames, from, to, error);
        }
    }
    list->now = result == DLP_OK ? to : list->now;
    for (int k = 0; k < list->count && result == DLP_OK; k++) {
        if (list->item[k]->frames != NULL) {
            show_now(list, list->item[k]);
        }
    }
    return result;
}

const dlp__MeshItem *dlp__mesh_list_find(const dlp__MeshList *list, const dlp_ShapeDef *shape)
{
    const bool there = list != NULL && shape->kind == DLP_SHAPE_MESH && shape->mesh >= 0 && shape->mesh < list->count;
    return there ? list->item[shape->mesh] : NULL;
}

dlp_Result dlp__mesh_list_check(const dlp__MeshList *list, const dlp_ShapeDef *shape, dlp_Error *error)
{
    const dlp__MeshItem *mesh = dlp__mesh_list_find(list, shape);
    if (mesh != NULL && dlp__mesh_is_opening(&mesh->def)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "mesh %d is an opening, which has no inside: only emitters can take it; without 'opening' it must "
            "be closed, or have a 'sheet' thickness",
            shape->mesh);
    }
    if (shape->kind != DLP_SHAPE_MESH || mesh != NULL) {
        return DLP_OK;
    }
    return dlp__fail(error, DLP_ERROR_ARGUMENT,
                     shape->mesh < 0 ? "the shape is a mesh, but does not say which: give 'mesh'"
                                     : "there is no mesh %d: the world has %d",
                     shape->mesh, list->count);
}
