#include "geometry/key_sort.h"

#include <string.h>

enum { DIGITS = 8, VALUES = 256 }; /* a key has eight digits of eight bits */

static int digit(uint64_t key, int place)
{
    return (int)(key >> (8 * place) & (VALUES - 1));
}

/* One pass of a radix sort, from the lowest digit to the highest. */
static void scatter(const dlp__Keyed *from, dlp__Keyed *to, int64_t count, int place, const int64_t *counts)
{
    int64_t next[VALUES], sum = 0;
    for (int v = 0; v < VALUES; v++) {
        next[v] = sum;
        sum += counts[v];
    }
    for (int64_t n = 0; n < count; n++) {
        to[next[digit(from[n].key, place)]++] = from[n];
    }
}

void dlp__key_sort(dlp__Keyed *items, dlp__Keyed *spare, int64_t count)
{
    if (count < 2) {
        return;
    }
    int64_t counts[DIGITS][VALUES] = {{0}};
    for (int64_t n = 0; n < count; n++) {
        for (int place = 0; place < DIGITS; place++) {
            counts[place][digit(items[n].key, place)]++;
        }
    }
    dlp__Keyed *from = items, *to = spare;
    for (int place = 0; place < DIGITS; place++) {
        if (counts[place][digit(from[0].key, place)] == count) { /* all alike: nothing to sort by */
            continue;
        }
        scatter(from, to, count, place, counts[place]);
        dlp__Keyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) {
        memcpy(items, from, (size_t)count * sizeof *items);
    }
}
