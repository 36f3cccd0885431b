/* Distance and velocity of a deforming mesh between two keys. The surface moves linearly; a point beside it moves with
 * the closest point of the surface. */
#include "base/vector.h"
#include "geometry/deforming_mesh.h"

enum { ITERATIONS = 4 }; /* of the fixed point iteration for the origin: each removes most of the remaining error */

/* The position at the first key of a point that moves with the surface, and its displacement until the second key. */
static bool trace_back(const dlp__InterpolatedField *field, dlp_Vec3 point, dlp_Vec3 *origin, dlp_Vec3 *displacement)
{
    *origin = point;
    bool known = dlp__distance_field_displacement(field->from, point, displacement);
    for (int iteration = 0; iteration < ITERATIONS && known; iteration++) {
        *origin = dlp__sub(point, dlp__scale(*displacement, field->fraction));
        known = dlp__distance_field_displacement(field->from, *origin, displacement);
    }
    return known;
}

double dlp__interpolated_distance(const dlp__InterpolatedField *field, dlp_Vec3 point, dlp_Vec3 *normal)
{
    dlp_Vec3 origin = point, displacement, normal_after;
    if (field->to == NULL) {
        return dlp__distance_field_at(field->from, point, normal);
    }
    if (!trace_back(field, point, &origin, &displacement)) {
        /* So far away that a lower bound of the distance is enough. */
        const double distance = dlp__distance_field_at(field->from, point, normal);
        return copysign(fmax(fabs(distance) - field->fraction * field->from->max_displacement, 0.0), distance);
    }
    const double before = dlp__distance_field_at(field->from, origin, normal);
    const double after = dlp__distance_field_at(field->to, dlp__add(origin, displacement), &normal_after);
    *normal = dlp__unit_or_up(dlp__add(*normal, dlp__scale(dlp__sub(normal_after, *normal), field->fraction)));
    return before + field->fraction * (after - before);
}

dlp_Vec3 dlp__interpolated_velocity(const dlp__InterpolatedField *field, dlp_Vec3 point)
{
    dlp_Vec3 origin, displacement;
    if (field->to == NULL || !trace_back(field, point, &origin, &displacement)) {
        return dlp__vec3(0.0, 0.0, 0.0);
    }
    return dlp__scale(displacement, 1.0 / field->interval);
}

void dlp__interpolated_bounds(const dlp__InterpolatedField *field, dlp_Vec3 *lower, dlp_Vec3 *upper)
{
    const dlp__DistanceField *from = field->from, *to = field->to != NULL ? field->to : from;
    *lower = dlp__vec3(fmin(from->mesh_lower.x, to->mesh_lower.x), fmin(from->mesh_lower.y, to->mesh_lower.y),
                       fmin(from->mesh_lower.z, to->mesh_lower.z));
    *upper = dlp__vec3(fmax(from->mesh_upper.x, to->mesh_upper.x), fmax(from->mesh_upper.y, to->mesh_upper.y),
                       fmax(from->mesh_upper.z, to->mesh_upper.z));
}
