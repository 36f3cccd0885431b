/* How fast the surfaces of solids move near the fluid: a limit of the time step. */
#include "bodies/solids.h"

/* m, distance from a point to a box. */
static double distance_to_box(dlp_Vec3 point, dlp_Vec3 lower, dlp_Vec3 upper)
{
    const dlp_Vec3 outside = {fmax(fmax(lower.x - point.x, point.x - upper.x), 0.0),
                              fmax(fmax(lower.y - point.y, point.y - upper.y), 0.0),
                              fmax(fmax(lower.z - point.z, point.z - upper.z), 0.0)};
    return dlp__length(outside);
}

/* m, distance from a point to the farthest corner of a box. */
static double farthest_corner(dlp_Vec3 point, dlp_Vec3 lower, dlp_Vec3 upper)
{
    return dlp__length(dlp__vec3(fmax(fabs(lower.x - point.x), fabs(upper.x - point.x)),
                                 fmax(fabs(lower.y - point.y), fabs(upper.y - point.y)),
                                 fmax(fabs(lower.z - point.z), fabs(upper.z - point.z))));
}

/* Fluid is inside a container, and a plane is unbounded. */
static bool is_near(const dlp__Shape *shape, dlp_Vec3 lower, dlp_Vec3 upper, double reach)
{
    return shape->kind == DLP_SHAPE_PLANE || shape->kind == DLP_SHAPE_CONTAINER ||
           distance_to_box(shape->position, lower, upper) <= dlp__shape_radius(shape) + reach;
}

double dlp__solids_surface_speed(const dlp__Solids *solids, double from, double to, dlp_Vec3 gravity, dlp_Vec3 lower,
                                 dlp_Vec3 upper, double reach)
{
    /* A path may start, stop or turn within the interval. */
    const double times[] = {from, 0.5 * (from + to), to};
    double fastest = 0.0;
    for (int k = 0; k < solids->count; k++) {
        const dlp__Solid *solid = &solids->solid[k];
        double speed = 0.0;
        bool near = false;
        for (int n = 0; n < 3; n++) {
            const dlp__Solid at = dlp__solid_at(solids, solid, times[n]);
            const double arm = fmin(dlp__shape_radius(&at.shape),
                                    farthest_corner(at.shape.position, lower, upper) + reach);
            const double turning = dlp__length(at.spin);
            speed = fmax(speed, dlp__length(at.velocity) + (turning > 0.0 ? turning * arm : 0.0));
            near |= is_near(&at.shape, lower, upper, reach);
        }
        if (solid->body >= 0) {
            speed += (to - from) * dlp__length(gravity);
        }
        if (solid->shape.frames != NULL) {
            speed += dlp__deforming_mesh_max_speed(solid->shape.frames, from, to);
        }
        fastest = near ? fmax(fastest, speed) : fastest;
    }
    return fastest;
}
