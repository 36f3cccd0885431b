/* glTF 2.0 in its binary form (GLB): one mesh; fields of one to four components are attributes such as _VELOCITY. Our z axis
 * points up and glTF's y axis does, so the node is turned. */
#include "io/byte_order.h"
#include "io/mesh_formats.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_BUFFER = 34963, TEXT_SIZE = 16384 };

/* One array of the binary part, which is a buffer view and an accessor of the same number. */
typedef struct Part {
    char name[DLP_NAME_SIZE + 1];
    const void *values;
    int64_t count;
    int components;
    bool index;
} Part;

typedef struct Parts {
    Part part[DLP_SURFACE_FIELDS_MOST + 3];
    int count;
    int64_t bytes;
} Parts;

/* JSON as it grows; it is short, for there are few parts. */
typedef struct Text {
    char text[TEXT_SIZE];
    size_t length;
} Text;

static void add_text(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_text(Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->text + text->length, sizeof text->text - text->length, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof text->text - text->length) {
        text->length += (size_t)length;
    }
}

static void add_part(Parts *parts, const char *name, const void *values, int64_t count, int components, bool index)
{
    Part *part = &parts->part[parts->count++];
    *part = (Part){.values = values, .count = count, .components = components, .index = index};
    snprintf(part->name, sizeof part->name, "%s", name);
    parts->bytes += 4 * count * components;
}

static void list_parts(Parts *parts, const dlp_Mesh *mesh)
{
    *parts = (Parts){.count = 0};
    add_part(parts, "POSITION", mesh->position, mesh->vertex_count, 3, false);
    add_part(parts, "NORMAL", mesh->normal, mesh->vertex_count, 3, false);
    for (int f = 0; f < mesh->field_count; f++) {
        const dlp_MeshField *field = &mesh->fields[f];
        char name[DLP_NAME_SIZE + 1] = "_";
        for (size_t c = 0; field->name[c] != '\0'; c++) {
            name[c + 1] = (char)toupper((unsigned char)field->name[c]);
            name[c + 2] = '\0';
        }
        if (field->components <= 4) {
            add_part(parts, name, field->values, mesh->vertex_count, field->components, false);
        }
    }
    add_part(parts, "", mesh->triangle, 3 * mesh->triangle_count, 1, true);
}

/* The smallest and largest position, which readers insist on. */
static void add_bounds(Text *text, const Part *part)
{
    const float *values = part->values;
    float least[3] = {values[0], values[1], values[2]}, most[3] = {values[0], values[1], values[2]};
    for (int64_t i = 0; i < 3 * part->count; i++) {
        least[i % 3] = values[i] < least[i % 3] ? values[i] : least[i % 3];
        most[i % 3] = values[i] > most[i % 3] ? values[i] : most[i % 3];
    }
    add_text(text, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)least[0], (double)least[1],
             (double)least[2], (double)most[0], (double)most[1], (double)most[2]);
}

static void describe_parts(Text *text, const Parts *parts)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    int64_t offset = 0;
    add_text(text, ",\"buffers\":[{\"byteLength\":%" PRId64 "}],\"bufferViews\":[", parts->bytes);
    for (int p = 0; p < parts->count; p++) {
        const Part *part = &parts->part[p];
        int64_t bytes = 4 * part->count * part->components;
        add_text(text, "%s{\"buffer\":0,\"byteOffset\":%" PRId64 ",\"byteLength\":%" PRId64 ",\"target\":%d}",
                 p > 0 ? "," : "", offset, bytes, part->index ? ELEMENT_BUFFER : ARRAY_BUFFER);
        offset += bytes;
    }
    add_text(text, "],\"accessors\":[");
    for (int p = 0; p < parts->count; p++) {
        const Part *part = &parts->part[p];
        add_text(text, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%" PRId64 ",\"type\":\"%s\"",
                 p > 0 ? "," : "", p, part->index ? UNSIGNED_INT : FLOAT, part->count, types[part->components]);
        if (p == 0) {
            add_bounds(text, part);
        }
        add_text(text, "}");
    }
    add_text(text, "]");
}

static void describe(Text *text, const Parts *parts)
{
    text->length = 0;
    add_text(text, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"dollop %s\"},\"scene\":0,\"scenes\":[{",
             dlp_version());
    if (parts->bytes > 0) {
        add_text(
            text,
            "\"nodes\":[0]}],\"nodes\":[{\"name\":\"fluid\",\"mesh\":0,\"rotation\":[-0.70710678,0,0,0.70710678]}],"
            "\"meshes\":[{\"name\":\"fluid\",\"primitives\":[{\"mode\":4,\"indices\":%d,\"attributes\":{",
            parts->count - 1);
        for (int p = 0; p + 1 < parts->count; p++) {
            add_text(text, "%s\"%s\":%d", p > 0 ? "," : "", parts->part[p].name, p);
        }
        add_text(text, "}}]}]");
        describe_parts(text, parts);
    } else {
        add_text(text, "}]"); /* empty arrays are not allowed: without a mesh there is only a scene */
    }
    add_text(text, "}");
    while (text->length % 4 != 0) {
        add_text(text, " ");
    }
}

static void write_part(dlp__SafeFile *file, const Part *part)
{
    for (int64_t i = 0; i < part->count * part->components; i++) {
        char bytes[4];
        if (part->index) {
            dlp__put_bytes(bytes, ((const uint32_t *)part->values)[i], 4);
        } else {
            dlp__put_float(bytes, ((const float *)part->values)[i]);
        }
        dlp__safe_append(file, bytes, sizeof bytes);
    }
}

dlp_Result dlp__mesh_write_gltf(dlp__SafeFile *file, const dlp_Mesh *mesh, dlp_Error *error)
{
    (void)error;
    Parts parts;
    Text text;
    char head[20], *end = head;
    list_parts(&parts, mesh);
    describe(&text, &parts);
    const int64_t binary = parts.bytes > 0 ? 8 + parts.bytes : 0;
    end = dlp__put_bytes(end, 0x46546c67, 4); /* "glTF" */
    end = dlp__put_bytes(end, 2, 4);
    end = dlp__put_bytes(end, (uint64_t)(20 + (int64_t)text.length + binary), 4);
    end = dlp__put_bytes(end, text.length, 4);
    dlp__put_bytes(end, 0x4e4f534a, 4); /* "JSON" */
    dlp__safe_append(file, head, sizeof head);
    dlp__safe_append(file, text.text, text.length);
    if (binary > 0) {
        end = dlp__put_bytes(head, (uint64_t)parts.bytes, 4);
        dlp__put_bytes(end, 0x004e4942, 4); /* "BIN" */
        dlp__safe_append(file, head, 8);
        for (int p = 0; p < parts.count; p++) {
            write_part(file, &parts.part[p]);
        }
    }
    return DLP_OK;
}
