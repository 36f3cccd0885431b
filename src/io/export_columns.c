/* Names and order of exported columns; the table of fields decides which fields are exported. */
#include "io/export_columns.h"

#include <stdio.h>

/* Up to three components are x, y, z; six are those of a symmetric tensor in the order of VTK; others are numbered. */
static void name_column(dlp__Column *column)
{
    static const char *const tensor[6] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    const dlp__FieldInfo *info = column->info;
    const char *name = dlp__name_in_files(column->field, info);
    if (info->components == 1) {
        snprintf(column->name, sizeof column->name, "%s", name);
    } else if (info->components <= 3) {
        snprintf(column->name, sizeof column->name, "%s_%c", name, 'x' + column->component);
    } else if (info->components == 6) {
        snprintf(column->name, sizeof column->name, "%s_%s", name, tensor[column->component]);
    } else {
        snprintf(column->name, sizeof column->name, "%s_%d", name, column->component);
    }
}

int dlp__export_columns(const dlp_World *world, dlp__Column columns[DLP_MAX_COLUMNS])
{
    const dlp__Particles *particles = &world->domains.part[0].particles;
    int count = 0;
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        if (!dlp__particles_have(particles, field) || !dlp__is_in_files(world, field, info->flags)) {
            continue;
        }
        for (int c = 0; c < info->components && count < DLP_MAX_COLUMNS; c++) {
            columns[count] = (dlp__Column){field, c, info, ""};
            name_column(&columns[count++]);
        }
    }
    return count;
}
