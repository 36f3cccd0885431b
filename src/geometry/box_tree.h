/* A tree of axis-aligned boxes, to find which of many items may be near a place. It yields items in the order of their numbers, so that
 * a loop over all items can be replaced by a loop over those that the tree finds, with the same result. */
#ifndef DLP_GEOMETRY_BOX_TREE_H
#define DLP_GEOMETRY_BOX_TREE_H

#include "base/memory.h"

typedef struct dlp__Box {
    double lower[3], upper[3]; /* m; may be infinite */
} dlp__Box;

typedef struct dlp__BoxTree {
    dlp__Buffer node_buffer, sort_buffer;
    int count;  /* items; 0: not built */
    int leaves; /* a power of two */
} dlp__BoxTree;

/* A box from its centre and its half extents (m), enlarged by more than rounding errors of either. */
dlp__Box dlp__box_around(dlp_Vec3 center, dlp_Vec3 half);

/* Build the tree of these boxes, whose numbers are their indices. False without memory: the tree is empty then. */
bool dlp__box_tree_build(dlp__BoxTree *tree, dlp__Memory *memory, const dlp__Box *boxes, int count);
void dlp__box_tree_release(dlp__BoxTree *tree, dlp__Memory *memory);

/* The lowest number greater than `after` (-1: the first) of a box that overlaps `place`; the number of boxes if there is none. */
int dlp__box_tree_next(const dlp__BoxTree *tree, const dlp__Box *place, int after);

/* The numbers of all boxes that overlap `place`, in increasing order, if there are at most `most`. Returns how many, or `most` + 1. */
int dlp__box_tree_find(const dlp__BoxTree *tree, const dlp__Box *place, int32_t *numbers, int most);

#endif
