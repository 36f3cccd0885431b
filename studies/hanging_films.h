/* Films under a sticky ceiling or a sticky sphere: a wall holds a weight per area up to its stickiness, and heavier films fall. The
 * study measures how close to that limit films begin to fall. For any method. */
#ifndef STUDIES_HANGING_FILMS_H
#define STUDIES_HANGING_FILMS_H

#include "studies/study_world.h"

typedef struct FilmCase {
    const char *name, *method;
    StudyValue setting; /* of the method; none if its name is null */
    bool sphere;
    bool tears;          /* the fluid supports no tension, so that only the wall holds a layer */
    bool alone;          /* each column hangs by itself: the sides of a film on a sphere support nothing */
    double thickness;    /* m    */
    double reach;        /* m, of the wall; 0: one spacing */
    double spacing;      /* m    */
    double step_rate;    /* 1/s  */
    double viscosity;    /* Pa s */
    double lower, upper; /* loads over the strength: the film must hold at the first and fall at the second */
    bool quick;
} FilmCase;

/* Table, plot and verdict. */
void films_run(StudyRun *run, const FilmCase *cases, int count);

#endif
