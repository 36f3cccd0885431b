/* Draws text with a baked font texture, and the color bar with its ticks. */
#include "render/label_layer.h"

#include "render/embedded_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

enum { MAP_SIDE = 512, FIRST_LETTER = 32, LETTERS = 96, MAX_RECTANGLES = 512, BAR_STEPS = 128, MAX_TICKS = 12 };

typedef struct LabelVertex {
    float position[2], uv[2], color[3];
} LabelVertex;

/* Rectangles to be drawn. */
typedef struct LabelBatch {
    const dlp__LabelLayer *layer;
    LabelVertex *vertex;
    int rectangles;
} LabelBatch;

static const float INK[3] = {0.16f, 0.16f, 0.18f};

dlp_Result dlp__labels_create(dlp__LabelLayer *layer, int height, dlp_Error *error)
{
    *layer = (dlp__LabelLayer){.letter_size = fmin(fmax(height / 38.0, 9.0), 44.0)};
    unsigned char *map = calloc(MAP_SIDE * MAP_SIDE, 1);
    layer->letters = calloc(LETTERS, sizeof(stbtt_bakedchar));
    if (map == NULL || layer->letters == NULL) {
        free(map);
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for letters");
    }
    stbtt_BakeFontBitmap(dlp__font_file(), 0, (float)layer->letter_size, map, MAP_SIDE, MAP_SIDE, FIRST_LETTER, LETTERS,
                         layer->letters);
    glGenTextures(1, &layer->font);
    glBindTexture(GL_TEXTURE_2D, layer->font);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, MAP_SIDE, MAP_SIDE, 0, GL_RED, GL_UNSIGNED_BYTE, map);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    free(map);
    glGenVertexArrays(1, &layer->array);
    glGenBuffers(1, &layer->vertices);
    glBindVertexArray(layer->array);
    glBindBuffer(GL_ARRAY_BUFFER, layer->vertices);
    static const size_t offsets[3] = {offsetof(LabelVertex, position), offsetof(LabelVertex, uv),
                                      offsetof(LabelVertex, color)};
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, i < 2 ? 2 : 3, GL_FLOAT, GL_FALSE, sizeof(LabelVertex), (const void *)offsets[i]);
    }
    return dlp__gl_program("label.vert", "label.frag", &layer->program, error);
}

void dlp__labels_destroy(dlp__LabelLayer *layer)
{
    free(layer->letters);
    glDeleteProgram(layer->program);
    glDeleteVertexArrays(1, &layer->array);
    glDeleteBuffers(1, &layer->vertices);
    glDeleteTextures(1, &layer->font);
}

/* A rectangle from (x0, y0) to (x1, y1) in pixels; negative texture coordinates draw a plain color. */
static void add_rectangle(LabelBatch *batch, double x0, double y0, double x1, double y1, const float map[4],
                          const float color[3])
{
    static const int order[6] = {0, 1, 2, 2, 1, 3};
    if (batch->rectangles == MAX_RECTANGLES) {
        return;
    }
    for (int i = 0; i < 6; i++) {
        const int right = order[i] & 1, low = order[i] >> 1;
        batch->vertex[6 * batch->rectangles + i] = (LabelVertex){{(float)(right ? x1 : x0), (float)(low ? y1 : y0)},
                                                                 {map[right ? 2 : 0], map[low ? 3 : 1]},
                                                                 {color[0], color[1], color[2]}};
    }
    batch->rectangles++;
}

static double text_width(const LabelBatch *batch, const char *text)
{
    const stbtt_bakedchar *letters = batch->layer->letters;
    double width = 0.0;
    for (; *text; text++) {
        const int letter = (unsigned char)*text - FIRST_LETTER;
        width += letter >= 0 && letter < LETTERS ? (double)letters[letter].xadvance : 0.0;
    }
    return width;
}

/* A line of ASCII text whose baseline starts at (x, y). */
static void add_text(LabelBatch *batch, double x, double y, const char *text)
{
    float at_x = (float)x, at_y = (float)y;
    for (; *text; text++) {
        const int letter = (unsigned char)*text - FIRST_LETTER;
        if (letter >= 0 && letter < LETTERS) {
            stbtt_aligned_quad q;
            stbtt_GetBakedQuad(batch->layer->letters, MAP_SIDE, MAP_SIDE, letter, &at_x, &at_y, &q, 1);
            add_rectangle(batch, (double)q.x0, (double)q.y0, (double)q.x1, (double)q.y1,
                          (const float[4]){q.s0, q.t0, q.s1, q.t1}, INK);
        }
    }
}

