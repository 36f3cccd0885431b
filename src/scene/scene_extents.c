/* Extents of the items of a scene that particles fill, which limit how coarse its spacing may be. */
#include "scene/scene_internal.h"

#include <math.h>
#include <stdio.h>

static double minimum3(dlp_Vec3 size)
{
    return fmin(size.x, fmin(size.y, size.z));
}

/* The two largest edges of the bounding box count for a flat mesh, which is an opening; all three for a body. A mesh that cannot be
 * read is reported when the world is built. */
static double mesh_extent(const dlp_Scene *scene, dlp_MeshId id, bool is_opening)
{
    const dlp__SceneList *list = &scene->lists[DLP_SECTION_MESHES];
    if (id < 0 || id >= list->count) {
        return INFINITY;
    }
    dlp_Model *model = NULL;
    double extent = INFINITY;
    if (dlp__scene_create_model(scene, (const dlp_MeshDef *)(const void *)list->items + id, &model, NULL) == DLP_OK) {
        const dlp_Mesh *mesh = dlp_model_mesh(model);
        double edge[3] = {0.0, 0.0, 0.0};
        for (int axis = 0; axis < 3; axis++) {
            double least = INFINITY, most = -INFINITY;
            for (int64_t i = 0; i < mesh->vertex_count; i++) {
                least = fmin(least, mesh->position[3 * i + axis]);
                most = fmax(most, mesh->position[3 * i + axis]);
            }
            edge[axis] = most - least;
        }
        const double least = fmin(edge[0], fmin(edge[1], edge[2])), most = fmax(edge[0], fmax(edge[1], edge[2]));
        extent = is_opening ? edge[0] + edge[1] + edge[2] - least - most : least;
    }
    dlp_model_destroy(model);
    return extent;
}

static double shape_extent(const dlp_Scene *scene, const dlp_ShapeDef *shape)
{
    switch ((dlp_ShapeKind)shape->kind) {
    case DLP_SHAPE_BOX: return minimum3(shape->size);
    case DLP_SHAPE_SPHERE:
    case DLP_SHAPE_CAPSULE: return 2.0 * shape->radius;
    case DLP_SHAPE_CYLINDER: return fmin(2.0 * shape->radius, shape->length);
    case DLP_SHAPE_MESH: return mesh_extent(scene, shape->mesh, false);
    case DLP_SHAPE_PLANE:
    case DLP_SHAPE_CONTAINER: break; /* cannot be filled */
    }
    return INFINITY;
}

static double item_extent(const dlp_Scene *scene, dlp__SectionId id, int index)
{
    const void *def = scene->lists[id].items + (size_t)index * dlp__scene_section(id)->table()->size;
    if (id == DLP_SECTION_FLUIDS) {
        return scene->points[index].count > 0 ? INFINITY : shape_extent(scene, &((const dlp_FluidDef *)def)->shape);
    }
    if (id == DLP_SECTION_COMPANIONS) {
        return shape_extent(scene, &((const dlp_CompanionDef *)def)->shape);
    }
    const dlp_EmitterDef *emitter = def;
    return emitter->nozzle == DLP_NOZZLE_DISC        ? 2.0 * emitter->radius
           : emitter->nozzle == DLP_NOZZLE_RECTANGLE ? fmin(emitter->width, emitter->height)
                                                     : mesh_extent(scene, emitter->mesh, true);
}

dlp_SceneFeature dlp_scene_thinnest(const dlp_Scene *scene)
{
    if (scene == NULL) {
        return (dlp_SceneFeature){0};
    }
    static const dlp__SectionId sections[] = {DLP_SECTION_FLUIDS, DLP_SECTION_COMPANIONS, DLP_SECTION_EMITTERS};
    dlp_SceneFeature thinnest = {.extent = INFINITY};
    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
        for (int i = 0; i < scene->lists[sections[s]].count; i++) {
            const double extent = item_extent(scene, sections[s], i);
            if (extent < thinnest.extent) {
                thinnest.extent = extent;
                dlp__scene_describe_item(scene, sections[s], i, thinnest.name);
            }
        }
    }
    return thinnest;
}

dlp_SceneFeature dlp_scene_first_points(const dlp_Scene *scene)
{
    if (scene == NULL) {
        return (dlp_SceneFeature){0};
    }
    dlp_SceneFeature feature = {.extent = INFINITY};
    for (int i = 0; i < scene->lists[DLP_SECTION_FLUIDS].count; i++) {
        if (scene->points[i].count > 0) {
            dlp__scene_describe_item(scene, DLP_SECTION_FLUIDS, i, feature.name);
            break;
        }
    }
    return feature;
}
