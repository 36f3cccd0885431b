/* Materials, solids and other things that a world holds several of, as groups of attributes in a file: /materials/0 ... */
#ifndef DLP_IO_ITEM_GROUPS_H
#define DLP_IO_ITEM_GROUPS_H

#include "io/hdf5_tools.h"
#include "world/world_state.h"

/* One thing of a world that may hold several of it. */
typedef union dlp__Item {
    dlp_MaterialDef material;
    dlp__Solid solid;
    dlp__Joint joint;
    dlp_CompanionDef companion;
    dlp__Emitter emitter;
    dlp_SinkDef sink;
    dlp_ContactDef contact;
    dlp_CameraDef camera;
} dlp__Item;

/* A kind of such things: how to take them out of a world, how to put them in, and what is stored of each. */
typedef struct dlp__ItemList {
    const char *name;
    int (*count)(const dlp_World *world);
    void (*get)(const dlp_World *world, int index, dlp__Item *item);
    dlp_Result (*add)(dlp_World *world, const dlp__Item *item); /* null in a list that only frames use */
    int (*records)(dlp__Item *item, dlp__Record records[2]);    /* returns how many */
} dlp__ItemList;

/* One group of attributes. */
dlp_Result dlp__group_write(hid_t parent, const char *name, const dlp__Record *records, int count, dlp_Error *error);
dlp_Result dlp__group_read(hid_t parent, const char *name, const dlp__Record *records, int count, dlp_Error *error);

/* All things of a kind. What is read goes to `take` one by one; what that returns ends the reading unless it is DLP_OK. */
typedef dlp_Result (*dlp__TakeItem)(void *context, const dlp__ItemList *list, int index, const dlp__Item *item);
dlp_Result dlp__items_write(hid_t file, const dlp__ItemList *list, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__items_read(hid_t file, const dlp__ItemList *list, dlp__TakeItem take, void *context, dlp_Error *error);

#endif
