/* SVG: head, escaped text, palette. */
#include "studies/study_svg.h"

#include "studies/study_output.h"

#include <string.h>

/* Colours that people with any kind of colour sight can tell apart (after Okabe and Ito), orders chosen for contrast. */
static const StudyColor palette[STUDY_COLORS] = {
    {0, 98, 168}, {222, 122, 0}, {0, 140, 102}, {196, 48, 43}, {128, 84, 168}, {44, 160, 200}, {110, 110, 110},
};

StudyColor study_color(int index)
{
    return palette[(unsigned)index % STUDY_COLORS];
}

static void write_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        const unsigned char letter = (unsigned char)*text;
        if (letter == '^' && (text[1] == '2' || text[1] == '3')) {
            fputs(*++text == '2' ? "\xc2\xb2" : "\xc2\xb3", file);
        } else if (letter == '&') {
            fputs("&amp;", file);
        } else if (letter == '<') {
            fputs("&lt;", file);
        } else if (letter == '>') {
            fputs("&gt;", file);
        } else if (letter >= 32) {
            fputc(letter, file);
        }
    }
}

void study_svg_begin(FILE *file, double width, double height, const char *title)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>",
            width, height, width, height);
    write_escaped(file, title);
    fprintf(file, "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
}

void study_svg_end(FILE *file)
{
    fputs("</svg>\n", file);
}

void study_svg_text(FILE *file, double x, double y, const char *anchor, const char *style, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s%s>", x, y, anchor, *style ? " " : "", style);
    write_escaped(file, text);
    fputs("</text>\n", file);
}

double study_svg_text_width(const char *text)
{
    double width = 0;
    for (; *text; text++) {
        const bool continues = ((unsigned char)*text & 0xc0) == 0x80;
        width += continues ? 0 : strchr("ilj.,:;'|! ()", *text) ? 3.5 : strchr("mwMW", *text) ? 9.5 : 6.6;
    }
    return width;
}
