/* A text that grows as it is written. */
#ifndef DLP_SCENE_TEXT_H
#define DLP_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Begin with all zero. When memory runs out the rest of the writing is lost and `failed` says so. */
typedef struct dlp__SceneText {
    char *text; /* malloc'd; null while empty */
    size_t length, ok;
    bool failed;
} dlp__SceneText;

void dlp__scene_write(dlp__SceneText *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
