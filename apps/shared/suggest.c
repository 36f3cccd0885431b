/* Edit distance (insertion, deletion, replacement, swap of adjacent letters) between short names. */
#include "suggest.h"

#include <limits.h>
#include <string.h>

enum { LENGTH_MAX = 63 }; /* longer names are not compared */

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance, with three rows of the table. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LENGTH_MAX + 1];
    const int length_a = (int)strlen(a), length_b = (int)strlen(b);
    if (length_a > LENGTH_MAX || length_b > LENGTH_MAX) {
        return INT_MAX;
    }
    for (int j = 0; j <= length_b; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= length_a; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= length_b; j++) {
            row[j] = minimum(above[j - 1] + (a[i - 1] != b[j - 1]), minimum(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = minimum(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return rows[length_a % 3][length_b];
}

Suggestion suggest_begin(const char *word)
{
    return (Suggestion){.word = word, .best = NULL, .distance = INT_MAX};
}

void suggest_consider(Suggestion *suggestion, const char *name)
{
    int distance = edit_distance(suggestion->word, name);
    const size_t typed = strlen(suggestion->word);
    if (typed >= 2 && strncmp(suggestion->word, name, typed) == 0) {
        distance = 1; /* a prefix counts like one wrong letter */
    }
    if (distance < suggestion->distance) {
        suggestion->distance = distance;
        suggestion->best = name;
    }
}

const char *suggest_end(const Suggestion *suggestion)
{
    const int distance_max = 1 + (int)strlen(suggestion->word) / 4;
    return suggestion->distance <= distance_max ? suggestion->best : NULL;
}
