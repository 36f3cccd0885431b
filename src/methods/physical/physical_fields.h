/* Particle fields of method physical: see particles/fields.h.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_METHODS_PHYSICAL_FIELDS_H
#define DLP_METHODS_PHYSICAL_FIELDS_H

#include "particles/particles.h"

/* clang-format off */
#define ON_DEMAND (DLP_FIELD_SCRATCH | DLP_FIELD_ON_DEMAND)
#define LAW_STATE (DLP_FIELD_SAVED | DLP_FIELD_ON_DEMAND)
#define DLP_PHYSICAL_FIELDS(X) \
    X(conformation, float, 6, "", DLP_FIELD_SAVED, "Q - I, zero at rest: xx yy zz xy xz yz") \
    X(strain_rate, float, 6, "1/s", DLP_FIELD_SAVED, "2 D of the last step: xx yy zz xy xz yz") \
    X(strain_rate_change, float, 6, "1/s", DLP_FIELD_SAVED, "the same minus that of the step before") \
    X(largest_rate, float, 1, "1/s", DLP_FIELD_SAVED, "largest size of 2 D so far, fading") \
    X(acceleration, float, 3, "m/s2", DLP_FIELD_SAVED, "that the solver found in the last step") \
    X(friction_ratio, float, 3, "", DLP_FIELD_SAVED, "friction of the rough wall in contact over its limit; length 1 where the particle slides") \
    X(hourglass_force, float, 3, "Pa/m", DLP_FIELD_SAVED, "stored elastic part of the stabilization force") \
    X(pressure_flux, float, 6, "Pa s", DLP_FIELD_SCRATCH, "pressure part of the flux of physical_loops.h: xx yy zz xy xz yz") \
    X(retention, float, 1, "", DLP_FIELD_SCRATCH, "e = exp(-dt / tau), fraction of a stress left after the step") \
    X(viscosity, float, 1, "Pa s", DLP_FIELD_SCRATCH, "(1 - e) eta") \
    X(modulus, float, 1, "Pa", DLP_FIELD_SCRATCH, "0 where the relaxation time is 0") \
    X(spread, float, 1, "s", DLP_FIELD_SCRATCH, "weight of L + L^T in the update of the conformation") \
    X(spread_square, float, 1, "s2", DLP_FIELD_SCRATCH, "weight of L L^T in it") \
    X(trace_limit, float, 1, "", DLP_FIELD_SCRATCH, "upper bound of tr Q (FENE-P); 0: none") \
    X(solvent, float, 1, "Pa s", DLP_FIELD_SCRATCH, "solvent viscosity") \
    X(change_weight, float, 1, "", DLP_FIELD_SCRATCH, "w of materials/maxwell.h, for second order in time") \
    X(end_weight, float, 1, "", DLP_FIELD_SCRATCH, "1 - k, k = 1 elastic to 0 Newtonian: weight of the end of the step in forces that are of first order in time") \
    X(new_weight, float, 1, "", DLP_FIELD_SCRATCH, "w of this step, with damping: weight of the change of the rate in this step") \
    X(solvent_weight, float, 1, "", DLP_FIELD_SCRATCH, "the same of the solvent") \
    X(stiffness, float, 1, "Pa s2", DLP_FIELD_SCRATCH, "change of stress times dt for a unit change of the rate of strain") \
    X(bulk, float, 1, "Pa s", DLP_FIELD_SCRATCH, "bulk viscosity that augments the pressure") \
    X(target_divergence, float, 1, "1/s", DLP_FIELD_SCRATCH, "divergence of velocity that keeps the volume over the step") \
    X(stabilization, float, 1, "Pa s2", DLP_FIELD_SCRATCH, "z times viscosity times dt: coefficient of the hourglass force") \
    X(tension_viscosity, float, 1, "Pa s", DLP_FIELD_SCRATCH, "added to the viscosity of the hourglass force in a stretched fluid") \
    X(strength, float, 1, "Pa", DLP_FIELD_SCRATCH, "largest tensile stress") \
    X(tension, float, 1, "N/m", ON_DEMAND, "surface tension") \
    X(wetting, float, 1, "", ON_DEMAND, "cosine of the contact angle") \
    X(surface, float, 1, "", ON_DEMAND, "1 at a surface, 0 inside; 0 without surface tension") \
    X(normal, float, 3, "", ON_DEMAND, "normal of the surface, into the fluid: direction of the sum of kernel gradients, images in walls included") \
    X(wetted, float, 1, "", ON_DEMAND, "1 in the layer at a wall, 0 away from walls; 0 without surface tension") \
    X(wall_normal, float, 3, "", ON_DEMAND, "normal of the wall, into it: direction of the sum of kernel gradients of images") \
    X(wall_stress, float, 1, "Pa", ON_DEMAND, "of the tension that spreads the layer at a wall; negative if the layer recedes") \
    X(wall_pull, float, 3, "Pa/m", ON_DEMAND, "force of walls that turns that tension around curved walls and edges") \
    X(wall_share, float, 1, "1/Pa", ON_DEMAND, "one over the sum of V W and the size of wall_stress around: weight in wall_reaction") \
    X(wall_reaction, float, 3, "Pa s m", ON_DEMAND, "pull on the particles around, times dt, that the particle passes to walls, over the weights of its images") \
    X(slip, float, 1, "", ON_DEMAND, "1 at a contact line, where fluid slips on any wall; 0 elsewhere") \
    X(surface_stress, float, 6, "Pa", ON_DEMAND, "stress of surface tension: xx yy zz xy xz yz") \
    X(height, float, 1, "m", ON_DEMAND, "of the mean of the surface around over the particle, along its normal") \
    X(surface_shift, float, 3, "m", ON_DEMAND, "shift that levels the surface") \
    X(depth, float, 1, "", DLP_FIELD_SCRATCH, "1 inside the fluid, 0 at a free surface") \
    X(dilation, float, 1, "", DLP_FIELD_SCRATCH, "1 in dilated fluid under tension, whose neighbours are few but evenly spread; 0 elsewhere and near walls") \
    X(density_shift, float, 1, "m2", DLP_FIELD_SCRATCH, "displacement along a unit gradient of density") \
    X(excess_force, float, 3, "Pa/m", ON_DEMAND, "stored force above its limit, to be handed to neighbours") \
    X(excess_share, float, 1, "", ON_DEMAND, "fraction of it for a unit of pair weight") \
    X(mode_2, float, 6, "", LAW_STATE, "Q - I of the second Maxwell element of a spectrum") \
    X(mode_3, float, 6, "", LAW_STATE, "of the third") \
    X(mode_4, float, 6, "", LAW_STATE, "of the fourth") \
    X(mode_5, float, 6, "", LAW_STATE, "of the fifth") \
    X(mode_6, float, 6, "", LAW_STATE, "of the sixth") \
    X(mode_7, float, 6, "", LAW_STATE, "of the seventh") \
    X(mode_8, float, 6, "", LAW_STATE, "of the eighth") \
    X(damage, float, 1, "", LAW_STATE, "part of the structure of a thixotropic material that is broken down") \
    X(law_stress, float, 6, "Pa", ON_DEMAND, "stored stress, with the repeated part of its last change: xx yy zz xy xz yz") \
    X(law_rates, float, 3, "Pa s", ON_DEMAND, "weights in the stress: of the rate of this step, of the last one, of its change") \
    X(law_stiffness, float, 1, "Pa s", ON_DEMAND, "viscosity against changes of the rate in this step") \
    X(law_softening, float, 1, "Pa s", ON_DEMAND, "by which that viscosity is less for changes along law_direction") \
    X(law_direction, float, 6, "", ON_DEMAND, "of the stress, a deviator of size 1: xx yy zz xy xz yz") \
    X(law_slope, float, 1, "", ON_DEMAND, "viscosity against small changes of the rate over that of the flow") \
    X(law_memory, float, 1, "", ON_DEMAND, "1 where the stabilization force is stored, 0 in a yield-stress fluid") \
    X(law_energy, float, 1, "J/m3", ON_DEMAND, "elastic energy")
/* clang-format on */

/* Of materials with a law, besides the conformation. */
#define LAW_STATE_FIELDS OWN_mode_2, OWN_mode_3, OWN_mode_4, OWN_mode_5, OWN_mode_6, OWN_mode_7, OWN_mode_8, OWN_damage

DLP_DECLARE_OWN_FIELDS(dlp__PhysicalFields, DLP_PHYSICAL_FIELDS);
extern const dlp__FieldTable dlp__physical_fields;

#endif
