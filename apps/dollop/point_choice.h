/* Selects the points of a frame for meshing: by material, with some of their fields. */
#ifndef DOLLOP_POINT_CHOICE_H
#define DOLLOP_POINT_CHOICE_H

#include <dollop/surface.h>

#define DEFAULT_FIELDS "velocity,material"

typedef struct PointChoice {
    dlp_Points points;
    dlp_PointField fields[DLP_SURFACE_FIELDS_MOST];
    float *copies; /* storage of values that had to be copied */
} PointChoice;

/* The smallest material of all points that is greater than `last` (-1 at first); -1 if there is none. */
int next_material(const dlp_Points *points, int last);

/* `list` names the fields, such as "velocity,density", or "all"; null: the default. The field 'material' is the material index; by
 * default and with "all" it is omitted if all points have the same material. `material` selects the points of one material; -1: all.
 * Returns false without memory; release `choice` in any case. `points` must outlive it. */
bool points_choose(PointChoice *choice, const dlp_Points *points, const char *list, int material);
void points_release(PointChoice *choice);

#endif
