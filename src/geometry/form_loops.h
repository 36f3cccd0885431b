/* What made forms are put together from: closed loops of points, one joined to the next by a band of triangles. */
#ifndef DLP_GEOMETRY_FORM_LOOPS_H
#define DLP_GEOMETRY_FORM_LOOPS_H

#include "base/vector.h"
#include "geometry/model.h"

/* Points of a full turn about the axis of a round form: a chord is then 0.05 % of the radius inside the circle. */
#define DLP_FORM_COLUMNS 96

/* So many vertices of a model from `first` on, in a circle; a single one is the end of a form. */
typedef struct dlp__Loop {
    int64_t first, count;
} dlp__Loop;

/* Where a loop is after a part of its turn, from 0 to 1. */
typedef dlp_Vec3 (*dlp__LoopPoint)(const void *context, double turn);

dlp__Loop dlp__form_loop(dlp_Model *model, int64_t count, dlp__LoopPoint point, const void *context);

/* A band from `a` to `b`, which may have different counts. It faces outwards if both run counterclockwise as seen from
 * ahead, when going from a to b: for a tower about z, from the lower to the upper one. */
void dlp__form_join(dlp_Model *model, dlp__Loop a, dlp__Loop b);

/* Adds loops one by one, each joined to the one before. */
typedef struct dlp__Stack {
    dlp_Model *model;
    dlp__Loop first, last;
    bool begun;
} dlp__Stack;

void dlp__stack_add(dlp__Stack *stack, int64_t count, dlp__LoopPoint point, const void *context);
void dlp__stack_close(const dlp__Stack *stack); /* joins the last to the first */

/* A point of the outline that is turned about the z axis. */
typedef struct dlp__Rim {
    double radius, z; /* m */
} dlp__Rim;

/* How many points a circle of that radius should have on a form with DLP_FORM_COLUMNS at its `outer` radius: halves
 * of it towards the axis, so that triangles stay about the same size, and one on the axis. */
int64_t dlp__form_columns(double radius, double outer);

/* A circle about z on top of what is there. */
void dlp__stack_circle(dlp__Stack *stack, int64_t count, double radius, double z);

/* The outline turned about z, its straight parts cut into pieces about as long as the triangles are wide. It runs
 * counterclockwise about what is solid, with the axis to the left of the page: up on the outer side. It begins and
 * ends on the axis, or is closed from its last point to its first. */
void dlp__form_turn(dlp_Model *model, const dlp__Rim *outline, int count, bool closed);

/* Into how many pieces a length is cut so that none is longer than `pitch`: at least one, at most `most`. */
int64_t dlp__form_pieces(double length, double pitch, int64_t most);

/* From 0 to 1 as x does, without a kink at either end. */
double dlp__form_smooth(double x);

/* A tube along points, `around` points to a ring, with flat ends. Bends must be wider than the radius. */
void dlp__form_tube(dlp_Model *model, const dlp_Vec3 *points, int64_t count, double radius, int64_t around);

#endif
