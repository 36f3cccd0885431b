/* SVG files of plots and pictures: frame, texts and colours. Texts may hold any bytes; "^2" and "^3" are raised. */
#ifndef DOLLOP_PLOT_SVG_H
#define DOLLOP_PLOT_SVG_H

#include <stdio.h>

enum { PLOT_COLORS = 7 }; /* blue, orange, green, red, purple, cyan, grey */

typedef struct PlotColor {
    int red, green, blue; /* 0 to 255 */
} PlotColor;

PlotColor plot_color(int index); /* of the palette, which repeats */

void svg_begin(FILE *file, double width, double height, const char *title);
void svg_end(FILE *file);

/* Text with its anchor ("start", "middle", "end") at (x, y), in px; `style` may add attributes. */
void svg_text(FILE *file, double x, double y, const char *anchor, const char *style, const char *text);
double svg_text_width(const char *text); /* px, about, at the usual size */

#endif
