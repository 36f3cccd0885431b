/* What plots and pictures share: the frame of an SVG file, its texts and its colours. */
#ifndef STUDIES_STUDY_SVG_H
#define STUDIES_STUDY_SVG_H

#include <stdio.h>

typedef struct StudyColor {
    int red, green, blue; /* 0 to 255 */
} StudyColor;

StudyColor study_color(int index); /* of the palette, which repeats */

void study_svg_begin(FILE *file, double width, double height, const char *title);
void study_svg_end(FILE *file);

/* Text with its anchor ("start", "middle", "end") at (x, y), in px; `style` may add attributes. */
void study_svg_text(FILE *file, double x, double y, const char *anchor, const char *style, const char *text);
double study_svg_text_width(const char *text); /* px, about, at the usual size */

#endif
