/* CSV: one line per particle, one column per component of every shown field, units in the header. Nine digits represent
 * every float exactly. */
#include "io/output.h"

#include <dollop/files.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#define CELL_SIZE 48 /* bytes; the longest number has 20 digits */

static void write_header(dlp__AtomicFile *file, const dlp__Column *columns, int count)
{
    for (int c = 0; c < count; c++) {
        const char *unit = columns[c].info->unit;
        char text[128];
        int length = snprintf(text, sizeof text, "%s%s%s%s%s", c > 0 ? "," : "", columns[c].name,
                              unit[0] != 0 ? " [" : "", unit, unit[0] != 0 ? "]" : "");
        dlp__atomic_file_append(file, text, (size_t)length);
    }
    dlp__atomic_file_append(file, "\n", 1);
}

static int format_cell(char *text, dlp__FieldType type, const void *array, int64_t i)
{
    switch (type) {
    case DLP_FIELD_TYPE_float: return snprintf(text, CELL_SIZE, "%.9g", (double)((const float *)array)[i]);
    case DLP_FIELD_TYPE_uint16_t: return snprintf(text, CELL_SIZE, "%u", (unsigned)((const uint16_t *)array)[i]);
    case DLP_FIELD_TYPE_uint64_t: return snprintf(text, CELL_SIZE, "%" PRIu64, ((const uint64_t *)array)[i]);
    }
    return 0;
}

static void write_rows(dlp__AtomicFile *file, const dlp__Particles *particles, const dlp__Column *columns, int count)
{
    const void *arrays[DLP_MAX_COLUMNS];
    for (int c = 0; c < count; c++) {
        arrays[c] = dlp__field_array(particles, columns[c].field, columns[c].component);
    }
    for (int64_t i = 0; i < particles->count && file->failure == 0; i++) {
        char row[DLP_MAX_COLUMNS * (CELL_SIZE + 1)];
        int length = 0;
        for (int c = 0; c < count; c++) {
            length += format_cell(row + length, columns[c].info->type, arrays[c], i);
            row[length++] = c + 1 < count ? ',' : '\n';
        }
        dlp__atomic_file_append(file, row, (size_t)length);
    }
}

static dlp_Result begin(dlp__Output *output, dlp_World *world, const char *path)
{
    const dlp_Result result = dlp__output_begin_export(output, world, path);
    if (result == DLP_OK && dlp_ranks_number(world->parallel.ranks) == 0) {
        write_header(&output->file.atomic, output->columns, output->column_count);
    }
    return result;
}

static dlp_Result finish(dlp__Output *output, const dlp__OutputSource *source, dlp_Error *error)
{
    /* Decimal points, independent of the host's locale. */
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t previous = c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;
    const dlp_Result result = dlp__output_finish_export(output, source, write_rows, error);
    if (c_locale != (locale_t)0) {
        uselocale(previous);
        freelocale(c_locale);
    }
    return result;
}

const dlp__OutputKind dlp__csv_output = {dlp__is_in_files, begin, finish, dlp__output_discard_export};

dlp_Result dlp_world_write_csv(dlp_World *world, const char *path)
{
    return dlp__output_write(&dlp__csv_output, world, path);
}
