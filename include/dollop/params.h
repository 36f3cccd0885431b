/* Parameter tables: one table per 'def' struct describes each member by name, type, unit, default, range and a line of help.
 * Defaults, checks, scene files, `dollop help`, the JSON Schema, checkpoints and bindings all use these tables, so a new
 * parameter is added in one place. */
#ifndef DOLLOP_PARAMS_H
#define DOLLOP_PARAMS_H

#include <dollop/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLP_NAME_SIZE 64 /* bytes of a name member, including the terminating zero */

typedef enum dlp_ParamType {
    DLP_PARAM_REAL,     /* double                                                  */
    DLP_PARAM_INT,      /* int64_t                                                 */
    DLP_PARAM_BOOL,     /* bool                                                    */
    DLP_PARAM_VEC3,     /* dlp_Vec3                                                */
    DLP_PARAM_CHOICE,   /* int32_t, an index into `choices`                        */
    DLP_PARAM_NAME,     /* char[DLP_NAME_SIZE]                                     */
    DLP_PARAM_MATERIAL, /* int32_t, id of a material; by name in a scene           */
    DLP_PARAM_MESH,     /* int32_t, id of a mesh or -1; by name in a scene         */
    DLP_PARAM_SOLID,    /* int32_t, id of a solid or -1; by name in a scene        */
} dlp_ParamType;

typedef struct dlp_Param {
    const char *name;
    dlp_ParamType type;
    size_t offset;              /* of the member in its struct, bytes               */
    const char *unit;           /* SI, such as "Pa.s"; "" if dimensionless           */
    double value[3];            /* the default (names default to "")                 */
    double least, most;         /* inclusive range of each component                */
    const char *const *choices; /* null-terminated, for DLP_PARAM_CHOICE only        */
    const char *help;
} dlp_Param;

typedef struct dlp_ParamTable {
    const char *name; /* of the described object, such as "material" */
    const char *help;
    size_t size; /* of the struct, bytes */
    int count;
    const dlp_Param *params;
} dlp_ParamTable;

/* Fill the struct with its defaults, including the member `size_t size` if it is the first. */
DLP_API void dlp_params_default(const dlp_ParamTable *table, void *def);

/* Check every member against its range; `error` (may be null) names the first that is out of range. */
DLP_API dlp_Result dlp_params_check(const dlp_ParamTable *table, const void *def, dlp_Error *error);

/* The parameter of that name, or null. */
DLP_API const dlp_Param *dlp_params_find(const dlp_ParamTable *table, const char *name);

/* The present name of a parameter that had this name in older files, which scenes and checkpoints may still use; null if none had. */
DLP_API const char *dlp_params_renamed(const dlp_ParamTable *table, const char *name);
/* The other way round: the older name of a parameter, or null. */
DLP_API const char *dlp_params_former(const dlp_ParamTable *table, const char *name);

#ifdef __cplusplus
}
#endif
#endif
