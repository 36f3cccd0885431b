/* Classifies liquid into drops, filaments, sheets and bulk by the number of dimensions of each particle's neighbourhood. */
#ifndef STUDIES_CLAVET_FOUNTAIN_LIQUID_FORMS_H
#define STUDIES_CLAVET_FOUNTAIN_LIQUID_FORMS_H

#include "studies/study_world.h"

typedef enum LiquidForm { FORM_BULK, FORM_SHEET, FORM_FILAMENT, FORM_DROP, LIQUID_FORMS } LiquidForm;

typedef struct LiquidCount {
    int64_t particles[LIQUID_FORMS];
    int64_t pieces; /* connected components          */
    int64_t drops;  /* of the pieces: small and round */
    int64_t points; /* pieces of one particle        */
} LiquidCount;

/* Counts the particles at positions for which `counts` is true, and gives the form of each particle in the order of ids; all
 * others are bulk. */
LiquidCount liquid_forms(StudyRun *run, const StudyParticles *particles, double spacing,
                         bool (*counts)(const float place[3]), uint8_t *form);

#endif
