/* What a liquid is drawn out to: drops, filaments and sheets, told by how many dimensions the neighbourhood of a particle has. */
#ifndef STUDIES_CLAVET_FOUNTAIN_LIQUID_FORMS_H
#define STUDIES_CLAVET_FOUNTAIN_LIQUID_FORMS_H

#include "studies/study_world.h"

typedef enum LiquidForm { FORM_BULK, FORM_SHEET, FORM_FILAMENT, FORM_DROP, LIQUID_FORMS } LiquidForm;

typedef struct LiquidCount {
    int64_t particles[LIQUID_FORMS];
    int64_t pieces; /* that hang together            */
    int64_t drops;  /* of the pieces: small and round */
    int64_t points; /* pieces of one particle        */
} LiquidCount;

/* Counts of what is in a place that counts, and the form of each particle in the order of ids; elsewhere it is bulk. */
LiquidCount liquid_forms(StudyRun *run, const StudyParticles *particles, double spacing,
                         bool (*counts)(const float place[3]), uint8_t *form);

#endif
