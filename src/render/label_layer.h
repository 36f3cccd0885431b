/* Words and a colour bar laid over a finished picture. */
#ifndef DLP_RENDER_LABEL_LAYER_H
#define DLP_RENDER_LABEL_LAYER_H

#include "render/gl_tools.h"

typedef struct dlp__LabelLayer {
    GLuint program, array, vertices, font;
    void *letters;      /* where each stands in the font's map */
    double letter_size; /* pixels */
} dlp__LabelLayer;

/* `height`: pixels of the picture, which the letters are made for. */
dlp_Result dlp__labels_create(dlp__LabelLayer *layer, int height, dlp_Error *error);
void dlp__labels_destroy(dlp__LabelLayer *layer);

/* Into the target that is drawn to. */
dlp_Result dlp__color_bar_draw(dlp__LabelLayer *layer, const dlp_ColorBar *bar, int width, int height,
                               dlp_Error *error);

#endif
