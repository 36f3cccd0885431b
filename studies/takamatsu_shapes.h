/* Lattice points of the shapes in Takamatsu and Kanai (2011): a bar, cubes, and figures in place of the paper's scanned models. */
#ifndef STUDIES_TAKAMATSU_SHAPES_H
#define STUDIES_TAKAMATSU_SHAPES_H

#include "studies/study_world.h"

typedef enum TakamatsuShape {
    TAKAMATSU_BAR,    /* 40 x 9 x 10                                                        */
    TAKAMATSU_CUBE,   /* as many along each side                                            */
    TAKAMATSU_STATUE, /* a stone head, for the paper's "Moai"                               */
    TAKAMATSU_BIPED,  /* a figure with arms, legs, ears and a tail, for its "Armadillo"     */
    TAKAMATSU_RABBIT, /* for its "Bunny"                                                    */
    TAKAMATSU_POOL    /* a pool and four balls above it                                     */
} TakamatsuShape;

/* Points of a lattice of spacing 1, centred above the origin with the lowest layer at z = 0.5. */
typedef struct TakamatsuPoints {
    float (*at)[3];
    uint8_t *part; /* of each: the part of the figure; in a pool 0 to 3 are the balls, 4 is the pool */
    int64_t count;
    double size[3]; /* of the box around the particles, half a spacing larger on each side */
} TakamatsuPoints;

/* About `wanted` of them, as near to that as the lattice allows. A bar always has 3,600. */
TakamatsuPoints takamatsu_points(StudyRun *run, TakamatsuShape shape, int64_t wanted);
void takamatsu_points_free(TakamatsuPoints *points);

/* Add them to a world, scaled to its spacing, with z = 0 moved up by `height` (m). */
void takamatsu_add(StudyRun *run, dlp_World *world, dlp_MaterialId material, const TakamatsuPoints *points,
                   double height, dlp_Vec3 velocity);

/* Support radius, in spacings, with which these points have on average a number of neighbours as near to `wanted` as possible. It is
 * never the distance of two points. `mean` receives their mean number. */
double takamatsu_support(const TakamatsuPoints *points, double wanted, double *mean);

/* Spacings squared: Z, the mean of z^2 over a cluster of this support radius (spacings). Young's modulus of a body with alpha 0 is
 * density Z / matching_time^2. */
double takamatsu_spread(double support);

#endif
