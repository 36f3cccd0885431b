/* Wavefront OBJ: positions, normals and triangles as text. The format does not support fields. */
#include "io/mesh_writers.h"

#include <inttypes.h>

dlp_Result dlp__mesh_write_obj(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error)
{
    (void)error;
    dlp__atomic_file_print(file, "# dollop %s: %" PRId64 " vertices, %" PRId64 " triangles; metres, z is up\no fluid\n",
                           dlp_version(), mesh->vertex_count, mesh->triangle_count);
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->position + 3 * v;
        dlp__atomic_file_print(file, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *n = mesh->normal + 3 * v;
        dlp__atomic_file_print(file, "vn %.5f %.5f %.5f\n", (double)n[0], (double)n[1], (double)n[2]);
    }
    dlp__atomic_file_print(file, "s 1\n");
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        int64_t k[3] = {(int64_t)mesh->triangle[3 * t] + 1, (int64_t)mesh->triangle[3 * t + 1] + 1,
                        (int64_t)mesh->triangle[3 * t + 2] + 1};
        dlp__atomic_file_print(file, "f %" PRId64 "//%" PRId64 " %" PRId64 "//%" PRId64 " %" PRId64 "//%" PRId64 "\n",
                               k[0], k[0], k[1], k[1], k[2], k[2]);
    }
    return DLP_OK;
}
