/* PLY, binary, little endian: position, normal and every field of a vertex, then triangles. */
#include "io/byte_order.h"
#include "io/mesh_writers.h"

#include <inttypes.h>

static const char *const axis_names[] = {"x", "y", "z"};

static void write_header(dlp__AtomicFile *file, const dlp_Mesh *mesh)
{
    dlp__atomic_file_print(file,
                           "ply\nformat binary_little_endian 1.0\ncomment dollop %s\nelement vertex %" PRId64 "\n",
                           dlp_version(), mesh->vertex_count);
    for (int a = 0; a < 6; a++) {
        dlp__atomic_file_print(file, "property float %s%s\n", a < 3 ? "" : "n", axis_names[a % 3]);
    }
    for (int f = 0; f < mesh->field_count; f++) {
        const dlp_MeshField *field = &mesh->fields[f];
        for (int c = 0; c < field->components; c++) {
            if (field->components == 1) {
                dlp__atomic_file_print(file, "property float %s\n", field->name);
            } else if (field->components == 3) {
                dlp__atomic_file_print(file, "property float %s_%s\n", field->name, axis_names[c]);
            } else {
                dlp__atomic_file_print(file, "property float %s_%d\n", field->name, c);
            }
        }
    }
    dlp__atomic_file_print(file, "element face %" PRId64 "\nproperty list uchar %s vertex_indices\nend_header\n",
                           mesh->triangle_count, mesh->vertex_count <= INT32_MAX ? "int" : "uint");
}

dlp_Result dlp__mesh_write_ply(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error)
{
    (void)error;
    write_header(file, mesh);
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        char row[24 + DLP_SURFACE_FIELDS_MOST * 9 * 4], *end = row;
        for (int a = 0; a < 6; a++) {
            end = dlp__put_float(end, a < 3 ? mesh->position[3 * v + a] : mesh->normal[3 * v + a - 3]);
        }
        for (int f = 0; f < mesh->field_count; f++) {
            const dlp_MeshField *field = &mesh->fields[f];
            for (int c = 0; c < field->components; c++) {
                end = dlp__put_float(end, field->values[v * field->components + c]);
            }
        }
        dlp__atomic_file_append(file, row, (size_t)(end - row));
    }
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        char row[13] = {3}, *end = row + 1;
        for (int k = 0; k < 3; k++) {
            end = dlp__put_bytes(end, mesh->triangle[3 * t + k], 4);
        }
        dlp__atomic_file_append(file, row, sizeof row);
    }
    return DLP_OK;
}
