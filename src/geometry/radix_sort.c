/* Least significant digit radix sort with eight passes of eight bits; passes with a single digit are skipped. */
#include "geometry/radix_sort.h"

#include <string.h>

enum { DIGITS = 8, VALUES = 256 }; /* a key has eight digits of eight bits */

static int digit(uint64_t key, int position)
{
    return (int)(key >> (8 * position) & (VALUES - 1));
}

/* One pass of a radix sort, from the lowest digit to the highest. */
static void scatter(const dlp__KeyedIndex *from, dlp__KeyedIndex *to, int64_t count, int position,
                    const int64_t *counts)
{
    int64_t next[VALUES], sum = 0;
    for (int v = 0; v < VALUES; v++) {
        next[v] = sum;
        sum += counts[v];
    }
    for (int64_t n = 0; n < count; n++) {
        to[next[digit(from[n].key, position)]++] = from[n];
    }
}

void dlp__radix_sort(dlp__KeyedIndex *items, dlp__KeyedIndex *scratch, int64_t count)
{
    if (count < 2) {
        return;
    }
    int64_t counts[DIGITS][VALUES] = {{0}};
    for (int64_t n = 0; n < count; n++) {
        for (int position = 0; position < DIGITS; position++) {
            counts[position][digit(items[n].key, position)]++;
        }
    }
    dlp__KeyedIndex *from = items, *to = scratch;
    for (int position = 0; position < DIGITS; position++) {
        if (counts[position][digit(from[0].key, position)] == count) { /* all keys share this digit */
            continue;
        }
        scatter(from, to, count, position, counts[position]);
        dlp__KeyedIndex *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) {
        memcpy(items, from, (size_t)count * sizeof *items);
    }
}
