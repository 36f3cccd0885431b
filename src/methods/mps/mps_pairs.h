/* The pair equations of method mps over simd.h. With e the unit vector from i to j, w the weight, c = 3 / n0 and
 *
 *     n_i = sum_j w                                                     number density
 *     M_i = c sum_j w e e^T,  K_i = M_i^-1                              identity inside the fluid
 *     L_i = c sum_j (u_j - u_i) (w e / r)^T K_i                         velocity gradient: exact for linear fields
 *     f_i = c sum_j (tau_i K_i + tau_j K_j) (w e / r)                   divergence: minus the adjoint of the gradient
 *         + c z sum_j (eta_i + eta_j) w / r^2 (u_j - u_i) - (eta_i L_i + eta_j L_j) (w e / r)
 *
 * L_i is the least-squares fit of the neighbours' velocities with the weights w / r^2, and the last line is the gradient of the residual
 * of this fit, times viscosity: it vanishes for linear fields and resists the zero-energy modes of the first line. With z = 1 both lines
 * together are the compact Laplacian c sum 2 eta w / r^2 (u_j - u_i) where the fluid is incompressible. Momentum and angular momentum
 * are conserved, and the operator is symmetric and negative semidefinite.
 *
 * The paper's scheme has K = 1, the Laplacian model for viscosity, and the gradient model for elastic stress, c sum_j (tau_j - tau_i) (w e / r),
 * which is not the adjoint of L: without viscosity it disperses particles. */
#ifndef DLP_METHODS_MPS_PAIRS_H
#define DLP_METHODS_MPS_PAIRS_H

#include "sph/operator_pairs.h"

/* w(r), zero beyond r_e; `least` is the shortest distance that is distinguished. */
DLP_INLINE dlp__Wide weight_at(const dlp__Pair *pair, float reach, dlp__Wide least)
{
    dlp__Wide w = dlp__wide(reach) / dlp__wide_max(pair->r, least) - dlp__wide(1.0f);
    return dlp__wide_where(pair->there, dlp__wide_max(w, dlp__wide(0.0f)));
}

/* 1 / r^2 */
DLP_INLINE dlp__Wide per_square(const dlp__Pair *pair, dlp__Wide least)
{
    dlp__Wide r = dlp__wide_max(pair->r, least);
    return dlp__wide(1.0f) / (r * r);
}

#endif
