/* Worlds for studies, in the order they are used: a def, the world, its method's parameters, materials, fluid, steps, and
 * what the particles do. Null worlds are ignored, so no result needs to be checked. */
#ifndef STUDIES_STUDY_WORLD_H
#define STUDIES_STUDY_WORLD_H

#include "studies/study.h"

/* Defaults, with this method and the run's threads. */
dlp_WorldDef study_world_def(const StudyRun *run, const char *method);
dlp_World *study_world(StudyRun *run, const dlp_WorldDef *def); /* null after a failure */

/* Keep what a call on the world came to: one that failed ends the study. */
void study_keep(StudyRun *run, const dlp_World *world, dlp_Result result);

/* Set a parameter of the world's method by its name; a choice by its index, a yes or no by 1 or 0. */
void study_set(StudyRun *run, dlp_World *world, const char *name, double value);

/* The same for a parameter of a material, be it physical or the method's own. */
void study_set_material(StudyRun *run, dlp_World *world, dlp_MaterialId id, const char *name, double value);

/* A material made of "name", value pairs of either kind, as in STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", 5}). */
typedef struct StudyValue {
    const char *name;
    double value;
} StudyValue;

dlp_MaterialId study_material(StudyRun *run, dlp_World *world, const StudyValue *values, int count);
#define STUDY_MATERIAL(run, world, ...) \
    study_material(run, world, (const StudyValue[]){__VA_ARGS__}, \
                   (int)(sizeof((const StudyValue[]){__VA_ARGS__}) / sizeof(StudyValue)))

dlp_SolidId study_solid(StudyRun *run, dlp_World *world, const dlp_SolidDef *def); /* -1 after a failure */
int64_t study_fluid(StudyRun *run, dlp_World *world, const dlp_FluidDef *def);     /* how many particles came in */
void study_floor(StudyRun *run, dlp_World *world, double friction);                /* the plane z = 0 */

/* A lattice block with its lowest corner (half a spacing below its lowest particles) at `corner`. Ids follow x fastest,
 * then y, then z. */
typedef struct StudyBlock {
    dlp_MaterialId material;
    int counts[3];     /* particles along x, y, z              */
    dlp_Vec3 corner;   /* m                                    */
    dlp_Vec3 velocity; /* m/s                                  */
    dlp_Vec3 spin;     /* rad/s, about the centre of the block */
} StudyBlock;

void study_block(StudyRun *run, dlp_World *world, const StudyBlock *block);
/* n^3 of them at rest, centred above the origin with the lowest face at `height` (m). */
void study_cube(StudyRun *run, dlp_World *world, dlp_MaterialId material, int n, double height);

/* One step, counted as progress. False if the study should end: a step that fails, even by NaN, ends it. With automatic time
 * steps, as many as it takes to advance by dt. */
bool study_step(StudyRun *run, dlp_World *world, double dt);
/* Steps of dt over `duration` (s), or automatic ones. */
void study_run_for(StudyRun *run, dlp_World *world, double duration, double dt);
/* Velocities of method physical are those of the middle of the last step: that time (s). */
double study_velocity_time(const dlp_World *world);
/* The same for studies that expect a breakdown: `broken` tells of NaN or infinity, and the study goes on. */
bool study_try_step(StudyRun *run, dlp_World *world, double dt, bool *broken);

/* The particles in the order of their ids. Start from zeros; the arrays are reused by the next reading, and freed. */
typedef struct StudyParticles {
    int64_t count, capacity;
    uint64_t *id;
    float (*position)[3]; /* m   */
    float (*velocity)[3]; /* m/s */
    uint16_t *material;
} StudyParticles;

void study_read(StudyRun *run, const dlp_World *world, StudyParticles *particles);
void study_particles_free(StudyParticles *particles);

/* Stats of the world; all zero after a failure. */
dlp_WorldStats study_stats(StudyRun *run, const dlp_World *world);

#endif
