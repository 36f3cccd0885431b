/* Suggests the valid name that is most similar to a misspelled one. */
#ifndef DLP_SCENE_SUGGEST_H
#define DLP_SCENE_SUGGEST_H

/* The number of letters that must be changed, removed, inserted or swapped to turn one name into the other. Case is ignored; '-',
 * ' ' and '_' are the same. */
int dlp__scene_distance(const char *a, const char *b);

/* Search for one misspelled name: call dlp__scene_offer() with every valid name, then read `nearest`. */
typedef struct dlp__Suggestion {
    const char *wrong;
    const char *nearest; /* null if no name is similar enough */
    int distance;
} dlp__Suggestion;

dlp__Suggestion dlp__scene_suggest(const char *wrong);
void dlp__scene_offer(dlp__Suggestion *suggestion, const char *right);

#endif
