/* The curve through the keys of a path. A smooth path is a cubic Hermite curve whose velocity at each key follows
 * from the two neighbouring keys, as in Catmull-Rom splines with unequal times: that of the parabola through the
 * three. Unlike curves smoothed along x, y and z separately, it does not depend on the orientation of the axes. The
 * velocity is zero at the first and last key, and it is limited so that motion along a straight line never
 * overshoots a key where it stops or reverses. Rotations follow the same curve: the cubic is the rotation vector
 * relative to the earlier key, and the velocity at a key is a spin. Both have continuous velocities. */
#include "bodies/pose_path.h"

/* Constant velocity from one key to the next: m/s, or rad/s of the shortest rotation. */
static dlp_Vec3 steady_velocity(const dlp_PoseKey *from, const dlp_PoseKey *to)
{
    return dlp__scale(dlp__sub(to->position, from->position), 1.0 / (to->time - from->time));
}

/* rad, axis times angle of the shortest rotation between two keys. */
static dlp_Vec3 turn_between(const dlp_PoseKey *from, const dlp_PoseKey *to)
{
    const dlp__Rotation begin = dlp__rotation(from->rotation), end = dlp__rotation(to->rotation);
    const dlp__Rotation turn = {dlp__rotate(&end, dlp__vec3(begin.x.x, begin.y.x, begin.z.x)),
                                dlp__rotate(&end, dlp__vec3(begin.x.y, begin.y.y, begin.z.y)),
                                dlp__rotate(&end, dlp__vec3(begin.x.z, begin.y.z, begin.z.z))};
    return dlp__rotation_vector(&turn);
}

static dlp_Vec3 steady_spin(const dlp_PoseKey *from, const dlp_PoseKey *to)
{
    return dlp__scale(turn_between(from, to), 1.0 / (to->time - from->time));
}

/* The velocity at a key between `before` seconds at the constant velocity `in` and `after` seconds at `out`. A cubic
 * stays between its ends if its end velocities are at most three times its mean velocity (Fritsch and Carlson 1980);
 * the limit falls to zero as the path reverses, with the squared cosine of half the angle between the two. */
static dlp_Vec3 velocity_between(dlp_Vec3 in, double before, dlp_Vec3 out, double after)
{
    const double speed_in = dlp__length(in), speed_out = dlp__length(out);
    if (!(speed_in > 0.0 && speed_out > 0.0)) {
        return dlp__vec3(0.0, 0.0, 0.0);
    }
    const double cosine = dlp__dot(dlp__scale(in, 1.0 / speed_in), dlp__scale(out, 1.0 / speed_out));
    const double limit = 3.0 * fmin(speed_in, speed_out) * fmax(0.5 * (1.0 + cosine), 0.0);
    const double share = after / (before + after);
    const dlp_Vec3 velocity = dlp__add(dlp__scale(in, share), dlp__scale(out, 1.0 - share));
    const double speed = dlp__length(velocity);
    return speed > limit ? dlp__scale(velocity, limit / speed) : velocity;
}

typedef dlp_Vec3 (*SteadyFunction)(const dlp_PoseKey *from, const dlp_PoseKey *to);

/* The velocity or spin of the path at key k. */
static dlp_Vec3 at_key(const dlp__PosePath *path, int k, SteadyFunction steady)
{
    if (k == 0 || k == path->count - 1) {
        return dlp__vec3(0.0, 0.0, 0.0);
    }
    const dlp_PoseKey *key = &path->keys[k];
    return velocity_between(steady(key - 1, key), key->time - key[-1].time, steady(key, key + 1),
                            key[1].time - key->time);
}

/* A cubic over `span` seconds from zero, with initial slope `from`, to `way`, with final slope `to`; its value and
 * slope. */
typedef struct Cubic {
    dlp_Vec3 way, from, to;
    double span;
} Cubic;

