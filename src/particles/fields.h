/* Particle fields. The store, sorting, migration between subdomains, stages, the NaN guard, frames, checkpoints and bindings
 * all read these tables: adding a field means adding a line.
 *
 * The common fields below belong to modules that several methods use. A method declares its own fields in a table of
 * the same form in its folder; they are numbered after the common ones.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_PARTICLES_FIELDS_H
#define DLP_PARTICLES_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DLP_FIELD_SAVED = 1,      /* part of the state: in checkpoints and in the hash                   */
    DLP_FIELD_SHOWN = 2,      /* in frames and exports                                               */
    DLP_FIELD_EXCHANGED = 4,  /* ghosts hold a copy from the moment the halo is built                */
    DLP_FIELD_SHIFTED = 8,    /* shifted by the size of the box in a periodic image            */
    DLP_FIELD_SCRATCH = 16,   /* valid within a step only: not sorted, migrated or saved             */
    DLP_FIELD_ON_DEMAND = 32, /* gets memory when the method adds it, because few worlds need it      */
    DLP_FIELD_SHEARED = 64    /* a velocity: images across the z faces of a sheared box are faster along x */
};

/* clang-format off */
#define DLP_FIELDS(X) \
    X(id, uint64_t, 1, "", DLP_FIELD_SAVED | DLP_FIELD_SHOWN | DLP_FIELD_EXCHANGED, "never changes") \
    X(material, uint16_t, 1, "", DLP_FIELD_SAVED | DLP_FIELD_SHOWN | DLP_FIELD_EXCHANGED, "index of the material") \
    X(position, float, 3, "m", \
      DLP_FIELD_SAVED | DLP_FIELD_SHOWN | DLP_FIELD_EXCHANGED | DLP_FIELD_SHIFTED, "") \
    X(velocity, float, 3, "m/s", DLP_FIELD_SAVED | DLP_FIELD_SHOWN | DLP_FIELD_SHEARED, "") \
    X(density, float, 1, "kg/m3", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "kernel sum over fluid and solids") \
    X(pressure, float, 1, "Pa", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "momentum exchanged with neighbours, per area and time") \
    X(stress, float, 6, "Pa", DLP_FIELD_SAVED, "Cauchy stress, or the multiplier of a stress constraint: xx yy zz xy xz yz") \
    X(specific_volume, float, 1, "m3/kg", DLP_FIELD_SCRATCH, "one over the material's rest density") \
    X(start, float, 3, "m", DLP_FIELD_SCRATCH | DLP_FIELD_SHIFTED, "position at the start of the step") \
    X(correction, float, 3, "m", 0, "displacement by constraints and contact in this step") \
    X(carrier, uint16_t, 1, "", 0, "1 + the nozzle that carries the particle in this step, or 0") \
    /* density constraint (pressure/) and XSPH */ \
    X(multiplier, float, 1, "Pa", DLP_FIELD_SAVED, "of the density constraint; initial guess of the next step") \
    X(multiplier_change, float, 1, "Pa", DLP_FIELD_SCRATCH, "in the last iteration") \
    X(allowed, float, 1, "", DLP_FIELD_SCRATCH, "kernel sum that the density constraint tolerates in this step") \
    X(smoothing, float, 1, "", DLP_FIELD_SCRATCH, "XSPH coefficient of the material") \
    /* operators (sph/) */ \
    X(correction_matrix, float, 6, "", DLP_FIELD_SCRATCH, "K of the corrected gradient: xx yy zz xy xz yz") \
    X(velocity_gradient, float, 9, "1/s", DLP_FIELD_SCRATCH, "L_ab = d u_a / d x_b, row by row") \
    X(scalar, float, 1, "", DLP_FIELD_SCRATCH, "operand of the Laplacian") \
    X(laplacian, float, 1, "", DLP_FIELD_SCRATCH, "its result") \
    /* conjugate gradients (krylov/) */ \
    X(change, float, 3, "", DLP_FIELD_SCRATCH, "the unknown: change of velocity (m/s) or temperature (K) in this step") \
    X(residual, float, 3, "", DLP_FIELD_SCRATCH, "right side minus operator times change") \
    X(search, float, 3, "", DLP_FIELD_SCRATCH, "search direction") \
    X(product, float, 3, "", DLP_FIELD_SCRATCH, "operator times search direction, or preconditioned residual") \
    X(mobility, float, 1, "", DLP_FIELD_SCRATCH, "approximate inverse of the operator's diagonal; 0 where the value is prescribed") \
    /* Poisson equation (poisson/) */ \
    X(poisson_source, float, 1, "", DLP_FIELD_SCRATCH, "right side s of the equation") \
    X(poisson_loss, float, 1, "", DLP_FIELD_SCRATCH, "coefficient b of the unknown itself, 0 or more: coupling to a value of zero outside the fluid") \
    /* walls (boundary/) */ \
    X(contact, float, 4, "", DLP_FIELD_SCRATCH, "normal of the wall in contact, or zero; friction: coefficient, or limit in Pa/m") \
    X(slide, float, 3, "m/s", DLP_FIELD_SCRATCH, "velocity relative to the rough wall in contact, along it") \
    X(clearance, float, 1, "m/s", DLP_FIELD_SCRATCH, "normal velocity that the wall in contact took away; negative or 0") \
    X(detached, float, 1, "", DLP_FIELD_SAVED | DLP_FIELD_EXCHANGED, "above a half: not attached to the wall nearby") \
    X(detached_before, float, 1, "", DLP_FIELD_SCRATCH, "the same in the step before") \
    /* bonds/ and companions/ */ \
    X(bond_count, float, 1, "", DLP_FIELD_SCRATCH, "number of bonds") \
    X(companion, uint16_t, 1, "", DLP_FIELD_SAVED, "1 + the companion it belongs to, or 0") \
    X(rest, float, 3, "m", DLP_FIELD_SAVED, "rest position within that companion") \
    X(bonded, float, 1, "1/kg", DLP_FIELD_SCRATCH, "number of active bonds over its mass") \
    /* clusters/ */ \
    X(object, float, 1, "", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "number of the connected object that its cluster belongs to, from 1; 0: it has no cluster") \
    X(reference, float, 3, "m", DLP_FIELD_SAVED | DLP_FIELD_SHIFTED, "position in the reference shape of its object") \
    X(rotation, float, 4, "", DLP_FIELD_SAVED, "rotation of its cluster from the reference shape: quaternion w x y z") \
    X(fresh, float, 1, "", DLP_FIELD_SCRATCH, "above 0: its cluster is new in this step; see clusters/clusters.h") \
    X(cluster_stiffness, float, 1, "1/s2", DLP_FIELD_SCRATCH, "acceleration towards the goal positions of its cluster, per distance; 0: it has no cluster") \
    X(cluster_share, float, 1, "", DLP_FIELD_SCRATCH, "one over the number of clusters it belongs to") \
    X(cluster_offset, float, 3, "m", DLP_FIELD_SCRATCH, "its goal position in its own cluster, from its position") \
    X(cluster_pull, float, 3, "m/s2", DLP_FIELD_SCRATCH, "acceleration towards the goal positions of all its clusters") \
    /* heat/ */ \
    X(temperature, float, 1, "K", DLP_FIELD_SAVED | DLP_FIELD_SHOWN, "") \
    X(enthalpy, float, 2, "J/kg", DLP_FIELD_SAVED, "relative to 0 K, and the rounding error of its single-precision value") \
    X(conduction, float, 9, "", DLP_FIELD_SCRATCH, "coefficients of a heat step: see heat/heat.h") \
    /* world/derived_fields.h: valid from dlp_world_derive() until the world changes */ \
    X(shear_rate, float, 1, "1/s", DLP_FIELD_SCRATCH, "sqrt(2 D:D)") \
    X(extra_stress, float, 6, "Pa", DLP_FIELD_SCRATCH, "of the material law, without pressure: xx yy zz xy yz xz") \
    X(steady_viscosity, float, 1, "Pa.s", DLP_FIELD_SCRATCH, "in steady shear, at its temperature and stretch")
