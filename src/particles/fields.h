/* The one table of particle fields. The store, sorting, migration between subdomains, stages, the NaN guard, frames,
 * checkpoints and bindings all read it: a new field is a new line here.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_PARTICLES_FIELDS_H
#define DLP_PARTICLES_FIELDS_H

#include <stddef.h>
#include <stdint.h>

enum {
    DLP_FIELD_SAVED = 1,     /* part of the state: in checkpoints and in the hash                   */
    DLP_FIELD_SHOWN = 2,     /* in frames and exports                                               */
    DLP_FIELD_EXCHANGED = 4, /* ghosts hold a copy from the moment the halo is built                */
    DLP_FIELD_SHIFTED = 8,   /* a periodic image has it displaced by the size of the box            */
    DLP_FIELD_SCRATCH = 16,  /* lives within a step only: not sorted, moved between parts or saved  */
};

/* clang-format off */
#define DLP_FIELDS(X) \
    X(id, uint64_t, 1, "", DLP_FIELD_SAVED | DLP_FIELD_SHOWN | DLP_FIELD_EXCHANGED, "never changes") \
    X(material, uint16_t, 1, "", DLP_FIELD_SAVED | DLP_FIELD_SHOWN | DLP_FIELD_EXCHANGED, "index of the material") \
    X(position, float, 3, "m", \
      DLP_FIELD_SAVED | DLP_FIELD_SHOWN | DLP_FIELD_EXCHANGED | DLP_FIELD_SHIFTED, "") \
    X(velocity, float, 3, "m/s", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "") \
    X(density, float, 1, "kg/m3", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "kernel sum over fluid and solids") \
    X(pressure, float, 1, "Pa", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "momentum that neighbours exchange, over area and time") \
    X(multiplier, float, 1, "Pa", DLP_FIELD_SAVED, "of the density constraint; the next step's first guess") \
    X(correction, float, 3, "m", 0, "how far constraints have moved it in this step") \
    X(multiplier_change, float, 1, "Pa", DLP_FIELD_SCRATCH, "in the last iteration") \
    X(start, float, 3, "m", DLP_FIELD_SCRATCH | DLP_FIELD_SHIFTED, "where the particle was before this step moved it") \
    X(allowed, float, 1, "", DLP_FIELD_SCRATCH, "kernel sum that the density constraint lets pass in this step") \
    X(specific_volume, float, 1, "m3/kg", DLP_FIELD_SCRATCH, "one over the material's density at rest") \
    X(smoothing, float, 1, "", DLP_FIELD_SCRATCH, "the material's part of XSPH") \
    X(correction_matrix, float, 6, "", DLP_FIELD_SCRATCH, "K of the corrected gradient: xx yy zz xy xz yz") \
    X(velocity_gradient, float, 9, "1/s", DLP_FIELD_SCRATCH, "L_ab = d u_a / d x_b, row by row") \
    X(conformation, float, 6, "", DLP_FIELD_SAVED, "Q - I, zero at rest: xx yy zz xy xz yz") \
    X(stress, float, 6, "Pa", DLP_FIELD_SAVED, "viscoelastic; the next step's first guess: xx yy zz xy xz yz") \
    X(flux, float, 9, "Pa", DLP_FIELD_SCRATCH, "the last change of stress times K, which neighbours feel, row by row") \
    X(carrier, uint16_t, 1, "", 0, "1 + the nozzle that carries it in this step, or 0") \
    X(strain, float, 6, "", DLP_FIELD_SCRATCH, "Q - I and what turning adds to it, as velocities are projected: xx yy zz xy xz yz") \
    X(compliance, float, 1, "1/Pa", DLP_FIELD_SCRATCH, "strain of the step over the stress it leaves") \
    X(retention, float, 1, "", DLP_FIELD_SCRATCH, "part of the conformation that outlives the relaxation of the step") \
    X(response, float, 1, "Pa", DLP_FIELD_SCRATCH, "change of stress for a unit of the constraint left in an iteration") \
    X(contact, float, 4, "", DLP_FIELD_SCRATCH, "normal of the wall it touches, or zero; friction: a part of its speed, or Pa/m") \
    X(slide, float, 3, "m/s", DLP_FIELD_SCRATCH, "velocity along the rough wall that it lies on") \
    X(grip, float, 3, "", DLP_FIELD_SAVED, "friction of that wall, in parts of the most it can be; of length 1 where it slides") \
    X(clearance, float, 1, "m/s", DLP_FIELD_SCRATCH, "speed away from that wall, before the wall stops it; or apart as it was") \
    X(uneven_force, float, 3, "Pa/m", DLP_FIELD_SAVED, "force against uneven motion that is remembered with the strain") \
    X(apart, float, 1, "", DLP_FIELD_SAVED | DLP_FIELD_EXCHANGED, "more than a half if it does not touch the wall it is near") \
    X(maxwell, float, 9, "", DLP_FIELD_SCRATCH, "what its material does in this step: dlp__MaxwellFlow, weights of stress") \
    X(stiffness, float, 1, "Pa.s2", DLP_FIELD_SCRATCH, "stress for a change of the rate of strain, times the step") \
    X(bulk, float, 1, "Pa.s", DLP_FIELD_SCRATCH, "resistance to a change of volume, beside the pressure") \
    X(swelling, float, 1, "1/s", DLP_FIELD_SCRATCH, "divergence of velocity that keeps its volume over the step") \
    X(unevenness, float, 1, "", DLP_FIELD_SCRATCH, "how strongly it resists motion that is not linear around it") \
    X(crowding, float, 1, "m2", DLP_FIELD_SCRATCH, "how far it shifts along a unit gradient of density") \
    X(squeeze, float, 6, "Pa", DLP_FIELD_SCRATCH, "the part of flux that is pressure: xx yy zz xy xz yz") \
    X(change, float, 3, "m/s", DLP_FIELD_SCRATCH, "of velocity in this step") \
    X(residual, float, 3, "kg/m2/s", DLP_FIELD_SCRATCH, "momentum per volume that the change leaves unexplained") \
    X(search, float, 3, "m/s", DLP_FIELD_SCRATCH, "direction in which the change is sought") \
    X(product, float, 3, "kg/m2/s", DLP_FIELD_SCRATCH, "operator times search") \
    X(mobility, float, 1, "m3/kg", DLP_FIELD_SCRATCH, "change over residual, roughly; 0 where velocity is given") \
    X(companion, uint16_t, 1, "", DLP_FIELD_SAVED, "1 + the companion that it is part of, or 0") \
    X(rest, float, 3, "m", DLP_FIELD_SAVED, "its place within that companion at rest") \
    X(bonded, float, 1, "1/kg", DLP_FIELD_SCRATCH, "how many bonds pull at it, over its mass") \
    X(sigma, float, 1, "1/s", DLP_FIELD_SCRATCH, "strength of viscosity impulses") \
    X(spring_law, float, 5, "", DLP_FIELD_SCRATCH, "of its springs, at its temperature: all but sigma of materials/spring_law.h") \
    X(far_push, float, 1, "m", DLP_FIELD_SCRATCH, "how far its density moves neighbours in this step") \
    X(near_push, float, 1, "m", DLP_FIELD_SCRATCH, "the same of its density of close neighbours") \
    X(wall_density, float, 2, "", DLP_FIELD_SCRATCH, "what walls add to both densities") \
    X(extension, float, 1, "1/s", DLP_FIELD_SCRATCH, "rate at which its links lengthen; below 0 it has none") \
    X(frozen, float, 2, "", DLP_FIELD_SAVED, "1 where links between such particles are elastic: in this step, and before it") \
    X(softness, float, 1, "m3/kg", DLP_FIELD_SCRATCH, "of its links: see materials/link_law.h") \
    X(taut, float, 1, "", DLP_FIELD_SCRATCH, "how many of its links pull") \
    X(bond_count, float, 1, "", DLP_FIELD_SCRATCH, "how many bonds it has") \
    X(temperature, float, 1, "K", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "") \
    X(enthalpy, float, 2, "J/kg", DLP_FIELD_SAVED, "from 0 K on, and what rounding to single precision left of it") \
    X(conduction, float, 9, "", DLP_FIELD_SCRATCH, "what a step of heat knows of it: see heat/heat.h") \
    X(scalar, float, 1, "", DLP_FIELD_SCRATCH, "operand of the Laplacian") \
    X(laplacian, float, 1, "", DLP_FIELD_SCRATCH, "its result")
