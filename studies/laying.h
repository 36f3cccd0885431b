/* How a thread or a sheet is laid down. The layers that leave its nozzle one after the other are the thread: the mean of each
 * is a point of its centre line, and the first of them, counted from the nozzle, that has come to rest is where it is laid
 * down. Where that place goes round the axis the thread coils, where it goes to and fro the sheet folds. */
#ifndef STUDIES_LAYING_H
#define STUDIES_LAYING_H

#include "studies/study_output.h"
#include "studies/study_world.h"

/* A thread that leaves its nozzle at `speed` (m/s), so many particles in a layer. */
typedef struct Laying {
    double speed;
    double rest;        /* fraction of the speed below which a layer counts as at rest; 0: a half */
    int64_t layer_size; /* 0 until the first layer came out: then all that there is */
    int64_t layer;      /* found by laying_place, counted from the first one that left the nozzle */
} Laying;

/* Where it is laid down (m). False as long as nothing is. */
bool laying_place(Laying *laying, const StudyParticles *particles, double place[3]);

/* m, mean position of a layer. */
void laying_layer_centre(const Laying *laying, const StudyParticles *particles, int64_t layer, double centre[3]);

/* Going round the axis. Start from zeros. */
typedef struct Winding {
    double angle, turned; /* rad: net, and the sum of all turning */
    double radius;        /* m, mean distance from the axis       */
    double seconds;       /* for which it was followed            */
    double last;          /* rad                                  */
    int64_t readings;
} Winding;

void winding_follow(Winding *winding, const double place[2], double dt);
double winding_turns(const Winding *winding);      /* net                                                 */
double winding_rate(const Winding *winding);       /* 1/s                                                 */
double winding_steadiness(const Winding *winding); /* net over all turning: 1 if it always turns one way  */

/* Whether a thread of this radius (m) coils: it turns one way, and not on the spot. */
bool winding_coils(const Winding *winding, double thread_radius);

/* Going to and fro. Start from zeros. */
typedef struct Folding {
    double furthest;    /* m, of the way that it goes now                  */
    int way;            /* 1, -1; 0 before it goes anywhere                */
    int folds;          /* how often it turned back                        */
    double first, last; /* s, when it did so                               */
    double low, high;   /* m, between which it goes                        */
    bool begun;
} Folding;

/* `least` (m): it has turned back once it is so far from its furthest place. */
void folding_follow(Folding *folding, double offset, double least, double time);
double folding_period(const Folding *folding); /* s, of going there and back; NaN below two folds */

/* Show the world with the thread in bands of two colours, each of so many layers, so that one sees how it lies. */
void laying_panel(StudyRun *run, StudyPicture *picture, const dlp_World *world, const Laying *laying, int band,
                  const char *name);

#endif
