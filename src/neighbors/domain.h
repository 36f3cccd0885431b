/* The world cut into parts. Each part owns the particles in a box of cells and holds ghosts of those just outside it,
 * be they another part's or periodic images. Parts meet nowhere but in halo.c. */
#ifndef DLP_NEIGHBORS_DOMAIN_H
#define DLP_NEIGHBORS_DOMAIN_H

#include "neighbors/neighbor_list.h"
#include "particles/particles.h"

#define DLP_DOMAINS_MOST 8
#define DLP_STAGE_ROWS   5 /* rows that one stage may gather */

/* Boundary samples near the particles of a part: what solids show to a method. */
typedef struct dlp__Samples {
    int64_t count;
    float *place;  /* rows: x y z (m), volume (m3)             */
    float *motion; /* rows: velocity (m/s), friction           */
    int32_t *solid;
    float *moved[3];       /* m, by which each has moved its particle so far; null where nobody asks */
    dlp__Buffer buffer[4]; /* place, motion, solid, moved */
} dlp__Samples;

/* What a particle did to a free solid that it met. */
typedef struct dlp__Reaction {
    int32_t body; /* which free body, from 0 */
    int32_t particle;
    float impulse[3]; /* N s, on the body */
    float point[3];   /* m, where         */
    /* Of a wall that it rubs on, where `impulse` is its velocity (m/s) against that wall: */
    float normal[3];
    float along, into; /* kg that friction couples to the wall, along it and into it */
} dlp__Reaction;

/* Particles leave theirs in blocks, each block in an order of its own; then they stand in a row. */
typedef struct dlp__Reactions {
    dlp__Reaction *item;
    int32_t *in_block;
    int64_t count;
    dlp__Buffer buffer[2]; /* items, in_block */
} dlp__Reactions;

/* The fluid as solids mirror it: what a particle near a wall sees behind it. Entries are the particles whose images they
 * are; each has DLP_IMAGE_PARTS numbers, those of a group's 16 lists side by side: see image_part(). */
enum {
    DLP_IMAGE_GRADIENT = 0, /* m2, 3: V w (x_image - x), with w = -W'/r                                */
    DLP_IMAGE_WEIGHT = 3,   /* V w                                                                     */
    DLP_IMAGE_AXIS = 4,     /* 3: e, and what has a direction is mirrored to R u = sign (u - (e.u) e)  */
    DLP_IMAGE_SIGN = 7,
    DLP_IMAGE_ODD = 8, /* velocity in viscous terms is mirrored to odd u + even R u, about that of the wall */
    DLP_IMAGE_EVEN = 9,
    DLP_IMAGE_VELOCITY = 10, /* m/s, 3: of the wall */
    DLP_IMAGE_PARTS = 13,
};
typedef struct dlp__Mirror {
    dlp__NeighborList list;
    float *part;
    float *
        arm; /* m, 3 for each entry: from the centre of mass of a free body to its surface between particle and image */
    int32_t *body;         /* for each entry 1 + the free body, or 0; null where no solid is free */
    dlp__Buffer buffer[3]; /* part, arm, body */
    /* Work space of a method that moves bodies: the images in them, and walls' velocities as they were. */
    dlp__Buffer rows, velocities;
    int64_t row_count;
} dlp__Mirror;

/* Where each ghost is copied from. */
typedef struct dlp__Halo {
    int32_t *source; /* index in the other part               */
    uint8_t *part;   /* the other part                        */
    uint8_t *image;  /* which periodic image: 13 is none      */
    dlp__Buffer buffer[3];
    dlp__Buffer cells, keys; /* work space of its building */
    dlp__CellGrid seen;      /* the ghosts' cells            */
} dlp__Halo;

typedef struct dlp__Domain {
    dlp__Particles particles;
    dlp__CellSorter sorter;
    dlp__CellGrid grid;
    dlp__NeighborList fluid;    /* fluid neighbours, ghosts included             */
    dlp__NeighborList boundary; /* entries are indices into `samples`            */
    dlp__Samples samples;
    dlp__Reactions reactions;
    dlp__Mirror mirror;
    dlp__Halo halo;
    dlp__Buffer keys;                 /* cell keys of the owned particles, sorted      */
    dlp__Buffer rows[DLP_STAGE_ROWS]; /* what the stage at hand gathers                */
    dlp__Buffer pairs;                /* what stages leave for each pair               */
    int32_t lower[3], upper[3];       /* cells it owns: lower <= c < upper             */
} dlp__Domain;

typedef struct dlp__StageProfile {
    const char *name;
    double seconds;
    int64_t calls;
} dlp__StageProfile;

#define DLP_PROFILE_MOST 48
#define DLP_WORK_BUFFERS 11

typedef struct dlp__Domains {
    dlp__Memory *memory;
    dlp__Parallel *parallel;
    int width;     /* vector lanes */
    float support; /* m, kernel support */
    int ghost_layers; /* layers of cells around its own that a part has ghosts of: 1, or more for bonds that reach farther */
    dlp__CellFrame frame;
    int count;
    dlp__Domain part[DLP_DOMAINS_MOST];
    dlp__Buffer work[DLP_WORK_BUFFERS]; /* room for what a step needs once */
    bool cut;                           /* whether the boxes of the parts have been chosen */
    dlp__StageProfile profile[DLP_PROFILE_MOST];
    int profiled;
    const char *bad_stage; /* debug builds: the first stage that wrote something not finite */
} dlp__Domains;

/* Whether any particle sees itself or another mirrored. */
bool dlp__domains_mirrored(const dlp__Domains *domains);

void dlp__domains_init(dlp__Domains *domains, dlp__Memory *memory, dlp__Parallel *parallel, int count, uint64_t fields);
void dlp__domains_release(dlp__Domains *domains);

/* Bring everything about neighbours up to date with the positions: wrap periodic axes, move particles to the part that
 * owns their cell, sort, build halos and lists. `is_dead` (may be null) tells which particles are dropped. On failure
 * the parts are spoiled. */
typedef bool (*dlp__DeadFunction)(const void *context, float x, float y, float z);
dlp_Result dlp__domains_update(dlp__Domains *domains, dlp__DeadFunction is_dead, const void *context, int64_t *removed,
                               dlp_Error *error);

int64_t dlp__domains_particles(const dlp__Domains *domains);

/* Count time under a name; `started` is what dlp__clock said. */
void dlp__profile_add(dlp__Domains *domains, const char *name, double started);

#endif
