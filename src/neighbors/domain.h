/* The world divided into parts (subdomains). Each part owns the particles in a box of cells and holds ghosts of
 * those just outside it, which belong to another part or are periodic images. Parts interact only in halo.c. With several ranks
 * each has one part. */
#ifndef DLP_NEIGHBORS_DOMAIN_H
#define DLP_NEIGHBORS_DOMAIN_H

#include "base/arena.h"
#include "base/grouping.h"
#include "base/rank_exchange.h"
#include "neighbors/neighbor_list.h"
#include "particles/particles.h"

#define DLP_DOMAINS_MOST 8
#define DLP_STAGE_ROWS   5              /* rows that one stage may gather */
#define DLP_LONG_ROWS    DLP_STAGE_ROWS /* number of the rows that a stage stores for later stages to gather */
#define DLP_LONG_ROW     16             /* floats of one of them: a cache line */
#define DLP_LONG_ROW_X   3 /* the float that holds the component along x of the field that is differentiated */

/* Boundary samples near the particles of a part: the solids as a method sees them. */
typedef struct dlp__Samples {
    int64_t count;
    float *position_volume;   /* rows: x y z (m), volume (m3) */
    float *velocity_friction; /* rows: velocity (m/s), friction */
    int32_t *solid;
    float *displacement[3]; /* m, by which each has displaced its particle so far; null if not needed */
    dlp__Buffer buffer[4];  /* position_volume, velocity_friction, solid, displacement */
} dlp__Samples;

/* The reaction of a particle on a free body. */
typedef struct dlp__Reaction {
    int32_t body; /* number of the free body, from 0 */
    int32_t particle;
    float impulse[3]; /* N s, on the body */
    float point[3];   /* m, where it acts */
    /* For friction, where `impulse` is the velocity (m/s) of the particle relative to the wall: */
    float normal[3];
    float tangential_mass, normal_mass; /* kg, mass coupled to the wall along its surface and along its normal */
} dlp__Reaction;

/* Particles record reactions in blocks, each in particle order; then the blocks are made contiguous. */
typedef struct dlp__Reactions {
    dlp__Reaction *item;
    int32_t *in_block;
    int64_t count;
    dlp__Buffer buffer[2]; /* items, in_block */
    dlp__Grouping by_body;
} dlp__Reactions;

/* Mirror images of the fluid in walls. Entries are the particles that are mirrored; each has DLP_IMAGE_VALUES values,
 * those of a group's 16 lists side by side: see dlp__image_part(). */
enum {
    DLP_IMAGE_GRADIENT = 0, /* m2, 3: V w (x_image - x), with w = -W'/r */
    DLP_IMAGE_WEIGHT = 3,   /* V w */
    DLP_IMAGE_AXIS = 4,     /* 3: e; vectors are mirrored to R u = sign (u - (e.u) e) */
    DLP_IMAGE_SIGN = 7,
    /* weights: velocity in viscous terms is mirrored to no_slip u + free_slip R u, relative to the wall */
    DLP_IMAGE_NO_SLIP = 8,
    DLP_IMAGE_FREE_SLIP = 9,
    DLP_IMAGE_VELOCITY = 10, /* m/s, 3: of the wall */
    DLP_IMAGE_VALUES = 13,
};
/* The walls that an image was reflected in, and the surface midway between particle and image. */
typedef struct dlp__ImageWalls {
    int32_t count; /* one, two at an edge, three in a corner; 0: padding of the list */
    int32_t solid[3];
    float normal[3][3];
    float point[3]; /* m */
} dlp__ImageWalls;
typedef struct dlp__Mirror {
    dlp__NeighborList list;
    float *values;
    dlp__ImageWalls *walls; /* per entry, while impulses on walls are collected; otherwise null */
    /* m, 3 per entry: from the centre of mass of a free body to its surface midway between particle and image */
    float *arm;
    int32_t *body;         /* per entry 1 + the number of the free body, or 0; null if no solid is free */
    dlp__Buffer buffer[4]; /* values, arm, body, walls */
    /* Work space of a method that moves bodies: the images in bodies, and the initial wall velocities. */
    dlp__Buffer rows, velocities;
    int64_t row_count;
    dlp__Grouping rows_by_body;
} dlp__Mirror;

