/* Writing and reading the meshes of a world. */
#include "io/hdf5_meshes.h"

#include "geometry/mesh_copy.h"

#include <stdio.h>

static dlp_Result write_mesh(hid_t group, const dlp__MeshItem *item, dlp_Error *error)
{
    dlp_MeshDef def = item->def;
    dlp_Result result = dlp__hdf5_write_records(group, &(dlp__Record){dlp_mesh_params(), &def}, 1, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_write_rows(group, "vertices", DLP_ROWS_FLOAT_3, item->mesh.vertex_count, item->mesh.position,
                                      error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_rows(group, "triangles", DLP_ROWS_UINT32_3, item->mesh.triangle_count,
                                      item->mesh.triangle, error);
    }
    return result;
}

dlp_Result dlp__hdf5_write_meshes(hid_t file, const dlp_World *world, dlp_Error *error)
{
    hid_t all = dlp__hdf5_make_group(file, "meshes");
    if (all < 0) {
        return dlp__hdf5_fail(error, "make", "meshes");
    }
    dlp_Result result = DLP_OK;
    for (int i = 0; i < world->meshes.count && result == DLP_OK; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        hid_t group = dlp__hdf5_make_group(all, name);
        result = group >= 0 ? write_mesh(group, world->meshes.item[i], error) : dlp__hdf5_fail(error, "make", name);
        H5Gclose(group);
    }
    H5Gclose(all);
    return result;
}

static dlp_Result read_mesh(hid_t group, int64_t file_bytes, dlp__Memory *memory, dlp_MeshDef *def, dlp_Mesh *mesh,
                            dlp_Error *error)
{
    void *vertices = NULL, *triangles = NULL;
    dlp_Result result = dlp__hdf5_read_records(group, &(dlp__Record){dlp_mesh_params(), def}, 1, error);
    if (result == DLP_OK && dlp_params_check(dlp_mesh_params(), def, error) != DLP_OK) {
        result = DLP_ERROR_FORMAT;
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_read_rows(group, "vertices", DLP_ROWS_FLOAT_3, file_bytes, memory, &mesh->vertex_count,
                                     &vertices, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_read_rows(group, "triangles", DLP_ROWS_UINT32_3, file_bytes, memory, &mesh->triangle_count,
                                     &triangles, error);
    }
    mesh->position = vertices;
    mesh->triangle = triangles;
    if (result == DLP_OK && dlp__mesh_check(mesh, error) != DLP_OK) {
        result = DLP_ERROR_FORMAT;
    }
    return result;
}

dlp_Result dlp__hdf5_read_meshes(hid_t file, int64_t file_bytes, dlp__Memory *memory, dlp__MeshCallback callback,
                                 void *context, dlp_Error *error)
{
    if (!dlp__hdf5_has(file, "meshes")) {
        return DLP_OK;
    }
    hid_t all = dlp__hdf5_open_group(file, "meshes", error);
    if (all < 0) {
        return DLP_ERROR_FORMAT;
    }
    const int64_t count = dlp__hdf5_group_size(all);
    dlp_Result result = count >= 0 ? DLP_OK : dlp__hdf5_fail(error, "count", "meshes");
    for (int i = 0; i < count && result == DLP_OK; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        dlp_MeshDef def = dlp_default_mesh_def();
        dlp_Mesh mesh = {0};
        hid_t group = dlp__hdf5_open_group(all, name, error);
        result = group >= 0 ? read_mesh(group, file_bytes, memory, &def, &mesh, error) : DLP_ERROR_FORMAT;
        if (group >= 0) {
            H5Gclose(group);
        }
        if (result != DLP_OK) {
            dlp__error_prefix(error, "meshes/%d: ", i);
        } else {
            result = callback(context, i, &def, &mesh);
        }
        dlp__mesh_release(&mesh, memory);
    }
    H5Gclose(all);
    return result;
}
