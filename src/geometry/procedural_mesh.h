/* The generators of procedural meshes that have a file of their own, and the checks that they share. */
#ifndef DLP_GEOMETRY_PROCEDURAL_MESH_H
#define DLP_GEOMETRY_PROCEDURAL_MESH_H

#include "geometry/mesh_builder.h"

typedef dlp_Result (*dlp__MeshGenerator)(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);

dlp_Result dlp__generate_gear(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__generate_nozzle(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__generate_mould(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__generate_star(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__generate_spoon(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__generate_whisk(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);

/* Fails with both sizes in the message unless `small` is less than `large` times `fraction`. */
dlp_Result dlp__check_size_below(const char *small_name, double small, const char *large_name, double large,
                                 double fraction, dlp_Error *error);

#endif
