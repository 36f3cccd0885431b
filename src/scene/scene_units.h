/* Numbers with units: "2 mm", "10 Pa.s", "1.2 g/cm3", "20 degC", "9.81 m/s^2", "5 Pa.s^n". */
#ifndef DLP_SCENE_UNITS_H
#define DLP_SCENE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    DLP_UNIT_METRE,
    DLP_UNIT_KILOGRAM,
    DLP_UNIT_SECOND,
    DLP_UNIT_KELVIN,
    DLP_UNIT_RADIAN,
    DLP_UNIT_MOLE,
    DLP_UNIT_SECOND_TO_INDEX, /* s^n of a consistency, n the flow index */
    DLP_UNIT_DIMENSIONS
};

/* SI value = value * factor / divisor + offset. Integral powers of ten in either `factor` or `divisor` make "12.5 mm" the same double
 * as "0.0125". */
typedef struct dlp__Unit {
    double factor, divisor, offset;
    int power[DLP_UNIT_DIMENSIONS];
} dlp__Unit;

/* Parse a unit; an empty text is dimensionless. On failure `bad` and `bad_length` (may be null) give the invalid part of the text. */
bool dlp__scene_parse_unit(const char *text, dlp__Unit *unit, const char **bad, size_t *bad_length);

bool dlp__scene_same_dimension(const dlp__Unit *a, const dlp__Unit *b);

typedef enum dlp__QuantityFault {
    DLP_QUANTITY_OK,
    DLP_QUANTITY_NO_NUMBER,
    DLP_QUANTITY_NOT_FINITE,
    DLP_QUANTITY_UNKNOWN_UNIT,
    DLP_QUANTITY_WRONG_DIMENSION,
} dlp__QuantityFault;

/* Parse a number with an optional unit and convert it to the SI unit `si`. `bad` points to the invalid part of `text`. */
dlp__QuantityFault dlp__scene_parse_quantity(const char *text, const char *si, double *value, const char **bad,
                                             size_t *bad_length);

/* The unit symbols by index, with or without prefixes (k, m, ...); null past the last. */
const char *dlp__scene_unit_symbol(int index, bool prefixed);

/* Common units of the same dimension as `si`, by index; null past the last. For messages only. */
const char *dlp__scene_common_unit(const char *si, int index);

/* Numbers are read and written with a decimal point, independent of the program's locale: call enter before and leave after. */
typedef struct dlp__SceneLocale {
    void *c, *old;
} dlp__SceneLocale;
dlp__SceneLocale dlp__scene_enter_locale(void);
void dlp__scene_leave_locale(dlp__SceneLocale locale);

/* Format a number with the fewest digits that preserve its value. Returns `text`. */
char *dlp__scene_format_number(double value, char text[32]);

#endif
