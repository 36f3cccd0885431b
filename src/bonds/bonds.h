/* Bonds between pairs of particles. Both ends hold their own copy of a bond, so that a particle gathers its forces
 * from its own list. Bonds refer to particle ids and are stored with the part that owns their particle. After each
 * sort they are moved to that part, and the indices of both ends are looked up. */
#ifndef DLP_BONDS_BONDS_H
#define DLP_BONDS_BONDS_H

#include "neighbors/domain.h"

typedef struct dlp__Bond {
    uint64_t own, other; /* ids of the particle that holds it and of its partner */
    float length;        /* m, at rest; below 0: removed, dropped by the next update */
    float reserved;      /* zero, so that bonds can be compared and hashed as bytes */
} dlp__Bond;

/* Bonds in the layout of neighbour lists, for vector loops, with values beside each entry: see bond_lanes.h. */
#define DLP_BOND_VALUES  4
#define DLP_BOND_BUFFERS 7
typedef struct dlp__BondLanes {
    dlp__NeighborList list;
    float *value[DLP_BOND_VALUES];
    dlp__Buffer buffer[DLP_BOND_VALUES];
} dlp__BondLanes;

typedef struct dlp__BondPart {
    dlp__Bond *bond; /* of this part's particles, sorted by (own, other) after an update */
    int64_t count;
    int64_t sorted; /* how many from the first on are sorted */
    int32_t *first; /* per owned particle: its bonds are first[i] <= k < last[i] */
    int32_t *last;
    int32_t *partner; /* per bond: index of the partner among owned particles and ghosts; -1: out of range or removed */
    float *scratch;   /* per bond: scratch value of a solver within a step */
    int32_t *slots;   /* hash table of particles by id: chain heads, and the next particle of each chain */
    int32_t *next;
    int64_t slot_count;
    uint64_t least_id; /* id of the first slot, if ids are dense */
    bool ids_dense;
    int64_t *added; /* per owned particle: number of bonds to add, then index of the first of them */
    dlp__Buffer bonds, spare, buffer[DLP_BOND_BUFFERS], runs, chunks;
    dlp__BondLanes lanes;
} dlp__BondPart;

typedef struct dlp__Bonds {
    dlp__Memory *memory;
    dlp__BondPart part[DLP_DOMAINS_MOST];
    uint64_t least_id, most_id; /* range of all ids that bonds have ever held */
    bool unchanged;             /* a promise: none was added or removed since the last update, which sorted them */
    int64_t removed_particles;  /* of the domains, at the last update */
    dlp__Exchange moved;        /* to other ranks */
} dlp__Bonds;

void dlp__bonds_init(dlp__Bonds *bonds, dlp__Memory *memory);
void dlp__bonds_release(dlp__Bonds *bonds);

/* Add bonds to a part, whichever part owns their particles; they take effect with the next update. False without
 * memory. */
bool dlp__bonds_add(dlp__Bonds *bonds, int part, const dlp__Bond *added, int64_t count);

/* The same from many threads. After the first call every owned particle i writes the number of bonds that it will
 * add to `added[i]` of its part; the second call allocates them, and the bonds of particle i are then written to
 * bond[added[i]] to bond[added[i + 1] - 1]. Both ends must add theirs. False without memory. */
bool dlp__bonds_begin_add(dlp__Bonds *bonds, const dlp__Domains *domains);
bool dlp__bonds_reserve_added(dlp__Bonds *bonds, const dlp__Domains *domains);

/* The number of bonds, without removed ones. */
int64_t dlp__bonds_count(const dlp__Bonds *bonds);

/* The bond of `own` with `other` in a part that is up to date; null if there is none. */
dlp__Bond *dlp__bonds_find(dlp__BondPart *part, uint64_t own, uint64_t other);

/* Update bonds after particles have been sorted: bonds of particles that moved to another part follow them, those of
 * removed particles are dropped. A partner farther than `reach` (m) has no effect; `reach` must be at most
 * `ghost_layers` kernel supports, as far as every part has ghosts. False without memory. */
bool dlp__bonds_update(dlp__Bonds *bonds, dlp__Domains *domains, float reach);

/* Send the bonds of the particles that left for other ranks in the last update of the domains after them, and add those received. False
 * without memory. bond_migration.c */
bool dlp__bonds_migrate(dlp__Bonds *bonds, dlp__Domains *domains);

/* Sort the bonds of a part that were read from a file, and refuse ids from `next_id` on, a bond to itself, an invalid length and a
 * duplicate: DLP_ERROR_FORMAT. */
dlp_Result dlp__bonds_check(dlp__Bonds *bonds, int part, uint64_t next_id, dlp_Error *error);

/* Merge the new bonds into the sorted ones, and drop those that were removed or whose particle is not among
 * `particles` (null: keep all). False without memory. bond_merge.c */
bool dlp__bonds_merge(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Particles *particles,
                      const dlp__Parallel *parallel);
int dlp__bonds_compare(const void *a, const void *b); /* by own, then other */
/* The index of the owned particle with that id in a part whose particles are listed, or -1. */
int32_t dlp__bonds_find_owner(const dlp__BondPart *part, const dlp__Particles *particles, uint64_t id);

/* The sum of the hashes of all bonds, independent of their order; 0 without bonds. */
uint64_t dlp__bonds_hash(const dlp__Bonds *bonds);

#endif
