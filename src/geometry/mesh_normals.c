/* Vertex normals as weighted sums of face normals. */
#include "geometry/mesh_normals.h"

#include "geometry/mesh_triangle.h"

#include <string.h>

void dlp__mesh_vertex_normals(const dlp_Mesh *mesh, dlp__NormalWeights weights, dlp_Vec3 *normal)
{
    memset(normal, 0, (size_t)mesh->vertex_count * sizeof *normal);
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangle + 3 * t;
        const dlp_Vec3 area = dlp__triangle_area(mesh->position, corner);
        const dlp_Vec3 p[3] = {dlp__mesh_vertex(mesh->position, corner[0]), dlp__mesh_vertex(mesh->position, corner[1]),
                               dlp__mesh_vertex(mesh->position, corner[2])};
        const dlp_Vec3 weighted = weights == DLP_NORMALS_BY_ANGLE_AND_AREA ? area : dlp__unit(area);
        for (int k = 0; k < 3; k++) {
            const dlp_Vec3 u = dlp__sub(p[(k + 1) % 3], p[k]), v = dlp__sub(p[(k + 2) % 3], p[k]);
            const double angle = atan2(dlp__length(area), dlp__dot(u, v));
            normal[corner[k]] = dlp__add(normal[corner[k]], dlp__scale(weighted, angle));
        }
    }
}