static void cubic_at(const Cubic *c, double time, dlp_Vec3 *value, dlp_Vec3 *slope)
{
    const double s = time / c->span, left = 1.0 - s;
    *value = dlp__add(dlp__scale(c->way, s * s * (3.0 - 2.0 * s)),
                      dlp__add(dlp__scale(c->from, time * left * left), dlp__scale(c->to, -time * s * left)));
    *slope = dlp__add(dlp__scale(c->way, 6.0 * s * left / c->span),
                      dlp__add(dlp__scale(c->from, left * (1.0 - 3.0 * s)), dlp__scale(c->to, s * (3.0 * s - 2.0))));
}

/* The spin of a body with rotation vector `turn` (axis times angle) whose rate of change is `slope`:
 *     slope + (1 - cos a)/a^2 turn x slope + (a - sin a)/a^3 turn x (turn x slope),  a = |turn|. */
static dlp_Vec3 spin_of(dlp_Vec3 turn, dlp_Vec3 slope)
{
    const double a = dlp__length(turn);
    const bool small = a < 1e-3; /* where the next term of the series is below rounding, and differences would cancel */
    const double half = small ? 1.0 : sin(0.5 * a) / (0.5 * a);
    const double first = small ? 0.5 - a * a / 24.0 : 0.5 * half * half;
    const double second = small ? 1.0 / 6.0 - a * a / 120.0 : (a - sin(a)) / (a * a * a);
    const dlp_Vec3 across = dlp__cross(turn, slope);
    return dlp__add(slope, dlp__add(dlp__scale(across, first), dlp__scale(dlp__cross(turn, across), second)));
}

/* The inverse: the rate of change of `turn` (at most half a turn) of a body with that spin. */
static dlp_Vec3 slope_of(dlp_Vec3 turn, dlp_Vec3 spin)
{
    const double a = dlp__length(turn);
    const double second = a < 1e-3 ? 1.0 / 12.0 + a * a / 720.0 : 1.0 / (a * a) - 0.5 / (a * tan(0.5 * a));
    const dlp_Vec3 across = dlp__cross(turn, spin);
    return dlp__add(dlp__sub(spin, dlp__scale(across, 0.5)), dlp__scale(dlp__cross(turn, across), second));
}

static dlp__Pose at_rest(const dlp_PoseKey *key)
{
    return (dlp__Pose){.position = key->position, .rotation = dlp__rotation(key->rotation)};
}

/* The pose at `time` seconds after key k and before the next. */
static dlp__Pose on_curve(const dlp__PosePath *path, int k, double time, bool smooth)
{
    const dlp_PoseKey *key = &path->keys[k];
    const dlp_Vec3 turn = turn_between(key, key + 1), velocity = steady_velocity(key, key + 1),
                   spin = steady_spin(key, key + 1);
    const double span = key[1].time - key->time;
    const Cubic moving = {dlp__sub(key[1].position, key->position),
                          smooth ? at_key(path, k, steady_velocity) : velocity,
                          smooth ? at_key(path, k + 1, steady_velocity) : velocity, span};
    const Cubic turning = {turn, smooth ? at_key(path, k, steady_spin) : spin,
                           smooth ? slope_of(turn, at_key(path, k + 1, steady_spin)) : spin, span};
    dlp_Vec3 moved, turned, slope;
    dlp__Pose pose = at_rest(key);
    cubic_at(&moving, time, &moved, &pose.velocity);
    cubic_at(&turning, time, &turned, &slope);
    const dlp__Rotation rotation = dlp__rotation(turned);
    pose.position = dlp__add(key->position, moved);
    pose.rotation = dlp__rotation_product(&rotation, &pose.rotation);
    pose.spin = spin_of(turned, slope);
    return pose;
}

/* The last key at or before that time, or -1, by bisection. */
static int key_before(const dlp__PosePath *path, double time)
{
    int low = -1, high = path->count; /* low is at or before the time, high after it */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (path->keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

dlp__Pose dlp__pose_path_at(const dlp__PosePath *path, dlp_PathKind kind, double time)
{
    const int k = key_before(path, time);
    if (k < 0 || k == path->count - 1) {
        return at_rest(&path->keys[k < 0 ? 0 : k]);
    }
    return on_curve(path, k, time - path->keys[k].time, kind == DLP_PATH_SMOOTH);
}
