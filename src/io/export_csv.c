/* CSV: one line per particle, one column per component of every shown field, units in the header. Nine digits represent
 * every float exactly. */
#include "io/export_columns.h"
#include "io/atomic_file.h"
#include "world/world_state.h"

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

dlp_Result dlp_world_write_csv(dlp_World *world, const char *path)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp__AtomicFile file;
    dlp_Result result = dlp__derive_for_files(world);
    if (result == DLP_OK) {
        result = dlp__atomic_file_create(&file, path, &world->error);
    }
    if (result != DLP_OK) {
        return result;
    }
    /* Decimal points, independent of the host's locale. */
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t previous = c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;

    dlp__Column columns[DLP_MAX_COLUMNS];
    int count = dlp__export_columns(world, columns);
    write_header(&file, columns, count);
    for (int p = 0; p < world->domains.count; p++) {
        write_rows(&file, &world->domains.part[p].particles, columns, count);
    }

    if (c_locale != (locale_t)0) {
        uselocale(previous);
        freelocale(c_locale);
    }
    return dlp__atomic_file_commit(&file, &world->error);
}
