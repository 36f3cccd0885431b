/* The stages of method mps that loop over pairs, for each vector width; their arguments are a dlp__MpsPlan. */
#ifndef DLP_METHODS_MPS_STAGES_H
#define DLP_METHODS_MPS_STAGES_H

#include "methods/mps/mps_plan.h"

/* Geometry, stress and surface tension: mps_flow_wide.c. */
typedef struct dlp__MpsFlowStages {
    dlp__Stage shape;           /* n, K and the distance from the free surface          */
    dlp__Stage gradient;        /* L of the velocities                                  */
    dlp__Stage flux;            /* stress as it acts on neighbours, from L and elastic_stress */
    dlp__Stage force;           /* its divergence, at the velocities: `residual`        */
    dlp__Stage search_flux;     /* the same pair of stages for the search direction of conjugate gradients */
    dlp__Stage search_force;    /* `product`                                            */
    dlp__Stage surface_tension; /* eq. 14                                               */
} dlp__MpsFlowStages;

/* Pressure: mps_pressure_wide.c. */
typedef struct dlp__MpsPressureStages {
    dlp__Stage equation;   /* couplings, losses and source of the pressure equation     */
    dlp__Stage push;       /* acceleration by the search direction as a pressure         */
    dlp__Stage divergence; /* divergence of these accelerations; both together are the operator */
    dlp__Stage shift;      /* displacement to a more regular packing */
} dlp__MpsPressureStages;

extern const dlp__MpsFlowStages dlp__mps_flow_stages_w1, dlp__mps_flow_stages_w4, dlp__mps_flow_stages_w8,
    dlp__mps_flow_stages_w16;
extern const dlp__MpsPressureStages dlp__mps_pressure_stages_w1, dlp__mps_pressure_stages_w4,
    dlp__mps_pressure_stages_w8, dlp__mps_pressure_stages_w16;

#endif
