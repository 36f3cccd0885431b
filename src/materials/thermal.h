/* What heat does to a material: how enthalpy and temperature go together, how much of it is molten, and how it flows at a
 * temperature.
 *
 * Enthalpy (J/kg) counts from 0 K. It grows by heat_capacity with each kelvin, and by latent_heat from the melting point to the
 * liquidus, which may be the same temperature: then the enthalpy tells what the temperature cannot. */
#ifndef DLP_MATERIALS_THERMAL_H
#define DLP_MATERIALS_THERMAL_H

#include "base/error.h"
#include "base/memory.h"

#include <dollop/world.h>

/* Whether its particles need a temperature. */
bool dlp__thermal_is(const dlp_MaterialDef *material);

double dlp__thermal_enthalpy(const dlp_MaterialDef *material,
                             double temperature); /* J/kg; molten at the melting point */
double dlp__thermal_temperature(const dlp_MaterialDef *material, double enthalpy); /* K */
double dlp__thermal_slope(const dlp_MaterialDef *material, double enthalpy);  /* K kg/J; 0 while it melts at once */
double dlp__thermal_molten(const dlp_MaterialDef *material, double enthalpy); /* part of it, from 0 to 1 */

/* Viscosity over temperature, on straight lines of its logarithm between keys; without keys it is not given. */
typedef struct dlp__ViscosityCurve {
    dlp_ViscosityKey *keys; /* in the order of their temperatures */
    int count;
} dlp__ViscosityCurve;

/* Check the keys and take a copy of them in place of those that the curve has. On failure the curve is as it was. */
dlp_Result dlp__viscosity_curve_set(dlp__ViscosityCurve *curve, dlp__Memory *memory, const dlp_ViscosityKey *keys,
                                    int count, dlp_Error *error);
void dlp__viscosity_curve_release(dlp__ViscosityCurve *curve, dlp__Memory *memory);

/* The material as it is at a temperature (K) with a part of it molten. Viscosities and times go with temperature by the same
 * factor, which leaves the modulus of a viscoelastic fluid as it is. Where it freezes to something elastic, what is still molten
 * flows ever more slowly, until it does not flow at all. `curve` may be null. */
dlp_MaterialDef dlp__thermal_material(const dlp_MaterialDef *material, const dlp__ViscosityCurve *curve,
                                      double temperature, double molten);

/* Refuses what contradicts itself. */
dlp_Result dlp__thermal_check(const dlp_MaterialDef *material, dlp_Error *error);

#endif
