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
    DLP_PARAM_FLAGS,    /* int32_t, bit n is set if choices[n] is given; a list of names in a scene */
    DLP_PARAM_ROWS,     /* int64_t count, then rows of doubles as `rows` describes; a list of lists in a scene */
} dlp_ParamType;

/* Groups of parameters. Each method declares which of the first groups it uses. */
typedef enum dlp_ParamUse {
    DLP_USE_ALWAYS = 0,        /* by every method */
    DLP_USE_RHEOLOGY = 1,      /* viscosity, elasticity and their dependence on temperature */
    DLP_USE_SOLVENT = 2,       /* viscosity in addition to the elastic part */
    DLP_USE_EXTENSIBILITY = 4, /* limit of elastic stretch */
    DLP_USE_KERNEL = 8,        /* choice of the smoothing kernel */
    DLP_USE_RELAXATION = 16,   /* relaxation of elastic stress */
    DLP_USE_TENSION = 32,      /* surface tension and contact angle */
    DLP_USE_STRENGTH = 64,     /* limit of tensile stress */
    DLP_USE_LAWS = 128,        /* laws of flow and elasticity beyond one Maxwell element with a solvent */
    /* No method uses these: they have no effect on the simulation. */
    DLP_USE_OUTPUT = 256, /* pictures and files */
    DLP_USE_SPEED = 512,  /* run time; results are bit-identical */
    DLP_USE_LABEL = 1024, /* names by which other items refer to this one */
} dlp_ParamUse;

/* The rows of a DLP_PARAM_ROWS: lists of numbers, strictly increasing in the first. */
typedef struct dlp_ParamRows {
    int most; /* rows */
    int columns;
    const char *const *names;         /* of the columns */
    const char *const *units;         /* SI, of the columns */
    const double *least, *most_value; /* inclusive range of each column */
    const char *example;              /* of one row in a scene, such as "[0.1 s, 500 Pa]" */
} dlp_ParamRows;

typedef struct dlp_Param {
    const char *name;
    dlp_ParamType type;
    size_t offset;              /* of the member in its struct, bytes               */
    const char *unit;           /* SI, such as "Pa.s"; "" if dimensionless           */
    double value[3];            /* the default (names default to "")                 */
    double least, most;         /* inclusive range of each component                */
    const char *const *choices; /* null-terminated: of a choice or flags; of DLP_PARAM_REAL one word for 0, or null */
    const char *help;
    int use; /* dlp_ParamUse */
    /* Condition under which the parameter has an effect, or null. Clauses separated by ", " must all hold:
     *     shape=sphere|capsule     the choice parameter `shape` has one of these values
     *     amplitude                that parameter is given or differs from its default
     *     modulus|relaxation_time  at least one of them is
     *     !density                 it is not
     * A name is that of a parameter of the same item or of a list of it, such as `keys`; `keys.position` is a parameter of the
     * first key, `material.density` one of the material that the item names, and `materials.density` one of any material in
     * use. */
    const char *when;
    const dlp_ParamRows *rows; /* of a DLP_PARAM_ROWS */
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

/* The word that a scene may write instead of the number 0 of a DLP_PARAM_REAL, such as "auto", whatever its range; null if none. */
DLP_API const char *dlp_param_zero_word(const dlp_Param *param);

/* Whether a member has its default value. */
DLP_API bool dlp_params_is_default(const dlp_Param *param, const void *def);

/* The numbers of a DLP_PARAM_ROWS in `def`, row after row, and the number of rows; null and 0 for parameters of other types. */
DLP_API const double *dlp_params_rows(const dlp_Param *param, const void *def, int64_t *count);

/* "output only", "speed only" or "label only" for a parameter that no simulation depends on; null for others. */
DLP_API const char *dlp_params_inert(const dlp_Param *param);

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
