/* Pressure of method mps. The change of the number density in a step follows from the predicted positions; pressure is chosen such that
 * the displacements by its gradient undo it:
 *
 *     sum_j a_ij (p_i - p_j) + b_i p_i = lambda / (6 dt^2) (n_i - n_i at the start + a part of the error there),    a_ij = w / rho
 *
 * Where neighbours are missing beyond a free surface, b_i stands for them: pressure is zero there. The paper's scheme (cohesion:
 * potential) sets p_i = 0 where n_i < 0.97 n0, corrects n_i - n0 at once and allows no negative pressure. */
#ifndef DLP_METHODS_MPS_PRESSURE_H
#define DLP_METHODS_MPS_PRESSURE_H

#include "methods/mps/mps_stages.h"

void dlp__mps_project(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsPressureStages *stages);

/* Displace particles to a more regular packing; velocities stay. */
void dlp__mps_shift(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsPressureStages *stages);

#endif
