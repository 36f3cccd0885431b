/* Particle fields that are computed on demand: shear rate, stress and viscosity. See dlp_world_derive() in dollop/world.h. */
#ifndef DLP_WORLD_DERIVED_FIELDS_H
#define DLP_WORLD_DERIVED_FIELDS_H

#include "world/world_state.h"

typedef struct dlp__DerivedField {
    dlp_DerivedInfo info;
    dlp__FieldId field; /* where dlp_world_derive() stores it */
} dlp__DerivedField;

#define DLP_DERIVED_FIELDS 3
extern const dlp__DerivedField dlp__derived_fields[DLP_DERIVED_FIELDS];

/* Refuses fields that do not exist or that the method does not have. */
dlp_Result dlp__check_derived(const dlp_World *world, int fields);

/* The derived field that is stored in a particle field; null if that is not a derived one. */
const dlp_DerivedInfo *dlp__derived_info_of(int field);

/* Before a file is written: compute the derived fields that frames contain. A world that is not finite has none. */
dlp_Result dlp__derive_for_files(dlp_World *world);

/* Whether files contain a particle field that the store has, and its name there. */
static inline bool dlp__is_in_files(const dlp_World *world, int field, int flags)
{
    const dlp_DerivedInfo *derived = dlp__derived_info_of(field);
    return (flags & DLP_FIELD_SHOWN) != 0 ||
           (derived != NULL && (world->derived & world->frame_fields & (int)derived->field) != 0);
}
static inline const char *dlp__name_in_files(int field, const dlp__FieldInfo *info)
{
    const dlp_DerivedInfo *derived = dlp__derived_info_of(field);
    return derived != NULL ? derived->name : info->name;
}

/* The pointers of a view to the derived fields that are valid. */
void dlp__view_derived(const dlp_World *world, const dlp__Particles *particles, dlp_ParticleView *view);

#endif
