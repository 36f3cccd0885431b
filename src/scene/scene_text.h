/* A growing text buffer. */
#ifndef DLP_SCENE_TEXT_H
#define DLP_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Initialize to zero. When memory runs out, `failed` is set and further output is discarded. */
typedef struct dlp__SceneText {
    char *text; /* malloc'd; null while empty */
    size_t length, capacity;
    bool failed;
} dlp__SceneText;

void dlp__scene_write(dlp__SceneText *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
