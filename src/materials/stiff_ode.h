/* A system of ordinary differential equations that may be stiff, in steps chosen by their error: the implicit part of ARK4(3)6L[2]SA of
 * Kennedy and Carpenter 2003 (Appl. Numer. Math. 44, 139-181), a Runge-Kutta method of order 4 with an explicit first stage and five implicit
 * ones, L-stable. */
#ifndef DLP_MATERIALS_STIFF_ODE_H
#define DLP_MATERIALS_STIFF_ODE_H

#include <stdbool.h>

#define DLP_STIFF_MOST 26 /* unknowns */

typedef struct dlp__StiffOde {
    int count;
    const void *user;
    /* dy/dt; a value that is not finite makes the step shorter. It is not called at the end of the interval but just before it. */
    void (*derivative)(const void *user, double time, const double *y, double *change);
    /* The size of each unknown of which `tolerance` is a fraction: at a state, without regard to earlier ones. */
    void (*sizes)(const void *user, const double *y, double *size);
    double tolerance;
    double step;                 /* length of the next step; 0: not known yet */
    double most[DLP_STIFF_MOST]; /* the largest size so far */
} dlp__StiffOde;

/* Advances y. Returns whether it could: there is no solution where steps become shorter than rounding errors of the time. */
bool dlp__stiff_advance(dlp__StiffOde *ode, double from, double to, double *y);

#endif
