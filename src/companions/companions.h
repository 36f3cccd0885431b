/* Companions: bodies made of particles that move in the same step as the fluid's (Barreiro et al. 2017, Fig. 1).
 * Rigid ones are constrained by shape matching (Mueller et al. 2005), soft ones by distance constraints between
 * neighbours with a compliance (XPBD, Macklin et al. 2016). All other code treats their particles like any others. */
#ifndef DLP_COMPANIONS_COMPANIONS_H
#define DLP_COMPANIONS_COMPANIONS_H

#include "bonds/bonds.h"
#include "boundary/boundary.h"

#include <dollop/world.h>

/* The fields added to particles with the first companion. */
#define DLP_COMPANION_FIELDS DLP_FIELD_companion, DLP_FIELD_rest, DLP_FIELD_bonded

/* The particles of a part by rigid companion: those of companion c are index[first[c]] to index[first[c + 1] - 1]. */
typedef struct dlp__Members {
    int32_t *index, *first;
    dlp__Buffer buffer[2];
} dlp__Members;

typedef struct dlp__Companions {
    dlp__Memory *memory;
    dlp_CompanionDef *def;
    int count, rigid; /* all companions, and the rigid ones among them */
    dlp__Bonds bonds;
    dlp__Members member[DLP_DOMAINS_MOST];
    dlp__Buffer buffer;
} dlp__Companions;

void dlp__companions_init(dlp__Companions *companions, dlp__Memory *memory);
void dlp__companions_release(dlp__Companions *companions);

/* Add a companion, whose particles are added later; adds the fields that particles need. False without memory. */
bool dlp__companions_add(dlp__Companions *companions, dlp__Domains *domains, const dlp_CompanionDef *def);

/* Bond the particles of a soft companion, `count` of them from `first` on in the first part, to their neighbours at
 * rest. False without memory. */
bool dlp__companions_add_bonds(dlp__Companions *companions, const dlp__Domains *domains, int64_t first, int64_t count,
                               double spacing);

/* The index of the rigid companion that a particle belongs to, or -1. */
static inline int dlp__companion_rigid_index(const dlp__Companions *companions, const dlp__Particles *p, int64_t i)
{
    const int companion = (int)p->companion[0][i] - 1;
    return companion >= 0 && companions->def[companion].hold == DLP_HOLD_RIGID ? companion : -1;
}

static inline bool dlp__companion_is_soft(const dlp__Companions *companions, const dlp__Particles *p, int64_t i)
{
    return p->companion[0][i] > 0 && companions->def[p->companion[0][i] - 1].hold == DLP_HOLD_SOFT;
}

/* Find all their particles again after a sort. */
void dlp__companions_update(dlp__Companions *companions, dlp__Domains *domains);

/* The parts of a step; all of them do nothing if there are no companions. */

/* Predict rigid companions from `start`: free flight and rotation with the velocity of their particles, instead of
 * each particle by itself. Changes position and velocity. Particles need not be sorted. */
void dlp__companions_predict(dlp__Companions *companions, dlp__Domains *domains, float dt);

typedef struct dlp__CompanionStep {
    float spacing;  /* m */
    float dt;       /* s */
    int iterations; /* the fewest that the step makes */
} dlp__CompanionStep;
enum { DLP_COMPANION_ITERATIONS = 10 }; /* the fewest that make soft ones as stiff as requested */

/* One iteration, counted from 0: move particles to satisfy the constraints of their companion; the moves are added
 * to `correction`. Needs `start` and `specific_volume`. */
void dlp__companions_constrain(dlp__Companions *companions, dlp__Domains *domains, const dlp__CompanionStep *step,
                               int64_t iteration);

/* Move particles of companions that are closer than half a spacing to a solid back to that distance; the moves are
 * added to `correction`. For methods whose walls do not push positions. */
void dlp__companions_push_from_solids(const dlp__Companions *companions, const dlp__Solids *solids,
                                      dlp__Domains *domains);

/* At the end of a step: project the velocities of rigid companions onto rigid motion; momentum and angular momentum
 * are conserved. */
void dlp__companions_project_velocities(const dlp__Companions *companions, dlp__Domains *domains);

/* companion_bonds.c and companion_shape.c: soft ones and rigid ones alone */
void dlp__companions_solve_bonds(dlp__Companions *companions, dlp__Domains *domains, const dlp__CompanionStep *step,
                                 int64_t iteration);
void dlp__companions_predict_rigid(const dlp__Companions *companions, dlp__Domains *domains, float dt);
void dlp__companions_match_shapes(const dlp__Companions *companions, dlp__Domains *domains);

#endif
