/* How a checkpoint is laid out; shared by the file that writes it and the one that reads it.
 *
 *     /                 attributes: the summary (file_summary.h)
 *     /state            attributes: what else a running world counts
 *     /world /method    attributes: their parameters
 *     /materials/0 ...  attributes: one group per material; likewise /solids, /emitters, /sinks
 *     /particles/NAME   one dataset per saved field */
#ifndef DLP_IO_CHECKPOINT_H
#define DLP_IO_CHECKPOINT_H

#include "io/hdf5_tools.h"
#include "world/world_state.h"

typedef struct dlp__SavedState {
    size_t size;
    int64_t next_id;
    int64_t removed;
    int64_t iterations;
    double dt_last; /* s */
} dlp__SavedState;

extern const dlp_ParamTable dlp__saved_state_table;

/* One thing of a world that may hold several of it. */
typedef union dlp__Item {
    dlp_MaterialDef material;
    dlp__Solid solid;
    dlp__Emitter emitter;
    dlp_SinkDef sink;
} dlp__Item;

/* A kind of such things: how to take them out of a world, how to put them in, and what is stored of each. */
typedef struct dlp__ItemList {
    const char *name;
    int (*count)(const dlp_World *world);
    void (*get)(const dlp_World *world, int index, dlp__Item *item);
    dlp_Result (*add)(dlp_World *world, const dlp__Item *item);
    int (*records)(dlp__Item *item, dlp__Record records[2]); /* returns how many */
} dlp__ItemList;

#define DLP_ITEM_LISTS 4
extern const dlp__ItemList dlp__item_lists[DLP_ITEM_LISTS]; /* materials first, for emitters name them */

#endif
