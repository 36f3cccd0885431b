/* The sample of the virtual rheometer: particles of a material in a sheared periodic box. The arrangement of the particles is disordered
 * and the same for each sample of a size. */
#ifndef DLP_RHEOLOGY_SHEARED_SAMPLE_H
#define DLP_RHEOLOGY_SHEARED_SAMPLE_H

#include <dollop/world.h>

typedef struct dlp__Sample {
    dlp_World *world;
    double time, strain;
    double stress, normal_stress; /* Pa, means of all particles when they were last read */
} dlp__Sample;

/* Fill the box, at rest. Destroy it in any case. */
dlp_Result dlp__sample_create(dlp__Sample *sample, const dlp_MaterialDef *material, double spacing, int edge,
                              int64_t threads, dlp_Error *error);
void dlp__sample_destroy(dlp__Sample *sample);

/* A step (s) at a mean shear rate (1/s). */
dlp_Result dlp__sample_step(dlp__Sample *sample, double rate, double dt, dlp_Error *error);
/* Set the shear rate to its value at the end of the step, and compute the stress there. Takes about a third of the time of a step. */
dlp_Result dlp__sample_read(dlp__Sample *sample, double rate, dlp_Error *error);

#endif
