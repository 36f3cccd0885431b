/* Worlds in which the virtual rheometer measures: particles of one material, without gravity and surface tension. The arrangement of the
 * particles is disordered and the same for each sample of a shape. */
#ifndef DLP_RHEOLOGY_SAMPLE_WORLD_H
#define DLP_RHEOLOGY_SAMPLE_WORLD_H

#include <dollop/world.h>

/* A world without particles; `period` (m) is 0 along axes that are not periodic. */
dlp_Result dlp__sample_world(dlp_World **world, const dlp_MaterialDef *material, double spacing, dlp_Vec3 period,
                             int64_t threads, dlp_Error *error);

/* Set a parameter of method physical that is a real number. */
dlp_Result dlp__sample_set(dlp_World *world, const char *name, double value, dlp_Error *error);

/* Copy the message of the world's last failure, and return `result`. */
dlp_Result dlp__sample_fail(const dlp_World *world, dlp_Result result, dlp_Error *error);

/* A fraction from 0 to 1: the high bits of a linear congruential generator (Knuth's MMIX). */
double dlp__next_fraction(uint64_t *state);

/* A lattice of particles at rest, each displaced at random. */
typedef struct dlp__SampleLattice {
    double spacing;                                      /* m */
    dlp_Vec3 first;                                      /* m, the place with the lowest coordinates */
    int counts[3];                                       /* places along x, y, z */
    double disorder;                                     /* spacings, the most from the place */
    bool (*has_place)(const void *user, dlp_Vec3 place); /* whether there is a particle; null: everywhere */
    const void *user;
} dlp__SampleLattice;

dlp_Result dlp__sample_fill(dlp_World *world, const dlp__SampleLattice *lattice, dlp_Error *error);

/* Shift the particles apart without flow, until their distances are even. Not beside walls: in such short steps pressure would detach the
 * fluid from them. */
dlp_Result dlp__sample_settle(dlp_World *world, dlp_Error *error);

/* Add a solid; its force is measured by the probe of the same number. */
dlp_Result dlp__sample_add_solid(dlp_World *world, const dlp_SolidDef *def, dlp_Error *error);

/* The force of the fluid on a solid, and its torque about the centre of the solid, means over the last step. */
typedef struct dlp__SolidForce {
    dlp_Vec3 force;  /* N */
    dlp_Vec3 torque; /* N m */
} dlp__SolidForce;
dlp_Result dlp__sample_force(const dlp_World *world, int solid, dlp__SolidForce *force, dlp_Error *error);

#endif
