/* Wavefront OBJ: the vertices and faces of all objects as one mesh; everything else is ignored. */
#include "io/mesh_scanner.h"

/* Faces may refer to later vertices, so the highest index is kept with its line until the end. */
typedef struct Highest {
    int64_t vertex, line;
} Highest;

/* "7", "7/1", "7//3" or "7/1/3": only the vertex is used. */
static dlp__Word before_slash(dlp__Word word)
{
    for (size_t n = 0; n < word.length; n++) {
        if (word.text[n] == '/') {
            return (dlp__Word){word.text, n};
        }
    }
    return word;
}

static dlp_Result read_corner(const dlp__MeshScanner *scanner, dlp__Word word, const dlp_Model *model, int64_t *vertex,
                              dlp_Error *error)
{
    int64_t number = 0;
    if (!dlp__word_integer(before_slash(word), &number)) {
        return dlp__scanner_fail(
            scanner, error, DLP_ERROR_FORMAT,
            "'%s' is not the corner of a face: it should be the number of a vertex, such as 7 or 7/1/3",
            dlp__scanner_printable(scanner, word).text);
    }
    *vertex = number > 0 ? number - 1 : model->vertex_count + number; /* -1 is the last vertex so far */
    if (number == 0 || *vertex < 0 || *vertex >= DLP_MAX_MODEL_VERTICES) {
        return dlp__scanner_fail(
            scanner, error, DLP_ERROR_FORMAT,
            "a face refers to vertex %lld, but there are %lld before it: vertices count from 1, or from -1 backwards",
            (long long)number, (long long)model->vertex_count);
    }
    return DLP_OK;
}

static dlp_Result read_face(dlp__MeshScanner *scanner, dlp_Model *model, Highest *highest, dlp_Error *error)
{
    dlp__Fan fan = {0};
    dlp__Word word;
    while (dlp__scanner_word(scanner, &word) && word.text[0] != '#') {
        int64_t vertex = 0;
        dlp_Result result = read_corner(scanner, word, model, &vertex, error);
        if (result != DLP_OK) {
            return result;
        }
        if (fan.corners == DLP_MAX_POLYGON_CORNERS) {
            return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                     "a face has more than %d corners: triangulate it before saving",
                                     DLP_MAX_POLYGON_CORNERS);
        }
        if (vertex > highest->vertex) {
            *highest = (Highest){vertex, scanner->line};
        }
        dlp__fan_add_corner(&fan, model, vertex);
    }
    if (fan.corners < 3) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                 "a face has %lld corners and needs three: the file is damaged or cut off",
                                 (long long)fan.corners);
    }
    return DLP_OK;
}

dlp_Result dlp__mesh_read_obj(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error)
{
    Highest highest = {-1, 0};
    dlp_Result result = DLP_OK;
    scanner->continued = true;
    do {
        dlp__Word word;
        if (!dlp__scanner_word(scanner, &word)) {
            continue;
        }
        if (dlp__word_is(word, "v")) {
            result = dlp__scanner_read_vertex(scanner, model, error);
        } else if (dlp__word_is(word, "f")) {
            result = read_face(scanner, model, &highest, error);
        }
    } while (result == DLP_OK && dlp__scanner_next_line(scanner));

    if (result == DLP_OK && highest.vertex >= model->vertex_count && !model->too_many && !model->out_of_memory) {
        scanner->line = highest.line;
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                 "a face refers to vertex %lld, but the file has %lld: it is damaged or cut off",
                                 (long long)highest.vertex + 1, (long long)model->vertex_count);
    }
    return result;
}
