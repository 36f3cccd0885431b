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

typedef struct dlp__BondPart {
    dlp__Bond *bond; /* of this part's particles, in order of (own, other) after an update */
    int64_t count;
    int64_t sorted; /* how many at the beginning are in order                             */
    int32_t *first; /* for each owned particle: its bonds are first[i] <= k < last[i]     */
    int32_t *last;
    int32_t
        *place;  /* for each bond: where the partner is among owned particles and ghosts; -1: out of reach, or gone */
    float *load; /* for each bond: room for what a solver keeps of it within a step     */
    int32_t *slots; /* particles by id                                                     */
    int64_t slot_count;
    dlp__Buffer bonds, spare, buffer[5];
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

int64_t dlp__bonds_count(const dlp__Bonds *bonds);

/* The bond of `own` with `other` in a part that is up to date; null if there is none. */
dlp__Bond *dlp__bonds_find(dlp__BondPart *part, uint64_t own, uint64_t other);

/* Bring bonds up to date with particles that have just been sorted: those of particles that went to another part
 * follow, those of particles that are gone are dropped. A partner farther than `reach` (m) does not pull: every part
 * can see as far as a kernel support, however the world is cut, so that must be no more. False without memory. */
bool dlp__bonds_update(dlp__Bonds *bonds, const dlp__Domains *domains, float reach);

/* Which bonds of a part are not as they should be: ids from `next_id` on, a partner of itself, a length that is no
 * length, the same twice. Null if all is well. Sorts. */
const char *dlp__bonds_fault(dlp__Bonds *bonds, int part, uint64_t next_id);

/* The sum of each bond's own hash, so that order does not matter; 0 without bonds. */
uint64_t dlp__bonds_hash(const dlp__Bonds *bonds);

#endif
