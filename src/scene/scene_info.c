/* Keys of materials that are no parameters of them: most document them and have no effect on a run. The material library uses them, and
 * scenes may too. */
#include "scene/scene_internal.h"

#include <dollop/material_library.h>
#include <dollop/rheology.h>
#include <string.h>

static const char *const grade_names[] = {"measured", "simulation", "unverified", "guess", NULL};

static const dlp_Param grade_param = {.name = "grade",
                                      .type = DLP_PARAM_CHOICE,
                                      .unit = "",
                                      .value = {DLP_GRADE_GUESS},
                                      .least = 0,
                                      .most = DLP_GRADE_COUNT - 1,
                                      .choices = grade_names,
                                      .help = ""};

static const dlp_Param equivalent_rate_param = {.name = "equivalent_rate",
                                                .type = DLP_PARAM_REAL,
                                                .unit = "1/s",
                                                .value = {DLP_EQUIVALENT_RATE},
                                                .least = 1e-6,
                                                .most = 1e6,
                                                .help = ""};

const dlp__SceneInfo dlp__scene_material_info[] = {
    {"description", "documentation, without effect: what the material is and how its values were chosen", NULL},
    {"source", "documentation, without effect: where the values come from", NULL},
    {"grade",
     "documentation, without effect: measured, input of a published simulation, quoted from memory and unverified, or guess",
     &grade_param},
    {"equivalent_rate",
     "shear rate at which methods without flow laws take the viscosity of a built-in or included material that has one",
     &equivalent_rate_param},
    {NULL, NULL, NULL},
};

const char *dlp_grade_name(dlp_Grade grade)
{
    return grade_names[grade];
}

const dlp__SceneInfo *dlp__scene_find_info(const dlp__SceneSection *section, const char *key)
{
    for (const dlp__SceneInfo *info = section->info; info != NULL && info->key != NULL; info++) {
        if (strcmp(info->key, key) == 0) {
            return info;
        }
    }
    return NULL;
}

dlp_Result dlp__scene_check_info(dlp__SceneReader *reader, const dlp__SceneInfo *info, const dlp__SceneNode *node)
{
    if (info->param != NULL) {
        union {
            double real;
            int32_t choice;
        } value;
        return dlp__scene_read_value(reader, info->param, node, &value);
    }
    return node->kind == DLP_NODE_SCALAR ? DLP_OK
                                         : dlp__scene_fail(reader, node->location, "%s must be text, but is %s",
                                                           info->key, dlp__scene_kind_name(node));
}
