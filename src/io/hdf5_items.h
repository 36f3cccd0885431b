/* Materials, solids and the other lists of a world, as groups of attributes in a file: /materials/0 ... */
#ifndef DLP_IO_HDF5_ITEMS_H
#define DLP_IO_HDF5_ITEMS_H

#include "io/hdf5_tools.h"
#include "world/world_state.h"

enum { DLP_RECORDS_MOST = 16 }; /* per group */

typedef struct dlp__MaterialItem {
    dlp_MaterialDef def;
    double own[32]; /* the method's parameters of it */
} dlp__MaterialItem;

/* An element of one of the lists. */
typedef union dlp__Item {
    dlp__MaterialItem material;
    dlp__Solid solid;
    dlp__Joint joint;
    dlp_CompanionDef companion;
    dlp__Emitter emitter;
    dlp_SinkDef sink;
    dlp_ContactDef contact;
    dlp_CameraDef camera;
    dlp__Probe probe;
} dlp__Item;

/* One of the lists: how to read its elements from a world, how to add them to one, and what is stored of each. */
typedef struct dlp__ItemList {
    const char *name;
    int (*count)(const dlp_World *world);
    void (*get)(const dlp_World *world, int index, dlp__Item *item);
    dlp_Result (*add)(dlp_World *world, const dlp__Item *item); /* null for a list that is only used in frames */
    /* Returns the count. `world` is null for elements read from a frame. */
    int (*records)(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST]);
} dlp__ItemList;

/* One group of attributes. */
dlp_Result dlp__hdf5_write_group(hid_t parent, const char *name, const dlp__Record *records, int count,
                                 dlp_Error *error);
dlp_Result dlp__hdf5_read_group(hid_t parent, const char *name, const dlp__Record *records, int count,
                                dlp_Error *error);

/* All elements of a list. Reading calls `callback` for each, and stops at the first result other than DLP_OK. */
typedef dlp_Result (*dlp__ItemCallback)(void *context, const dlp__ItemList *list, int index, const dlp__Item *item);
dlp_Result dlp__hdf5_write_items(hid_t file, const dlp__ItemList *list, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__hdf5_read_items(hid_t file, const dlp__ItemList *list, const dlp_World *world,
                                dlp__ItemCallback callback, void *context, dlp_Error *error);

#endif
