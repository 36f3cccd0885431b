/* PLY, as text or binary from either end: vertices and faces, whatever else stands between them. */
#include "base/error.h"
#include "io/byte_order.h"
#include "io/model_ply_header.h"

/* What is being read: one of `count` elements, from 1. */
typedef struct Place {
    const dlp__PlyHeader *header;
    const dlp__PlyElement *element;
    int64_t number;
} Place;

static dlp_Result cut_off(const dlp__ModelText *text, const Place *place, dlp_Error *error)
{
    return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                          "the file ends in %s %lld of %lld: it is cut off, or its header is wrong",
                          place->element->name.text, (long long)place->number, (long long)place->element->count);
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

static dlp_Result read_value(dlp__ModelText *text, const Place *place, dlp__PlyType type, double *value,
                             dlp_Error *error)
{
    if (place->header->format != DLP_PLY_TEXT) {
        const int size = dlp__ply_type_size(type);
        if (dlp__text_left(text) < size) {
            return cut_off(text, place, error);
        }
        *value = binary_value(text->next, type, place->header->format == DLP_PLY_BIG_ENDIAN);
        text->next += size;
        return DLP_OK;
    }
    dlp__Word word;
    if (!dlp__text_word_anywhere(text, &word)) {
        return cut_off(text, place, error);
    }
    if (!dlp__word_number(word, value)) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "'%s' in %s %lld is not a finite number",
                              dlp__word_shown(word).text, place->element->name.text, (long long)place->number);
    }
    return DLP_OK;
}

/* A value of no use to us, which may then be anything. */
static dlp_Result skip_values(dlp__ModelText *text, const Place *place, dlp__PlyType type, int64_t count,
                              dlp_Error *error)
{
    if (place->header->format != DLP_PLY_TEXT) {
        const int64_t size = dlp__ply_type_size(type);
        if (dlp__text_left(text) / size < count) {
            return cut_off(text, place, error);
        }
        text->next += count * size;
        return DLP_OK;
    }
    dlp__Word word;
    for (int64_t n = 0; n < count; n++) {
        if (!dlp__text_word_anywhere(text, &word)) {
            return cut_off(text, place, error);
        }
    }
    return DLP_OK;
}

static dlp_Result read_list_length(dlp__ModelText *text, const Place *place, const dlp__PlyProperty *property,
                                   int64_t *length, dlp_Error *error)
{
    double value = 0.0;
    dlp_Result result = read_value(text, place, property->count_type, &value, error);
    if (result != DLP_OK) {
        return result;
    }
    const double most = property->role == DLP_PLY_CORNERS ? DLP_POLYGON_CORNERS_MOST : (double)dlp__text_left(text);
    if (!(value >= 0.0 && value <= most) || value != (double)(int64_t)value) {
        return dlp__text_fail(
            text, error, DLP_ERROR_FORMAT,
            "%s %lld has a list of %g: it must be a whole number from 0 to %.0f; the file is damaged or cut off",
            place->element->name.text, (long long)place->number, value, most);
    }
    *length = (int64_t)value;
    return DLP_OK;
}

static dlp_Result read_corners(dlp__ModelText *text, const Place *place, const dlp__PlyProperty *property,
                               int64_t length, dlp_Model *model, dlp_Error *error)
{
    const int64_t vertices = place->header->vertex_count;
    dlp__Fan fan = {0};
    for (int64_t k = 0; k < length; k++) {
        double value = 0.0;
        dlp_Result result = read_value(text, place, property->type, &value, error);
        if (result != DLP_OK) {
            return result;
        }
        if (!(value >= 0.0 && value < (double)vertices) || value != (double)(int64_t)value) {
            return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                                  "face %lld names vertex %g, but there are %lld, counted from 0: the file is damaged",
                                  (long long)place->number, value, (long long)vertices);
        }
        dlp__fan_corner(&fan, model, (int64_t)value);
    }
    return DLP_OK;
}

