/* A rabbit made of balls, for studies whose paper had one of triangles. */
#ifndef STUDIES_RABBIT_H
#define STUDIES_RABBIT_H

enum { RABBIT_BALLS = 12 };

/* Where a ball is and how large, in parts of the rabbit's height; z is up, and it looks along x. */
typedef struct RabbitBall {
    double x, y, z, radius;
} RabbitBall;

extern const RabbitBall rabbit[RABBIT_BALLS];

#endif
