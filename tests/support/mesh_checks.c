/* Checks that a mesh is closed, oriented and not degenerate. */
#include "support/mesh_checks.h"

#include <math.h>
#include <stdlib.h>

/* Start and end vertex in one number. */
static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Every side must exist exactly once in each direction. */
static const char *side_fault(const dlp_Mesh *mesh, uint64_t *forward, uint64_t *backward)
{
    const int64_t sides = 3 * mesh->triangle_count;
    for (int64_t n = 0; n < sides; n++) {
        uint64_t from = mesh->triangle[n], to = mesh->triangle[n / 3 * 3 + (n + 1) % 3];
        forward[n] = from << 32 | to;
        backward[n] = to << 32 | from;
    }
    qsort(forward, (size_t)sides, sizeof *forward, compare);
    qsort(backward, (size_t)sides, sizeof *backward, compare);
    for (int64_t n = 0; n < sides; n++) {
        if (forward[n] != backward[n]) {
            return "it is open, or triangles are not turned alike";
        }
        if (n > 0 && forward[n] == forward[n - 1]) {
            return "a side belongs to more than two triangles";
        }
    }
    return NULL;
}

static double area_of(const dlp_Mesh *mesh, int64_t t)
{
    const float *a = mesh->position + 3 * (int64_t)mesh->triangle[3 * t],
                *b = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + 1],
                *c = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + 2];
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        v[k] = (double)c[k] - (double)a[k];
    }
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

const char *mesh_value_fault(const dlp_Mesh *mesh)
{
    for (int64_t n = 0; n < 3 * mesh->triangle_count; n++) {
        if ((int64_t)mesh->triangle[n] >= mesh->vertex_count) {
            return "a triangle has a vertex that does not exist";
        }
    }
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        if (!(area_of(mesh, t) > 0.0)) {
            return "a triangle has no area";
        }
    }
    for (int64_t n = 0; n < 3 * mesh->vertex_count; n++) {
        if (!isfinite(mesh->position[n]) || !isfinite(mesh->normal[n])) {
            return "a vertex is not finite";
        }
    }
    return NULL;
}

const char *mesh_fault(const dlp_Mesh *mesh)
{
    const char *fault = mesh_value_fault(mesh);
    if (fault != NULL) {
        return fault;
    }
    const size_t sides = 3 * (size_t)mesh->triangle_count;
    uint64_t *forward = malloc((sides + 1) * sizeof *forward), *backward = malloc((sides + 1) * sizeof *backward);
    fault = forward != NULL && backward != NULL ? side_fault(mesh, forward, backward)
                                                : "there is no memory to check "
                                                  "it";
    free(forward);
    free(backward);
    return fault;
}
