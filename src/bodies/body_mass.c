/* Mass, centre of mass and inertia: shapes by ODE's formulas, closed meshes by exact integration in double. */
#include "bodies/body_parts.h"

#include <stdlib.h>

/* Accepted range; values beyond it are unit mistakes. */
static const double DENSITY_MIN = 1e-3, DENSITY_MAX = 1e6; /* kg/m3: thinner than air, fifty times gold */
static const double MASS_MIN = 1e-12, MASS_MAX = 1e15;     /* kg */

dlp_Vec3 dlp__inertia_times(const double inertia[6], dlp_Vec3 v)
{
    return dlp__vec3(inertia[0] * v.x + inertia[3] * v.y + inertia[4] * v.z,
                     inertia[3] * v.x + inertia[1] * v.y + inertia[5] * v.z,
                     inertia[4] * v.x + inertia[5] * v.y + inertia[2] * v.z);
}

bool dlp__inertia_invert(const double inertia[6], double inverse[6])
{
    const double xx = inertia[0], yy = inertia[1], zz = inertia[2], xy = inertia[3], xz = inertia[4], yz = inertia[5];
    const double cofactor[6] = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                                xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    const double determinant = xx * cofactor[0] + xy * cofactor[3] + xz * cofactor[4];
    /* Sylvester's criterion on the leading minors, with a margin for rounding relative to the diagonal products. */
    const double least = 1e-9;
    if (!(xx > 0.0 && cofactor[2] > least * xx * yy && determinant > least * xx * yy * zz)) {
        return false;
    }
    for (int k = 0; k < 6; k++) {
        inverse[k] = cofactor[k] / determinant;
    }
    return true;
}

static dlp_Vec3 vertex_of(const dlp_Mesh *mesh, int64_t corner)
{
    const float *p = &mesh->position[3 * (int64_t)mesh->triangle[corner]];
    return dlp__vec3((double)p[0], (double)p[1], (double)p[2]);
}

/* Each triangle forms a tetrahedron with one point, here the first vertex, which keeps meshes far from the origin
 * accurate. With corners a, b, c relative to that point and s their sum, the integrals of 1, x and x x^T over it are
 * det / 6, det / 24 s and det / 120 (a a^T + b b^T + c c^T + s s^T), where det = a . (b x c). */
dlp__BodyMass dlp__mesh_mass(const dlp_Mesh *mesh)
{
    const dlp_Vec3 from = vertex_of(mesh, 0);
    double volume = 0.0, second[6] = {0};
    dlp_Vec3 first = {0, 0, 0};
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        dlp_Vec3 p[4];
        for (int k = 0; k < 3; k++) {
            p[k] = dlp__sub(vertex_of(mesh, 3 * t + k), from);
        }
        p[3] = dlp__add(dlp__add(p[0], p[1]), p[2]);
        const double det = dlp__dot(p[0], dlp__cross(p[1], p[2]));
        volume += det / 6.0;
        first = dlp__add(first, dlp__scale(p[3], det / 24.0));
        for (int k = 0; k < 4; k++) {
            const double products[6] = {p[k].x * p[k].x, p[k].y * p[k].y, p[k].z * p[k].z,
                                        p[k].x * p[k].y, p[k].x * p[k].z, p[k].y * p[k].z};
            for (int m = 0; m < 6; m++) {
                second[m] += det / 120.0 * products[m];
            }
        }
    }
    const dlp_Vec3 c = dlp__scale(first, 1.0 / volume); /* meaningless and unused if the volume is zero */
    const double xx = second[0] - volume * c.x * c.x, yy = second[1] - volume * c.y * c.y,
                 zz = second[2] - volume * c.z * c.z;
    return (dlp__BodyMass){
        .mass = volume,
        .center = dlp__add(from, c),
        .inertia = {yy + zz, xx + zz, xx + yy, volume * c.x * c.y - second[3], volume * c.x * c.z - second[4],
                    volume * c.y * c.z - second[5]},
    };
}

