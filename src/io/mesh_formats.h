/* Files that a mesh can be written to: one format per file, chosen by the end of the path. */
#ifndef DLP_IO_MESH_FORMATS_H
#define DLP_IO_MESH_FORMATS_H

#include <dollop/surface.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "io/safe_file.h"

/* Puts the mesh into the file; what cannot be written is remembered by the file until it is committed. */
typedef dlp_Result (*dlp__MeshWriter)(dlp__SafeFile *file, const dlp_Mesh *mesh, dlp_Error *error);

dlp_Result dlp__mesh_write_ply(dlp__SafeFile *file, const dlp_Mesh *mesh, dlp_Error *error);
dlp_Result dlp__mesh_write_obj(dlp__SafeFile *file, const dlp_Mesh *mesh, dlp_Error *error);
dlp_Result dlp__mesh_write_gltf(dlp__SafeFile *file, const dlp_Mesh *mesh, dlp_Error *error);
dlp_Result dlp__mesh_write_vdb(dlp__SafeFile *file, const dlp_Mesh *mesh, dlp_Error *error); /* the one in C++ */

/* printf into the file, lines of up to 1023 characters. */
void dlp__safe_print(dlp__SafeFile *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
