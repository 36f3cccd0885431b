/* Writing and reading the frames of deforming meshes. */
#include "io/hdf5_mesh_frames.h"

#include <stdio.h>

static hid_t open_mesh(hid_t file, int index, dlp_Error *error)
{
    char name[32];
    snprintf(name, sizeof name, "meshes/%d", index);
    return dlp__hdf5_open_group(file, name, error);
}

static dlp_Result write_frames(hid_t file, const dlp_World *world, int index, dlp_Error *error)
{
    dlp_MeshFrames frames = {0};
    dlp_MeshDef def;
    dlp_Mesh mesh;
    dlp_Result result = dlp_world_get_mesh_frames(world, index, &frames);
    if (result != DLP_OK || frames.count == 0) {
        return result;
    }
    hid_t group = open_mesh(file, index, error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    result = dlp_world_get_mesh(world, index, &def, &mesh);
    if (result == DLP_OK) {
        result = dlp__hdf5_write_rows(group, "frame_times", DLP_ROWS_DOUBLE_1, frames.count, frames.times, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_rows(group, "frame_vertices", DLP_ROWS_FLOAT_3, frames.count * mesh.vertex_count,
                                      frames.positions, error);
    }
    H5Gclose(group);
    return result;
}

dlp_Result dlp__hdf5_write_mesh_frames(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int i = 0; i < dlp_world_mesh_count(world) && result == DLP_OK; i++) {
        result = write_frames(file, world, i, error);
    }
    return result;
}

/* Set the frames that were read, if the numbers of rows match the mesh. */
static dlp_Result set_frames(dlp_World *world, int index, const void *times, int64_t count, const void *vertices,
                             int64_t rows, dlp_Error *error)
{
    dlp_MeshDef def;
    dlp_Mesh mesh;
    dlp_Result result = dlp_world_get_mesh(world, index, &def, &mesh);
    if (result == DLP_OK && (count > DLP_FRAMES_MOST || rows != count * mesh.vertex_count)) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "%lld frames of %lld vertices have %lld rows of vertices",
                         (long long)count, (long long)mesh.vertex_count, (long long)rows);
    }
    if (result == DLP_OK) {
        result = dlp_world_set_mesh_frames(world, index, &(dlp_MeshFrames){(int)count, times, vertices});
    }
    if (result != DLP_OK) { /* a broken file, not a bad argument of the caller */
        result = dlp__fail(error, result == DLP_ERROR_MEMORY ? result : DLP_ERROR_FORMAT, "%s", dlp_world_error(world));
    }
    return result;
}

static dlp_Result read_frames(hid_t group, int64_t file_bytes, dlp_World *world, int index, dlp_Error *error)
{
    void *times = NULL, *vertices = NULL;
    int64_t count = 0, rows = 0;
    dlp_Result result = dlp__hdf5_read_rows(group, "frame_times", DLP_ROWS_DOUBLE_1, file_bytes, &world->memory, &count,
                                            &times, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_read_rows(group, "frame_vertices", DLP_ROWS_FLOAT_3, file_bytes, &world->memory, &rows,
                                     &vertices, error);
    }
    if (result == DLP_OK) {
        result = set_frames(world, index, times, count, vertices, rows, error);
    }
    dlp__memory_release(&world->memory, vertices, rows, dlp__hdf5_row_size(DLP_ROWS_FLOAT_3));
    dlp__memory_release(&world->memory, times, count, dlp__hdf5_row_size(DLP_ROWS_DOUBLE_1));
    return result;
}

dlp_Result dlp__hdf5_read_mesh_frames(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int i = 0; i < dlp_world_mesh_count(world) && result == DLP_OK; i++) {
        hid_t group = open_mesh(file, i, error);
        if (group < 0) {
            return DLP_ERROR_FORMAT;
        }
        if (dlp__hdf5_has(group, "frame_times")) {
            result = read_frames(group, file_bytes, world, i, error);
        }
        H5Gclose(group);
        if (result != DLP_OK) {
            dlp__error_prefix(error, "meshes/%d: ", i);
        }
    }
    return result;
}
