/* Reading a frame: its particles with every known field. Sizes are limited by the size of the file; values are not
 * checked. */
#include "io/frame_items.h"
#include "io/verified_file.h"
#include "world/derived_fields.h"

#include <dollop/files.h>
#include <stdio.h>
#include <string.h>

struct dlp_Frame {
    dlp__Memory memory;
    dlp__Particles particles;
    dlp__FrameItems items;
    dlp_FileInfo info;
    int field_count;
    dlp_PointField fields[DLP_SURFACE_FIELDS_MOST];
};

/* The fields that can be displayed: all float fields except the position. */
static void list_fields(dlp_Frame *frame)
{
    for (int field = 1; field < dlp__fields_end(&frame->particles) && frame->field_count < DLP_SURFACE_FIELDS_MOST;
         field++) {
        const dlp__FieldInfo *info = dlp__field_info(&frame->particles, field);
        if (!dlp__particles_have(&frame->particles, field) || field == DLP_FIELD_position ||
            info->type != DLP_FIELD_TYPE_float) {
            continue;
        }
        dlp_PointField *shown = &frame->fields[frame->field_count++];
        snprintf(shown->name, sizeof shown->name, "%s", dlp__name_in_files(field, info));
        snprintf(shown->unit, sizeof shown->unit, "%s", info->unit);
        shown->components = info->components;
        for (int c = 0; c < info->components; c++) {
            shown->component[c] = dlp__field_array(&frame->particles, field, c);
        }
    }
}

/* The fields of the table that exist in the group. */
static dlp__FieldList stored_fields(const dlp__Particles *particles, hid_t data)
{
    dlp__FieldList fields = {1, {DLP_FIELD_position}};
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        const bool known = (info->flags & DLP_FIELD_SHOWN) != 0 || dlp__derived_info_of(field) != NULL;
        if (known && field != DLP_FIELD_position && dlp__hdf5_has(data, dlp__name_in_files(field, info))) {
            fields.field[fields.count++] = (dlp__FieldId)field;
        }
    }
    return fields;
}

static dlp_Result read_particles(dlp_Frame *frame, hid_t grid, hid_t data, int64_t bytes, dlp_Error *error)
{
    int64_t count = 0;
    dlp_Result result = dlp__hdf5_field_count(grid, "Points", &frame->particles, DLP_FIELD_position, bytes, &count,
                                              error);
    if (result != DLP_OK) {
        return result;
    }
    const dlp__FieldList fields = stored_fields(&frame->particles, data);
    dlp__particles_init(&frame->particles, &frame->memory, NULL, fields.field);
    if (count > 0 && dlp__particles_add(&frame->particles, count) < 0) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld particles", (long long)count);
    }
    for (int field = 1; field < dlp__fields_end(&frame->particles) && result == DLP_OK; field++) {
        if (dlp__particles_have(&frame->particles, field)) {
            const bool is_position = field == DLP_FIELD_position;
            const char *name = dlp__name_in_files(field, dlp__field_info(&frame->particles, field));
            result = dlp__hdf5_read_field(is_position ? grid : data, is_position ? "Points" : name, field, bytes, 0,
                                          count, &frame->particles, error);
        }
    }
    return result;
}

static dlp_Result read_grid(dlp_Frame *frame, const dlp__VerifiedFile *file, dlp_Error *error)
{
    hid_t grid = dlp__hdf5_open_group(file->hdf5.file, "VTKHDF", error);
    if (grid < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = DLP_ERROR_FORMAT;
    hid_t data = dlp__hdf5_open_group(grid, "PointData", error);
    if (data >= 0) {
        result = read_particles(frame, grid, data, file->bytes, error);
        H5Gclose(data);
    }
    H5Gclose(grid);
    return result;
}

static dlp_Result read_frame(dlp_Frame *frame, const char *path, dlp_Error *error)
{
    dlp__VerifiedFile file;
    dlp_Result result = dlp__verified_file_open(&file, path, NULL, error);
    if (result != DLP_OK) {
        return result;
    }
    result = dlp__file_info_read(&file, &frame->info, error);
    if (result == DLP_OK) {
        result = file.kind == DLP_FILE_FRAME
                     ? read_grid(frame, &file, error)
                     : dlp__fail(error, DLP_ERROR_FORMAT, "it is a checkpoint, not a frame: give a frame_*.vtkhdf");
    }
    if (result == DLP_OK) {
        result = dlp__frame_items_read(file.hdf5.file, file.bytes, &frame->items, &frame->memory, error);
    }
    return dlp__verified_file_close(&file, result, error);
}

dlp_Result dlp_frame_read(const char *path, const dlp_Hooks *hooks, dlp_Frame **result, dlp_Error *error)
{
    if (result == NULL) {
        return dlp__fail_null(error);
    }
    dlp_Error unread;
    error = error != NULL ? error : &unread;
    *result = NULL;
    dlp__Memory memory;
    dlp__memory_init(&memory, hooks != NULL ? &hooks->allocator : NULL);
    dlp_Frame *frame = dlp__memory_get(&memory, 1, sizeof *frame);
    if (frame == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a frame");
    }
    memset(frame, 0, sizeof *frame);
    frame->memory = memory;
    dlp_Result code = read_frame(frame, path, error);
    if (code != DLP_OK) {
        dlp_frame_destroy(frame);
        return code;
    }
    list_fields(frame);
    *result = frame;
    return DLP_OK;
}

void dlp_frame_destroy(dlp_Frame *frame)
{
    if (frame == NULL) {
        return;
    }
    dlp__particles_release(&frame->particles);
    dlp__frame_items_release(&frame->items);
    dlp__Memory memory = frame->memory;
    dlp__memory_release(&memory, frame, 1, sizeof *frame);
}

dlp_FileInfo dlp_frame_info(const dlp_Frame *frame)
{
    return frame != NULL ? frame->info : (dlp_FileInfo){0};
}

dlp_FrameScene dlp_frame_scene(const dlp_Frame *frame)
{
    return frame != NULL ? dlp__frame_items_scene(&frame->items) : (dlp_FrameScene){0};
}

dlp_Points dlp_frame_points(const dlp_Frame *frame)
{
    if (frame == NULL) {
        return (dlp_Points){0};
    }
    const dlp__Particles *p = &frame->particles;
    return (dlp_Points){.count = p->count,
                        .position = {p->position[0], p->position[1], p->position[2]},
                        .material = dlp__particles_have(p, DLP_FIELD_material) ? p->material[0] : NULL,
                        .field_count = frame->field_count,
                        .fields = frame->fields,
                        .solid_count = dlp_frame_scene(frame).solid_count,
                        .solids = dlp_frame_scene(frame).solids};
}
