/* surface.json: which meshes belong to which frame, and what else a picture of them needs, for programs that read meshes but not
 * frames. It tells of the frames of one call. Materials, solids and cameras have the members of scene files, in SI units.
 *
 *     {"dollop": "0.1.0", "spacing": 0.01, "materials": [{"name": ..., "look": ...}], "cameras": [...],
 *      "frames": [{"number": 0, "time": 0, "meshes": [{"file": "surface_000000.ply", "material": -1}], "solids": [...]}, ...],
 *      "frame_rate": 30} */
#ifndef DOLLOP_SURFACE_RECORD_H
#define DOLLOP_SURFACE_RECORD_H

#include "apps/shared/run_folder.h"

#include <stdio.h>

typedef struct SurfaceRecord {
    FILE *stream; /* into `text`; null before the first frame and when no memory is left */
    char *text;
    size_t size;
    FolderPath folder; /* of the meshes and the record */
    int64_t frames;
    int meshes;         /* of the open frame */
    double first, last; /* s, times of the frames */
} SurfaceRecord;

/* Of a zeroed record: a frame, its meshes (of one material, or -1 for all) and so on. `mesh` is where a mesh of the frame lies or
 * would lie: the record goes there, and with a new folder a new record is begun. */
ExitCode record_frame(SurfaceRecord *record, const FolderPath *path, const FolderPath *mesh, const dlp_Frame *frame);
void record_mesh(SurfaceRecord *record, const FolderPath *mesh, int material);
void record_frame_end(SurfaceRecord *record, const dlp_Frame *frame);
/* Write what was recorded, if anything. Mistakes are told on standard error. */
ExitCode record_write(SurfaceRecord *record);
void record_release(SurfaceRecord *record);

#endif
