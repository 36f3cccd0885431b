/* A material as links between particles (Takahashi et al. 2014, sections 3.3 and 3.4), and how these follow from what can be measured
 * of it.
 *
 * A link holds two particles within its length and gives way by lengthening at a rate e once it is taut: no line in the material is
 * drawn out faster than e. So e limits the rate of strain, whatever the stress is, and a viscosity can only be had for a stress that is
 * known. Here that is the weight of the fluid itself: a lump of height H on a slippery floor carries rho g H / 2 on average, spreads
 * to both sides at rho g H / (12 eta) if it is Newtonian (Trouton), and at e if links hold it, because gravity asks for all that they
 * give. Hence e = rho g H / (12 eta).
 *
 * Links of stiffness k, of which those that are drawn pull, make a solid of shear modulus G = k M / (60 V), M being the sum of
 * r^2 over a particle's neighbours at rest and V its volume, if all particles follow the mean strain. */
#ifndef DLP_MATERIALS_LINK_LAW_H
#define DLP_MATERIALS_LINK_LAW_H

#include <dollop/world.h>

/* What the world adds to a material. */
typedef struct dlp__LinkScene {
    double weight; /* Pa m3/kg: g H, gravity times the height of the fluid */
    double moment; /* m2, M                                                 */
    double volume; /* m3, V                                                 */
    double dt;     /* s                                                     */
} dlp__LinkScene;

typedef struct dlp__LinkLaw {
    bool linked;     /* it has links at all                                                       */
    bool elastic;    /* they neither lengthen nor come nor go                                     */
    float extension; /* 1/s, e                                                                    */
    float stiffness; /* s_v: part of what a link is too long that an iteration mends              */
    float
        softness; /* m3/kg: stretch of a link over what the same pull moves a particle in the step, times V: 0 is rigid */
} dlp__LinkLaw;

dlp__LinkLaw dlp__link_law(const dlp_MaterialDef *material, const dlp__LinkScene *scene);

/* Whether e of a material follows from its viscosity, and so from the height of the fluid. */
bool dlp__link_needs_height(const dlp_MaterialDef *material);

/* The length (m) of a link between particles r apart as it freezes to an elastic one, from which slack and so jitter is taken, and as
 * it melts, which forgets what it was drawn to. */
static inline float dlp__link_frozen(float length, float r)
{
    return r < length ? r : length;
}

static inline float dlp__link_melted(float length, float r)
{
    return r > length ? r : length;
}

#endif
