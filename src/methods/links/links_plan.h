/* What a step works with: the law of each material, and constants of the world. */
#ifndef DLP_METHODS_LINKS_PLAN_H
#define DLP_METHODS_LINKS_PLAN_H

#include "methods/links/link_law.h"
#include "methods/method.h"
#include "pressure/density_constraint.h"

#define DLP_LINKS_REACH 2 /* supports, to which a link lives: H = 2 h */

typedef struct dlp__LinksParams {
    int64_t iterations; /* in which links pull, in turns with the density constraint */
    double slack;       /* alpha: a link counts as taut from this part of its length on */
    double height;      /* m, of the fluid whose weight draws at it; 0: as it is         */
    dlp__DensityParams density;
} dlp__LinksParams;

/* What stands beside each link in the lists of a step; where all particles are alike and links rigid, the length alone. */
enum {
    DLP_LINK_LENGTH,   /* m */
    DLP_LINK_SHARE,    /* part of what it is too long that moves the particle itself, times s_v */
    DLP_LINK_SOFTNESS, /* stretch over what it has been moved in this step; 0 is rigid          */
    DLP_LINK_PULLED,   /* m, by which it has drawn both together in this step                   */
};

typedef struct dlp__LinksPlan {
    const dlp_MaterialDef *materials;
    const dlp__LinksMaterial *own; /* of each material */
    const dlp__Heat *heat;
    dlp__LinkScene scene;
    const dlp__LinkLaw *law; /* of each material that heat does not change */
    int values_per_link;     /* beside each link: 1 if all are alike and rigid, 2 if rigid, 4 if soft */
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

/* The plan of a step, whose laws are kept in a work buffer of the domains; false without memory. */
bool dlp__links_plan(dlp__StepContext *step, dlp__LinksPlan *plan);

#endif
