/* glTF 2.0 in its binary form (GLB): one mesh; fields of one to four components are attributes such as _VELOCITY. The z
 * axis is up here and the y axis in glTF, so the node is rotated. */
#include "io/byte_order.h"
#include "io/mesh_writers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_BUFFER = 34963, TEXT_SIZE = 16384 };

/* One array of the binary chunk: a buffer view and an accessor with the same index. */
typedef struct Array {
    char name[DLP_NAME_SIZE + 1];
    const void *values;
    int64_t count;
    int components;
    bool index;
} Array;

typedef struct Arrays {
    Array array[DLP_SURFACE_FIELDS_MOST + 3];
    int count;
    int64_t bytes;
} Arrays;

/* The JSON chunk; it is short because there are few arrays. */
typedef struct Json {
    char json[TEXT_SIZE];
    size_t length;
} Json;

static void add_json(Json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_json(Json *json, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(json->json + json->length, sizeof json->json - json->length, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof json->json - json->length) {
        json->length += (size_t)length;
    }
}

static void add_array(Arrays *arrays, const char *name, const void *values, int64_t count, int components, bool index)
{
    Array *array = &arrays->array[arrays->count++];
    *array = (Array){.values = values, .count = count, .components = components, .index = index};
    snprintf(array->name, sizeof array->name, "%s", name);
    arrays->bytes += 4 * count * components;
}

static void list_arrays(Arrays *arrays, const dlp_Mesh *mesh)
{
    *arrays = (Arrays){.count = 0};
    add_array(arrays, "POSITION", mesh->position, mesh->vertex_count, 3, false);
    add_array(arrays, "NORMAL", mesh->normal, mesh->vertex_count, 3, false);
    for (int f = 0; f < mesh->field_count; f++) {
        const dlp_MeshField *field = &mesh->fields[f];
        char name[DLP_NAME_SIZE + 1] = "_";
        for (size_t c = 0; field->name[c] != '\0'; c++) {
            name[c + 1] = (char)toupper((unsigned char)field->name[c]);
            name[c + 2] = '\0';
        }
        if (field->components <= 4) {
            add_array(arrays, name, field->values, mesh->vertex_count, field->components, false);
        }
    }
    add_array(arrays, "", mesh->triangle, 3 * mesh->triangle_count, 1, true);
}

/* The smallest and largest position, which glTF requires. */
static void add_bounds(Json *json, const Array *array)
{
    const float *values = array->values;
    float lower[3] = {values[0], values[1], values[2]}, upper[3] = {values[0], values[1], values[2]};
    for (int64_t i = 0; i < 3 * array->count; i++) {
        lower[i % 3] = values[i] < lower[i % 3] ? values[i] : lower[i % 3];
        upper[i % 3] = values[i] > upper[i % 3] ? values[i] : upper[i % 3];
    }
    add_json(json, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)lower[0], (double)lower[1],
             (double)lower[2], (double)upper[0], (double)upper[1], (double)upper[2]);
}

static void write_buffers(Json *json, const Arrays *arrays)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    int64_t offset = 0;
    add_json(json, ",\"buffers\":[{\"byteLength\":%" PRId64 "}],\"bufferViews\":[", arrays->bytes);
    for (int p = 0; p < arrays->count; p++) {
        const Array *array = &arrays->array[p];
        int64_t bytes = 4 * array->count * array->components;
        add_json(json, "%s{\"buffer\":0,\"byteOffset\":%" PRId64 ",\"byteLength\":%" PRId64 ",\"target\":%d}",
                 p > 0 ? "," : "", offset, bytes, array->index ? ELEMENT_BUFFER : ARRAY_BUFFER);
        offset += bytes;
    }
    add_json(json, "],\"accessors\":[");
    for (int p = 0; p < arrays->count; p++) {
        const Array *array = &arrays->array[p];
        add_json(json, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%" PRId64 ",\"type\":\"%s\"",
                 p > 0 ? "," : "", p, array->index ? UNSIGNED_INT : FLOAT, array->count, types[array->components]);
        if (p == 0) {
            add_bounds(json, array);
        }
        add_json(json, "}");
    }
    add_json(json, "]");
}

static void write_json(Json *json, const Arrays *arrays)
{
    json->length = 0;
    add_json(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"dollop %s\"},\"scene\":0,\"scenes\":[{",
             dlp_version());
    if (arrays->bytes > 0) {
        add_json(
            json,
            "\"nodes\":[0]}],\"nodes\":[{\"name\":\"fluid\",\"mesh\":0,\"rotation\":[-0.70710678,0,0,0.70710678]}],"
            "\"meshes\":[{\"name\":\"fluid\",\"primitives\":[{\"mode\":4,\"indices\":%d,\"attributes\":{",
            arrays->count - 1);
        for (int p = 0; p + 1 < arrays->count; p++) {
            add_json(json, "%s\"%s\":%d", p > 0 ? "," : "", arrays->array[p].name, p);
        }
        add_json(json, "}}]}]");
        write_buffers(json, arrays);
    } else {
        add_json(json, "}]"); /* empty arrays are not allowed: without triangles there is only a scene */
    }
    add_json(json, "}");
    while (json->length % 4 != 0) {
        add_json(json, " ");
    }
}

static void write_array(dlp__AtomicFile *file, const Array *array)
{
    for (int64_t i = 0; i < array->count * array->components; i++) {
        char bytes[4];
        if (array->index) {
            dlp__put_bytes(bytes, ((const uint32_t *)array->values)[i], 4);
        } else {
            dlp__put_float(bytes, ((const float *)array->values)[i]);
        }
        dlp__atomic_file_append(file, bytes, sizeof bytes);
    }
}

dlp_Result dlp__mesh_write_gltf(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error)
{
    (void)error;
    Arrays arrays;
    Json json;
    char header[20], *end = header;
    list_arrays(&arrays, mesh);
    write_json(&json, &arrays);
    const int64_t binary = arrays.bytes > 0 ? 8 + arrays.bytes : 0;
    end = dlp__put_bytes(end, 0x46546c67, 4); /* "glTF" */
    end = dlp__put_bytes(end, 2, 4);
    end = dlp__put_bytes(end, (uint64_t)(20 + (int64_t)json.length + binary), 4);
    end = dlp__put_bytes(end, json.length, 4);
    dlp__put_bytes(end, 0x4e4f534a, 4); /* "JSON" */
    dlp__atomic_file_append(file, header, sizeof header);
    dlp__atomic_file_append(file, json.json, json.length);
    if (binary > 0) {
        end = dlp__put_bytes(header, (uint64_t)arrays.bytes, 4);
        dlp__put_bytes(end, 0x004e4942, 4); /* "BIN" */
        dlp__atomic_file_append(file, header, 8);
        for (int p = 0; p < arrays.count; p++) {
            write_array(file, &arrays.array[p]);
        }
    }
    return DLP_OK;
}
