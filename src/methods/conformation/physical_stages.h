/* The loops of the physical solver, for each vector width. */
#ifndef DLP_METHODS_PHYSICAL_STAGES_H
#define DLP_METHODS_PHYSICAL_STAGES_H

#include "methods/method.h"

typedef struct dlp__PhysicalArguments {
    dlp__Kernel kernel;
    float volume;        /* m3, of a particle                                                       */
    float per_spacing;   /* 1/m */
    float dt;            /* s                                                                       */
    float kick[3];       /* m/s, velocity that gravity brings                                       */
    float damping;       /* 0: stress in the middle of the step, 1: at its end                      */
    float bulk;          /* resistance to a change of volume over viscosity                         */
    float bulk_more;     /* Pa.s per kg/m3, the part of it that inviscid fluids have                */
    float fick;          /* m2, shift along the gradient of the kernel sum                          */
    float crowd;         /* part of the density error that a step mends                             */
    float per_rest;      /* one over the kernel sum of a lattice                                    */
    float softness;      /* 1/m2, keeps the shift of particles with few neighbours small            */
    float shift_mean[3]; /* m/s, what shifting would add to the mean velocity                   */
} dlp__PhysicalArguments;

typedef struct dlp__PhysicalStages {
    dlp__Stage shape;    /* matrices, gradients of pairs, how far particles would shift                       */
    dlp__Stage rates;    /* stress, pressure and bulk resistance at the velocities of the beginning           */
    dlp__Stage weigh;    /* the weights of pairs, from unevenness                                             */
    dlp__Stage balance;  /* the momentum that forces bring in this step, as residual                          */
    dlp__Stage stiffen;  /* unevenness for the operator                                                       */
    dlp__Stage diagonal; /* mobility as the inverse of the operator's diagonal, for materials of unlike stiffness */
    dlp__Stage strain;   /* the operator, first half: flux of the search direction                            */
    dlp__Stage pull;     /* second half: its force                                                            */
    dlp__Stage settle;   /* pressure, conformation and the gradient at the velocities of the end              */
    dlp__Stage recall;   /* flux and unevenness of what is remembered of uneven motion                        */
    dlp__Stage remember; /* that force, and what a particle forgets of it                                    */
    dlp__Stage inherit;  /* what neighbours forgot                                                           */
    dlp__Stage shift;    /* the whole shift into `correction`, and what it does to velocity into `change`     */
    /* balance and pull where there are images in walls */
    dlp__Stage balance_walls, pull_walls;
    /* strain and pull where walls move with what is sought */
    dlp__Stage strain_bodies, pull_bodies;
} dlp__PhysicalStages;

extern const dlp__PhysicalStages dlp__physical_stages_w1, dlp__physical_stages_w4, dlp__physical_stages_w8,
    dlp__physical_stages_w16;

#endif
