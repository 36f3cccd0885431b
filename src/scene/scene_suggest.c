/* Edit distance with swaps of adjacent letters (optimal string alignment), with three rows of the table. */
#include "scene/scene_suggest.h"

#include <stdbool.h>
#include <string.h>

enum { LETTERS = 64 }; /* longer names are compared by their first letters */

static int normalize(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == '-' || c == ' ' ? '_' : (unsigned char)c;
}

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

int dlp__scene_distance(const char *a, const char *b)
{
    int rows = (int)strnlen(a, LETTERS);
    int columns = (int)strnlen(b, LETTERS);
    int table[3][LETTERS + 1];
    for (int j = 0; j <= columns; j++) {
        table[0][j] = j;
    }
    for (int i = 1; i <= rows; i++) {
        int *now = table[i % 3];
        const int *before = table[(i + 2) % 3];
        const int *two_before = table[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= columns; j++) {
            int change = normalize(a[i - 1]) != normalize(b[j - 1]);
            now[j] = minimum(before[j - 1] + change, minimum(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && normalize(a[i - 1]) == normalize(b[j - 2]) &&
                normalize(a[i - 2]) == normalize(b[j - 1])) {
                now[j] = minimum(now[j], two_before[j - 2] + 1);
            }
        }
    }
    return table[rows % 3][columns];
}

dlp__Suggestion dlp__scene_suggest(const char *wrong)
{
    /* Up to a third of the letters plus one may be wrong; beyond that it is a different word. */
    return (dlp__Suggestion){wrong, NULL, (int)strnlen(wrong, LETTERS) / 3 + 2};
}

void dlp__scene_offer(dlp__Suggestion *suggestion, const char *right)
{
    size_t length = strnlen(right, LETTERS);
    size_t written = strnlen(suggestion->wrong, LETTERS);
    bool is_prefix = written >= 3 && written < length && strncmp(suggestion->wrong, right, written) == 0;
    int distance = is_prefix ? 1 : dlp__scene_distance(suggestion->wrong, right);
    if (distance < suggestion->distance && (size_t)distance < length) {
        suggestion->nearest = right;
        suggestion->distance = distance;
    }
}
