/* surface.json: the meshes of each frame with materials, solids and cameras, for renderers that read meshes but not frames. It covers
 * the frames of one command. Materials, solids and cameras have the keys of scene files, in SI units.
 *
 *     {"dollop": "0.1.0", "spacing": 0.01, "materials": [{"name": ..., "look": ...}], "cameras": [...],
 *      "frames": [{"number": 0, "time": 0, "meshes": [{"file": "surface_000000.ply", "material": -1}], "solids": [...]}, ...],
 *      "frame_rate": 30} */
#ifndef DOLLOP_SURFACE_RECORD_H
#define DOLLOP_SURFACE_RECORD_H

#include "apps/shared/run_folder.h"

#include <stdio.h>

typedef struct SurfaceRecord {
    FILE *stream; /* writes to `text`; null before the first frame and if out of memory */
    char *text;
    size_t size;
    FolderPath folder; /* of the meshes and the record */
    int64_t frames;
    int meshes;         /* of the open frame */
    double first, last; /* s, times of the frames */
} SurfaceRecord;

/* Start with a zeroed record. For each frame, call record_frame(), record_mesh() for each mesh (`material` -1: all materials) and
 * record_frame_end(). The record is written to the folder of `mesh`; if the folder changes, a new record is started. */
ExitCode record_frame(SurfaceRecord *record, const FolderPath *path, const FolderPath *mesh, const dlp_Frame *frame);
void record_mesh(SurfaceRecord *record, const FolderPath *mesh, int material);
void record_frame_end(SurfaceRecord *record, const dlp_Frame *frame);
/* Write the record if it has frames. Errors are printed to standard error. */
ExitCode record_write(SurfaceRecord *record);
void record_release(SurfaceRecord *record);

#endif
