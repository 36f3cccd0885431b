/* Heat in the particles of any method: conduction between them, to solids and to free bodies, radiation and
 * convection at free surfaces, internal heat sources, and melting. A step is one call, made when neighbours are
 * current; methods read the result through dlp__heat_material(), the material of a particle at its temperature.
 *
 * With w = -W'/r, V the volume of a particle and z = 3 / (sum of V w r^2), which normalizes the second moment of the
 * kernel for any particle arrangement, a particle gains per second and cubic metre
 *
 *     sum_j V (z_i + z_j) w_ij k_ij (T_j - T_i),     k_ij = 2 k_i k_j / (k_i + k_j)
 *
 * The gain of i from j equals the loss of j to i bit for bit. Enthalpy is the state variable and determines
 * temperature, so melting conserves energy too (Takahashi et al. 2014, sect. 3.6, after Cleary and Monaghan, but in
 * SI units and for any kernel). */
#ifndef DLP_HEAT_HEAT_H
#define DLP_HEAT_HEAT_H

#include "heat/wall_conduction.h"
#include "krylov/conjugate_gradients.h"
#include "materials/thermal.h"
#include "boundary/boundary.h"
#include "sph/kernel.h"

#include <math.h>

/* Components of the field `conduction` in a step. Some are used only before the pair conductances are computed,
 * others only after; they share components. */
enum {
    DLP_HEAT_CONDUCTIVITY,     /* W/m/K */
    DLP_HEAT_NORMALIZATION,    /* z; before the neighbour sums, the walls' contribution to 3 / z */
    DLP_HEAT_LOSS_CONDUCTANCE, /* W/m3/K, conductance to walls and air */
    DLP_HEAT_SOURCE,           /* W/m3: that conductance times their temperature, and internal sources */
    /* 1/m, free surface area per volume; before the neighbour sums, three components of the walls' contribution to
     * the gradient of the kernel sum */
    DLP_HEAT_SURFACE,
    DLP_HEAT_BODY = DLP_HEAT_SURFACE + 3,   /* 1 + number of the free body that it exchanges heat with, or 0 */
    DLP_HEAT_BODY_CONDUCTANCE,              /* W/m3/K, conductance to that body */
    DLP_HEAT_GAIN = DLP_HEAT_NORMALIZATION, /* J/kg, after: gain in this step, current estimate */
    DLP_HEAT_NEIGHBOR_CONDUCTANCE = DLP_HEAT_SURFACE + 1, /* W/m3/K, after: sum over all neighbours */
    DLP_HEAT_CAPACITY = DLP_HEAT_SURFACE + 2,             /* W/m3/K, after: heat capacity per step */
    DLP_HEAT_PAIR_LIMIT = DLP_HEAT_CAPACITY,              /* W/m3/K, before: limit for one neighbour */
};

/* Fields of particles in a world with heat. */
#define DLP_HEAT_FIELDS DLP_FIELD_temperature, DLP_FIELD_enthalpy, DLP_FIELD_conduction, DLP_KRYLOV_FIELDS

/* The heat of a world. */
typedef struct dlp__Heat {
    bool active;                 /* some material is thermal; nothing is computed until then */
    dlp__WallHeat wall;          /* conduction to walls */
    dlp__ViscosityCurve *curves; /* one per material; null if none has one */
    dlp__Buffer curve_buffer, body_buffer;
    int curve_count;
    int64_t iterations; /* of the last step; 0 if it was explicit */
} dlp__Heat;

/* Arguments of a heat step. */
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

/* The material of particle i, not adjusted to its temperature. */
static inline const dlp_MaterialDef *dlp__heat_material_def(const dlp__HeatStep *step, const dlp__Particles *p,
                                                            int64_t i)
{
    return &step->materials[p->material[0][i]];
}

void dlp__heat_release(dlp__Heat *heat, dlp__Memory *memory);

/* Enable heat: all particles get the temperature of their materials. Does nothing if enabled. False without memory. */
bool dlp__heat_enable(dlp__Heat *heat, dlp__Domains *domains, const dlp__Kernel *kernel, double spacing,
                      const dlp_MaterialDef *materials);

/* Set the temperature (K) of particle i of that material; molten at the melting point. */
void dlp__heat_set_temperature(dlp__Particles *particles, int64_t i, const dlp_MaterialDef *material,
                               double temperature);

/* J/kg */
static inline double dlp__heat_enthalpy(const dlp__Particles *particles, int64_t i)
{
    return (double)particles->enthalpy[0][i] + (double)particles->enthalpy[1][i];
}

/* W/m3/K, upper limit of a particle's conductance: a thousand times its heat capacity per step. Beyond it the
 * rounding of temperatures would show; heat then crosses some forty spacings in a step. Particles of fixed
 * temperature have no limit of their own. */
static inline double dlp__heat_conductance_limit(const dlp__HeatStep *step, const dlp_MaterialDef *material)
{
    return material->heat_capacity > 0.0 ? 1e3 * material->density * material->heat_capacity / step->dt : INFINITY;
}

/* Advance by the step. Neighbour lists must be current. */
void dlp__heat_step(const dlp__HeatStep *step);

/* The viscosity curve of a material, or null. */
static inline const dlp__ViscosityCurve *dlp__heat_curve(const dlp__Heat *heat, int material)
{
    return material < heat->curve_count ? &heat->curves[material] : NULL;
}

/* Whether a material depends on temperature. */
static inline bool dlp__heat_material_varies(const dlp__Heat *heat, const dlp_MaterialDef *materials, int material)
{
    const dlp__ViscosityCurve *curve = dlp__heat_curve(heat, material);
    return heat->active && (dlp__thermal_varies(&materials[material]) || (curve != NULL && curve->count > 0));
}

/* The material of particle i at its temperature. */
dlp_MaterialDef dlp__heat_material(const dlp__Heat *heat, const dlp_MaterialDef *materials,
                                   const dlp__Particles *particles, int64_t i);

/* The same with the scale of its flow, for methods that have parameters of materials themselves. */
dlp__MaterialState dlp__heat_state(const dlp__Heat *heat, const dlp_MaterialDef *materials,
                                   const dlp__Particles *particles, int64_t i);

/* The same at the coldest and the hottest that particles of that material are. */
typedef struct dlp__HeatRange {
    dlp_MaterialDef cold, hot;
    dlp__FlowScale cold_scale, hot_scale;
} dlp__HeatRange;
dlp__HeatRange dlp__heat_range(const dlp__Heat *heat, const dlp_MaterialDef *materials, int material,
                               const dlp__Domains *domains);

/* J, of all particles and of free bodies with a heat capacity. */
double dlp__heat_total(const dlp__Domains *domains, const dlp__Solids *solids, const dlp_MaterialDef *materials,
                       double spacing);

#endif
