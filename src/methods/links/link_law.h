/* A material as links between particles (Takahashi et al. 2014, sections 3.3 and 3.4), derived from measurable properties.
 *
 * A link limits the distance of two particles to its length and, under tension, lengthens at a rate e: no line in the
 * material stretches faster than e. So e limits the strain rate at any stress, and a viscosity can only be matched for
 * a known stress. Here that is the weight of the fluid itself: a lump of height H on a free-slip floor is under a mean
 * stress of rho g H / 2. It spreads to both sides at rho g H / (12 eta) if it is Newtonian (Trouton), and at e if links
 * hold it, because gravity uses all the extension they allow. Hence e = rho g H / (12 eta).
 *
 * Links of stiffness k, which act in tension only, give a solid of shear modulus G = k M / (60 V) if all particles
 * follow the mean strain. M is the sum of r^2 over a particle's neighbours at rest and V its volume. */
#ifndef DLP_METHODS_LINK_LAW_H
#define DLP_METHODS_LINK_LAW_H

#include "materials/thermal.h"
#include "methods/smooth.h"

/* The method's own parameters of a material. */
typedef struct dlp__LinksMaterial {
    dlp__SmoothMaterial smooth;
    double
        extension_rate; /* 1/s, rate at which links under tension lengthen; -1: from viscosity and the weight of the fluid */
    double link_stiffness; /* fraction of the excess length of a link that an iteration corrects                   */
} dlp__LinksMaterial;

extern const dlp_ParamTable dlp__links_material_params;

/* Properties of the world that the law depends on. */
typedef struct dlp__LinkScene {
    double weight; /* Pa m3/kg: g H, gravity times the height of the fluid */
    double moment; /* m2, M */
    double volume; /* m3, V */
    double dt;     /* s */
} dlp__LinkScene;

typedef struct dlp__LinkLaw {
    bool linked;     /* has links */
    bool elastic;    /* links are permanent and do not lengthen */
    float extension; /* 1/s, e */
    float stiffness; /* s_v: fraction of the excess length corrected per iteration */
    /* m3/kg: stretch of a link over the displacement of a particle by the same force in the step, times V; 0: rigid */
    float softness;
} dlp__LinkLaw;

/* The law of a material at the temperature of `scale`; `own` is not scaled yet. */
dlp__LinkLaw dlp__link_law(const dlp_MaterialDef *material, const dlp__FlowScale *scale, const dlp__LinksMaterial *own,
                           const dlp__LinkScene *scene);

/* Whether e is derived from the viscosity, and so from the height of the fluid. */
bool dlp__link_needs_height(const dlp_MaterialDef *material, const dlp__FlowScale *scale,
                            const dlp__LinksMaterial *own);

/* The length (m) of a link between particles at distance r when it freezes to an elastic one, which removes its
 * slack and so jitter, and when it melts, which removes its tension. */
static inline float dlp__link_frozen(float length, float r)
{
    return r < length ? r : length;
}

static inline float dlp__link_melted(float length, float r)
{
    return r > length ? r : length;
}

#endif
