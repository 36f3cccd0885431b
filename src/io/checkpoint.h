/* How a checkpoint is laid out; shared by the file that writes it and the one that reads it.
 *
 *     /                 attributes: the summary (file_summary.h)
 *     /state            attributes: what else a running world counts
 *     /world /method    attributes: their parameters
 *     /materials/0 ...  attributes: one group per material; likewise /solids, /joints, /companions, /contacts, ...
 *     /solids/0/keys    the path of a solid that has one; likewise of emitters, and their /emitters/0/flow (key_groups.h)
 *     /meshes/0 ...     attributes, vertices and triangles (mesh_groups.h)
 *     /bonds            pairs of particles that remember each other (bond_groups.h)
 *     /particles/NAME   one dataset per saved field */
#ifndef DLP_IO_CHECKPOINT_H
#define DLP_IO_CHECKPOINT_H

#include "io/item_groups.h"

typedef struct dlp__SavedState {
    size_t size;
    int64_t next_id;
    int64_t removed;
    int64_t iterations;
    double dt_last; /* s */
} dlp__SavedState;

extern const dlp_ParamTable dlp__saved_state_table;

/* Materials first, for emitters name them; solids before joints and contacts. */
enum {
    DLP_ITEMS_MATERIALS,
    DLP_ITEMS_SOLIDS,
    DLP_ITEMS_JOINTS,
    DLP_ITEMS_COMPANIONS,
    DLP_ITEMS_EMITTERS,
    DLP_ITEMS_SINKS,
    DLP_ITEMS_CONTACTS,
    DLP_ITEMS_CAMERAS,
    DLP_ITEM_LISTS
};
extern const dlp__ItemList dlp__item_lists[DLP_ITEM_LISTS];

#endif