/* clang-format on */

/* Field numbers, from 1; 0 is no field and ends lists. A method's own fields are numbered from DLP_FIELD_END. */
typedef uint16_t dlp__FieldId;
enum {
    DLP_FIELD_NONE = 0,
#define DLP_FIELD_NUMBER(name, ...) DLP_FIELD_##name,
    DLP_FIELDS(DLP_FIELD_NUMBER)
#undef DLP_FIELD_NUMBER
        DLP_FIELD_END,
};

#define DLP_FIELD_MOST_COMPONENTS 9
#define DLP_OWN_FIELDS_MOST       96  /* fields of one method's table     */
#define DLP_OWN_ARRAYS_MOST       256 /* their components in total  */
#define DLP_FIELDS_MOST           (DLP_FIELD_END + DLP_OWN_FIELDS_MOST)

typedef enum dlp__FieldType { DLP_FIELD_TYPE_float, DLP_FIELD_TYPE_uint16_t, DLP_FIELD_TYPE_uint64_t } dlp__FieldType;

typedef struct dlp__FieldInfo {
    const char *name;
    dlp__FieldType type;
    size_t size; /* of one component, bytes */
    int components;
    const char *unit;
    int flags;
    size_t offset; /* of its array pointers: in dlp__Particles, or in the struct of a method's own fields */
} dlp__FieldInfo;

