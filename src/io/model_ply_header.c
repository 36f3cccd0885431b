#include "io/model_ply_header.h"

#include <string.h>

static const struct {
    const char *names[2];
    dlp__PlyType type;
    int size;
} types[] = {
    {{"char", "int8"}, DLP_PLY_INT8, 1},        {{"uchar", "uint8"}, DLP_PLY_UINT8, 1},
    {{"short", "int16"}, DLP_PLY_INT16, 2},     {{"ushort", "uint16"}, DLP_PLY_UINT16, 2},
    {{"int", "int32"}, DLP_PLY_INT32, 4},       {{"uint", "uint32"}, DLP_PLY_UINT32, 4},
    {{"float", "float32"}, DLP_PLY_FLOAT32, 4}, {{"double", "float64"}, DLP_PLY_FLOAT64, 8},
};

int dlp__ply_type_size(dlp__PlyType type)
{
    return type != DLP_PLY_NONE ? types[type - DLP_PLY_INT8].size : 0;
}

static dlp_Result read_type(dlp__ModelText *text, dlp__PlyType *type, dlp_Error *error)
{
    dlp__Word word = {"", 0};
    (void)dlp__text_word(text, &word);
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        if (dlp__word_is(word, types[n].names[0]) || dlp__word_is(word, types[n].names[1])) {
            *type = types[n].type;
            return DLP_OK;
        }
    }
    return dlp__text_fail(
        text, error, DLP_ERROR_FORMAT,
        "'%s' is no type of a property: it should be char, uchar, short, ushort, int, uint, float or double",
        dlp__word_shown(word).text);
}

static dlp_Result read_format(dlp__ModelText *text, dlp__PlyHeader *header, dlp_Error *error)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    dlp__Word word = {"", 0};
    (void)dlp__text_word(text, &word);
    for (int n = 0; n < 3; n++) {
        if (dlp__word_is(word, names[n])) {
            header->format = (dlp__PlyFormat)n;
            return DLP_OK;
        }
    }
    return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                          "the format is '%s': it should be ascii, binary_little_endian or binary_big_endian",
                          dlp__word_shown(word).text);
}

static dlp_Result read_element(dlp__ModelText *text, dlp__PlyHeader *header, dlp_Error *error)
{
    dlp__Word name = {"", 0}, count = {"", 0};
    if (header->element_count == DLP_PLY_ELEMENTS_MOST) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "there are more than %d kinds of elements",
                              DLP_PLY_ELEMENTS_MOST);
    }
    dlp__PlyElement *element = &header->elements[header->element_count];
    *element = (dlp__PlyElement){.kind = DLP_PLY_PASSED_OVER};
    (void)dlp__text_word(text, &name);
    (void)dlp__text_word(text, &count);
    if (!dlp__word_integer(count, &element->count) || element->count < 0) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                              "'%s' is not a number of elements: it should be a whole number from 0 on",
                              dlp__word_shown(count).text);
    }
    if (dlp__word_is(name, "vertex")) {
        element->kind = DLP_PLY_VERTEX;
        header->vertex_count = element->count;
    } else if (dlp__word_is(name, "face")) {
        element->kind = DLP_PLY_FACE;
    }
    for (int e = 0; e < header->element_count; e++) {
        if (element->kind != DLP_PLY_PASSED_OVER && header->elements[e].kind == element->kind) {
            return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "the element '%s' is there twice",
                                  dlp__word_shown(name).text);
        }
    }
    element->name = dlp__word_shown(name);
    element->properties = header->properties + header->property_count;
    header->element_count++;
    return DLP_OK;
}

static dlp__PlyRole find_role(const dlp__PlyElement *element, const dlp__PlyProperty *property, dlp__Word name)
{
    const bool list = property->count_type != DLP_PLY_NONE;
    if (element->kind == DLP_PLY_VERTEX && !list && name.length == 1 && name.text[0] >= 'x' && name.text[0] <= 'z') {
        return (dlp__PlyRole)(DLP_PLY_X + (name.text[0] - 'x'));
    }
    if (element->kind == DLP_PLY_FACE && list &&
        (dlp__word_is(name, "vertex_indices") || dlp__word_is(name, "vertex_index"))) {
        return DLP_PLY_CORNERS;
    }
    return DLP_PLY_OTHER;
}

static bool has_role(const dlp__PlyElement *element, dlp__PlyRole role)
{
    for (int p = 0; p < element->property_count; p++) {
        if (element->properties[p].role == role) {
            return true;
        }
    }
    return false;
}

