/* Pairs of particles that remember each other. Both ends hold a bond of their own, so that a particle gathers what
 * pulls at it from its own list; bonds go by ids and stay with the part that owns their particle. After each sort they
 * are brought home, and the places of both ends are looked up. */
#ifndef DLP_BONDS_BONDS_H
#define DLP_BONDS_BONDS_H

#include "neighbors/domain.h"

typedef struct dlp__Bond {
    uint64_t own, other; /* ids of the particle that holds it, and of its partner            */
    float length;        /* m, at rest; below 0: removed, and dropped by the next update     */
    float reserved;      /* zero; so that bonds are compared and hashed as bytes             */
} dlp__Bond;

/* Bonds laid out for vectors, as neighbour lists are, with numbers beside each entry: see bond_lanes.h. */
#define DLP_BOND_NUMBERS 4
#define DLP_BOND_BUFFERS 7
typedef struct dlp__BondLanes {
    dlp__NeighborList list;
    float *number[DLP_BOND_NUMBERS];
    dlp__Buffer buffer[DLP_BOND_NUMBERS];
} dlp__BondLanes;

typedef struct dlp__BondPart {
    dlp__Bond *bond; /* of this part's particles, in order of (own, other) after an update */
    int64_t count;
    int64_t sorted; /* how many at the beginning are in order                             */
    int32_t *first; /* for each owned particle: its bonds are first[i] <= k < last[i]     */
    int32_t *last;
    int32_t
        *place;  /* for each bond: where the partner is among owned particles and ghosts; -1: out of reach, or gone */
    float *load; /* for each bond: room for what a solver keeps of it within a step     */
    int32_t *slots; /* particles by id: chains, and how each particle's goes on            */
    int32_t *next;
    int64_t slot_count;
    uint64_t least; /* id of the first slot, if ids lie close together                     */
    bool close;
    int64_t *added; /* for each owned particle: bonds that it is about to add, then where they go */
    dlp__Buffer bonds, spare, buffer[DLP_BOND_BUFFERS], runs, chunks;
    dlp__BondLanes lanes;
} dlp__BondPart;

typedef struct dlp__Bonds {
    dlp__Memory *memory;
    dlp__BondPart part[DLP_DOMAINS_MOST];
    uint64_t least, most; /* ids that bonds have held at any time */
} dlp__Bonds;

void dlp__bonds_init(dlp__Bonds *bonds, dlp__Memory *memory);
void dlp__bonds_release(dlp__Bonds *bonds);

/* Add bonds to a part, whichever part owns their particles; from the next update on they count. False without memory. */
bool dlp__bonds_add(dlp__Bonds *bonds, int part, const dlp__Bond *added, int64_t count);

/* The same from many threads. After the first call every owned particle i writes into `added[i]` of its part how many bonds
 * it is going to add; the second makes room, and then the bonds of particle i are to be written to bond[added[i]] and on, up to bond[added[i + 1]].
 * Both ends must add theirs. False without memory. */
bool dlp__bonds_open(dlp__Bonds *bonds, const dlp__Domains *domains);
bool dlp__bonds_make_room(dlp__Bonds *bonds, const dlp__Domains *domains);

/* How many there are, without those that have been removed. */
int64_t dlp__bonds_count(const dlp__Bonds *bonds);

/* The part whose particles these are. */
dlp__BondPart *dlp__bonds_of(dlp__Bonds *bonds, const dlp__Domains *domains, const dlp__Particles *particles);

/* The bond of `own` with `other` in a part that is up to date; null if there is none. */
dlp__Bond *dlp__bonds_find(dlp__BondPart *part, uint64_t own, uint64_t other);

/* Bring bonds up to date with particles that have just been sorted: those of particles that went to another part
 * follow, those of particles that are gone are dropped. A partner farther than `reach` (m) does not pull: every part
 * can see as far as `ghost_layers` kernel supports, however the world is cut, so that must be no more. False without memory. */
bool dlp__bonds_update(dlp__Bonds *bonds, dlp__Domains *domains, float reach);

/* Which bonds of a part are not as they should be: ids from `next_id` on, a partner of itself, a length that is no
 * length, the same twice. Null if all is well. Sorts. */
const char *dlp__bonds_fault(dlp__Bonds *bonds, int part, uint64_t next_id);

/* Put the bonds that have come last in order among the others, and drop those that have been removed or whose particle is not
 * among `particles` (null: whatever they are). False without memory. bond_merge.c */
bool dlp__bonds_merge(dlp__Bonds *bonds, dlp__BondPart *part, const dlp__Particles *particles,
                      const dlp__Parallel *parallel);
int dlp__bonds_compare(const void *a, const void *b); /* by own, then other */
/* The owned particle of that id in a part whose particles are listed, or -1. */
int32_t dlp__bonds_owner(const dlp__BondPart *part, const dlp__Particles *particles, uint64_t id);

/* The sum of each bond's own hash, so that order does not matter; 0 without bonds. */
uint64_t dlp__bonds_hash(const dlp__Bonds *bonds);

#endif
