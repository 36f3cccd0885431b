/* The nearest right name to a wrong one. */
#ifndef DLP_SCENE_SUGGEST_H
#define DLP_SCENE_SUGGEST_H

/* How many letters must be changed, left out, put in or swapped to turn one name into the other; case, '-' and '_'
 * count for nothing. */
int dlp__scene_distance(const char *a, const char *b);

/* The search for one wrong name: offer() every right one, then ask nearest(). */
typedef struct dlp__Suggestion {
    const char *wrong;
    const char *nearest; /* null while nothing is near enough to be meant */
    int distance;
} dlp__Suggestion;

dlp__Suggestion dlp__scene_suggest(const char *wrong);
void dlp__scene_offer(dlp__Suggestion *suggestion, const char *right);

#endif
