/* STL, binary or text: a heap of triangles, each with its own three vertices. Its normals are passed over, because
 * they follow from the triangles and are often wrong. */
#include "io/byte_order.h"
#include "io/model_text.h"

enum { HEAD = 84, TRIANGLE = 50, NORMAL = 12 }; /* bytes: title and count; normal, corners and a number nobody uses */

static void add_last_three(dlp_Model *model)
{
    const int64_t count = model->vertex_count;
    dlp__model_triangle(model, count - 3, count - 2, count - 1);
}

static dlp_Result read_binary(dlp__ModelText *text, dlp_Model *model, int64_t count, dlp_Error *error)
{
    text->line = 0;
    text->next += HEAD;
    dlp__model_reserve(model, 3 * count, count);
    for (int64_t t = 0; t < count; t++) {
        text->next += NORMAL;
        for (int k = 0; k < 3; k++) {
            double place[3];
            for (int a = 0; a < 3; a++) {
                place[a] = (double)dlp__get_float(text->next + 4 * a, false);
            }
            dlp_Result result = dlp__text_add_vertex(text, model, place, error);
            if (result != DLP_OK) {
                return result;
            }
            text->next += 12;
        }
        text->next += TRIANGLE - NORMAL - 36;
        add_last_three(model);
    }
    return DLP_OK;
}

/* Words that have to be there but say nothing more. */
static bool is_filling(dlp__Word word)
{
    return dlp__word_is_loosely(word, "outer") || dlp__word_is_loosely(word, "endloop") ||
           dlp__word_is_loosely(word, "solid");
}

static dlp_Result wrong_corners(const dlp__ModelText *text, int64_t corners, dlp_Error *error)
{
    return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                          "a facet has %lld vertices instead of three: the file is damaged or cut off",
                          (long long)corners);
}

static dlp_Result read_text(dlp__ModelText *text, dlp_Model *model, dlp_Error *error)
{
    bool ended = false;
    int64_t corners = 0; /* of the facet so far */
    do {
        dlp__Word word;
        if (!dlp__text_word(text, &word)) {
            continue;
        }
        if (dlp__word_is_loosely(word, "vertex")) {
            dlp_Result result = dlp__text_read_vertex(text, model, error);
            if (result != DLP_OK) {
                return result;
            }
            corners++;
        } else if (dlp__word_is_loosely(word, "endfacet")) {
            if (corners != 3) {
                return wrong_corners(text, corners, error);
            }
            add_last_three(model);
            corners = 0;
        } else if (dlp__word_is_loosely(word, "endsolid")) {
            ended = true;
        } else if (dlp__word_is_loosely(word, "facet")) {
            if (corners != 0) {
                return wrong_corners(text, corners, error);
            }
        } else if (!is_filling(word)) {
            return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "'%s' is no word of an STL file",
                                  dlp__word_shown(word).text);
        }
    } while (dlp__text_line(text));
    if (!ended || corners != 0) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "'endsolid' is missing: the file is cut off");
    }
    return DLP_OK;
}

dlp_Result dlp__model_read_stl(dlp__ModelText *text, dlp_Model *model, dlp_Error *error)
{
    const int64_t size = dlp__text_left(text);
    /* Binary files may begin with "solid" too, so the size decides. */
    const int64_t count = size >= HEAD ? (int64_t)dlp__get_bytes(text->next + HEAD - 4, 4, false) : 0;
    if (size >= HEAD && size == HEAD + TRIANGLE * count) {
        return read_binary(text, model, count, error);
    }
    dlp__ModelText ahead = *text;
    dlp__Word word;
    if (dlp__text_word_anywhere(&ahead, &word) && dlp__word_is_loosely(word, "solid")) {
        return read_text(text, model, error);
    }
    text->line = 0;
    return dlp__text_fail(
        text, error, DLP_ERROR_FORMAT,
        "it is no STL file: as text it would begin with 'solid', and as a binary file of %lld triangles it "
        "would have %lld bytes, but it has %lld; it is damaged or cut off",
        (long long)count, (long long)count * TRIANGLE + HEAD, (long long)size);
}
