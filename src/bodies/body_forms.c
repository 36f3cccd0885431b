/* The forms of bodies and obstacles as ODE geoms: validation, creation and placement. */
#include "bodies/body_parts.h"

#include <string.h>

static const double SMALLEST = 5e-6, LARGEST = 5e4; /* m, half an extent: ODE counts its cells with 32 bits */

enum { BODY_BIT = 1, OBSTACLE_BIT = 2 }; /* obstacles do not collide with each other */

/* Checks */

static bool is_size(double half)
{
    return half >= SMALLEST && half <= LARGEST; /* false for NaN */
}

static dlp_Result check_shape(const dlp__Shape *shape, bool free, dlp_Error *error)
{
    const bool is_infinite = shape->kind == DLP_SHAPE_PLANE || shape->kind == DLP_SHAPE_CONTAINER;
    if (free && is_infinite) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a plane or a container cannot be a free body, because it is infinite: use a sphere, box, capsule, "
            "cylinder or a closed mesh");
    }
    const bool has_box = shape->kind == DLP_SHAPE_BOX || shape->kind == DLP_SHAPE_CONTAINER;
    const bool has_length = shape->kind == DLP_SHAPE_CAPSULE || shape->kind == DLP_SHAPE_CYLINDER;
    const bool has_radius = has_length || shape->kind == DLP_SHAPE_SPHERE;
    if ((has_box && !(is_size(shape->half.x) && is_size(shape->half.y) && is_size(shape->half.z))) ||
        (has_length && !is_size(shape->half_length)) || (has_radius && !is_size(shape->radius))) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a rigid body measures between %g and %g m along each of its axes: correct its size, radius or length",
            2.0 * SMALLEST, 2.0 * LARGEST);
    }
    return DLP_OK;
}

static dlp_Result check_mesh(const dlp_Mesh *mesh, dlp_Error *error)
{
    if (mesh->triangle_count < 1 || mesh->triangle_count > INT32_MAX / 3 || mesh->vertex_count < 3 ||
        mesh->vertex_count > INT32_MAX / 3) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the mesh of a rigid body has %lld vertices and %lld triangles: it needs some, and at most %d of each",
            (long long)mesh->vertex_count, (long long)mesh->triangle_count, INT32_MAX / 3);
    }
    for (int64_t k = 0; k < 3 * mesh->triangle_count; k++) {
        if (mesh->triangle[k] >= mesh->vertex_count) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "triangle %lld of a mesh names vertex %u of %lld: repair the mesh", (long long)(k / 3),
                             mesh->triangle[k], (long long)mesh->vertex_count);
        }
    }
    for (int64_t k = 0; k < 3 * mesh->vertex_count; k++) {
        if (!(fabs((double)mesh->position[k]) <= LARGEST)) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "vertex %lld of a mesh is %g m from its origin: a rigid body reaches %g m; correct the mesh or its "
                "scale",
                (long long)(k / 3), (double)mesh->position[k], LARGEST);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__body_form_check(const dlp__BodyForm *form, bool free, dlp_Error *error)
{
    const dlp__Shape *shape = &form->shape;
    if (!(form->friction >= 0.0 && form->friction <= 1e6) || !(form->restitution >= 0.0 && form->restitution <= 1.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a rigid body has friction %g and restitution %g: give 0 to 1e6 and 0 to 1", form->friction,
                         form->restitution);
    }
    if (!dlp__is_within(shape->position, DLP_BODY_REACH) || !dlp__is_finite(shape->rotation.x) ||
        !dlp__is_finite(shape->rotation.y) || !dlp__is_finite(shape->rotation.z)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a rigid body is at %g %g %g: give a position within %g m of the origin and a finite rotation",
                         shape->position.x, shape->position.y, shape->position.z, DLP_BODY_REACH);
    }
    return form->mesh != NULL ? check_mesh(form->mesh, error) : check_shape(shape, free, error);
}

/* Creation */

static double mesh_size(const dlp_Mesh *mesh)
{
    double size = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        float low = mesh->position[axis], high = low;
        for (int64_t v = 1; v < mesh->vertex_count; v++) {
            const float at = mesh->position[3 * v + axis];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        size = fmin(size, 0.5 * ((double)high - (double)low));
    }
    return fmax(size, SMALLEST);
}

static bool create_mesh(dlp__Bodies *bodies, const dlp_Mesh *mesh, dlp__OdeForm *out)
{
    out->vertex_count = mesh->vertex_count;
    out->triangle_count = mesh->triangle_count;
    out->vertex = dlp__memory_get(bodies->memory, 3 * mesh->vertex_count, sizeof *out->vertex);
    out->triangle = dlp__memory_get(bodies->memory, 3 * mesh->triangle_count, sizeof *out->triangle);
    if (out->vertex == NULL || out->triangle == NULL) {
        return false;
    }
    memcpy(out->vertex, mesh->position, 3 * (size_t)mesh->vertex_count * sizeof *out->vertex);
    memcpy(out->triangle, mesh->triangle, 3 * (size_t)mesh->triangle_count * sizeof *out->triangle);
    out->mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(out->mesh, out->vertex, 3 * sizeof *out->vertex, (int)mesh->vertex_count, out->triangle,
                                3 * (int)mesh->triangle_count, 3 * sizeof *out->triangle);
    out->geom[0] = dCreateTriMesh(bodies->space, out->mesh, NULL, NULL, NULL);
    out->geom_count = 1;
    out->size = mesh_size(mesh);
    return true;
}

