/* Numbers with units: "2 mm", "10 Pa.s", "1.2 g/cm3", "20 degC", "9.81 m/s^2". */
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
    DLP_UNIT_DIMENSIONS
};

/* A value in this unit times `factor` / `divisor` plus `offset` is the value in SI. Keeping powers of ten whole on
 * either side makes "12.5 mm" the same double as "0.0125". */
typedef struct dlp__Unit {
    double factor, divisor, offset;
    int power[DLP_UNIT_DIMENSIONS];
} dlp__Unit;

/* Read a unit; an empty text is that of a plain number. On failure `bad` and `bad_length` (may be null) tell which part of the text is not understood. */
bool dlp__scene_parse_unit(const char *text, dlp__Unit *unit, const char **bad, size_t *bad_length);

bool dlp__scene_same_dimension(const dlp__Unit *a, const dlp__Unit *b);

typedef enum dlp__QuantityFault {
    DLP_QUANTITY_FINE,
    DLP_QUANTITY_NO_NUMBER,
    DLP_QUANTITY_NOT_FINITE,
    DLP_QUANTITY_UNKNOWN_UNIT,
    DLP_QUANTITY_OTHER_DIMENSION,
} dlp__QuantityFault;

/* Read a number that may carry a unit, into the SI unit `si`. `bad` points at the part of `text` that is at fault. */
dlp__QuantityFault dlp__scene_parse_quantity(const char *text, const char *si, double *value, const char **bad,
                                             size_t *bad_length);

/* The unit symbols, by index: those that take prefixes (k, m, ...) and those that do not; null past the last. */
const char *dlp__scene_unit_symbol(int index, bool prefixed);

/* Units in common use that fit `si`, by index; null past the last. For advice only. */
const char *dlp__scene_common_unit(const char *si, int index);

/* Numbers are read and written with a point whatever the program's locale: enter before, leave after. */
typedef struct dlp__SceneLocale {
    void *c, *old;
} dlp__SceneLocale;
dlp__SceneLocale dlp__scene_enter_locale(void);
void dlp__scene_leave_locale(dlp__SceneLocale locale);

/* A number in as few digits as give it back exactly. Returns `text`. */
char *dlp__scene_format_number(double value, char text[32]);

#endif
