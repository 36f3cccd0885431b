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
    float keep; /* part of the last step's stress taken as first guess */
    bool corotation;
    bool gradient_correction;
} dlp__JacobiArguments;

typedef struct dlp__JacobiStages {
    dlp__Stage diagonal; /* K at the start of the step, and the response of each particle's stress (eqs. 11, 17) */
    dlp__Stage
        add_rotation_strain; /* the strain that velocities must make up for when they turn                            */
    dlp__Stage guess;        /* the stress to begin with */
    dlp__Stage strain;       /* the constraint on velocities (eq. 10), and the change of stress that answers it (11)  */
    dlp__Stage push;         /* the velocities that this change makes (12)                                            */
    dlp__Stage move;         /* positions follow the projected velocities                                             */
    dlp__Stage
        position_strain; /* the constraint on positions (16), and the change of stress (17)                       */
    dlp__Stage shift;    /* the moves that this change makes (18)                                                 */
} dlp__JacobiStages;

extern const dlp__JacobiStages dlp__jacobi_stages_w1, dlp__jacobi_stages_w4, dlp__jacobi_stages_w8,
    dlp__jacobi_stages_w16;

#endif
