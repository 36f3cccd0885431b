/* Constants of a step: the law of each material, and properties of the world. */
#ifndef DLP_METHODS_LINKS_PLAN_H
#define DLP_METHODS_LINKS_PLAN_H

#include "methods/links/link_law.h"
#include "methods/method.h"
#include "pressure/density_constraint.h"

#define DLP_LINKS_REACH 2 /* largest length of a link in supports: H = 2 h */

typedef struct dlp__LinksParams {
    int64_t iterations; /* of links, alternating with the density constraint */
    double slack;       /* alpha: links lengthen from 1 - alpha of their length on */
    double height;      /* m, of the fluid, for its weight; 0: measured         */
    dlp__DensityParams density;
} dlp__LinksParams;

/* Values of each link in the lists of a step; the length alone if all densities are equal and links rigid. */
enum {
    DLP_LINK_LENGTH,   /* m */
    DLP_LINK_SHARE,    /* fraction of the excess length by which the particle itself moves, times s_v */
    DLP_LINK_SOFTNESS, /* stretch over DLP_LINK_PULLED; 0: rigid          */
    DLP_LINK_PULLED,   /* m, by which it has pulled both ends together in this step                   */
};

typedef struct dlp__LinksPlan {
    const dlp_MaterialDef *materials;
    const dlp__LinksMaterial *own; /* of each material */
    const dlp__Heat *heat;
    dlp__LinkScene scene;
    const dlp__LinkLaw *law; /* of each material whose law does not depend on temperature */
    int values_per_link;     /* 1: equal densities and rigid links; 2: rigid; 4: soft */
    bool linked;             /* some material has links */
    float support;           /* m, h */
    float slack;
    float dt; /* s */
    dlp__Bonds *bonds;
    const dlp__Domains *domains;
} dlp__LinksPlan;

/* The law of particle i, at its temperature. */
static inline dlp__LinkLaw dlp__links_law(const dlp__LinksPlan *plan, const dlp__Particles *p, int64_t i)
{
    const int m = p->material[0][i];
    if (!dlp__heat_material_varies(plan->heat, plan->materials, m)) {
        return plan->law[m];
    }
    const dlp__MaterialState state = dlp__heat_state(plan->heat, plan->materials, p, i);
    return dlp__link_law(&state.material, &state.scale, &plan->own[m], &plan->scene);
}

/* The plan of a step; its laws are allocated from the step's arena. False when out of memory. */
bool dlp__links_plan(dlp__StepContext *step, dlp__LinksPlan *plan);

#endif