/* The part of ghosts whose particles belong to other ranks. */
#define DLP_PART_REMOTE UINT8_MAX

/* The sources of ghosts. */
typedef struct dlp__Halo {
    int32_t *source; /* index in the other part; among the particles received, if that belongs to another rank */
    uint8_t *part;   /* the other part */
    uint8_t *image;  /* periodic image: 13 is none */
    dlp__Buffer buffer[3];
    /* With several ranks: own particles that are ghosts of others, in order of ranks, and particles received. */
    int32_t *sent;
    int64_t sent_count, received_count;
    int64_t *sent_to, *received_from; /* number per rank */
    dlp__Buffer sent_buffer, rank_counts;
    dlp__Exchange cells_exchange, rows_exchange;
    dlp__Buffer cells, keys;   /* work space */
    dlp__CellGrid ghost_cells; /* the ghosts' cells */
} dlp__Halo;

typedef struct dlp__Domain {
    dlp__Particles particles;
    dlp__CellGrid grid;
    dlp__NeighborList fluid;      /* fluid neighbours, ghosts included */
    dlp__NeighborList near_fluid; /* those within the short radius; empty without one */
    dlp__NeighborList boundary;   /* entries are indices into `samples` */
    dlp__Samples samples;
    dlp__Reactions reactions;
    dlp__Mirror mirror;
    dlp__Grouping by_warm_body; /* particles by the free body that they exchange heat with */
    dlp__Halo halo;
    dlp__Buffer keys;                      /* cell keys of the owned particles, sorted      */
    dlp__Buffer gathered_rows, long_rows;  /* the memory of the rows; the first is also scratch memory of the sort */
    float *rows[DLP_STAGE_ROWS + 1];       /* what the stage at hand gathers; the last: DLP_LONG_ROWS */
    dlp__Buffer pair_weights;              /* one float for each entry of a list, of stages that use them */
    const dlp__NeighborList *weights_list; /* the list that they were written for; null: none yet */
    int32_t lower[3], upper[3];            /* cells it owns: lower <= c < upper             */
    int32_t *group; /* with several ranks: groups of DLP_GROUP particles, first those that need no ghosts */
    int64_t inner_groups;
    dlp__Buffer group_buffer;
} dlp__Domain;

/* A particle that went to another rank in the last update. */
typedef struct dlp__Migrant {
    uint64_t id;
    int32_t index; /* before the update */
    int32_t rank;
} dlp__Migrant;

/* How cells are divided among ranks. */
typedef struct dlp__RankPartition {
    dlp__RankBox *box;   /* per rank */
    double busy;         /* s, that this rank has worked in `steps` */
    double per_particle; /* s, in the steps before those */
    double imbalance;    /* the longest work of a rank over the mean; 0: not known yet */
    int slowest;         /* the rank that worked longest */
    bool uneven;         /* the work of the last steps was, and the particles were not divided anew */
    int steps;
    dlp__Migrant *migrant; /* sorted by id */
    int64_t migrant_count;
    dlp__Buffer box_buffer, migrant_buffer;
    dlp__Exchange moved;
} dlp__RankPartition;

typedef struct dlp__StageProfile {
    const char *name;
    double seconds;
    int64_t calls;
    int64_t bytes, pairs; /* see dlp_StageTime */
} dlp__StageProfile;

#define DLP_PROFILE_MOST 48

