/* Companions: bodies of particles that move in the same step as the fluid's (Barreiro et al. 2017, Fig. 1). Rigid ones
 * are held by shape matching (Mueller et al. 2005), soft ones by distances between neighbours with a compliance (XPBD,
 * Macklin et al. 2016). To all else their particles are particles. */
#ifndef DLP_COMPANIONS_COMPANIONS_H
#define DLP_COMPANIONS_COMPANIONS_H

#include "bonds/bonds.h"
#include "boundary/boundary.h"

#include <dollop/world.h>

/* The fields that particles get with the first companion. */
#define DLP_COMPANION_FIELDS (DLP_FIELD_BIT(companion) | DLP_FIELD_BIT(rest) | DLP_FIELD_BIT(bonded))

/* The particles of a part that rigid companions are made of: those of companion c are index[first[c]] to index[first[c
 * + 1]]. */
typedef struct dlp__Members {
    int32_t *index, *first;
    dlp__Buffer buffer[2];
} dlp__Members;

typedef struct dlp__Companions {
    dlp__Memory *memory;
    dlp_CompanionDef *def;
    int count, rigid; /* of all kinds, and of rigid ones */
    dlp__Bonds bonds;
    dlp__Members member[DLP_DOMAINS_MOST];
    dlp__Buffer buffer;
} dlp__Companions;

void dlp__companions_init(dlp__Companions *companions, dlp__Memory *memory);
void dlp__companions_release(dlp__Companions *companions);

/* Add one, whose particles come later; gives particles the fields that they need. False without memory. */
bool dlp__companions_add(dlp__Companions *companions, dlp__Domains *domains, const dlp_CompanionDef *def);

/* Bind the particles of a soft companion, `count` of them from `first` on in the first part, to their neighbours at
 * rest. False without memory. */
bool dlp__companions_bind(dlp__Companions *companions, const dlp__Domains *domains, int64_t first, int64_t count,
                          double spacing);

/* The rigid companion that a particle is part of, or -1. */
static inline int dlp__companions_rigid(const dlp__Companions *companions, const dlp__Particles *p, int64_t i)
{
    const int companion = (int)p->companion[0][i] - 1;
    return companion >= 0 && companions->def[companion].hold == DLP_HOLD_RIGID ? companion : -1;
}

static inline bool dlp__companions_soft(const dlp__Companions *companions, const dlp__Particles *p, int64_t i)
{
    return p->companion[0][i] > 0 && companions->def[p->companion[0][i] - 1].hold == DLP_HOLD_SOFT;
}

/* Look up where all their particles are, after these have been sorted. False without memory. */
bool dlp__companions_find(dlp__Companions *companions, dlp__Domains *domains);

/* What a step does to companions; all of it does nothing where there are none. */

/* Rigid ones go from `start` on as they fly and turn with the velocity that their particles have, instead of each
 * particle by itself: changes position and velocity. Particles need not be sorted. False without memory. */
bool dlp__companions_fly(dlp__Companions *companions, dlp__Domains *domains, float dt);

typedef struct dlp__CompanionStep {
    float spacing;  /* m */
    float dt;       /* s */
    int iterations; /* that will be made at least */
} dlp__CompanionStep;
enum { DLP_COMPANION_ITERATIONS = 10 }; /* that a step should make at least, for soft ones to be as stiff as asked */

/* One iteration, counted from 0: move particles to where their companion holds them; the moves count into
 * `correction`. Needs `start` and `specific_volume`. False without memory. */
bool dlp__companions_hold(dlp__Companions *companions, dlp__Domains *domains, const dlp__CompanionStep *step,
                          int64_t iteration);

/* Move particles of companions that have come nearer than half a spacing to a solid back to there; the moves count
 * into `correction`. For methods whose walls do not push positions. */
void dlp__companions_stand_off(const dlp__Companions *companions, const dlp__Solids *solids, dlp__Domains *domains);

/* At the end of a step the velocities of rigid ones become those of a rigid body; momentum and angular momentum stay. */
void dlp__companions_settle(const dlp__Companions *companions, dlp__Domains *domains);

/* companion_bonds.c and companion_shape.c: soft ones and rigid ones alone */
bool dlp__companions_pull(dlp__Companions *companions, dlp__Domains *domains, const dlp__CompanionStep *step,
                          int64_t iteration);
void dlp__companions_advance(const dlp__Companions *companions, dlp__Domains *domains, float dt);
void dlp__companions_match(const dlp__Companions *companions, dlp__Domains *domains);

#endif
