/* What a mesh of ours must be: closed, oriented, without triangles that have no area. */
#ifndef DLP_TESTS_MESH_CHECKS_H
#define DLP_TESTS_MESH_CHECKS_H

#include <dollop/surface.h>

/* Null if the mesh is whole, else what is wrong with it. */
const char *mesh_fault(const dlp_Mesh *mesh);
/* The same for a mesh that may be open: corners exist, areas are not zero, places and normals are finite. */
const char *mesh_value_fault(const dlp_Mesh *mesh);

#endif
