/* Films that hang from a sticky ceiling or under a sticky sphere: each wall holds a weight per area of its stickiness, and lets
 * fall what is heavier. How near to that the films change sides is what is measured. For any method. */
#ifndef STUDIES_HANGING_FILMS_H
#define STUDIES_HANGING_FILMS_H

#include "studies/study_world.h"

typedef struct FilmCase {
    const char *name, *method;
    StudyValue setting; /* of the method; none if its name is null */
    bool sphere;
    bool tears;          /* fluid bears no tension, so that nothing holds a layer but the wall itself */
    bool alone;          /* each column hangs by itself: the sides of a film on a sphere bear nothing */
    double thickness;    /* m    */
    double reach;        /* m, of the wall; 0: one spacing */
    double spacing;      /* m    */
    double step_rate;    /* 1/s  */
    double viscosity;    /* Pa s */
    double lower, upper; /* loads, in parts of the strength: it is to hold at the one and to fall at the other */
    bool quick;
} FilmCase;

/* Table, plot and verdict. */
void films_run(StudyRun *run, const FilmCase *cases, int count);

#endif
