/* Requirements on a mesh: closed, oriented, without degenerate triangles. */
#ifndef DLP_TESTS_MESH_CHECKS_H
#define DLP_TESTS_MESH_CHECKS_H

#include <dollop/surface.h>

/* Null if the mesh is valid, otherwise what is wrong with it. */
const char *mesh_fault(const dlp_Mesh *mesh);
/* The same for a mesh that may be open: corners exist, areas are not zero, positions and normals are finite. */
const char *mesh_value_fault(const dlp_Mesh *mesh);

#endif