/* clang-format on */

/* Field numbers, from 1; 0 is no field. */
typedef enum dlp__Field {
    DLP_FIELD_NONE = 0,
#define DLP_FIELD_NUMBER(name, ...) DLP_FIELD_##name,
    DLP_FIELDS(DLP_FIELD_NUMBER)
#undef DLP_FIELD_NUMBER
        DLP_FIELD_END,
} dlp__Field;

_Static_assert(DLP_FIELD_END <= 64, "sets of fields are 64 bits");
#define DLP_FIELD_MOST_COMPONENTS 9
#define DLP_FIELD_BIT(name)       ((uint64_t)1 << DLP_FIELD_##name)

typedef enum dlp__FieldType { DLP_FIELD_TYPE_float, DLP_FIELD_TYPE_uint16_t, DLP_FIELD_TYPE_uint64_t } dlp__FieldType;

typedef struct dlp__FieldInfo {
    const char *name;
    dlp__FieldType type;
    size_t size; /* of one component, bytes */
    int components;
    const char *unit;
    int flags;
    size_t offset; /* of its array pointers in dlp__Particles */
} dlp__FieldInfo;

/* What the table says of a field, DLP_FIELD_NONE < field < DLP_FIELD_END. */
const dlp__FieldInfo *dlp__field_info(int field);

/* Bits of the fields that have any of these flags. */
uint64_t dlp__fields_with(int flags);

#endif
