/* A stage: one loop over all particles of a method's step, with a description of all data it accesses. The runner
 * (stage_runner.h) packs the fields that a stage gathers from its neighbours into rows of four floats, fills the rows of ghosts, and
 * calls it. A stage sees its neighbours through these rows and the data of pairs alone; since the rows are a copy, it may
 * overwrite the same fields of its own particles in place. Halo exchange and device transfers move the data declared here and
 * nothing else; debug builds reject a stage that accesses more (stage_guard.h). */
#ifndef DLP_STAGES_STAGE_H
#define DLP_STAGES_STAGE_H

#include "neighbors/domain.h"

#define DLP_STAGE_FIELDS 40 /* fields that one stage may read, and write */

/* A row is four components of any fields: (field, component) packed into one number; 0 is a zero. */
typedef struct dlp__Row {
    uint16_t part[4];
} dlp__Row;

#define DLP_PART(field, component) (uint16_t)((field)*16 + (component))
#define DLP_PART_FIELD(part)       ((part) / 16)
#define DLP_PART_COMPONENT(part)   ((part) % 16)

/* The common rows: a scalar, a vector, and a vector with a scalar. */
/* clang-format off */
#define DLP_ROW_SCALAR(s) {{DLP_PART(s, 0), 0, 0, 0}}
#define DLP_ROW_VECTOR(v) {{DLP_PART(v, 0), DLP_PART(v, 1), DLP_PART(v, 2), 0}}
#define DLP_ROW_VECTOR_SCALAR(v, s) {{DLP_PART(v, 0), DLP_PART(v, 1), DLP_PART(v, 2), DLP_PART(s, 0)}}
/* Four components of one field from `first` on. */
#define DLP_ROW_FOUR(field, first) {{DLP_PART(field, first), DLP_PART(field, (first) + 1), DLP_PART(field, (first) + 2), \
                                     DLP_PART(field, (first) + 3)}}
/* clang-format on */

struct dlp__StageContext;

/* Work on the owned particles begin <= i < end; `begin` is a multiple of DLP_GROUP. */
typedef void (*dlp__StageFunction)(const struct dlp__StageContext *context, int64_t begin, int64_t end);

/* Data per pair of neighbours, stored by a stage for later stages with the same `short_range`: valid until a stage writes
 * them again or neighbours are searched again. */
typedef enum dlp__PairUse { DLP_PAIRS_UNUSED, DLP_PAIRS_WRITTEN, DLP_PAIRS_READ } dlp__PairUse;

typedef struct dlp__Stage {
    const char *name;
    dlp__StageFunction function;
    dlp__Row gathers[DLP_STAGE_ROWS];      /* from neighbours; the first all-zero row ends the list    */
    bool joins_rows;                       /* it has two rows, stored side by side; the position may be in the second */
    dlp__FieldId reads[DLP_STAGE_FIELDS];  /* of its own particle, besides those that it writes        */
    dlp__FieldId writes[DLP_STAGE_FIELDS]; /* of its own particle                                      */
    dlp__FieldId peeks[4];                 /* of neighbours, besides rows: only DLP_FIELD_EXCHANGED fields */
    bool short_range;                      /* its fluid neighbours are those within the short radius   */
    dlp__PairUse pair_weights;             /* one float for each entry of its fluid lists              */
    bool
        writes_long_rows; /* stores a row of DLP_LONG_ROW floats of each of its particles, the last four beginning with the position */
    bool gathers_long_rows; /* from neighbours, as stored by the last stage that wrote them */
    bool long_rows_move;    /* the component u along x in these rows (see DLP_LONG_ROW_X) is that of a velocity */
} dlp__Stage;

#endif
