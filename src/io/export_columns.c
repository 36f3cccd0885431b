/* Names and order of exported columns; the table of fields decides which fields are exported. */
#include "io/export_columns.h"

#include <stdio.h>

/* Up to three components are x, y, z; more are numbered. */
static void name_column(dlp__Column *column)
{
    const dlp__FieldInfo *info = column->info;
    if (info->components == 1) {
        snprintf(column->name, sizeof column->name, "%s", info->name);
    } else if (info->components <= 3) {
        snprintf(column->name, sizeof column->name, "%s_%c", info->name, 'x' + column->component);
    } else {
        snprintf(column->name, sizeof column->name, "%s_%d", info->name, column->component);
    }
}

int dlp__export_columns(const dlp__Particles *particles, dlp__Column columns[DLP_MAX_COLUMNS])
{
    int count = 0;
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        if (!dlp__particles_have(particles, field) || (info->flags & DLP_FIELD_SHOWN) == 0) {
            continue;
        }
        for (int c = 0; c < info->components && count < DLP_MAX_COLUMNS; c++) {
            columns[count] = (dlp__Column){field, c, info, ""};
            name_column(&columns[count++]);
        }
    }
    return count;
}
