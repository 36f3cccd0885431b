#include "support/mesh_checks.h"

#include <math.h>
#include <stdlib.h>

/* From which vertex to which, as one number. */
static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Every side must be there exactly once in each direction. */
static const char *side_fault(const dlp_Mesh *mesh, uint64_t *there, uint64_t *back)
{
    const int64_t sides = 3 * mesh->triangle_count;
    for (int64_t n = 0; n < sides; n++) {
        uint64_t from = mesh->triangle[n], to = mesh->triangle[n / 3 * 3 + (n + 1) % 3];
        there[n] = from << 32 | to;
        back[n] = to << 32 | from;
    }
    qsort(there, (size_t)sides, sizeof *there, compare);
    qsort(back, (size_t)sides, sizeof *back, compare);
    for (int64_t n = 0; n < sides; n++) {
        if (there[n] != back[n]) {
            return "it is open, or triangles are not turned alike";
        }
        if (n > 0 && there[n] == there[n - 1]) {
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
    uint64_t *there = malloc((sides + 1) * sizeof *there), *back = malloc((sides + 1) * sizeof *back);
    fault = there != NULL && back != NULL ? side_fault(mesh, there, back) : "there is no memory to check it";
    free(there);
    free(back);
    return fault;
}
