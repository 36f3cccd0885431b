/* The viscoelastic stages of the stress-based rival, for each vector width. */
#ifndef DLP_STUDIES_STRESS_STAGES_H
#define DLP_STUDIES_STRESS_STAGES_H

#include "stages/stage_runner.h"
#include "sph/kernel.h"

typedef struct dlp__StressArguments {
    dlp__Kernel kernel;
    float volume;          /* m3, of a particle                                            */
    float specific_volume; /* m3/kg                                                        */
    float dt;              /* s                                                            */
    float modulus;         /* Pa, stress over the trial strain of a step, G tau / (tau + dt)   */
    float retention;       /* fraction of Q - I after the relaxation, tau / (tau + dt)     */
} dlp__StressArguments;

typedef struct dlp__StressStages {
    dlp__Stage begin;      /* stores the start positions, where strain and stress are evaluated */
    dlp__Stage deform;     /* velocity gradient, conformation and stress in one loop     */
    dlp__Stage accelerate; /* the divergence of the stress, into velocity and position   */
    dlp__Stage arrive;     /* positions from the velocities that walls have changed      */
} dlp__StressStages;

extern const dlp__StressStages dlp__stress_stages_w1, dlp__stress_stages_w4, dlp__stress_stages_w8,
    dlp__stress_stages_w16;

#endif
