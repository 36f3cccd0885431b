/* A stable sort of indices by 64-bit keys, in linear time. */
#ifndef DLP_GEOMETRY_KEY_SORT_H
#define DLP_GEOMETRY_KEY_SORT_H

#include <stdint.h>

typedef struct dlp__KeyedIndex {
    uint64_t key;
    uint32_t item;
} dlp__KeyedIndex;

/* Sort by key; equal keys keep their order. `scratch` has space for as many items; its content is undefined
 * afterwards. */
void dlp__radix_sort(dlp__KeyedIndex *items, dlp__KeyedIndex *scratch, int64_t count);

#endif
