/* PLY, as text or binary in either byte order: vertices and faces; everything else is skipped. */
#include "base/error.h"
#include "io/byte_order.h"
#include "io/ply_header.h"

/* The current element, and its number counted from 1. */
typedef struct Position {
    const dlp__PlyHeader *header;
    const dlp__PlyElement *element;
    int64_t number;
} Position;

static dlp_Result fail_truncated(const dlp__MeshScanner *scanner, const Position *position, dlp_Error *error)
{
    return dlp__scanner_fail(
        scanner, error, DLP_ERROR_FORMAT, "the file ends in %s %lld of %lld: it is cut off, or its header is wrong",
        position->element->name.text, (long long)position->number, (long long)position->element->count);
}

static double binary_value(const char *from, dlp__PlyType type, bool big)
{
    const uint64_t bits = dlp__get_bytes(from, dlp__ply_type_size(type), big);
    switch (type) {
    case DLP_PLY_INT8: return (int8_t)bits;
    case DLP_PLY_INT16: return (int16_t)bits;
    case DLP_PLY_INT32: return (int32_t)bits;
    case DLP_PLY_FLOAT32: return (double)dlp__get_float(from, big);
    case DLP_PLY_FLOAT64: return dlp__get_double(from, big);
    default: return (double)bits;
    }
}

static dlp_Result read_value(dlp__MeshScanner *scanner, const Position *position, dlp__PlyType type, double *value,
                             dlp_Error *error)
{
    if (position->header->format != DLP_PLY_TEXT) {
        const int size = dlp__ply_type_size(type);
        if (dlp__scanner_bytes_left(scanner) < size) {
            return fail_truncated(scanner, position, error);
        }
        *value = binary_value(scanner->next, type, position->header->format == DLP_PLY_BIG_ENDIAN);
        scanner->next += size;
        return DLP_OK;
    }
    dlp__Word word;
    if (!dlp__scanner_word_any_line(scanner, &word)) {
        return fail_truncated(scanner, position, error);
    }
    if (!dlp__word_number(word, value)) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "'%s' in %s %lld is not a finite number",
                                 dlp__scanner_printable(scanner, word).text, position->element->name.text,
                                 (long long)position->number);
    }
    return DLP_OK;
}

/* Values that are not used and may be anything. */
static dlp_Result skip_values(dlp__MeshScanner *scanner, const Position *position, dlp__PlyType type, int64_t count,
                              dlp_Error *error)
{
    if (position->header->format != DLP_PLY_TEXT) {
        const int64_t size = dlp__ply_type_size(type);
        if (dlp__scanner_bytes_left(scanner) / size < count) {
            return fail_truncated(scanner, position, error);
        }
        scanner->next += count * size;
        return DLP_OK;
    }
    dlp__Word word;
    for (int64_t n = 0; n < count; n++) {
        if (!dlp__scanner_word_any_line(scanner, &word)) {
            return fail_truncated(scanner, position, error);
        }
    }
    return DLP_OK;
}

static dlp_Result read_list_length(dlp__MeshScanner *scanner, const Position *position,
                                   const dlp__PlyProperty *property, int64_t *length, dlp_Error *error)
{
    double value = 0.0;
    dlp_Result result = read_value(scanner, position, property->count_type, &value, error);
    if (result != DLP_OK) {
        return result;
    }
    const double max = property->role == DLP_PLY_CORNERS ? DLP_MAX_POLYGON_CORNERS
                                                         : (double)dlp__scanner_bytes_left(scanner);
    if (!(value >= 0.0 && value <= max) || value != (double)(int64_t)value) {
        return dlp__scanner_fail(
            scanner, error, DLP_ERROR_FORMAT,
            "%s %lld has a list of %g values: it must be a whole number from 0 to %.0f; the file is damaged or cut off",
            position->element->name.text, (long long)position->number, value, max);
    }
    *length = (int64_t)value;
    return DLP_OK;
}

static dlp_Result read_corners(dlp__MeshScanner *scanner, const Position *position, const dlp__PlyProperty *property,
                               int64_t length, dlp_Model *model, dlp_Error *error)
{
    const int64_t vertices = position->header->vertex_count;
    dlp__Fan fan = {0};
    for (int64_t k = 0; k < length; k++) {
        double value = 0.0;
        dlp_Result result = read_value(scanner, position, property->type, &value, error);
        if (result != DLP_OK) {
            return result;
        }
        if (!(value >= 0.0 && value < (double)vertices) || value != (double)(int64_t)value) {
            return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                     "face %lld refers to vertex %g, but there are %lld, counted from 0: the file is "
                                     "damaged",
                                     (long long)position->number, value, (long long)vertices);
        }
        dlp__fan_add_corner(&fan, model, (int64_t)value);
    }
    return DLP_OK;
}

