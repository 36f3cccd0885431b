/* Frames for ParaView: HDF5 in the VTKHDF layout, version 1.0, as an unstructured grid with one vertex cell per
 * particle. (Readers up to VTK 9.2 do not support poly data; one cell per particle allows filters such as Threshold to
 * select single particles.) Every field that the table marks as shown, and every derived field that the
 * world asks for, becomes point data; the position becomes the points. */
#include "io/file_summary.h"
#include "io/frame_items.h"
#include "io/output.h"
#include "world/derived_fields.h"

#define VERTEX_CELL 1 /* VTK_VERTEX */

static void fill_counting(void *block, int64_t begin, int64_t end)
{
    int64_t *numbers = block;
    for (int64_t i = begin; i < end; i++) {
        numbers[i - begin] = i;
    }
}

static void fill_vertices(void *block, int64_t begin, int64_t end)
{
    unsigned char *types = block;
    for (int64_t i = begin; i < end; i++) {
        types[i - begin] = VERTEX_CELL;
    }
}

/* Vertex i is point i. */
static dlp_Result write_cells(hid_t grid, dlp__Hdf5Pending *pending, int64_t count, dlp_Error *error)
{
    static const char *const counts[] = {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"};
    dlp_Result result = DLP_OK;
    for (int i = 0; i < 3 && result == DLP_OK; i++) {
        result = dlp__hdf5_write_number(grid, counts[i], H5T_NATIVE_INT64, &count, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_generated(pending, grid, "Connectivity", H5T_NATIVE_INT64, count, fill_counting,
                                           error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_generated(pending, grid, "Offsets", H5T_NATIVE_INT64, count + 1, fill_counting, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_generated(pending, grid, "Types", H5T_NATIVE_UINT8, count, fill_vertices, error);
    }
    return result;
}

static dlp_Result write_point_data(hid_t grid, dlp__Hdf5Pending *pending, const dlp_World *world, dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(grid, "PointData");
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", "PointData");
    }
    dlp_Result result = DLP_OK;
    const dlp__Particles *particles = &world->domains.part[0].particles;
    for (int field = 1; field < dlp__fields_end(particles) && result == DLP_OK; field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        bool shown = dlp__is_in_files(world, field, info->flags) && field != DLP_FIELD_position;
        if (shown && dlp__particles_have(particles, field)) {
            result = dlp__hdf5_write_field(pending, group, dlp__name_in_files(field, info), &world->domains, field,
                                           error);
        }
    }
    H5Gclose(group);
    return result;
}

/* Field data of the whole frame for VTK; the root of the file has the same and more. */
static dlp_Result write_field_data(hid_t grid, const dlp_World *world, dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(grid, "FieldData");
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", "FieldData");
    }
    double time = dlp_world_time(world), spacing = dlp_world_def(world).spacing;
    int64_t step = dlp_world_step_count(world);
    dlp_Result result = dlp__hdf5_write_number(group, "time", H5T_NATIVE_DOUBLE, &time, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_write_number(group, "step", H5T_NATIVE_INT64, &step, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_number(group, "spacing", H5T_NATIVE_DOUBLE, &spacing, error);
    }
    H5Gclose(group);
    return result;
}

static dlp_Result write_grid(hid_t grid, dlp__Hdf5Pending *pending, const dlp_World *world, dlp_Error *error)
{
    static const int64_t version[2] = {1, 0};
    dlp_Result result = dlp__hdf5_write_attribute(grid, "Version", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, version, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_write_text(grid, "Type", "UnstructuredGrid", error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_field(pending, grid, "Points", &world->domains, DLP_FIELD_position, error);
    }
    if (result == DLP_OK) {
        result = write_cells(grid, pending, dlp__domains_particles(&world->domains), error);
    }
    if (result == DLP_OK) {
        result = write_point_data(grid, pending, world, error);
    }
    if (result == DLP_OK) {
        result = write_field_data(grid, world, error);
    }
    return result;
}

static dlp_Result write_frame(dlp__FileInWork *work, const dlp_World *world, dlp_Error *error)
{
    const hid_t file = work->hdf5.file;
    dlp_Result result = dlp__summary_write(file, &work->summary, error);
    if (result != DLP_OK) {
        return result;
    }
    hid_t grid = dlp__hdf5_make_group(file, "VTKHDF");
    if (grid < 0) {
        return dlp__hdf5_fail(error, "make", "VTKHDF");
    }
    result = write_grid(grid, &work->pending, world, error);
    H5Gclose(grid);
    return result == DLP_OK ? dlp__frame_items_write(file, world, error) : result;
}

static dlp_Result begin(dlp__Output *output, dlp_World *world, const char *path)
{
    const dlp_Result derived = dlp__ranks_agree(world->parallel.ranks, dlp__derive_for_files(world), &world->error);
    return derived == DLP_OK ? dlp__verified_file_begin(&output->file, world, path, write_frame, &world->error)
                             : derived;
}

static dlp_Result finish(dlp__Output *output, const dlp__OutputSource *source, dlp_Error *error)
{
    return dlp__verified_file_finish(&output->file, DLP_FILE_FRAME, source->parts, source->parallel, source->memory,
                                     error);
}

const dlp__OutputKind dlp__frame_output = {dlp__is_in_files, begin, finish, dlp__output_discard_verified};

dlp_Result dlp_world_write_frame(dlp_World *world, const char *path)
{
    return dlp__output_write(&dlp__frame_output, world, path);
}
