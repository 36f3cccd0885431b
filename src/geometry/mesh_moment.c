/* Distance and velocity of a mesh between two keys. The surface goes straight from one to the other; what lies beside it goes with
 * the nearest point of it. */
#include "base/vector.h"
#include "geometry/mesh_frames.h"

enum { ROUNDS = 4 }; /* of looking where a point came from: each takes off most of the error of the one before */

/* Where a point that is carried by the surface was at the first key, and where it goes until the second. */
static bool trace(const dlp__Moment *moment, dlp_Vec3 point, dlp_Vec3 *origin, dlp_Vec3 *drift)
{
    *origin = point;
    bool known = dlp__distance_field_drift(moment->from, point, drift);
    for (int round = 0; round < ROUNDS && known; round++) {
        *origin = dlp__sub(point, dlp__scale(*drift, moment->part));
        known = dlp__distance_field_drift(moment->from, *origin, drift);
    }
    return known;
}

double dlp__moment_distance(const dlp__Moment *moment, dlp_Vec3 point, dlp_Vec3 *normal)
{
    dlp_Vec3 origin = point, drift, later;
    if (moment->to == NULL) {
        return dlp__distance_field_at(moment->from, point, normal);
    }
    if (!trace(moment, point, &origin, &drift)) {
        /* So far away that all that matters is that it is not nearer than that. */
        const double distance = dlp__distance_field_at(moment->from, point, normal);
        return copysign(fmax(fabs(distance) - moment->part * moment->from->reach, 0.0), distance);
    }
    const double before = dlp__distance_field_at(moment->from, origin, normal);
    const double after = dlp__distance_field_at(moment->to, dlp__add(origin, drift), &later);
    *normal = dlp__unit_or_up(dlp__add(*normal, dlp__scale(dlp__sub(later, *normal), moment->part)));
    return before + moment->part * (after - before);
}

dlp_Vec3 dlp__moment_velocity(const dlp__Moment *moment, dlp_Vec3 point)
{
    dlp_Vec3 origin, drift;
    if (moment->to == NULL || !trace(moment, point, &origin, &drift)) {
        return dlp__vec3(0.0, 0.0, 0.0);
    }
    return dlp__scale(drift, 1.0 / moment->span);
}

void dlp__moment_bounds(const dlp__Moment *moment, dlp_Vec3 *lower, dlp_Vec3 *upper)
{
    const dlp__DistanceField *from = moment->from, *to = moment->to != NULL ? moment->to : from;
    *lower = dlp__vec3(fmin(from->mesh_lower.x, to->mesh_lower.x), fmin(from->mesh_lower.y, to->mesh_lower.y),
                       fmin(from->mesh_lower.z, to->mesh_lower.z));
    *upper = dlp__vec3(fmax(from->mesh_upper.x, to->mesh_upper.x), fmax(from->mesh_upper.y, to->mesh_upper.y),
                       fmax(from->mesh_upper.z, to->mesh_upper.z));
}
