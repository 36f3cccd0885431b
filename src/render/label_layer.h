/* Text and a color bar over a finished picture. */
#ifndef DLP_RENDER_LABEL_LAYER_H
#define DLP_RENDER_LABEL_LAYER_H

#include "render/gl_tools.h"

typedef struct dlp__LabelLayer {
    GLuint program, array, vertices, font;
    void *letters;      /* positions of the letters in the font texture */
    double letter_size; /* pixels */
} dlp__LabelLayer;

/* `height`: pixels of the picture, which determines the size of the letters. */
dlp_Result dlp__labels_create(dlp__LabelLayer *layer, int height, dlp_Error *error);
void dlp__labels_destroy(dlp__LabelLayer *layer);

/* Draw into the current target. */
dlp_Result dlp__color_bar_draw(dlp__LabelLayer *layer, const dlp_ColorBar *bar, int width, int height,
                               dlp_Error *error);

#endif
