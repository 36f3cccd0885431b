/* What of a frame's points goes into a mesh: which of their fields, and which material. */
#ifndef DOLLOP_POINT_CHOICE_H
#define DOLLOP_POINT_CHOICE_H

#include <dollop/surface.h>

#define FIELDS_BY_DEFAULT "velocity,material"

typedef struct PointChoice {
    dlp_Points points;
    dlp_PointField fields[DLP_SURFACE_FIELDS_MOST];
    float *copies; /* of what is not taken as it is */
} PointChoice;

/* The least material of any point that is above `last` (-1 to begin with), or -1 after the last one. */
int next_material(const dlp_Points *points, int last);

/* Fields are chosen by a list such as "velocity,density", or "all" of them. The index of the material counts as one, called
 * 'material'; by default and among all it is left out where it is the same everywhere. `material` picks the points of one, or
 * all with -1. False without memory; release in any case. The points themselves must stay. */
bool points_choose(PointChoice *choice, const dlp_Points *points, const char *list, int material);
void points_release(PointChoice *choice);

#endif