static int compare_edges(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

/* In a closed mesh every edge is traversed equally often in both directions. */
static bool edges_are_balanced(const uint64_t *edge, int64_t count)
{
    for (int64_t begin = 0, end = 0; begin < count; begin = end) {
        int64_t balance = 0;
        for (end = begin; end < count && edge[end] >> 1 == edge[begin] >> 1; end++) {
            balance += (edge[end] & 1) != 0 ? 1 : -1;
        }
        if (balance != 0) {
            return false;
        }
    }
    return true;
}

static dlp_Result check_closed(dlp__Memory *memory, const dlp_Mesh *mesh, dlp_Error *error)
{
    const int64_t count = 3 * mesh->triangle_count;
    uint64_t *edge = dlp__memory_get(memory, count, sizeof *edge);
    if (edge == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the edges of a mesh of %lld triangles",
                         (long long)mesh->triangle_count);
    }
    for (int64_t e = 0; e < count; e++) {
        uint64_t a = mesh->triangle[e], b = mesh->triangle[e % 3 == 2 ? e - 2 : e + 1];
        edge[e] = a < b ? a << 32 | b << 1 | 1 : b << 32 | a << 1; /* vertices are fewer than 2^31 */
    }
    qsort(edge, (size_t)count, sizeof *edge, compare_edges);
    bool closed = edges_are_balanced(edge, count);
    dlp__memory_release(memory, edge, count, sizeof *edge);
    return closed
               ? DLP_OK
               : dlp__fail(
                     error, DLP_ERROR_ARGUMENT,
                     "the mesh of a free body is not closed, so its volume is undefined: fill its holes, turn "
                     "all triangles outwards and merge equal vertices, or make it a solid that does not move freely");
}

/* At density 1. */
static dlp_Result form_mass(dlp__Memory *memory, const dlp__BodyForm *form, dlp__BodyMass *mass, dlp_Error *error)
{
    if (form->mesh != NULL) {
        dlp_Result result = check_closed(memory, form->mesh, error);
        if (result == DLP_OK) {
            *mass = dlp__mesh_mass(form->mesh);
        }
        return result;
    }
    dMass of;
    const dlp__Shape *shape = &form->shape;
    switch (shape->kind) {
    case DLP_SHAPE_SPHERE: dMassSetSphere(&of, 1.0, shape->radius); break;
    case DLP_SHAPE_CAPSULE: dMassSetCapsule(&of, 1.0, 3, shape->radius, 2.0 * shape->half_length); break;
    case DLP_SHAPE_CYLINDER: dMassSetCylinder(&of, 1.0, 3, shape->radius, 2.0 * shape->half_length); break;
    default: dMassSetBox(&of, 1.0, 2.0 * shape->half.x, 2.0 * shape->half.y, 2.0 * shape->half.z); break;
    }
    *mass = (dlp__BodyMass){.mass = of.mass, .inertia = {of.I[0], of.I[5], of.I[10]}};
    return DLP_OK;
}

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high; /* false for NaN */
}

static dlp_Result check_weight(const dlp__BodyDef *def, dlp_Error *error)
{
    if (def->mass != 0.0 && !is_between(def->mass, MASS_MIN, MASS_MAX)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a free body cannot have a mass of %g kg: give %g to %g", def->mass,
                         MASS_MIN, MASS_MAX);
    }
    if (def->mass == 0.0 && !is_between(def->density, DENSITY_MIN, DENSITY_MAX)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a free body cannot have a density of %g kg/m3: give %g to %g, or its mass in kg",
                         def->density, DENSITY_MIN, DENSITY_MAX);
    }
    return DLP_OK;
}

dlp_Result dlp__body_mass(dlp__Memory *memory, const dlp__BodyDef *def, dlp__BodyMass *mass, dlp_Error *error)
{
    dlp_Result result = check_weight(def, error);
    if (result == DLP_OK) {
        result = form_mass(memory, &def->form, mass, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    double inverse[6];
    if (!(mass->mass > 0.0) || !dlp__inertia_invert(mass->inertia, inverse)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh of a free body encloses %g m3: its triangles must be counterclockwise seen from outside, "
            "enclose a volume and not intersect each other",
            mass->mass);
    }
    const double density = def->mass != 0.0 ? def->mass / mass->mass : def->density;
    mass->mass *= density;
    for (int k = 0; k < 6; k++) {
        mass->inertia[k] *= density;
    }
    if (!is_between(mass->mass, MASS_MIN, MASS_MAX)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a free body of that size and density would weigh %g kg: the solver handles %g to %g kg",
                         mass->mass, MASS_MIN, MASS_MAX);
    }
    return DLP_OK;
}
