/* surface.json: the meshes of each frame with materials, solids and cameras, for renderers that read meshes but not frames. It covers
 * the frames of one command. Materials, solids and cameras have the keys of scene files, in SI units.
 *
 *     {"dollop": "0.1.0", "spacing": 0.01, "materials": [{"name": ..., "look": ...}], "cameras": [...],
 *      "frames": [{"number": 0, "time": 0, "meshes": [{"file": "surface_000000.ply", "material": -1}], "solids": [...]}, ...],
 *      "frame_rate": 30} */
#ifndef DOLLOP_SURFACE_RECORD_H
#define DOLLOP_SURFACE_RECORD_H

#include "apps/shared/run_folder.h"

#include <dollop/files.h>
#include <stdio.h>

/* The entry of one frame, which another process may have made. It must stay in its place until its end. */
typedef struct RecordEntry {
    FILE *stream; /* writes to `data`; null without memory */
    char *data;
    size_t size;
    int meshes;
} RecordEntry;

/* Begin with the first mesh of the frame at `path`, then entry_mesh() for each mesh (`material` -1: all materials), then end; the caller
 * frees `data`, which is null without memory. */
void entry_begin(RecordEntry *entry, const FolderPath *path, const FolderPath *mesh, const dlp_Frame *frame);
void entry_mesh(RecordEntry *entry, const FolderPath *mesh, int material);
void entry_end(RecordEntry *entry, const dlp_Frame *frame);

typedef struct SurfaceRecord {
    FILE *stream; /* writes to `text`; null before the first frame and if out of memory */
    char *text;
    size_t size;
    FolderPath folder; /* of the meshes and the record */
    int64_t frames;
    double first, last; /* s, times of the frames */
} SurfaceRecord;

/* Add the data of an entry to a record, zeroed at first. The record is written to the folder of its meshes; if the folder changes, a new
 * record is started. */
ExitCode record_add(SurfaceRecord *record, const void *data);
/* Write the record if it has frames. Errors are printed to standard error. */
ExitCode record_write(SurfaceRecord *record);
void record_release(SurfaceRecord *record);

#endif
