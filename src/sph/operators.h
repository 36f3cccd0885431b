/* Operators on particle fields, as stages: kernel-sum density, the corrected velocity gradient and a Laplacian.
 *
 * The plain SPH gradient is not exact for linear fields, and at a free surface it is far off. Here every particle
 * has a correction matrix K (Bonet and Lok 1999) that makes it exact:
 *     K_i   = inverse of  sum_j V gradW_ij (x_j - x_i)^T         (zero where that cannot be inverted)
 *     L_i   = sum_j V (u_j - u_i) (K_i gradW_ij)^T               L_ab = d u_a / d x_b
 *     lap_i = sum_j V (z_i + z_j) w_ij (q_j - q_i),              z = tr K / 3, w = -W'/r */
#ifndef DLP_SPH_OPERATORS_H
#define DLP_SPH_OPERATORS_H

#include "stages/stage_runner.h"
#include "sph/kernel.h"

typedef struct dlp__OperatorArguments {
    dlp__Kernel kernel;
    float volume; /* m3, of a particle */
} dlp__OperatorArguments;

typedef struct dlp__Operators {
    dlp__Stage density;           /* needs specific_volume; writes density */
    dlp__Stage correction_matrix; /* writes correction_matrix */
    dlp__Stage velocity_gradient; /* needs velocity, correction_matrix; writes velocity_gradient */
    dlp__Stage laplacian;         /* needs scalar, correction_matrix; writes laplacian */
} dlp__Operators;

/* The operators for a vector width; run them with dlp__OperatorArguments. */
const dlp__Operators *dlp__operators(int width);

extern const dlp__Operators dlp__operators_w1, dlp__operators_w4, dlp__operators_w8, dlp__operators_w16;

#endif
