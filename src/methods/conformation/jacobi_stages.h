/* The stages of the doubly constrained Jacobi solver, for each vector width. */
#ifndef DLP_METHODS_JACOBI_STAGES_H
#define DLP_METHODS_JACOBI_STAGES_H

#include "methods/method.h"

typedef struct dlp__JacobiArguments {
    dlp__Kernel kernel;
    float volume; /* m3, of a particle */
    float dt;     /* s                 */
    float beta;
    float least_neighbors;
    float keep; /* fraction of the last step's stress used as initial guess */
    bool corotation;
    bool gradient_correction;
} dlp__JacobiArguments;

typedef struct dlp__JacobiStages {
    dlp__Stage diagonal; /* K at the start of the step, and the response of each particle's stress (eqs. 11, 17) */
    dlp__Stage rotation; /* apparent strain of rotation, which velocities compensate                            */
    dlp__Stage guess;    /* initial guess of the stress */
    dlp__Stage strain;   /* the constraint on velocities (eq. 10), and the resulting change of stress (11)  */
    dlp__Stage push;     /* the change of velocity by this stress (12)                                            */
    dlp__Stage move;     /* positions follow the projected velocities                                             */
    dlp__Stage
        position_strain; /* the constraint on positions (16), and the change of stress (17)                       */
    dlp__Stage shift;    /* the displacements by this stress (18)                                                 */
} dlp__JacobiStages;

extern const dlp__JacobiStages dlp__jacobi_stages_w1, dlp__jacobi_stages_w4, dlp__jacobi_stages_w8,
    dlp__jacobi_stages_w16;

#endif
