/* Parsing the header of a PLY file: format, elements and their properties. */
#include "io/ply_header.h"

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

static dlp_Result read_type(dlp__MeshScanner *scanner, dlp__PlyType *type, dlp_Error *error)
{
    dlp__Word word = {"", 0};
    (void)dlp__scanner_word(scanner, &word);
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        if (dlp__word_is(word, types[n].names[0]) || dlp__word_is(word, types[n].names[1])) {
            *type = types[n].type;
            return DLP_OK;
        }
    }
    return dlp__scanner_fail(
        scanner, error, DLP_ERROR_FORMAT,
        "'%s' is not a type of a property: it should be char, uchar, short, ushort, int, uint, float or double",
        dlp__scanner_printable(scanner, word).text);
}

static dlp_Result read_format(dlp__MeshScanner *scanner, dlp__PlyHeader *header, dlp_Error *error)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    dlp__Word word = {"", 0};
    (void)dlp__scanner_word(scanner, &word);
    for (int n = 0; n < 3; n++) {
        if (dlp__word_is(word, names[n])) {
            header->format = (dlp__PlyFormat)n;
            return DLP_OK;
        }
    }
    return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                             "the format is '%s': it should be ascii, binary_little_endian or binary_big_endian",
                             dlp__scanner_printable(scanner, word).text);
}

static dlp_Result read_element(dlp__MeshScanner *scanner, dlp__PlyHeader *header, dlp_Error *error)
{
    dlp__Word name = {"", 0}, count = {"", 0};
    if (header->element_count == DLP_PLY_MAX_ELEMENTS) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "there are more than %d kinds of elements",
                                 DLP_PLY_MAX_ELEMENTS);
    }
    dlp__PlyElement *element = &header->elements[header->element_count];
    *element = (dlp__PlyElement){.kind = DLP_PLY_SKIPPED};
    (void)dlp__scanner_word(scanner, &name);
    (void)dlp__scanner_word(scanner, &count);
    if (!dlp__word_integer(count, &element->count) || element->count < 0) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                 "'%s' is not a number of elements: it should be a whole number from 0",
                                 dlp__scanner_printable(scanner, count).text);
    }
    if (dlp__word_is(name, "vertex")) {
        element->kind = DLP_PLY_VERTEX;
        header->vertex_count = element->count;
    } else if (dlp__word_is(name, "face")) {
        element->kind = DLP_PLY_FACE;
    }
    for (int e = 0; e < header->element_count; e++) {
        if (element->kind != DLP_PLY_SKIPPED && header->elements[e].kind == element->kind) {
            return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "the element '%s' exists twice",
                                     dlp__scanner_printable(scanner, name).text);
        }
    }
    element->name = dlp__scanner_printable(scanner, name);
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
static dlp_Result read_types(dlp__MeshScanner *scanner, dlp__PlyProperty *property, dlp_Error *error)
{
    dlp__MeshScanner before = *scanner;
    dlp__Word word = {"", 0};
    if (!dlp__scanner_word(scanner, &word) || !dlp__word_is(word, "list")) {
        *scanner = before;
        return read_type(scanner, &property->type, error);
    }
    dlp_Result result = read_type(scanner, &property->count_type, error);
    if (result == DLP_OK) {
        result = read_type(scanner, &property->type, error);
    }
    if (result == DLP_OK && (property->count_type == DLP_PLY_FLOAT32 || property->count_type == DLP_PLY_FLOAT64)) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                 "the length of a list must be a whole number: its type cannot be float or double");
    }
    return result;
}

static dlp_Result read_property(dlp__MeshScanner *scanner, dlp__PlyHeader *header, dlp_Error *error)
{
    if (header->element_count == 0) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "there is a property before the first element");
    }
    if (header->property_count == DLP_PLY_MAX_PROPERTIES) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                 "there are more than %d properties: save the file without some of them",
                                 DLP_PLY_MAX_PROPERTIES);
    }
    dlp__PlyElement *element = &header->elements[header->element_count - 1];
    dlp__PlyProperty property = {.role = DLP_PLY_OTHER};
    dlp_Result result = read_types(scanner, &property, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp__Word name = {"", 0};
    if (!dlp__scanner_word(scanner, &name)) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "a property has no name");
    }
    const dlp__PlyRole role = find_role(element, &property, name);
    if (role != DLP_PLY_OTHER && has_role(element, role)) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "the property '%s' exists twice",
                                 dlp__scanner_printable(scanner, name).text);
    }
    property.role = role;
    header->properties[header->property_count++] = property;
    element->property_count++;
    const bool list = property.count_type != DLP_PLY_NONE;
    element->has_lists |= list;
    /* In text format a number takes at least a digit and a separator. */
    element->min_bytes += header->format == DLP_PLY_TEXT
                              ? 2
                              : dlp__ply_type_size(list ? property.count_type : property.type);
    return DLP_OK;
}

static dlp_Result check_complete(const dlp__MeshScanner *scanner, const dlp__PlyHeader *header, dlp_Error *error)
{
    bool vertices = false, faces = false;
    for (int e = 0; e < header->element_count; e++) {
        const dlp__PlyElement *element = &header->elements[e];
        vertices |= element->kind == DLP_PLY_VERTEX && has_role(element, DLP_PLY_X) && has_role(element, DLP_PLY_Y) &&
                    has_role(element, DLP_PLY_Z);
        faces |= element->kind == DLP_PLY_FACE && has_role(element, DLP_PLY_CORNERS);
    }
    if (!vertices) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                 "the header has no element 'vertex' with the properties x, y and z");
    }
    if (!faces) {
        return dlp__scanner_fail(
            scanner, error, DLP_ERROR_FORMAT,
            "the header has no element 'face' with a list 'vertex_indices': a model needs faces, not only "
            "points; save it as a triangle mesh");
    }
    return DLP_OK;
}

dlp_Result dlp__ply_read_header(dlp__MeshScanner *scanner, dlp__PlyHeader *header, dlp_Error *error)
{
    header->element_count = header->property_count = 0;
    header->vertex_count = 0;
    dlp__Word word = {"", 0};
    dlp_Result result = DLP_OK;
    if (!dlp__scanner_word(scanner, &word) || !dlp__word_is(word, "ply") || !dlp__scanner_next_line(scanner) ||
        !dlp__scanner_word(scanner, &word) || !dlp__word_is(word, "format")) {
        return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                 "it is not a PLY file: it should begin with a line 'ply' and a line 'format'");
    }
    result = read_format(scanner, header, error);
    while (result == DLP_OK && dlp__scanner_next_line(scanner)) {
        if (!dlp__scanner_word(scanner, &word) || dlp__word_is(word, "comment") || dlp__word_is(word, "obj_info")) {
            continue;
        }
        if (dlp__word_is(word, "element")) {
            result = read_element(scanner, header, error);
        } else if (dlp__word_is(word, "property")) {
            result = read_property(scanner, header, error);
        } else if (dlp__word_is(word, "end_header")) {
            result = check_complete(scanner, header, error);
            (void)dlp__scanner_next_line(scanner);
            return result;
        } else {
            result = dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "'%s' is not a keyword of a PLY header",
                                       dlp__scanner_printable(scanner, word).text);
        }
    }
    return result != DLP_OK
               ? result
               : dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "'end_header' is missing: the file is cut off");
}
