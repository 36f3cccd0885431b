/* A stage: one loop over all particles of a method's step, with a description of what it touches. The runner
 * (stages/stage_runner.h) packs what a stage gathers from its neighbours into rows of four floats, fills the rows of
 * ghosts, and calls it. A stage sees its neighbours through these rows alone, so it cannot reach past what it declared;
 * and since the rows are a copy, it may overwrite the same fields of its own particles in place. */
#ifndef DLP_STAGES_STAGE_H
#define DLP_STAGES_STAGE_H

#include "neighbors/domain.h"

/* A row is four components of any fields: (field, component) packed into one number; 0 is a zero. */
typedef struct dlp__Row {
    uint16_t part[4];
} dlp__Row;

#define DLP_PART(field, component) (uint16_t)(DLP_FIELD_##field * 16 + (component))
#define DLP_PART_FIELD(part)       ((part) / 16)
#define DLP_PART_COMPONENT(part)   ((part) % 16)

/* The common rows: a vector, and a vector with a scalar. */
/* clang-format off */
#define DLP_ROW_VECTOR(v) {{DLP_PART(v, 0), DLP_PART(v, 1), DLP_PART(v, 2), 0}}
#define DLP_ROW_VECTOR_SCALAR(v, s) {{DLP_PART(v, 0), DLP_PART(v, 1), DLP_PART(v, 2), DLP_PART(s, 0)}}
/* clang-format on */

struct dlp__StageContext;

/* Work on the owned particles begin <= i < end; `begin` is a multiple of DLP_GROUP. */
typedef void (*dlp__StageFunction)(const struct dlp__StageContext *context, int64_t begin, int64_t end);

/* Whether a stage leaves a vector and a weight for each of its pairs to the stages after it, or takes those that one has
 * left. They last until another stage leaves its own, or neighbours are found anew. */
typedef enum dlp__PairUse { DLP_PAIRS_NONE, DLP_PAIRS_LEFT, DLP_PAIRS_TAKEN } dlp__PairUse;

typedef struct dlp__Stage {
    const char *name;
    dlp__StageFunction function;
    dlp__Row gathers[DLP_STAGE_ROWS]; /* from neighbours; the first all-zero row ends the list */
    uint64_t writes;                  /* bits of the fields of its own particle that it changes */
    dlp__PairUse pairs;
} dlp__Stage;

#endif
