/* 'Did you mean': the name that is most similar to a misspelled word. */
#ifndef DOLLOP_SUGGEST_H
#define DOLLOP_SUGGEST_H

typedef struct Suggestion {
    const char *word; /* the misspelled word                  */
    const char *best; /* the most similar name, or null       */
    int distance;     /* edits between the two                */
} Suggestion;

Suggestion suggest_begin(const char *word);
void suggest_consider(Suggestion *suggestion, const char *name);
/* The most similar name if it is similar enough, else null. */
const char *suggest_end(const Suggestion *suggestion);

#endif