/* Either `float x` or `list uchar int vertex_indices`. */
static dlp_Result read_types(dlp__ModelText *text, dlp__PlyProperty *property, dlp_Error *error)
{
    dlp__ModelText before = *text;
    dlp__Word word = {"", 0};
    if (!dlp__text_word(text, &word) || !dlp__word_is(word, "list")) {
        *text = before;
        return read_type(text, &property->type, error);
    }
    dlp_Result result = read_type(text, &property->count_type, error);
    if (result == DLP_OK) {
        result = read_type(text, &property->type, error);
    }
    if (result == DLP_OK && (property->count_type == DLP_PLY_FLOAT32 || property->count_type == DLP_PLY_FLOAT64)) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                              "the length of a list is a whole number: its type cannot be float or double");
    }
    return result;
}

static dlp_Result read_property(dlp__ModelText *text, dlp__PlyHeader *header, dlp_Error *error)
{
    if (header->element_count == 0) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "a property stands before the first element");
    }
    if (header->property_count == DLP_PLY_PROPERTIES_MOST) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                              "there are more than %d properties: save the file without some of them",
                              DLP_PLY_PROPERTIES_MOST);
    }
    dlp__PlyElement *element = &header->elements[header->element_count - 1];
    dlp__PlyProperty property = {.role = DLP_PLY_OTHER};
    dlp_Result result = read_types(text, &property, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp__Word name = {"", 0};
    if (!dlp__text_word(text, &name)) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "a property has no name");
    }
    const dlp__PlyRole role = find_role(element, &property, name);
    if (role != DLP_PLY_OTHER && has_role(element, role)) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "the property '%s' is there twice",
                              dlp__word_shown(name).text);
    }
    property.role = role;
    header->properties[header->property_count++] = property;
    element->property_count++;
    const bool list = property.count_type != DLP_PLY_NONE;
    element->has_lists |= list;
    /* In a text a number takes a digit and a blank. */
    element->least_bytes += header->format == DLP_PLY_TEXT
                                ? 2
                                : dlp__ply_type_size(list ? property.count_type : property.type);
    return DLP_OK;
}

static dlp_Result check_complete(const dlp__ModelText *text, const dlp__PlyHeader *header, dlp_Error *error)
{
    bool vertices = false, faces = false;
    for (int e = 0; e < header->element_count; e++) {
        const dlp__PlyElement *element = &header->elements[e];
        vertices |= element->kind == DLP_PLY_VERTEX && has_role(element, DLP_PLY_X) && has_role(element, DLP_PLY_Y) &&
                    has_role(element, DLP_PLY_Z);
        faces |= element->kind == DLP_PLY_FACE && has_role(element, DLP_PLY_CORNERS);
    }
    if (!vertices) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                              "the header has no element 'vertex' with the properties x, y and z");
    }
    if (!faces) {
        return dlp__text_fail(
            text, error, DLP_ERROR_FORMAT,
            "the header has no element 'face' with a list 'vertex_indices': a model needs faces, not only "
            "points; save it as a triangle mesh");
    }
    return DLP_OK;
}

dlp_Result dlp__ply_read_header(dlp__ModelText *text, dlp__PlyHeader *header, dlp_Error *error)
{
    header->element_count = header->property_count = 0;
    header->vertex_count = 0;
    dlp__Word word = {"", 0};
    dlp_Result result = DLP_OK;
    if (!dlp__text_word(text, &word) || !dlp__word_is(word, "ply") || !dlp__text_line(text) ||
        !dlp__text_word(text, &word) || !dlp__word_is(word, "format")) {
        return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                              "it is no PLY file: it should begin with a line 'ply' and a line 'format'");
    }
    result = read_format(text, header, error);
    while (result == DLP_OK && dlp__text_line(text)) {
        if (!dlp__text_word(text, &word) || dlp__word_is(word, "comment") || dlp__word_is(word, "obj_info")) {
            continue;
        }
        if (dlp__word_is(word, "element")) {
            result = read_element(text, header, error);
        } else if (dlp__word_is(word, "property")) {
            result = read_property(text, header, error);
        } else if (dlp__word_is(word, "end_header")) {
            result = check_complete(text, header, error);
            (void)dlp__text_line(text);
            return result;
        } else {
            result = dlp__text_fail(text, error, DLP_ERROR_FORMAT, "'%s' is no word of a PLY header",
                                    dlp__word_shown(word).text);
        }
    }
    return result != DLP_OK
               ? result
               : dlp__text_fail(text, error, DLP_ERROR_FORMAT, "'end_header' is missing: the file is cut off");
}