static void create_shape(dSpaceID space, const dlp__Shape *shape, dlp__OdeForm *out)
{
    const double length = 2.0 * shape->half_length;
    out->geom_count = 1;
    switch (shape->kind) {
    case DLP_SHAPE_MESH: break; /* handled by create_mesh */
    case DLP_SHAPE_PLANE:
    case DLP_SHAPE_CONTAINER:
        out->geom_count = shape->kind == DLP_SHAPE_PLANE ? 1 : DLP_SHAPE_WALLS;
        for (int k = 0; k < out->geom_count; k++) {
            out->geom[k] = dCreatePlane(space, 0, 0, 1, 0);
        }
        out->size = INFINITY;
        break;
    case DLP_SHAPE_BOX:
        out->geom[0] = dCreateBox(space, 2.0 * shape->half.x, 2.0 * shape->half.y, 2.0 * shape->half.z);
        out->size = fmin(shape->half.x, fmin(shape->half.y, shape->half.z));
        break;
    case DLP_SHAPE_SPHERE:
        out->geom[0] = dCreateSphere(space, shape->radius);
        out->size = shape->radius;
        break;
    case DLP_SHAPE_CAPSULE:
        out->geom[0] = dCreateCapsule(space, shape->radius, length);
        out->size = shape->radius;
        break;
    case DLP_SHAPE_CYLINDER:
        out->geom[0] = dCreateCylinder(space, shape->radius, length);
        out->size = fmin(shape->radius, shape->half_length);
        break;
    }
}

bool dlp__body_form_create(dlp__Bodies *bodies, const dlp__BodyForm *form, uint32_t key, dlp__OdeForm *out)
{
    *out = (dlp__OdeForm){
        .kind = form->mesh != NULL ? DLP_SHAPE_BOX : form->shape.kind, /* positioned like a box */
        .half = form->shape.half,
        .friction = form->friction,
        .restitution = form->restitution,
    };
    if (form->mesh == NULL) {
        create_shape(bodies->space, &form->shape, out);
    } else if (!create_mesh(bodies, form->mesh, out)) {
        dlp__body_form_release(bodies, out);
        return false;
    }
    const bool obstacle = key >= DLP_OBSTACLE_KEY;
    for (int k = 0; k < out->geom_count; k++) {
        dGeomSetData(out->geom[k], (void *)(uintptr_t)(key + (uint32_t)k));
        dGeomSetCategoryBits(out->geom[k], obstacle ? OBSTACLE_BIT : BODY_BIT);
        dGeomSetCollideBits(out->geom[k], obstacle ? BODY_BIT : BODY_BIT | OBSTACLE_BIT);
    }
    return true;
}

void dlp__body_form_release(dlp__Bodies *bodies, dlp__OdeForm *form)
{
    if (!bodies->broken) {
        for (int k = 0; k < form->geom_count; k++) {
            dGeomDestroy(form->geom[k]);
        }
        if (form->mesh != NULL) {
            dGeomTriMeshDataDestroy(form->mesh);
        }
    }
    dlp__memory_release(bodies->memory, form->vertex, 3 * form->vertex_count, sizeof *form->vertex);
    dlp__memory_release(bodies->memory, form->triangle, 3 * form->triangle_count, sizeof *form->triangle);
    *form = (dlp__OdeForm){.geom_count = 0};
}

/* Placement */

void dlp__body_form_attach(dlp__OdeForm *form, dBodyID body, dlp_Vec3 reference)
{
    dGeomSetBody(form->geom[0], body);
    dGeomSetOffsetPosition(form->geom[0], reference.x, reference.y, reference.z);
}

void dlp__body_form_enable(dlp__OdeForm *form, bool enable)
{
    for (int k = 0; k < form->geom_count; k++) {
        if (enable) {
            dGeomEnable(form->geom[k]);
        } else {
            dGeomDisable(form->geom[k]);
        }
    }
}

static void set_plane(dGeomID geom, dlp_Vec3 normal, dlp_Vec3 point)
{
    dGeomPlaneSetParams(geom, normal.x, normal.y, normal.z, dlp__dot(normal, point));
}

void dlp__body_form_place(dlp__OdeForm *form, dlp_Vec3 position, const dlp__Rotation *rotation)
{
    if (form->kind == DLP_SHAPE_PLANE) {
        set_plane(form->geom[0], rotation->z, position);
        return;
    }
    if (form->kind == DLP_SHAPE_CONTAINER) {
        const dlp_Vec3 axis[3] = {rotation->x, rotation->y, rotation->z};
        const double half[3] = {form->half.x, form->half.y, form->half.z};
        for (int k = 0; k < DLP_SHAPE_WALLS; k++) {
            const dlp_Vec3 inwards = dlp__scale(axis[k / 2], k % 2 == 0 ? 1.0 : -1.0);
            set_plane(form->geom[k], inwards, dlp__sub(position, dlp__scale(inwards, half[k / 2])));
        }
        return;
    }
    const dMatrix3 matrix = {rotation->x.x, rotation->y.x, rotation->z.x, 0.0,           rotation->x.y, rotation->y.y,
                             rotation->z.y, 0.0,           rotation->x.z, rotation->y.z, rotation->z.z, 0.0};
    dGeomSetPosition(form->geom[0], position.x, position.y, position.z);
    dGeomSetRotation(form->geom[0], matrix);
    dlp__body_form_enable(form, dlp__is_within(position, DLP_BODY_REACH));
}
