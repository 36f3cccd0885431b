/* Lofting: loops of points joined by bands of triangles, surfaces of revolution and tubes. */
#include "geometry/mesh_loft.h"

static const double TURN = 6.28318530717958647692;

dlp__Loop dlp__loft_loop(dlp_Model *model, int64_t count, dlp__LoopPoint point, const void *context)
{
    const dlp__Loop loop = {model->vertex_count, count};
    for (int64_t n = 0; n < count; n++) {
        const dlp_Vec3 p = point(context, (double)n / (double)count);
        dlp__model_add_vertex(model, p.x, p.y, p.z);
    }
    return loop;
}

/* Advance along both loops at once, always on the one that is behind; on a tie on the lower one, so that the diagonals
 * on both sides of a thin wall are parallel and the sides do not intersect. */
void dlp__loft_join(dlp_Model *model, dlp__Loop a, dlp__Loop b)
{
    if (model->out_of_memory || model->too_many) {
        return;
    }
    const float *position = model->position.data;
    const int64_t prefer_b = position[3 * b.first + 2] < position[3 * a.first + 2];
    int64_t i = 0, j = 0;
    while (i < a.count || j < b.count) {
        const int64_t at_a = a.first + i % a.count, at_b = b.first + j % b.count;
        if (j == b.count || (i < a.count && (i + 1) * b.count + prefer_b <= (j + 1) * a.count)) {
            i++;
            if (a.count > 1) {
                dlp__model_add_triangle(model, at_a, a.first + i % a.count, at_b);
            }
        } else {
            j++;
            if (b.count > 1) {
                dlp__model_add_triangle(model, at_a, b.first + j % b.count, at_b);
            }
        }
    }
}

void dlp__loft_add(dlp__Loft *loft, int64_t count, dlp__LoopPoint point, const void *context)
{
    const dlp__Loop loop = dlp__loft_loop(loft->model, count, point, context);
    if (loft->started) {
        dlp__loft_join(loft->model, loft->last, loop);
    } else {
        loft->first = loop;
    }
    loft->last = loop;
    loft->started = true;
}

void dlp__loft_close(const dlp__Loft *loft)
{
    dlp__loft_join(loft->model, loft->last, loft->first);
}

int64_t dlp__circle_points(double radius, double outer)
{
    int64_t points_around = DLP_CIRCLE_POINTS;
    if (radius <= 0.0) {
        return 1;
    }
    while (points_around > 12 && radius * DLP_CIRCLE_POINTS < 0.4 * outer * (double)points_around) {
        points_around /= 2;
    }
    return points_around;
}

static dlp_Vec3 circle_point(const void *context, double turn)
{
    const dlp__ProfilePoint *circle = context;
    return dlp__vec3(circle->radius * cos(TURN * turn), circle->radius * sin(TURN * turn), circle->z);
}

void dlp__loft_circle(dlp__Loft *loft, int64_t count, double radius, double z)
{
    const dlp__ProfilePoint circle = {radius, z};
    dlp__loft_add(loft, count, circle_point, &circle);
}

int64_t dlp__segment_count(double length, double pitch, int64_t max)
{
    const double segments = ceil(length / pitch - 1e-6);
    return segments < 1.0 ? 1 : segments > (double)max ? max : (int64_t)segments;
}

double dlp__smoothstep(double x)
{
    const double s = fmin(fmax(x, 0.0), 1.0);
    return s * s * (3.0 - 2.0 * s);
}

void dlp__loft_revolve(dlp_Model *model, const dlp__ProfilePoint *outline, int count, bool closed)
{
    enum { MAX_SEGMENTS = 80 }; /* of a straight part; tall and narrow forms get long triangles */
    dlp__Loft loft = {.model = model};
    double outer = 0.0;
    for (int n = 0; n < count; n++) {
        outer = fmax(outer, outline[n].radius);
    }
    for (int n = 0; n + (closed ? 0 : 1) < count; n++) {
        const dlp__ProfilePoint a = outline[n], b = outline[(n + 1) % count];
        const int64_t segments = dlp__segment_count(hypot(b.radius - a.radius, b.z - a.z),
                                                    TURN * outer / DLP_CIRCLE_POINTS, MAX_SEGMENTS);
        for (int64_t k = 0; k < segments; k++) {
            const double fraction = (double)k / (double)segments;
            const double radius = a.radius + fraction * (b.radius - a.radius);
            dlp__loft_circle(&loft, dlp__circle_points(radius, outer), radius, a.z + fraction * (b.z - a.z));
        }
    }
    if (closed) {
        dlp__loft_close(&loft);
    } else {
        const dlp__ProfilePoint end = outline[count - 1];
        dlp__loft_circle(&loft, dlp__circle_points(end.radius, outer), end.radius, end.z);
    }
}

typedef struct Ring {
    dlp_Vec3 center, u, v; /* u and v are scaled by the radius */
} Ring;

static dlp_Vec3 ring_point(const void *context, double turn)
{
    const Ring *ring = context;
    return dlp__add(ring->center,
                    dlp__add(dlp__scale(ring->u, cos(TURN * turn)), dlp__scale(ring->v, sin(TURN * turn))));
}

/* Any perpendicular direction, computed with the axis that is least parallel. */
static dlp_Vec3 any_perpendicular(dlp_Vec3 along)
{
    const double x = fabs(along.x), y = fabs(along.y), z = fabs(along.z);
    const dlp_Vec3 axis = dlp__vec3(x <= y && x <= z, y < x && y <= z, z < x && z < y);
    return dlp__unit(dlp__cross(along, axis));
}

void dlp__loft_tube(dlp_Model *model, const dlp_Vec3 *points, int64_t count, double radius, int64_t ring_points)
{
    dlp__Loft loft = {.model = model};
    dlp_Vec3 u = dlp__vec3(0.0, 0.0, 0.0);
    for (int64_t n = 0; n < count; n++) {
        const dlp_Vec3 along = dlp__unit(dlp__sub(points[n + 1 < count ? n + 1 : n], points[n > 0 ? n - 1 : n]));
        /* Parallel transport from ring to ring, so that the tube is not twisted. */
        u = n > 0 ? dlp__unit(dlp__sub(u, dlp__scale(along, dlp__dot(u, along)))) : any_perpendicular(along);
        const Ring point = {.center = points[n]};
        const Ring ring = {points[n], dlp__scale(u, radius), dlp__scale(dlp__cross(along, u), radius)};
        if (n == 0) {
            dlp__loft_add(&loft, 1, ring_point, &point);
        }
        dlp__loft_add(&loft, ring_points, ring_point, &ring);
        if (n + 1 == count) {
            dlp__loft_add(&loft, 1, ring_point, &point);
        }
    }
}
