/* The made forms, each with its own idea in a file, and what their sizes have in common. */
#ifndef DLP_GEOMETRY_FORM_SHAPES_H
#define DLP_GEOMETRY_FORM_SHAPES_H

#include "geometry/model.h"

typedef dlp_Result (*dlp__FormMaker)(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);

dlp_Result dlp__form_gear(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__form_nozzle(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__form_mould(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__form_star(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__form_spoon(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);
dlp_Result dlp__form_whisk(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);

/* Fails with both sizes in the message unless `small` is less than `large`, and less than its `part` if that is
 * below 1. */
dlp_Result dlp__form_check_less(const char *small_name, double small, const char *large_name, double large, double part,
                                dlp_Error *error);

#endif
