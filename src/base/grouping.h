/* Items listed by the group that they belong to, such as reactions by body, so that a sum over one group does not visit all items. */
#ifndef DLP_BASE_GROUPING_H
#define DLP_BASE_GROUPING_H

#include "base/memory.h"

typedef struct dlp__Grouping {
    dlp__Buffer start_buffer, item_buffer;
    int64_t *start; /* for each group its first entry in `item`, and the end of the last */
    int64_t *item;  /* in increasing order within a group */
} dlp__Grouping;

/* The group of an item, from 0; -1: none. */
typedef int (*dlp__GroupFunction)(const void *context, int64_t item);

/* Counting sort of 0 <= item < count; `group_of` must return the same again. False without memory. */
bool dlp__grouping_make(dlp__Grouping *grouping, dlp__Memory *memory, int groups, int64_t count,
                        dlp__GroupFunction group_of, const void *context);
void dlp__grouping_release(dlp__Grouping *grouping, dlp__Memory *memory);

#endif
