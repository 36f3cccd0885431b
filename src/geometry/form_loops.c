#include "geometry/form_loops.h"

static const double TURN = 6.28318530717958647692;

dlp__Loop dlp__form_loop(dlp_Model *model, int64_t count, dlp__LoopPoint point, const void *context)
{
    const dlp__Loop loop = {model->vertex_count, count};
    for (int64_t n = 0; n < count; n++) {
        const dlp_Vec3 p = point(context, (double)n / (double)count);
        dlp__model_vertex(model, p.x, p.y, p.z);
    }
    return loop;
}

/* Goes round on both loops at once and always steps on the one that is behind; if neither is, on the lower one, so that
 * the diagonals on both sides of a thin wall run alike and the sides cannot meet. */
void dlp__form_join(dlp_Model *model, dlp__Loop a, dlp__Loop b)
{
    if (model->memory_out || model->too_many) {
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
                dlp__model_triangle(model, at_a, a.first + i % a.count, at_b);
            }
        } else {
            j++;
            if (b.count > 1) {
                dlp__model_triangle(model, at_a, b.first + j % b.count, at_b);
            }
        }
    }
}

void dlp__stack_add(dlp__Stack *stack, int64_t count, dlp__LoopPoint point, const void *context)
{
    const dlp__Loop loop = dlp__form_loop(stack->model, count, point, context);
    if (stack->begun) {
        dlp__form_join(stack->model, stack->last, loop);
    } else {
        stack->first = loop;
    }
    stack->last = loop;
    stack->begun = true;
}

void dlp__stack_close(const dlp__Stack *stack)
{
    dlp__form_join(stack->model, stack->last, stack->first);
}

int64_t dlp__form_columns(double radius, double outer)
{
    int64_t columns = DLP_FORM_COLUMNS;
    if (radius <= 0.0) {
        return 1;
    }
    while (columns > 12 && radius * DLP_FORM_COLUMNS < 0.4 * outer * (double)columns) {
        columns /= 2;
    }
    return columns;
}

static dlp_Vec3 circle_point(const void *context, double turn)
{
    const dlp__Rim *rim = context;
    return dlp__vec3(rim->radius * cos(TURN * turn), rim->radius * sin(TURN * turn), rim->z);
}

void dlp__stack_circle(dlp__Stack *stack, int64_t count, double radius, double z)
{
    const dlp__Rim rim = {radius, z};
    dlp__stack_add(stack, count, circle_point, &rim);
}

int64_t dlp__form_pieces(double length, double pitch, int64_t most)
{
    const double pieces = ceil(length / pitch - 1e-6);
    return pieces < 1.0 ? 1 : pieces > (double)most ? most : (int64_t)pieces;
}

double dlp__form_smooth(double x)
{
    const double s = fmin(fmax(x, 0.0), 1.0);
    return s * s * (3.0 - 2.0 * s);
}

void dlp__form_turn(dlp_Model *model, const dlp__Rim *outline, int count, bool closed)
{
    enum { PIECES_MOST = 80 }; /* of a straight part: tall and narrow forms get long triangles */
    dlp__Stack stack = {.model = model};
    double outer = 0.0;
    for (int n = 0; n < count; n++) {
        outer = fmax(outer, outline[n].radius);
    }
    for (int n = 0; n + (closed ? 0 : 1) < count; n++) {
        const dlp__Rim a = outline[n], b = outline[(n + 1) % count];
        const int64_t pieces = dlp__form_pieces(hypot(b.radius - a.radius, b.z - a.z), TURN * outer / DLP_FORM_COLUMNS,
                                                PIECES_MOST);
        for (int64_t k = 0; k < pieces; k++) {
            const double part = (double)k / (double)pieces;
            const double radius = a.radius + part * (b.radius - a.radius);
            dlp__stack_circle(&stack, dlp__form_columns(radius, outer), radius, a.z + part * (b.z - a.z));
        }
    }
    if (closed) {
        dlp__stack_close(&stack);
    } else {
        const dlp__Rim end = outline[count - 1];
        dlp__stack_circle(&stack, dlp__form_columns(end.radius, outer), end.radius, end.z);
    }
}

typedef struct Ring {
    dlp_Vec3 center, u, v; /* u and v already have the length of the radius */
} Ring;

static dlp_Vec3 ring_point(const void *context, double turn)
{
    const Ring *ring = context;
    return dlp__add(ring->center,
                    dlp__add(dlp__scale(ring->u, cos(TURN * turn)), dlp__scale(ring->v, sin(TURN * turn))));
}

/* Any direction across, from the axis that the given one is least along. */
static dlp_Vec3 any_across(dlp_Vec3 along)
{
    const double x = fabs(along.x), y = fabs(along.y), z = fabs(along.z);
    const dlp_Vec3 axis = dlp__vec3(x <= y && x <= z, y < x && y <= z, z < x && z < y);
    return dlp__unit(dlp__cross(along, axis));
}

void dlp__form_tube(dlp_Model *model, const dlp_Vec3 *points, int64_t count, double radius, int64_t around)
{
    dlp__Stack stack = {.model = model};
    dlp_Vec3 u = dlp__vec3(0.0, 0.0, 0.0);
    for (int64_t n = 0; n < count; n++) {
        const dlp_Vec3 along = dlp__unit(dlp__sub(points[n + 1 < count ? n + 1 : n], points[n > 0 ? n - 1 : n]));
        /* Carried on from ring to ring with as little turning as can be, so that the tube is not twisted. */
        u = n > 0 ? dlp__unit(dlp__sub(u, dlp__scale(along, dlp__dot(u, along)))) : any_across(along);
        const Ring point = {.center = points[n]};
        const Ring ring = {points[n], dlp__scale(u, radius), dlp__scale(dlp__cross(along, u), radius)};
        if (n == 0) {
            dlp__stack_add(&stack, 1, ring_point, &point);
        }
        dlp__stack_add(&stack, around, ring_point, &ring);
        if (n + 1 == count) {
            dlp__stack_add(&stack, 1, ring_point, &point);
        }
    }
}
