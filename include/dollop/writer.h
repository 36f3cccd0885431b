/* Files written in the background: the next steps run while the files of a moment are compressed and flushed to disk. The files are those of
 * dollop/files.h, with the same contents. A writer copies the particle fields that they contain, so it needs up to the memory of the
 * saved fields. One background thread serves all writers of a process. A world over several ranks has no background: its files are complete
 * when dlp_writer_start() returns. */
#ifndef DOLLOP_WRITER_H
#define DOLLOP_WRITER_H

#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_Writer dlp_Writer;

typedef enum dlp_OutputFormat {
    DLP_OUTPUT_FRAME,      /* as dlp_world_write_frame() */
    DLP_OUTPUT_PLY,        /* as dlp_world_write_ply()   */
    DLP_OUTPUT_CSV,        /* as dlp_world_write_csv()   */
    DLP_OUTPUT_CHECKPOINT, /* as dlp_world_save()        */
} dlp_OutputFormat;

typedef struct dlp_OutputFile {
    dlp_OutputFormat format;
    const char *path;
} dlp_OutputFile;

#define DLP_WRITER_FILES_MOST 8 /* at a time */

/* Called on the background thread when all files are complete, or one failed and those after it were not written. It must not call
 * functions of dollop. */
typedef void (*dlp_WrittenFunction)(void *user, dlp_Result result);

/* `written` may be null. The writer uses only the allocator of the hooks, also on the background thread. */
DLP_API dlp_Result dlp_writer_create(const dlp_Hooks *hooks, dlp_WrittenFunction written, void *user,
                                     dlp_Writer **writer, dlp_Error *error);

/* Begin to write these files, in this order, and return as soon as the world may change. If the files before are not complete yet, it
 * waits for them first; if they failed, it returns that failure and writes nothing. */
DLP_API dlp_Result dlp_writer_start(dlp_Writer *writer, dlp_World *world, const dlp_OutputFile *files, int count,
                                    dlp_Error *error);

/* Whether files are being written. A program that uses HDF5 itself must not do so meanwhile; functions of dollop wait. */
DLP_API bool dlp_writer_is_busy(const dlp_Writer *writer);

/* Wait until the files are complete. Returns the failure of writing them, once. */
DLP_API dlp_Result dlp_writer_finish(dlp_Writer *writer, dlp_Error *error);

/* Waits, too. The writer may be null. */
DLP_API void dlp_writer_destroy(dlp_Writer *writer);

#ifdef __cplusplus
}
#endif
#endif
