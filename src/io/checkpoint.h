/* The layout of a checkpoint, shared by the code that writes it and the code that reads it.
 *
 *     /                 attributes: the summary (file_summary.h)
 *     /state            attributes: counters of the running world
 *     /world /method    attributes: their parameters
 *     /materials/0 ...  attributes: one group per material, with the method's parameters of it; likewise /solids, ...
 *     /solids/0/keys    the path of a solid; likewise of emitters, and their /emitters/0/flow (hdf5_keys.h)
 *     /meshes/0 ...     attributes, vertices and triangles (hdf5_meshes.h)
 *     /bonds            pairs of bonded particles (hdf5_bonds.h)
 *     /particles/NAME   one dataset per saved field */
#ifndef DLP_IO_CHECKPOINT_H
#define DLP_IO_CHECKPOINT_H

#include "io/hdf5_items.h"

typedef struct dlp__SavedState {
    size_t size;
    int64_t next_id;
    int64_t removed;
    int64_t iterations;
    double dt_last, dt_most, dt_next; /* s */
    double flow_speed;                /* m/s */
    double flow_acceleration;         /* m/s2 */
    double shear_rate, shear_strain;  /* 1/s and 1, of a sheared box */
} dlp__SavedState;

extern const dlp_ParamTable dlp__saved_state_table;

/* In the order of loading: emitters refer to materials, joints and contacts to solids. */
enum {
    DLP_ITEMS_MATERIALS,
    DLP_ITEMS_SOLIDS,
    DLP_ITEMS_JOINTS,
    DLP_ITEMS_COMPANIONS,
    DLP_ITEMS_EMITTERS,
    DLP_ITEMS_SINKS,
    DLP_ITEMS_CONTACTS,
    DLP_ITEMS_CAMERAS,
    DLP_ITEMS_PROBES,
    DLP_ITEM_LISTS
};
extern const dlp__ItemList dlp__item_lists[DLP_ITEM_LISTS];

#endif
