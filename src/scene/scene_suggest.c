/* Edit distance with swaps of neighbouring letters (optimal string alignment), on three rows of the table. */
#include "scene/scene_suggest.h"

#include <stdbool.h>
#include <string.h>

enum { LETTERS = 64 }; /* longer names are compared by their beginnings */

static int plain(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == '-' || c == ' ' ? '_' : (unsigned char)c;
}

static int least(int a, int b)
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
            int change = plain(a[i - 1]) != plain(b[j - 1]);
            now[j] = least(before[j - 1] + change, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1])) {
                now[j] = least(now[j], two_before[j - 2] + 1);
            }
        }
    }
    return table[rows % 3][columns];
}

dlp__Suggestion dlp__scene_suggest(const char *wrong)
{
    /* A third of the letters, and one, may be wrong: more is a different word. */
    return (dlp__Suggestion){wrong, NULL, (int)strnlen(wrong, LETTERS) / 3 + 2};
}

void dlp__scene_offer(dlp__Suggestion *suggestion, const char *right)
{
    size_t length = strnlen(right, LETTERS);
    size_t written = strnlen(suggestion->wrong, LETTERS);
    bool shortened = written >= 3 && written < length && strncmp(suggestion->wrong, right, written) == 0;
    int distance = shortened ? 1 : dlp__scene_distance(suggestion->wrong, right);
    if (distance < suggestion->distance && (size_t)distance < length) {
        suggestion->nearest = right;
        suggestion->distance = distance;
    }
}