static dlp_Result read_list(dlp__MeshScanner *scanner, const Position *position, const dlp__PlyProperty *property,
                            dlp_Model *model, dlp_Error *error)
{
    int64_t length = 0;
    dlp_Result result = read_list_length(scanner, position, property, &length, error);
    if (result != DLP_OK) {
        return result;
    }
    return property->role == DLP_PLY_CORNERS ? read_corners(scanner, position, property, length, model, error)
                                             : skip_values(scanner, position, property->type, length, error);
}

static dlp_Result read_instance(dlp__MeshScanner *scanner, const Position *position, dlp_Model *model, dlp_Error *error)
{
    const dlp__PlyElement *element = position->element;
    double coordinates[3] = {0.0, 0.0, 0.0};
    dlp_Result result = DLP_OK;
    for (int p = 0; p < element->property_count && result == DLP_OK; p++) {
        const dlp__PlyProperty *property = &element->properties[p];
        if (property->count_type != DLP_PLY_NONE) {
            result = read_list(scanner, position, property, model, error);
        } else if (property->role == DLP_PLY_OTHER) {
            result = skip_values(scanner, position, property->type, 1, error);
        } else {
            result = read_value(scanner, position, property->type, &coordinates[property->role - DLP_PLY_X], error);
        }
    }
    if (result == DLP_OK && element->kind == DLP_PLY_VERTEX) {
        result = dlp__scanner_add_vertex(scanner, model, coordinates, error);
    }
    return result;
}

/* Whether the remaining bytes can hold that many elements; checked before memory is allocated for them. */
static dlp_Result check_count(const dlp__MeshScanner *scanner, const dlp__PlyElement *element, dlp_Error *error)
{
    /* The last word of a text needs no separator. */
    const int64_t left = dlp__scanner_bytes_left(scanner) + (scanner->line > 0 ? 1 : 0);
    if (element->min_bytes > 0 && element->count > left / element->min_bytes) {
        return dlp__scanner_fail(
            scanner, error, DLP_ERROR_FORMAT,
            "the header announces %lld times '%s', but the remaining %lld bytes hold at most %lld: the file is cut "
            "off, or its header is wrong",
            (long long)element->count, element->name.text, (long long)dlp__scanner_bytes_left(scanner),
            (long long)(left / element->min_bytes));
    }
    return DLP_OK;
}

static dlp_Result read_element(dlp__MeshScanner *scanner, const dlp__PlyHeader *header, const dlp__PlyElement *element,
                               dlp_Model *model, dlp_Error *error)
{
    dlp_Result result = check_count(scanner, element, error);
    if (result != DLP_OK || element->property_count == 0) { /* an element without properties takes no bytes */
        return result;
    }
    if (element->kind == DLP_PLY_VERTEX) {
        dlp__model_reserve(model, element->count, 0);
    } else if (element->kind == DLP_PLY_FACE) {
        dlp__model_reserve(model, 0, element->count);
    } else if (header->format != DLP_PLY_TEXT && !element->has_lists) {
        scanner->next += element->count * element->min_bytes;
        return DLP_OK;
    }
    for (int64_t n = 0; n < element->count && result == DLP_OK && !model->too_many && !model->out_of_memory; n++) {
        const Position position = {header, element, n + 1};
        result = read_instance(scanner, &position, model, error);
    }
    return result;
}

dlp_Result dlp__mesh_read_ply(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error)
{
    dlp__PlyHeader *header = dlp__memory_get(&model->memory, 1, sizeof *header);
    if (header == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the header of a PLY file");
    }
    dlp_Result result = dlp__ply_read_header(scanner, header, error);
    if (result == DLP_OK && header->format != DLP_PLY_TEXT) {
        scanner->line = 0;
    }
    for (int e = 0; e < header->element_count && result == DLP_OK; e++) {
        result = read_element(scanner, header, &header->elements[e], model, error);
    }
    dlp__memory_release(&model->memory, header, 1, sizeof *header);
    return result;
}
