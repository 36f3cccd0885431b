/* One table per 'def' struct says what each member is: its name, type, unit, default, range and a line of help. The
 * defaults, the checks, scene files, `dollop help`, the JSON Schema, checkpoints and bindings all read these tables,
 * so a new parameter is written down once. */
#ifndef DOLLOP_PARAMS_H
#define DOLLOP_PARAMS_H

#include <dollop/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLP_NAME_SIZE 64 /* bytes of a name member, with its closing zero */

typedef enum dlp_ParamType {
    DLP_PARAM_REAL,     /* double                                                  */
    DLP_PARAM_INT,      /* int64_t                                                 */
    DLP_PARAM_BOOL,     /* bool                                                    */
    DLP_PARAM_VEC3,     /* dlp_Vec3                                                */
    DLP_PARAM_CHOICE,   /* int32_t, an index into `choices`                        */
    DLP_PARAM_NAME,     /* char[DLP_NAME_SIZE]                                     */
    DLP_PARAM_MATERIAL, /* int32_t, a material's id; a scene gives its name        */
    DLP_PARAM_MESH,     /* int32_t, a mesh's id or -1; a scene gives its name      */
    DLP_PARAM_SOLID,    /* int32_t, a solid's id or -1; a scene gives its name     */
} dlp_ParamType;

typedef struct dlp_Param {
    const char *name;
    dlp_ParamType type;
    size_t offset;              /* of the member in its struct, bytes               */
    const char *unit;           /* SI, such as "Pa.s"; "" for a plain number         */
    double value[3];            /* the default (names default to "")                 */
    double least, most;         /* what each component may be, both included         */
    const char *const *choices; /* null-terminated, for DLP_PARAM_CHOICE only        */
    const char *help;
} dlp_Param;

typedef struct dlp_ParamTable {
    const char *name; /* what the struct describes, such as "material" */
    const char *help;
    size_t size; /* of the struct, bytes */
    int count;
    const dlp_Param *params;
} dlp_ParamTable;

/* Fill the whole struct with its defaults. Structs whose first member is `size_t size` get it set. */
DLP_API void dlp_params_default(const dlp_ParamTable *table, void *def);

/* Check every member against its range; `error` (may be null) names the first bad one. */
DLP_API dlp_Result dlp_params_check(const dlp_ParamTable *table, const void *def, dlp_Error *error);

/* The parameter of that name, or null. */
DLP_API const dlp_Param *dlp_params_find(const dlp_ParamTable *table, const char *name);

#ifdef __cplusplus
}
#endif
#endif
