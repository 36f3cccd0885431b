/* Impulses of the fluid on each solid in a step, for force probes. Methods report them where a wall changes the momentum of
 * particles, so they are the exact reactions of the solver. They are only collected while a probe asks for them, and never
 * influence the simulation. Sums are exact, so the order of particles, threads and parts does not matter. */
#ifndef DLP_BODIES_WALL_IMPULSES_H
#define DLP_BODIES_WALL_IMPULSES_H

#include "base/long_accumulator.h"
#include "neighbors/domain.h"

typedef enum dlp__ImpulsePart {
    DLP_IMPULSE_PRESSURE, /* from pressure and from contact along the wall's normal */
    DLP_IMPULSE_VISCOUS,  /* from viscous and elastic stress and from wall friction */
    DLP_IMPULSE_PARTS,
} dlp__ImpulsePart;

/* On one solid; angular impulses are about the origin. */
typedef struct dlp__WallImpulse {
    dlp_Vec3 linear[DLP_IMPULSE_PARTS];  /* N s */
    dlp_Vec3 angular[DLP_IMPULSE_PARTS]; /* N m s */
} dlp__WallImpulse;

/* The sums of one solid: three linear and three angular components of each part. */
typedef struct dlp__ImpulseSums {
    dlp__LongAccumulator component[DLP_IMPULSE_PARTS][6];
    dlp__LongAccumulator contact[4]; /* weight of the contact with the fluid, and this times its position */
} dlp__ImpulseSums;

typedef struct dlp__WallImpulses {
    bool wanted;                     /* a probe needs them */
    bool moves_are_speed;            /* displacements in `correction` become velocity at the end of the step */
    int count;                       /* solids */
    dlp__ImpulseSums *sum;           /* one for each solid */
    dlp__LongAccumulator balance[3]; /* N s, momentum that the fluid gained from no other source: see below */
    dlp__Buffer sums, lanes;
    dlp__Buffer before[DLP_DOMAINS_MOST]; /* velocities or displacements before a wall acts */
} dlp__WallImpulses;

/* A step begins: clear the sums of `solids` solids. False without memory. Does nothing if they are not wanted. */
bool dlp__wall_impulses_begin(dlp__WallImpulses *impulses, dlp__Memory *memory, int solids);
void dlp__wall_impulses_release(dlp__WallImpulses *impulses, dlp__Memory *memory);

/* The impulse on a solid in this step; zero if they were not collected. */
dlp__WallImpulse dlp__wall_impulses_of(const dlp__WallImpulses *impulses, int solid);

/* The impulses of one particle on one solid. They are first added up per particle, in the order of its pairs. */
typedef struct dlp__ParticleImpulse {
    int solid; /* -1: none yet */
    double component[DLP_IMPULSE_PARTS][6];
    double contact[4];
} dlp__ParticleImpulse;

/* Add an impulse (N s) on a solid at a point (m). If `of` belongs to another solid it is added to `sums` first. */
void dlp__particle_impulse_add(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums, int solid, dlp__ImpulsePart part,
                               dlp_Vec3 impulse, dlp_Vec3 point);
/* Add what was collected for this particle to the sums, and start again. */
void dlp__particle_impulse_flush(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums);

/* Add the weight (any unit) of its contact with a solid at a point (m). */
void dlp__particle_impulse_add_contact(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums, int solid, double weight,
                                       dlp_Vec3 point);

/* Solvers stop at a small residual, and numerical corrections near walls do not conserve momentum; walls take up the difference.
 * Distribute the `balance` over all solids by the weights of their contacts, so that the impulses on walls sum to the momentum
 * that the fluid has lost. */
void dlp__wall_impulses_share_balance(dlp__WallImpulses *impulses);

/* Adds the impulses of particles begin <= i < end of one part. */
typedef void (*dlp__ImpulseFunction)(const void *context, int part, int64_t begin, int64_t end, dlp__ImpulseSums *sums);

/* Sum over all particles on many threads. False without memory. */
bool dlp__wall_impulses_sum(dlp__WallImpulses *impulses, const dlp__Domains *domains, dlp__ImpulseFunction add,
                            const void *context);

#endif
