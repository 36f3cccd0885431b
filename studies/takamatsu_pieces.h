/* Connected pieces of particles: those that chains of particles at most 1.6 spacings apart connect, the distance at which method blend
 * lets objects merge. */
#ifndef STUDIES_TAKAMATSU_PIECES_H
#define STUDIES_TAKAMATSU_PIECES_H

#include "studies/study_world.h"

typedef struct TakamatsuPieces {
    int count;      /* with at least 1 % of all particles */
    double largest; /* part of all particles in the largest piece */
    double loose;   /* part of all particles in smaller pieces than that */
} TakamatsuPieces;

TakamatsuPieces takamatsu_pieces(StudyRun *run, const StudyParticles *particles, double spacing);

#endif
