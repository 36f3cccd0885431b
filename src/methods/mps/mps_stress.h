/* Deviatoric stress of method mps: accelerates particles by div(tau), explicitly or implicitly, and updates the elastic strain. */
#ifndef DLP_METHODS_MPS_STRESS_H
#define DLP_METHODS_MPS_STRESS_H

#include "methods/mps/mps_stages.h"

/* Velocities and predicted positions change; `shape` must be current. */
void dlp__mps_apply_stress(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsFlowStages *stages);

#endif
