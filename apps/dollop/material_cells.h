/* The values of a built-in material as short texts: cells of tables. */
#ifndef DOLLOP_MATERIAL_CELLS_H
#define DOLLOP_MATERIAL_CELLS_H

#include <dollop/material_library.h>

typedef struct Cell {
    char text[DLP_NAME_SIZE];
} Cell;

/* "19 Pa.s", "5 kPa", "84 mPa.s"; "-" for 0. */
Cell cell_quantity(double value, const char *unit);
Cell cell_celsius(double kelvin);

/* The material at its own temperature, without thermal properties. */
dlp_MaterialDef material_at_own_temperature(const dlp_LibraryMaterial *material);

/* The Maxwell fluid that a material is at its own temperature; with a law, the one of the same stress at the equivalent rate. */
typedef struct CellRheology {
    double viscosity, modulus, time; /* Pa.s, Pa, s; 0: none; an elastic solid has no viscosity and no time */
} CellRheology;
CellRheology material_cell_rheology(const dlp_LibraryMaterial *material);

/* "newtonian", "herschel_bulkley", "maxwell", "maxwell, 4 modes", "elastic". */
Cell cell_law(const dlp_MaterialDef *m);
/* The numbers of its flow at its own temperature: "19 Pa.s", "32 Pa + 18.7 Pa.s^0.27". */
Cell cell_flow(const dlp_LibraryMaterial *material, const dlp_MaterialDef *m);

#endif
