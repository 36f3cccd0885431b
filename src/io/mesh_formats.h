/* Files that a mesh can be written to: one format per file, chosen by the end of the path. */
#ifndef DLP_IO_MESH_FORMATS_H
#define DLP_IO_MESH_FORMATS_H

#include "io/safe_file.h"

#include <dollop/surface.h>

/* Puts the mesh into the file; what cannot be written is remembered by the file until it is committed. */
typedef void (*dlp__MeshWriter)(dlp__SafeFile *file, const dlp_Mesh *mesh);

void dlp__mesh_write_ply(dlp__SafeFile *file, const dlp_Mesh *mesh);
void dlp__mesh_write_obj(dlp__SafeFile *file, const dlp_Mesh *mesh);
void dlp__mesh_write_gltf(dlp__SafeFile *file, const dlp_Mesh *mesh);

/* printf into the file, lines of up to 1023 characters. */
void dlp__safe_print(dlp__SafeFile *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
