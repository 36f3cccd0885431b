/* Shared by the three forms of the reference: text, Markdown and JSON Schema. */
#ifndef DLP_SCENE_REFERENCE_H
#define DLP_SCENE_REFERENCE_H

#include "scene/scene_internal.h"
#include "scene/scene_text.h"
#include "scene/scene_when.h"

/* "0.01 m", "[0, 0, -9.81] m/s2", "box", "required" */
void dlp__scene_describe_default(const dlp_Param *param, char text[192]);

/* "1e-06 to 1000"; empty for parameters without a range */
void dlp__scene_describe_range(const dlp_Param *param, char text[192]);

/* "; methods physical, links; only with shape: box": the methods and the condition under which it has an effect; empty if it
 * always has one. */
void dlp__scene_describe_use(const dlp_Param *param, char *text, size_t size);

/* The extra key and the rows of a section as parameters, with name, help, use and condition only. */
dlp_Param dlp__scene_extra_param(const dlp__SceneSection *section);
dlp_Param dlp__scene_rows_param(const dlp__SceneSection *section);

void dlp__scene_write_schema(dlp__SceneText *out, int only);

#endif
