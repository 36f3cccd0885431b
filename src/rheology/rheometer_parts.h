/* What the tests of the virtual rheometer share: a measurement that grows point by point. */
#ifndef DLP_RHEOLOGY_RHEOMETER_PARTS_H
#define DLP_RHEOLOGY_RHEOMETER_PARTS_H

#include <dollop/rheometer.h>

struct dlp_Measurement {
    dlp_RheometerDef def; /* complete */
    dlp_MaterialDef material;
    int64_t particles;
    int count;
    dlp_MeasuredPoint points[DLP_RHEOMETER_POINTS_MOST];
};

/* Times that tell how long a test takes. */
typedef struct dlp__MaterialTimes {
    double longest;  /* s, after which elastic stress and structure have forgotten what was before; 0: at once */
    double shortest; /* s, of the elastic modes; 0: none */
} dlp__MaterialTimes;
dlp__MaterialTimes dlp__material_times(const dlp_MaterialDef *m);

/* Pa, the sum over all elastic parts; that of a paste without a modulus is numerical, see rheology.h. */
double dlp__instantaneous_modulus(const dlp_MaterialDef *m);
/* Pa, stickiness of walls that hold the sample in any flow up to this rate (1/s): there is no gravity to press it against them. */
double dlp__wall_hold(const dlp_MaterialDef *material, double rate);
/* s, the longest step in which waves of elastic stress are resolved well enough. */
double dlp__longest_step(const dlp_Measurement *measurement);

/* The time of this index of `points`, evenly from the first to the last. */
double dlp__rheometer_time(const dlp_RheometerDef *def, int index);

/* The part of the largest value at this index of `points`, from the first to the last value on a logarithmic scale. */
double dlp__rheometer_position(const dlp_RheometerDef *def, int index);

/* A point without values, all NaN, and quantities of shear that a test has. */
dlp_MeasuredPoint dlp__empty_point(void);
dlp_Rheology dlp__shear_rheology(double stress, double normal_stress, double strain);

/* m, a spacing at which the square of rate times spacing is this part of shear stress over density, at most. */
double dlp__suitable_spacing(const dlp_RheometerDef *def, const dlp_MaterialDef *material, double rate,
                             double reynolds);
/* Complete what depends on the shape of the sample. */
dlp_Result dlp__complete_squeeze(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error);
dlp_Result dlp__complete_cup(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error);
/* Choose spacing and times of a test of thinning, and refuse materials without a law for it. */
dlp_Result dlp__complete_thinning(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error);
static inline double dlp__or_else(double value, double other)
{
    return value > 0.0 ? value : other;
}

/* Report progress. */
void dlp__rheometer_report(const dlp_Measurement *measurement, double fraction);

/* Write a text to `error` (may be null) and return `code`. */
dlp_Result dlp__rheometer_fail(dlp_Error *error, dlp_Result code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Each fills the points of a complete measurement. */
dlp_Result dlp__measure_flow(dlp_Measurement *measurement, dlp_Error *error);
dlp_Result dlp__measure_oscillation(dlp_Measurement *measurement, dlp_Error *error); /* of either sweep */
dlp_Result dlp__measure_creep(dlp_Measurement *measurement, dlp_Error *error);
dlp_Result dlp__measure_shear_history(dlp_Measurement *measurement, dlp_Error *error); /* start-up, relaxation */
dlp_Result dlp__measure_thinning(dlp_Measurement *measurement, dlp_Error *error);
dlp_Result dlp__measure_squeeze(dlp_Measurement *measurement, dlp_Error *error);
dlp_Result dlp__measure_cup(dlp_Measurement *measurement, dlp_Error *error); /* bob or vane */

#endif
