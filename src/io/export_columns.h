/* The columns of a table of particles for exports: one per component of every field that files contain, in the order of
 * the table. */
#ifndef DLP_IO_EXPORT_COLUMNS_H
#define DLP_IO_EXPORT_COLUMNS_H

#include "world/derived_fields.h"

#define DLP_MAX_COLUMNS 64

typedef struct dlp__Column {
    int field, component;
    const dlp__FieldInfo *info;
    char name[64]; /* "density", "velocity_x" */
} dlp__Column;

/* Fills `columns` and returns the count. */
int dlp__export_columns(const dlp_World *world, dlp__Column columns[DLP_MAX_COLUMNS]);

#endif
