/* A stable sort of numbered things by 64-bit keys, in time that grows with their count only. */
#ifndef DLP_GEOMETRY_KEY_SORT_H
#define DLP_GEOMETRY_KEY_SORT_H

#include <stdint.h>

typedef struct dlp__Keyed {
    uint64_t key;
    uint32_t item;
} dlp__Keyed;

/* Sort by key; equal keys keep their order. `spare` has room for as many and is left with anything in it. */
void dlp__key_sort(dlp__Keyed *items, dlp__Keyed *spare, int64_t count);

#endif
