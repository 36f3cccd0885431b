/* A material of method blend. The velocities of SPH and of shape matching are blended by alpha (Takamatsu and Kanai 2011, eq. 10).
 * Both start from the same velocity and gain the same external accelerations, so this is a sum of accelerations:
 *
 *     a = alpha a_SPH + (1 - alpha) (g_i - x_i) / (dt_SM dt_0) + external          eqs. 5, 13, 10
 *
 * where g_i is the goal position. With tau = sqrt(dt_SM dt_0), the matching time, matching is an elastic solid. For a shear wave of
 * wave number k the barycentres of the clusters, averaged twice, follow the displacement u up to k^2 Z u, where Z is the mean of
 * z^2 over a cluster; their rotations make up for half of that. So g_i - x_i = -k^2 Z u / 2, and the shear modulus is
 *
 *     G = rho (1 - alpha) Z / (2 tau^2).
 *
 * For a longitudinal wave nothing rotates: the P-wave modulus is 2 G, Poisson's ratio 0. SPH adds a bulk modulus of alpha rho c^2
 * and a viscosity of alpha mu. */
#ifndef DLP_METHODS_BLEND_LAW_H
#define DLP_METHODS_BLEND_LAW_H

#include "materials/thermal.h"

/* The method's own parameters of a material. */
typedef struct dlp__BlendMaterial {
    double alpha;               /* weight of SPH; -1: from the modulus */
    double matching_time;       /* s, tau; 0: from the modulus */
    double update_acceleration; /* m/s2, gamma_u of eq. 14 */
    double tear_stretch;        /* of members of clusters, at which they separate; 0: never */
} dlp__BlendMaterial;

extern const dlp_ParamTable dlp__blend_material_params;

/* Properties of the world that the law depends on. */
typedef struct dlp__BlendScene {
    double spread;      /* m2, Z */
    double spacing;     /* m */
    double sound_speed; /* m/s, c */
    double damping;
} dlp__BlendScene;

typedef struct dlp__BlendLaw {
    double alpha;
    double stiffness;        /* 1/s2, (1 - alpha) / tau^2; 0: no clusters */
    double modulus;          /* Pa, G */
    double viscosity;        /* Pa s, numerical damping included */
    double update_threshold; /* m/s2, f_u of eq. 14 */
} dlp__BlendLaw;

/* The law of a material at the temperature of `scale`. */
dlp__BlendLaw dlp__blend_law(const dlp_MaterialDef *material, const dlp__FlowScale *scale,
                             const dlp__BlendMaterial *own, const dlp__BlendScene *scene);

/* Pa s, upper limit of the viscosity of a material while it freezes to an elastic solid, unless the liquid has more: its shear waves are
 * critically damped at the scale of particles. */
double dlp__blend_slush_viscosity(const dlp_MaterialDef *material, const dlp__BlendScene *scene);

/* Rejects a modulus with a viscosity, and one that contradicts alpha or matching_time. */
dlp_Result dlp__blend_check_material(const dlp_MaterialDef *material, const void *own, dlp_Error *error);

#endif
