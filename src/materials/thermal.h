/* The effect of heat on a material: the relation of enthalpy and temperature, the molten fraction, and viscosity at
 * a temperature.
 *
 * Enthalpy (J/kg) is relative to 0 K. It increases by heat_capacity per kelvin, and by latent_heat from the melting
 * point to the liquidus, which may be the same temperature: then enthalpy tells how much is molten where temperature
 * cannot. */
#ifndef DLP_MATERIALS_THERMAL_H
#define DLP_MATERIALS_THERMAL_H

#include "base/error.h"
#include "base/memory.h"

#include <dollop/world.h>

/* Whether its viscosity or elasticity depends on temperature, apart from a viscosity curve. */
bool dlp__thermal_varies(const dlp_MaterialDef *material);
/* Whether its particles need a temperature. */
bool dlp__thermal_is_needed(const dlp_MaterialDef *material);

double dlp__thermal_enthalpy(const dlp_MaterialDef *material,
                             double temperature); /* J/kg; molten at the melting point */
double dlp__thermal_temperature(const dlp_MaterialDef *material, double enthalpy); /* K */
/* K kg/J; 0 while it melts at a single temperature */
double dlp__thermal_slope(const dlp_MaterialDef *material, double enthalpy);
double dlp__thermal_molten(const dlp_MaterialDef *material, double enthalpy); /* molten fraction, 0 to 1 */

/* Viscosity over temperature, with straight lines of its logarithm between keys; not given without keys. */
typedef struct dlp__ViscosityCurve {
    dlp_ViscosityKey *keys; /* in order of temperature */
    int count;
} dlp__ViscosityCurve;

/* Check the keys and replace those of the curve by a copy. On failure the curve is unchanged. */
dlp_Result dlp__viscosity_curve_set(dlp__ViscosityCurve *curve, dlp__Memory *memory, const dlp_ViscosityKey *keys,
                                    int count, dlp_Error *error);
void dlp__viscosity_curve_release(dlp__ViscosityCurve *curve, dlp__Memory *memory);

/* The material at a temperature (K) and molten fraction. Viscosities and times scale with temperature by the same
 * factor a, which keeps moduli and yield stresses: in steady shear, stress(rate, T) = stress(a rate) of the reference temperature.
 * A material that freezes to an elastic solid becomes ever
 * more viscous as less of it is molten, until it does not flow at all; below the liquidus it has no flow laws. `curve` may be null. */
dlp_MaterialDef dlp__thermal_material(const dlp_MaterialDef *material, const dlp__ViscosityCurve *curve,
                                      double temperature, double molten);

/* How much slower a material flows at a temperature than as given. Methods apply it to their own parameters that are rates. */
typedef struct dlp__FlowScale {
    double viscosity; /* factor on viscosities and relaxation times                          */
    double fluidity;  /* factor on rates of flow while it freezes: 1 for a liquid, 0 when all is solid */
} dlp__FlowScale;

extern const dlp__FlowScale dlp__flow_as_given; /* 1 and 1 */

/* A rate of flow (1/s) on that scale, or -1 where it follows from other parameters: if `rate` is negative, and in the solid. */
double dlp__flow_rate(double rate, const dlp__FlowScale *scale);

/* The same material, and the scale of its flow. */
typedef struct dlp__MaterialState {
    dlp_MaterialDef material;
    dlp__FlowScale scale;
} dlp__MaterialState;
dlp__MaterialState dlp__thermal_state(const dlp_MaterialDef *material, const dlp__ViscosityCurve *curve,
                                      double temperature, double molten);

/* Refuses what contradicts itself. */
dlp_Result dlp__thermal_check(const dlp_MaterialDef *material, dlp_Error *error);

#endif