static dlp_Result read_list(dlp__ModelText *text, const Place *place, const dlp__PlyProperty *property,
                            dlp_Model *model, dlp_Error *error)
{
    int64_t length = 0;
    dlp_Result result = read_list_length(text, place, property, &length, error);
    if (result != DLP_OK) {
        return result;
    }
    return property->role == DLP_PLY_CORNERS ? read_corners(text, place, property, length, model, error)
                                             : skip_values(text, place, property->type, length, error);
}

static dlp_Result read_one(dlp__ModelText *text, const Place *place, dlp_Model *model, dlp_Error *error)
{
    const dlp__PlyElement *element = place->element;
    double at[3] = {0.0, 0.0, 0.0};
    dlp_Result result = DLP_OK;
    for (int p = 0; p < element->property_count && result == DLP_OK; p++) {
        const dlp__PlyProperty *property = &element->properties[p];
        if (property->count_type != DLP_PLY_NONE) {
            result = read_list(text, place, property, model, error);
        } else if (property->role == DLP_PLY_OTHER) {
            result = skip_values(text, place, property->type, 1, error);
        } else {
            result = read_value(text, place, property->type, &at[property->role - DLP_PLY_X], error);
        }
    }
    if (result == DLP_OK && element->kind == DLP_PLY_VERTEX) {
        result = dlp__text_add_vertex(text, model, at, error);
    }
    return result;
}

/* Whether so many can follow at all; before this nothing is allocated for them. */
static dlp_Result check_count(const dlp__ModelText *text, const dlp__PlyElement *element, dlp_Error *error)
{
    /* The last word of a text needs no blank behind it. */
    const int64_t left = dlp__text_left(text) + (text->line > 0 ? 1 : 0);
    if (element->least_bytes > 0 && element->count > left / element->least_bytes) {
        return dlp__text_fail(
            text, error, DLP_ERROR_FORMAT,
            "the header promises %lld times '%s', but in the %lld bytes that follow there is room for %lld: "
            "the file is cut off, or its header is wrong",
            (long long)element->count, element->name.text, (long long)dlp__text_left(text),
            (long long)(left / element->least_bytes));
    }
    return DLP_OK;
}

static dlp_Result read_element(dlp__ModelText *text, const dlp__PlyHeader *header, const dlp__PlyElement *element,
                               dlp_Model *model, dlp_Error *error)
{
    dlp_Result result = check_count(text, element, error);
    if (result != DLP_OK || element->property_count == 0) { /* an element without properties takes no bytes */
        return result;
    }
    if (element->kind == DLP_PLY_VERTEX) {
        dlp__model_reserve(model, element->count, 0);
    } else if (element->kind == DLP_PLY_FACE) {
        dlp__model_reserve(model, 0, element->count);
    } else if (header->format != DLP_PLY_TEXT && !element->has_lists) {
        text->next += element->count * element->least_bytes;
        return DLP_OK;
    }
    for (int64_t n = 0; n < element->count && result == DLP_OK && !model->too_many && !model->memory_out; n++) {
        const Place place = {header, element, n + 1};
        result = read_one(text, &place, model, error);
    }
    return result;
}

dlp_Result dlp__model_read_ply(dlp__ModelText *text, dlp_Model *model, dlp_Error *error)
{
    dlp__PlyHeader *header = dlp__memory_get(&model->memory, 1, sizeof *header);
    if (header == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the header of a PLY file");
    }
    dlp_Result result = dlp__ply_read_header(text, header, error);
    if (result == DLP_OK && header->format != DLP_PLY_TEXT) {
        text->line = 0;
    }
    for (int e = 0; e < header->element_count && result == DLP_OK; e++) {
        result = read_element(text, header, &header->elements[e], model, error);
    }
    dlp__memory_release(&model->memory, header, 1, sizeof *header);
    return result;
}