static float encode_srgb(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

/* The bar itself, with its low end at the bottom. */
static void add_bar(LabelBatch *batch, double x, double top, double width, double bar_height)
{
    static const float no_texture[4] = {-1.0f, -1.0f, -1.0f, -1.0f};
    add_rectangle(batch, x - 1.0, top - 1.0, x + width + 1.0, top + bar_height + 1.0, no_texture, INK);
    for (int i = 0; i < BAR_STEPS; i++) {
        const float value = ((float)i + 0.5f) / BAR_STEPS;
        float color[3];
        dlp_colors_map(&value, 1, 0.0, 1.0, color);
        for (int c = 0; c < 3; c++) {
            color[c] = encode_srgb(color[c]);
        }
        add_rectangle(batch, x, top + bar_height * (BAR_STEPS - 1 - i) / BAR_STEPS, x + width,
                      top + bar_height * (BAR_STEPS - i) / BAR_STEPS, no_texture, color);
    }
}

/* A step of 1, 2 or 5 times a power of ten that gives about four ticks. */
static double tick_step(double range)
{
    const double raw = range / 4.0, power = pow(10.0, floor(log10(raw))), mantissa = raw / power;
    return power * (mantissa < 1.5 ? 1.0 : mantissa < 3.5 ? 2.0 : mantissa < 7.5 ? 5.0 : 10.0);
}

static void add_ticks(LabelBatch *batch, const dlp_ColorBar *bar, double x, double top, double bar_height)
{
    static const float no_texture[4] = {-1.0f, -1.0f, -1.0f, -1.0f};
    const double range = bar->high - bar->low, size = batch->layer->letter_size;
    if (!(range > 0.0) || !isfinite(range)) {
        return;
    }
    const double step = tick_step(range), first = ceil(bar->low / step - 1e-6) * step;
    for (int n = 0; n < MAX_TICKS && first + n * step <= bar->high + 1e-6 * range; n++) {
        const double value = first + n * step, y = top + bar_height * (1.0 - (value - bar->low) / range);
        char text[32];
        snprintf(text, sizeof text, "%.4g", fabs(value) < 1e-9 * range ? 0.0 : value);
        add_rectangle(batch, x, y - 0.75, x + 0.35 * size, y + 0.75, no_texture, INK);
        add_text(batch, x + 0.55 * size, y + 0.35 * size, text);
    }
}

dlp_Result dlp__color_bar_draw(dlp__LabelLayer *layer, const dlp_ColorBar *bar, int width, int height, dlp_Error *error)
{
    LabelBatch batch = {.layer = layer, .vertex = malloc(6 * MAX_RECTANGLES * sizeof *batch.vertex)};
    if (batch.vertex == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a colour bar");
    }
    const double size = layer->letter_size, bar_height = 0.5 * height, top = 0.25 * height, x = width - 6.0 * size;
    char title[160];
    snprintf(title, sizeof title, "%s%s%s%s", bar->title, bar->unit[0] ? " (" : "", bar->unit, bar->unit[0] ? ")" : "");
    add_text(&batch, fmin(x, width - 1.2 * size - text_width(&batch, title)), top - 0.9 * size, title);
    add_bar(&batch, x, top, 1.2 * size, bar_height);
    add_ticks(&batch, bar, x + 1.2 * size, top, bar_height);
    glUseProgram(layer->program);
    dlp__gl_set_texture(layer->program, "font", 0, layer->font);
    dlp__gl_set2f(layer->program, "size", width, height);
    glBindVertexArray(layer->array);
    glBindBuffer(GL_ARRAY_BUFFER, layer->vertices);
    glBufferData(GL_ARRAY_BUFFER, 6 * (GLsizeiptr)batch.rectangles * (GLsizeiptr)sizeof *batch.vertex, batch.vertex,
                 GL_STREAM_DRAW);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, 6 * batch.rectangles);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    free(batch.vertex);
    return DLP_OK;
}
