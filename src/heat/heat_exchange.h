/* Heat between particles and solids. */
#ifndef DLP_HEAT_HEAT_EXCHANGE_H
#define DLP_HEAT_HEAT_EXCHANGE_H

#include "heat/heat.h"

/* Start filling `conduction`: material properties and the contributions of nearby solids. A particle exchanges heat
 * with all solids of fixed temperature, and with one free body of variable temperature: the one with the largest
 * conductance. */
void dlp__heat_add_walls(const dlp__HeatStep *step);

/* A free body whose temperature changes; the temperature is an unknown of the solver. */
typedef struct dlp__WarmBody {
    int solid;
    double capacity;    /* W/m3/K, heat capacity per step and particle volume */
    double conductance; /* W/m3/K, summed over the particles that exchange heat with it */
    double temperature; /* K, current estimate */
} dlp__WarmBody;

typedef struct dlp__WarmBodies {
    int count;
    dlp__WarmBody *body;
    dlp__KrylovExtra unknown; /* their temperatures */
    double *mobility;         /* diagonal preconditioner of these */
} dlp__WarmBodies;

/* List them, once `conduction` is filled. False without memory. */
bool dlp__warm_bodies_find(dlp__WarmBodies *bodies, const dlp__HeatStep *step);

/* The body that a particle exchanges heat with, or null. */
static inline const dlp__WarmBody *dlp__warm_body_of(const dlp__WarmBodies *bodies, const dlp__Particles *p, int64_t i)
{
    const int number = (int)p->conduction[DLP_HEAT_BODY][i];
    return number > 0 ? &bodies->body[number - 1] : NULL;
}

/* Sum over all particles of `field` times their conductance to body n (W/m3), or of the conductance alone for
 * DLP_FIELD_NONE. */
double dlp__warm_bodies_sum(const dlp__Domains *domains, int field, int n);

#endif
