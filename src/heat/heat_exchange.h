/* Heat between particles and solids. */
#ifndef DLP_HEAT_HEAT_EXCHANGE_H
#define DLP_HEAT_HEAT_EXCHANGE_H

#include "heat/heat.h"

/* Begin to fill `conduction`: what materials say, and what the solids near each particle bring. A particle exchanges heat with
 * all solids that are held at a temperature, and with one free body that is not: that which it exchanges most with. */
bool dlp__heat_meet_walls(const dlp__HeatStep *step);

/* A free body that warms and cools, and the unknown that its temperature is. */
typedef struct dlp__WarmBody {
    int solid;
    double capacity;    /* W/m3/K, heat that a kelvin takes in a step, over the volume of a particle */
    double conductance; /* W/m3/K, summed over the particles that it exchanges heat with             */
    double temperature; /* K, as far as solved */
} dlp__WarmBody;

typedef struct dlp__WarmBodies {
    int count;
    dlp__WarmBody *body;
    dlp__KrylovExtra unknown; /* their temperatures */
    double *mobility;         /* of these           */
} dlp__WarmBodies;

/* Once `conduction` is filled. False without memory. */
bool dlp__warm_bodies_find(dlp__WarmBodies *bodies, const dlp__HeatStep *step);

/* The one that a particle exchanges heat with, or null. */
static inline const dlp__WarmBody *dlp__warm_body_of(const dlp__WarmBodies *bodies, const dlp__Particles *p, int64_t i)
{
    const int number = (int)p->conduction[DLP_HEAT_BODY][i];
    return number > 0 ? &bodies->body[number - 1] : NULL;
}

/* Sum over all particles of `field` times what they conduct to body n (W/m3), or of that alone where it is DLP_FIELD_NONE. */
double dlp__warm_bodies_sum(const dlp__Domains *domains, int field, int n);

#endif
