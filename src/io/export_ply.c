/* PLY, binary, little endian: a point cloud with the position as x, y, z and every other shown field as properties. The
 * format has no 64-bit integers, so ids are written as doubles, which are exact up to 2^53. */
#include "io/byte_order.h"
#include "io/output.h"

#include <dollop/files.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *property_type(dlp__FieldType type)
{
    switch (type) {
    case DLP_FIELD_TYPE_float: return "float";
    case DLP_FIELD_TYPE_uint16_t: return "ushort";
    case DLP_FIELD_TYPE_uint64_t: return "double";
    }
    return "";
}

static void append_text(dlp__AtomicFile *file, const char *text)
{
    dlp__atomic_file_append(file, text, strlen(text));
}

static void write_header(dlp__AtomicFile *file, const dlp_World *world, const dlp__Column *columns, int count)
{
    char text[256];
    snprintf(text, sizeof text,
             "ply\nformat binary_little_endian 1.0\ncomment dollop %s, step %" PRId64 "\nelement vertex %" PRId64 "\n",
             dlp_version(), dlp_world_step_count(world), dlp__domains_particles(&world->domains));
    append_text(file, text);
    for (int c = 0; c < count; c++) {
        static const char *const axes[] = {"x", "y", "z"};
        const char *name = columns[c].field == DLP_FIELD_position ? axes[columns[c].component] : columns[c].name;
        snprintf(text, sizeof text, "property %s %s\n", property_type(columns[c].info->type), name);
        append_text(file, text);
    }
    append_text(file, "end_header\n");
}

static char *put_value(char *to, dlp__FieldType type, const void *array, int64_t i)
{
    switch (type) {
    case DLP_FIELD_TYPE_float: return dlp__put_float(to, ((const float *)array)[i]);
    case DLP_FIELD_TYPE_uint16_t: return dlp__put_bytes(to, ((const uint16_t *)array)[i], 2);
    case DLP_FIELD_TYPE_uint64_t: return dlp__put_double(to, (double)((const uint64_t *)array)[i]);
    }
    return to;
}

static void write_rows(dlp__AtomicFile *file, const dlp__Particles *particles, const dlp__Column *columns, int count)
{
    const void *arrays[DLP_MAX_COLUMNS];
    for (int c = 0; c < count; c++) {
        arrays[c] = dlp__field_array(particles, columns[c].field, columns[c].component);
    }
    for (int64_t i = 0; i < particles->count && file->failure == 0; i++) {
        char row[DLP_MAX_COLUMNS * 8], *end = row;
        for (int c = 0; c < count; c++) {
            end = put_value(end, columns[c].info->type, arrays[c], i);
        }
        dlp__atomic_file_append(file, row, (size_t)(end - row));
    }
}

/* Readers expect the position first. */
static void put_position_first(dlp__Column *columns, int count)
{
    int first_free = 0;
    for (int c = 0; c < count; c++) {
        if (columns[c].field == DLP_FIELD_position) {
            dlp__Column column = columns[c];
            memmove(columns + first_free + 1, columns + first_free, (size_t)(c - first_free) * sizeof *columns);
            columns[first_free++] = column;
        }
    }
}

static dlp_Result begin(dlp__Output *output, dlp_World *world, const char *path)
{
    const dlp_Result result = dlp__output_begin_export(output, world, path);
    if (result == DLP_OK) {
        put_position_first(output->columns, output->column_count);
    }
    if (result == DLP_OK && dlp_ranks_number(world->parallel.ranks) == 0) {
        write_header(&output->file.atomic, world, output->columns, output->column_count);
    }
    return result;
}

static dlp_Result finish(dlp__Output *output, const dlp__OutputSource *source, dlp_Error *error)
{
    return dlp__output_finish_export(output, source, write_rows, error);
}

const dlp__OutputKind dlp__ply_output = {dlp__is_in_files, begin, finish, dlp__output_discard_export};

dlp_Result dlp_world_write_ply(dlp_World *world, const char *path)
{
    return dlp__output_write(&dlp__ply_output, world, path);
}
