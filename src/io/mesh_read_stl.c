/* STL, binary or text: unconnected triangles, each with its own three vertices. Normals are ignored, because they
 * follow from the triangles and are often wrong. */
#include "io/byte_order.h"
#include "io/mesh_scanner.h"

enum {
    HEADER_BYTES = 84,
    TRIANGLE_BYTES = 50,
    NORMAL_BYTES = 12
}; /* title and count; normal, corners and an unused number */

static void add_triangle_of_last_three(dlp_Model *model)
{
    const int64_t count = model->vertex_count;
    dlp__model_add_triangle(model, count - 3, count - 2, count - 1);
}

static dlp_Result read_binary(dlp__MeshScanner *scanner, dlp_Model *model, int64_t count, dlp_Error *error)
{
    scanner->line = 0;
    scanner->next += HEADER_BYTES;
    dlp__model_reserve(model, 3 * count, count);
    for (int64_t t = 0; t < count; t++) {
        scanner->next += NORMAL_BYTES;
        for (int k = 0; k < 3; k++) {
            double position[3];
            for (int a = 0; a < 3; a++) {
                position[a] = (double)dlp__get_float(scanner->next + 4 * a, false);
            }
            dlp_Result result = dlp__scanner_add_vertex(scanner, model, position, error);
            if (result != DLP_OK) {
                return result;
            }
            scanner->next += 12;
        }
        scanner->next += TRIANGLE_BYTES - NORMAL_BYTES - 36;
        add_triangle_of_last_three(model);
    }
    return DLP_OK;
}

/* Keywords without further information. */
static bool is_ignored_keyword(dlp__Word word)
{
    return dlp__word_is_any_case(word, "outer") || dlp__word_is_any_case(word, "endloop") ||
           dlp__word_is_any_case(word, "solid");
}

static dlp_Result fail_corner_count(const dlp__MeshScanner *scanner, int64_t corners, dlp_Error *error)
{
    return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                             "a facet has %lld vertices instead of three: the file is damaged or cut off",
                             (long long)corners);
}

static dlp_Result read_text(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error)
{
    bool ended = false;
    int64_t corners = 0; /* of the facet so far */
    do {
        dlp__Word word;
        if (!dlp__scanner_word(scanner, &word)) {
            continue;
        }
        if (dlp__word_is_any_case(word, "vertex")) {
            dlp_Result result = dlp__scanner_read_vertex(scanner, model, error);
            if (result != DLP_OK) {
                return result;
            }
            corners++;
        } else if (dlp__word_is_any_case(word, "endfacet")) {
            if (corners != 3) {
                return fail_corner_count(scanner, corners, error);
            }
            add_triangle_of_last_three(model);
            corners = 0;
        } else if (dlp__word_is_any_case(word, "endsolid")) {
            ended = true;
        } else if (dlp__word_is_any_case(word, "facet")) {
            if (corners != 0) {
                return fail_corner_count(scanner, corners, error);
            }
        } else if (!is_ignored_keyword(word)) {
            return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "'%s' is not a keyword of an STL file",
                                     dlp__scanner_printable(scanner, word).text);
        }
    } while (dlp__scanner_next_line(scanner));
    if (!ended || corners != 0) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "'endsolid' is missing: the file is cut off");
    }
    return DLP_OK;
}

dlp_Result dlp__mesh_read_stl(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error)
{
    const int64_t size = dlp__scanner_bytes_left(scanner);
    /* Binary files may begin with "solid", too, so the size decides. */
    const int64_t count = size >= HEADER_BYTES ? (int64_t)dlp__get_bytes(scanner->next + HEADER_BYTES - 4, 4, false)
                                               : 0;
    if (size >= HEADER_BYTES && size == HEADER_BYTES + TRIANGLE_BYTES * count) {
        return read_binary(scanner, model, count, error);
    }
    dlp__MeshScanner ahead = *scanner;
    dlp__Word word;
    if (dlp__scanner_word_any_line(&ahead, &word) && dlp__word_is_any_case(word, "solid")) {
        return read_text(scanner, model, error);
    }
    scanner->line = 0;
    return dlp__scanner_fail(
        scanner, error, DLP_ERROR_FORMAT,
        "it is not an STL file: as text it would begin with 'solid', and as a binary file of %lld triangles it would "
        "have %lld bytes, but it has %lld; it is damaged or cut off",
        (long long)count, (long long)count * TRIANGLE_BYTES + HEADER_BYTES, (long long)size);
}