/* A method's own fields. */
typedef struct dlp__FieldTable {
    int count;
    const dlp__FieldInfo *info;
} dlp__FieldTable;

#define DLP_FIELD_MEMBER(name, type, components, ...) type *name[components];
#define DLP_OWN_FIELD_NUMBER(name, ...)               OWN_##name,
#define DLP_OWN_FIELD_INFO(name, type, components, unit, flags, meaning) \
    {#name, DLP_FIELD_TYPE_##type, sizeof(type), components, unit, flags, offsetof(dlp__OwnFields, name)},

/* A method's own fields from its rows FIELDS, such as in methods/physical/physical_fields.h. In its header: a struct of array
 * pointers, which dlp__own_fields() finds, and field numbers OWN_name. In one of its C files: the table. */
#define DLP_DECLARE_OWN_FIELDS(struct_type, FIELDS) \
    typedef struct struct_type { \
        FIELDS(DLP_FIELD_MEMBER) \
    } struct_type; \
    enum { OWN_BEFORE_FIRST = DLP_FIELD_END - 1, FIELDS(DLP_OWN_FIELD_NUMBER) }
#define DLP_DEFINE_OWN_FIELDS(struct_type, FIELDS, table) \
    typedef struct_type dlp__OwnFields; \
    static const dlp__FieldInfo own_field_info[] = {FIELDS(DLP_OWN_FIELD_INFO)}; \
    _Static_assert(sizeof own_field_info / sizeof own_field_info[0] <= DLP_OWN_FIELDS_MOST, \
                   "raise DLP_OWN_FIELDS_MOST"); \
    _Static_assert(sizeof(struct_type) <= DLP_OWN_ARRAYS_MOST * sizeof(void *), "raise DLP_OWN_ARRAYS_MOST"); \
    const dlp__FieldTable table = {(int)(sizeof own_field_info / sizeof own_field_info[0]), own_field_info}

/* A growing list of fields, ended by DLP_FIELD_NONE. */
typedef struct dlp__FieldList {
    int count;
    dlp__FieldId field[DLP_FIELDS_MOST + 1];
} dlp__FieldList;

/* Add fields to a list, each once; `fields` ends with DLP_FIELD_NONE. */
void dlp__fields_add(dlp__FieldList *list, const dlp__FieldId *fields);

/* Add all of a method's own fields. */
void dlp__fields_add_own(dlp__FieldList *list, const dlp__FieldTable *own);

/* Whether a list that ends with DLP_FIELD_NONE holds a field. */
bool dlp__fields_hold(const dlp__FieldId *fields, int field);

#endif
