/* The kinds of files that show particles of a world. Each is written in two parts: `begin` is called between steps and reads the world,
 * `finish` writes the particles, either those of the world or a copy, and may be called by another thread while the world goes on. */
#ifndef DLP_IO_OUTPUT_H
#define DLP_IO_OUTPUT_H

#include "io/export_columns.h"
#include "io/verified_file.h"
#include "world/world_state.h"

typedef struct dlp__Output {
    dlp__FileInWork file;                 /* exports use only its atomic file */
    dlp__Column columns[DLP_MAX_COLUMNS]; /* of an export */
    int column_count;
} dlp__Output;

typedef struct dlp__OutputSource {
    const dlp__ParticleParts *parts;
    const dlp__Parallel *parallel;
    dlp__Memory *memory;
} dlp__OutputSource;

typedef struct dlp__OutputKind {
    bool (*contains)(const dlp_World *world, int field, int flags); /* after `begin` */
    dlp_Result (*begin)(dlp__Output *output, dlp_World *world, const char *path);
    /* After a successful `begin` exactly one of these follows. */
    dlp_Result (*finish)(dlp__Output *output, const dlp__OutputSource *source, dlp_Error *error);
    void (*discard)(dlp__Output *output);
} dlp__OutputKind;

extern const dlp__OutputKind dlp__frame_output, dlp__checkpoint_output, dlp__ply_output, dlp__csv_output;

/* Write a file completely. */
dlp_Result dlp__output_write(const dlp__OutputKind *kind, dlp_World *world, const char *path);

/* Parts that kinds share. */
dlp_Result dlp__output_begin_export(dlp__Output *output, dlp_World *world, const char *path);
/* Append the rows of all particles, rank after rank, and finish. */
typedef void (*dlp__RowsFunction)(dlp__AtomicFile *file, const dlp__Particles *particles, const dlp__Column *columns,
                                  int count);
dlp_Result dlp__output_finish_export(dlp__Output *output, const dlp__OutputSource *source, dlp__RowsFunction write_rows,
                                     dlp_Error *error);
void dlp__output_discard_export(dlp__Output *output);
void dlp__output_discard_verified(dlp__Output *output);

#endif
