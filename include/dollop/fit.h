/* Fits the laws of a material to what a rheometer measured: a flow curve, a frequency sweep, or both.
 *
 *     dlp_FitData *data;
 *     dlp_fit_data_create(&data, &error);
 *     dlp_fit_data_read(data, "paint.csv", text, length, &error);
 *     dlp_Fit *fit;
 *     dlp_fit_create(data, NULL, &fit, &error);
 *     dlp_world_add_material(world, &dlp_fit_get(fit, 0)->material, &id);
 *
 * Residuals are logarithms of ratios (relative errors). Parameters come with 95 % confidence intervals; a parameter that the data do not
 * determine is marked. Laws are compared by Bayes' information criterion (BIC): see docs/fit.md. Results do not depend on threads or on
 * the order of calls. Needs cminpack; without it dlp_fit_create() returns DLP_ERROR_UNSUPPORTED. */
#ifndef DOLLOP_FIT_H
#define DOLLOP_FIT_H

#include <dollop/defs.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DLP_FIT_POINTS_MOST 5000 /* of a flow curve, and of a frequency sweep */

/* A point of a frequency sweep at small strain. */
typedef struct dlp_ModuliPoint {
    double frequency;     /* rad/s */
    double storage, loss; /* Pa: G', G'' */
} dlp_ModuliPoint;

/* Measured points of one material. */
typedef struct dlp_FitData dlp_FitData;

DLP_API dlp_Result dlp_fit_data_create(dlp_FitData **data, dlp_Error *error);
DLP_API void dlp_fit_data_destroy(dlp_FitData *data); /* null is allowed */

/* Add the points of a table in text form: CSV with commas, semicolons or tabs, with columns named by quantity and unit, as rheometers
 * export them. `name` is that of the file, for messages. Nothing is added on failure. */
DLP_API dlp_Result dlp_fit_data_read(dlp_FitData *data, const char *name, const char *text, size_t length,
                                     dlp_Error *error);
/* Add points; every value must be above 0. */
DLP_API dlp_Result dlp_fit_data_add_flow(dlp_FitData *data, const dlp_FlowPoint *points, int count, dlp_Error *error);
DLP_API dlp_Result dlp_fit_data_add_moduli(dlp_FitData *data, const dlp_ModuliPoint *points, int count,
                                           dlp_Error *error);

/* The points so far, in the order in which they were added. */
DLP_API int dlp_fit_data_flow_count(const dlp_FitData *data);
DLP_API const dlp_FlowPoint *dlp_fit_data_flow(const dlp_FitData *data);
DLP_API int dlp_fit_data_moduli_count(const dlp_FitData *data);
DLP_API const dlp_ModuliPoint *dlp_fit_data_moduli(const dlp_FitData *data);
/* How tables were read: columns without a unit, columns and rows that were left out. One note per line, "" if there are none. */
DLP_API const char *dlp_fit_data_notes(const dlp_FitData *data);

typedef enum dlp_FitLaw {
    DLP_FIT_AUTO, /* the best of all that apply: flow laws to a flow curve, modes to a sweep or to both */
    DLP_FIT_NEWTONIAN,
    DLP_FIT_POWER_LAW,
    DLP_FIT_CARREAU, /* Carreau and Carreau-Yasuda */
    DLP_FIT_CROSS,
    DLP_FIT_CASSON,
    DLP_FIT_BINGHAM,
    DLP_FIT_HERSCHEL_BULKLEY,
    DLP_FIT_MAXWELL, /* one mode */
    DLP_FIT_MODES,   /* two modes or more */
} dlp_FitLaw;
#define DLP_FIT_LAW_COUNT 10
DLP_API const char *dlp_fit_law_name(dlp_FitLaw law); /* "power_law"; null if there is no such law */

typedef struct dlp_FitOptions {
    size_t size;
    int32_t law;    /* dlp_FitLaw */
    int32_t modes;  /* number of modes; 0: chosen by the criterion */
    double density; /* kg/m3, of the resulting material */
} dlp_FitOptions;
DLP_API dlp_FitOptions dlp_default_fit_options(void);

typedef struct dlp_FitParameter {
    char name[32];    /* of the material, "modes[0].modulus" for the rows of a list */
    const char *unit; /* SI */
    double value;
    double low, high; /* 95 % confidence interval; a yield stress that may be 0 has low = 0 */
    bool
        is_determined; /* false: the data allow values that differ by more than a factor of 100; low is 0 and high infinite then (1 for
                         * a flow_index that is a fraction) */
} dlp_FitParameter;
#define DLP_FIT_PARAMETERS_MOST (2 * DLP_MODES_MOST + 1)

/* One law with its best parameters. */
typedef struct dlp_FitResult {
    int32_t law;         /* dlp_FitLaw */
    int32_t modes;       /* 0 for flow laws */
    int32_t value_count; /* measured values compared with */
    int32_t parameter_count;
    dlp_FitParameter parameters[DLP_FIT_PARAMETERS_MOST];
    bool is_determined;       /* every parameter is */
    double relative_error;    /* standard deviation of the ratio of law and measurement: 0.05 for 5 % */
    double largest_error;     /* the largest |ln(law / measured)| */
    double criterion;         /* BIC; lower is better, a difference of 10 is decisive */
    dlp_MaterialDef material; /* ready for a world, without a name */
} dlp_FitResult;

typedef struct dlp_Fit dlp_Fit;

/* Fit to the data. `options` may be null: those of dlp_default_fit_options(). */
DLP_API dlp_Result dlp_fit_create(const dlp_FitData *data, const dlp_FitOptions *options, dlp_Fit **fit,
                                  dlp_Error *error);
DLP_API void dlp_fit_destroy(dlp_Fit *fit); /* null is allowed */
/* The laws that could be fitted, best first, the others in the order of the criterion: one result per law and number of modes. The best is
 * the simplest within 2 of the lowest criterion. Laws with a parameter that the data do not determine come after all others. */
DLP_API int dlp_fit_count(const dlp_Fit *fit);
DLP_API const dlp_FitResult *dlp_fit_get(const dlp_Fit *fit, int index); /* null: no such index */

#ifdef __cplusplus
}
#endif
#endif
