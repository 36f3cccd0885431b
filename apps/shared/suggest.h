/* 'Did you mean': the name that a mistyped word is nearest to. */
#ifndef DOLLOP_SUGGEST_H
#define DOLLOP_SUGGEST_H

typedef struct Suggestion {
    const char *word; /* what was typed                       */
    const char *best; /* the nearest name so far, or null     */
    int distance;     /* edits between the two                */
} Suggestion;

Suggestion suggest_begin(const char *word);
void suggest_consider(Suggestion *suggestion, const char *name);
/* The nearest name if it is near enough to be what was meant, else null. */
const char *suggest_end(const Suggestion *suggestion);

#endif
