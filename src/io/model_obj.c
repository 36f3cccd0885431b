/* Wavefront OBJ: the vertices and faces of all its objects as one mesh; whatever else it says is passed over. */
#include "io/model_text.h"

/* Faces may name vertices that come later, so the highest one is kept with its line until all are known. */
typedef struct Highest {
    int64_t vertex, line;
} Highest;

/* "7", "7/1", "7//3" or "7/1/3": only the vertex counts. */
static dlp__Word before_slash(dlp__Word word)
{
    for (size_t n = 0; n < word.length; n++) {
        if (word.text[n] == '/') {
            return (dlp__Word){word.text, n};
        }
    }
    return word;
}

static dlp_Result read_corner(const dlp__ModelText *text, dlp__Word word, const dlp_Model *model, int64_t *vertex,
                              dlp_Error *error)
{
    int64_t number = 0;
    if (!dlp__word_integer(before_slash(word), &number)) {
        return dlp__text_fail(
            text, error, DLP_ERROR_FORMAT,
            "'%s' is not the corner of a face: it should be the number of a vertex, such as 7 or 7/1/3",
            dlp__word_shown(word).text);
    }
    *vertex = number > 0 ? number - 1 : model->vertex_count + number; /* -1 is the last one so far */
    if (number == 0 || *vertex < 0 || *vertex >= DLP_MODEL_VERTICES_MOST) {
        return dlp__text_fail(
            text, error, DLP_ERROR_FORMAT,
            "a face names vertex %lld, and %lld came before it: vertices count from 1, or from -1 backwards",
            (long long)number, (long long)model->vertex_count);
    }
    return DLP_OK;
}

static dlp_Result read_face(dlp__ModelText *text, dlp_Model *model, Highest *highest, dlp_Error *error)
{
    dlp__Fan fan = {0};
    dlp__Word word;
    while (dlp__text_word(text, &word) && word.text[0] != '#') {
        int64_t vertex = 0;
        dlp_Result result = read_corner(text, word, model, &vertex, error);
        if (result != DLP_OK) {
            return result;
        }
        if (fan.corners == DLP_POLYGON_CORNERS_MOST) {
            return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                                  "a face has more than %d corners: cut it into triangles before it is saved",
                                  DLP_POLYGON_CORNERS_MOST);
        }
        if (vertex > highest->vertex) {
            *highest = (Highest){vertex, text->line};
        }
        dlp__fan_corner(&fan, model, vertex);
    }
    if (fan.corners < 3) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                              "a face has %lld corners and needs three: the file is damaged or cut off",
                              (long long)fan.corners);
    }
    return DLP_OK;
}

dlp_Result dlp__model_read_obj(dlp__ModelText *text, dlp_Model *model, dlp_Error *error)
{
    Highest highest = {-1, 0};
    dlp_Result result = DLP_OK;
    text->continued = true;
    do {
        dlp__Word word;
        if (!dlp__text_word(text, &word)) {
            continue;
        }
        if (dlp__word_is(word, "v")) {
            result = dlp__text_read_vertex(text, model, error);
        } else if (dlp__word_is(word, "f")) {
            result = read_face(text, model, &highest, error);
        }
    } while (result == DLP_OK && dlp__text_line(text));

    if (result == DLP_OK && highest.vertex >= model->vertex_count && !model->too_many && !model->memory_out) {
        text->line = highest.line;
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                              "a face names vertex %lld, but the file has %lld: it is damaged or cut off",
                              (long long)highest.vertex + 1, (long long)model->vertex_count);
    }
    return result;
}
