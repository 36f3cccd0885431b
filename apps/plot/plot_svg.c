/* SVG: head, escaped text, palette. */
#include "plot_svg.h"

#include <stdbool.h>
#include <string.h>

/* Colours that people with any kind of colour sight can tell apart (after Okabe and Ito), orders chosen for contrast. */
static const PlotColor palette[PLOT_COLORS] = {
    {0, 98, 168}, {222, 122, 0}, {0, 140, 102}, {196, 48, 43}, {128, 84, 168}, {44, 160, 200}, {110, 110, 110},
};

PlotColor plot_color(int index)
{
    return palette[(unsigned)index % PLOT_COLORS];
}

/* Bytes of the UTF-8 character at `text`; 0 if it is none, or one that XML does not allow. */
static int character_bytes(const unsigned char *text)
{
    const int bytes = text[0] < 0x80                      ? 1
                      : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                      : (text[0] & 0xf0) == 0xe0          ? 3
                      : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                          : 0;
    for (int i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    const bool beyond = (text[0] == 0xed && text[1] >= 0xa0) || (text[0] == 0xf4 && text[1] >= 0x90);
    const bool forbidden = text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe;
    return overlong || beyond || forbidden ? 0 : bytes;
}

/* Text of any bytes as XML: control characters are left out, and what is not UTF-8 becomes the replacement character. */
static void write_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        const unsigned char letter = (unsigned char)*text;
        const int bytes = character_bytes((const unsigned char *)text);
        if (letter == '^' && (text[1] == '2' || text[1] == '3')) {
            fputs(*++text == '2' ? "\xc2\xb2" : "\xc2\xb3", file);
        } else if (letter == '&') {
            fputs("&amp;", file);
        } else if (letter == '<') {
            fputs("&lt;", file);
        } else if (letter == '>') {
            fputs("&gt;", file);
        } else if (bytes == 0) {
            fputs("\xef\xbf\xbd", file);
        } else if (letter >= 32) {
            fwrite(text, 1, (size_t)bytes, file);
            text += bytes - 1;
        }
    }
}

void svg_begin(FILE *file, double width, double height, const char *title)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>",
            width, height, width, height);
    write_escaped(file, title);
    fprintf(file, "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
}

void svg_end(FILE *file)
{
    fputs("</svg>\n", file);
}

void svg_text(FILE *file, double x, double y, const char *anchor, const char *style, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s%s>", x, y, anchor, *style ? " " : "", style);
    write_escaped(file, text);
    fputs("</text>\n", file);
}

double svg_text_width(const char *text)
{
    double width = 0;
    for (; *text; text++) {
        const bool continues = ((unsigned char)*text & 0xc0) == 0x80;
        width += continues ? 0 : strchr("ilj.,:;'|! ()", *text) ? 3.5 : strchr("mwMW", *text) ? 9.5 : 6.6;
    }
    return width;
}
