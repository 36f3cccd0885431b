/* Formats that a mesh can be written to: one file per format, selected by the extension of the path. */
#ifndef DLP_IO_MESH_WRITERS_H
#define DLP_IO_MESH_WRITERS_H

#include <dollop/surface.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "io/atomic_file.h"

/* Write the mesh to the file; write errors are recorded in the file until it is committed. */
typedef dlp_Result (*dlp__MeshWriter)(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error);

dlp_Result dlp__mesh_write_ply(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error);
dlp_Result dlp__mesh_write_obj(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error);
dlp_Result dlp__mesh_write_gltf(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error);
dlp_Result dlp__mesh_write_vdb(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error); /* in C++ */

/* printf into the file, lines of up to 1023 characters. */
void dlp__atomic_file_print(dlp__AtomicFile *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
