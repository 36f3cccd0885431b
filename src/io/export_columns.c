/* Naming and ordering of exported columns; what is shown is decided in the table of fields alone. */
#include "io/export_columns.h"

#include <stdio.h>

/* Vectors of three are counted x, y, z; anything longer in numbers. */
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

int dlp__export_columns(const dlp__Particles *particles, dlp__Column columns[DLP_COLUMNS_MOST])
{
    int count = 0;
    for (int field = 1; field < DLP_FIELD_END; field++) {
        const dlp__FieldInfo *info = dlp__field_info(field);
        if (!dlp__particles_have(particles, field) || (info->flags & DLP_FIELD_SHOWN) == 0) {
            continue;
        }
        for (int c = 0; c < info->components && count < DLP_COLUMNS_MOST; c++) {
            columns[count] = (dlp__Column){field, c, info, ""};
            name_column(&columns[count++]);
        }
    }
    return count;
}
