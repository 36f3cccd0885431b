/* Heat in the particles of any method: conduction between them, to solids and to free bodies, radiation and convection at free
 * surfaces, heat made inside, and melting. A step is one call, made when neighbours are current; what a method needs of it
 * is dlp__heat_material(): what a particle's material is at its temperature.
 *
 * With w = -W'/r, V the volume of a particle and z = 3 / (sum of V w r^2), which makes the second moment of the kernel right however
 * particles lie, a particle gains each second and cubic metre
 *
 *     sum_j V (z_i + z_j) w_ij k_ij (T_j - T_i),     k_ij = 2 k_i k_j / (k_i + k_j)
 *
 * What i gains from j is to the last bit what j loses to i. Enthalpy is the state, and temperature follows from it: so melting
 * keeps energy too (Takahashi et al. 2014, sect. 3.6, after Cleary and Monaghan, but in SI units and for any kernel). */
#ifndef DLP_HEAT_HEAT_H
#define DLP_HEAT_HEAT_H

#include "heat/wall_conduction.h"
#include "krylov/conjugate_gradients.h"
#include "materials/thermal.h"
#include "boundary/boundary.h"
#include "sph/kernel.h"

#include <math.h>

/* What the field `conduction` holds in a step; some is needed only before neighbours are weighed, and some only after. */
enum {
    DLP_HEAT_CONDUCTIVITY,                   /* W/m/K                                                                */
    DLP_HEAT_EVENING,                        /* z; before neighbours are asked, what walls bring to 3 / z            */
    DLP_HEAT_OUTLET,                         /* W/m3/K, to walls and air                                             */
    DLP_HEAT_INFLOW,                         /* W/m3: their temperatures times that, and what is made inside         */
    DLP_HEAT_SURFACE,                        /* 1/m, free surface over volume; before neighbours are asked, three parts
                              of the gradient that walls bring to the kernel sum                   */
    DLP_HEAT_BODY = DLP_HEAT_SURFACE + 3,    /* 1 + the free body that it exchanges heat with, or 0   */
    DLP_HEAT_TO_BODY,                        /* W/m3/K                                                */
    DLP_HEAT_RISE = DLP_HEAT_EVENING,        /* J/kg, after: gain in this step, as far as solved  */
    DLP_HEAT_SUM = DLP_HEAT_SURFACE + 1,     /* W/m3/K, after: to all neighbours together         */
    DLP_HEAT_INERTIA = DLP_HEAT_SURFACE + 2, /* W/m3/K, after: heat that a kelvin takes in a step */
    DLP_HEAT_BEARABLE = DLP_HEAT_INERTIA,    /* W/m3/K, before: the most to one neighbour         */
};

/* What particles of a world with heat have. */
#define DLP_HEAT_FIELDS \
    (DLP_FIELD_BIT(temperature) | DLP_FIELD_BIT(enthalpy) | DLP_FIELD_BIT(conduction) | DLP_KRYLOV_FIELDS)

/* The heat of a world. */
typedef struct dlp__Heat {
    bool active;                 /* some material has heat; nothing is computed before */
    dlp__WallHeat wall;          /* what walls do                                      */
    dlp__ViscosityCurve *curves; /* one for each material; null where none has one */
    dlp__Buffer curve_buffer, body_buffer;
    int curve_count;
    int64_t iterations; /* of the last step; 0 where it was explicit */
} dlp__Heat;

/* What a step of heat works on. */
typedef struct dlp__HeatStep {
    dlp__Heat *heat;
    dlp__Domains *domains;
    dlp__Solids *solids;
    const dlp__Kernel *kernel;
    const dlp_MaterialDef *materials;
    int material_count;
    dlp_HeatKind kind;
    double air;     /* K */
    double spacing; /* m */
    double dt;      /* s */
} dlp__HeatStep;

/* The material of particle i, whatever its temperature is. */
static inline const dlp_MaterialDef *dlp__heat_def(const dlp__HeatStep *step, const dlp__Particles *p, int64_t i)
{
    return &step->materials[p->material[0][i]];
}

void dlp__heat_release(dlp__Heat *heat, dlp__Memory *memory);

/* Give all particles a temperature, that of their materials. Nothing happens if they have one. False without memory. */
bool dlp__heat_wake(dlp__Heat *heat, dlp__Domains *domains, const dlp__Kernel *kernel, double spacing,
                    const dlp_MaterialDef *materials);

/* Set the temperature (K) of particle i, whose material is `material`; melted, at the melting point. */
void dlp__heat_set(dlp__Particles *particles, int64_t i, const dlp_MaterialDef *material, double temperature);

/* J/kg */
static inline double dlp__heat_enthalpy(const dlp__Particles *particles, int64_t i)
{
    return (double)particles->enthalpy[0][i] + (double)particles->enthalpy[1][i];
}

/* W/m3/K, the most that a particle exchanges: heat that a kelvin takes, a thousand times in the step. With more the rounding of
 * temperatures would show; heat goes over some forty spacings in a step by then. Particles that keep their temperature exchange whatever others bear. */
static inline double dlp__heat_most(const dlp__HeatStep *step, const dlp_MaterialDef *material)
{
    return material->heat_capacity > 0.0 ? 1e3 * material->density * material->heat_capacity / step->dt : INFINITY;
}

/* Advance by the step. Neighbour lists must be current. False without memory. */
bool dlp__heat_step(const dlp__HeatStep *step);

/* The curve of a material, or null. */
static inline const dlp__ViscosityCurve *dlp__heat_curve(const dlp__Heat *heat, int material)
{
    return material < heat->curve_count ? &heat->curves[material] : NULL;
}

/* Whether a material is not the same at all temperatures. */
static inline bool dlp__heat_changes(const dlp__Heat *heat, const dlp_MaterialDef *materials, int material)
{
    const dlp__ViscosityCurve *curve = dlp__heat_curve(heat, material);
    return heat->active && (materials[material].activation_energy > 0.0 || materials[material].frozen_modulus > 0.0 ||
                            (curve != NULL && curve->count > 0));
}

/* The material of particle i as its temperature makes it. */
dlp_MaterialDef dlp__heat_material(const dlp__Heat *heat, const dlp_MaterialDef *materials,
                                   const dlp__Particles *particles, int64_t i);

/* The same at the coldest and the hottest that particles of that material are. */
typedef struct dlp__HeatRange {
    dlp_MaterialDef cold, hot;
} dlp__HeatRange;
dlp__HeatRange dlp__heat_range(const dlp__Heat *heat, const dlp_MaterialDef *materials, int material,
                               const dlp__Domains *domains);

/* J, of all particles and of free bodies that warm and cool. */
double dlp__heat_total(const dlp__Domains *domains, const dlp__Solids *solids, const dlp_MaterialDef *materials,
                       double spacing);

#endif
