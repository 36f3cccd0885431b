/* Names and units of the columns of a rheometer's table. */
#ifndef DLP_RHEOLOGY_COLUMN_NAMES_H
#define DLP_RHEOLOGY_COLUMN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum dlp__Quantity {
    DLP__SHEAR_RATE,
    DLP__STRESS,
    DLP__VISCOSITY,
    DLP__ANGULAR_FREQUENCY,
    DLP__FREQUENCY,
    DLP__STORAGE,
    DLP__LOSS,
    DLP__QUANTITY_COUNT,
    DLP__OTHER = DLP__QUANTITY_COUNT, /* a column that fits do not use */
} dlp__Quantity;

/* "shear rate", and the units that are understood: "1/s or 1/min". */
const char *dlp__quantity_name(dlp__Quantity quantity);
const char *dlp__quantity_units(dlp__Quantity quantity);
/* The unit of a column that does not name one; null if it must. */
const char *dlp__quantity_default_unit(dlp__Quantity quantity);

/* The quantity of a heading such as "Shear Rate [1/s]", "Viscosity (mPa.s)", "G''" or "stress_kpa", without surrounding spaces. Its unit is
 * copied to `unit`, "" if it has none. */
dlp__Quantity dlp__heading_quantity(const char *heading, size_t length, char *unit, size_t unit_size);

/* The factor from a unit, with or without brackets, to that of dlp_FlowPoint and dlp_ModuliPoint (Hz: to rad/s); 0 if it is not one of the
 * quantity. */
double dlp__unit_factor(dlp__Quantity quantity, const char *unit, size_t length);

#endif