typedef struct dlp__Domains {
    dlp__Memory *memory;
    dlp__Parallel *parallel;
    dlp_Ranks *ranks;    /* null: one */
    int width;           /* vector lanes */
    float support;       /* m, kernel support */
    float short_support; /* m, radius of `near_fluid`, at most `support`; 0: none */
    int ghost_layers;    /* layers of ghost cells around a part: 1, or more for long bonds */
    dlp__CellFrame frame;
    int count;
    dlp__Domain part[DLP_DOMAINS_MOST];
    int64_t remote_count; /* particles of other ranks, when all were last counted */
    dlp__RankPartition partition;
    dlp__Exchange gathered; /* work space: see dlp__exchange_gather() */
    dlp__Arena arena;       /* scratch memory of the step */
    int64_t removed;        /* particles dropped by all updates so far */
    bool cut;               /* whether the boxes have been chosen */
    bool located;           /* whether the cell keys are those of the positions */
    dlp__StageProfile profile[DLP_PROFILE_MOST];
    int profiled;
    const char *bad_stage; /* debug builds: the first stage that wrote something not finite */
    dlp_Result failure;    /* the first of this step; stages do nothing from then on */
    dlp_Error *error;      /* where its text goes; may be null */
} dlp__Domains;

/* Whether any particle of any rank has mirror images. */
bool dlp__domains_have_images(const dlp__Domains *domains);

/* `own` and `fields`: see dlp__particles_init(). */
void dlp__domains_init(dlp__Domains *domains, dlp__Memory *memory, dlp__Parallel *parallel, int count,
                       const dlp__FieldTable *own, const dlp__FieldId *fields);
void dlp__domains_release(dlp__Domains *domains);

/* Update everything about neighbours for the current positions: wrap periodic axes, move particles to the part that
 * owns their cell, sort, build halos and lists. Particles for which `is_dead` (may be null) is true are removed. On
 * failure the parts are unusable. */
typedef bool (*dlp__DeadFunction)(const void *context, float x, float y, float z);
void dlp__domains_remove(dlp__Domains *domains, dlp__DeadFunction is_dead, const void *context);

/* Bring everything about neighbours up to date with the positions: wrap periodic axes, drop marked particles and count
 * them, move particles to the part that owns their cell, sort, build halos and lists. On failure the parts are spoiled. */
void dlp__domains_update(dlp__Domains *domains, int64_t *removed);

/* Particles of all ranks, and of this one; count them anew after a change. */
int64_t dlp__domains_particles(const dlp__Domains *domains);
int64_t dlp__domains_own_particles(const dlp__Domains *domains);
void dlp__domains_count(dlp__Domains *domains);

/* Memory for the cell keys of one part's particles, of which `kept` are preserved; null without memory. */
uint64_t *dlp__reserve_keys(dlp__Domains *domains, dlp__Domain *part, int64_t kept);

/* m/s, of the fastest particle, or of the fastest of those that count. */
typedef bool (*dlp__ParticleFilter)(const void *context, const dlp__Particles *p, int64_t i);
double dlp__domains_max_speed(const dlp__Domains *domains, dlp__ParticleFilter counts, const void *context);

/* A step begins: scratch memory is free again, and nothing has failed yet. */
void dlp__domains_begin_step(dlp__Domains *domains);

/* Keep the first failure of a step and its text. The calls that a step is made of do nothing after it, so that a step reads
 * without checks; the world asks for the failure at the end. */
dlp_Result dlp__domains_fail(dlp__Domains *domains, dlp_Result failure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Allocate the fields of a list that the particles of a subdomain lack; false without memory. */
bool dlp__domains_add_fields(dlp__Domains *domains, const dlp__FieldId *fields);

/* The same where the memory for something could not be had, which is not `ok`. */
void dlp__require_memory(dlp__Domains *domains, bool ok, const char *what);

/* Scratch memory of this step for count * size bytes, uninitialised; null, and a failure that names `what`, without memory. */
void *dlp__step_scratch(dlp__Domains *domains, int64_t count, size_t size, const char *what);

static inline bool dlp__step_is_ok(const dlp__Domains *domains)
{
    return domains->failure == DLP_OK;
}

/* Count time under a name; `started` is what dlp__clock said. */
void dlp__profile_add(dlp__Domains *domains, const char *name, double started);
/* Add all numbers of `work` under its name. */
void dlp__profile_add_work(dlp__Domains *domains, const dlp__StageProfile *work);

#endif
